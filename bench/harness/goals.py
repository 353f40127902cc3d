"""The project's goals against what a run measured. A goal whose parts were not measured is said to be so.

Ratios are of training alone on both sides: svm-train's reading is taken off, the stricter way."""

from .figures import ratio

READING = 10  # times faster than svm-train reads
THREADS = 1.7  # two threads against one, where one takes over a second
ACCURACY = -0.001  # partan's test accuracy less the peer's, at least
TIGHT_AIM = 3  # times as fast as scikit-learn-intelex at its own tolerance
PATH = 3  # trainings that a path over C may take
EXPONENT = 1.3  # of time against rows
BYTES_A_ROW = 100  # of memory beyond data and budget
TIGHT, SINGLE = "tight", "single"  # the variants that some goals are about

# What `--goals` runs beside the default: name and options.
VARIANTS = {TIGHT: ["--tol", "0.001"], SINGLE: ["--threads", "1"]}


def within(value, most):
    """A verdict for numbers that are to be small."""
    return "not measured" if value is None else "reached" if value <= most else "NOT reached"


def judge(entry, goal, value, must, aim=None, at_least=False, text=None):
    if value is None:
        verdict = "not measured"
    elif aim is not None and value >= aim:
        verdict = "aim reached"
    elif value >= must:
        verdict = "reached"
    else:
        # The peer was stopped before its end: the true ratio is greater than the one at hand.
        verdict = "open: the peer timed out" if at_least else "NOT reached"
    text = text or ("-" if value is None else f"{'>' if at_least else ''}{value:.3g}")
    return {"set": entry.name, "goal": goal, "value": value, "text": text, "must": must, "aim": aim, "verdict": verdict}


def against(entry, result, peer, goal, must, aim=None):
    """One ratio of training times and the accuracy that goes with it."""
    found = (result or {}).get("ratios", {}).get(peer, {})
    value = (found.get("train") or {}).get("median")
    if result and result["timed_out"]:
        return [judge(entry, goal, 0, must, aim, text="partan timed out")]
    return [judge(entry, goal, value, must, aim, found.get("at_least", False))]


def accuracy(entry, result, peer):
    value = (result or {}).get("ratios", {}).get(peer, {}).get("accuracy")
    if value is None:
        return []
    points = judge(entry, f"accuracy beside {peer}, points", value, ACCURACY, text=f"{100 * value:+.2f}")
    points["must"] = 100 * ACCURACY
    return [points]


def of_threads(entry, both, one):
    if not both or not one or both["timed_out"] or one["timed_out"] or one["train"]["median"] <= 1:
        return []
    found = ratio(one["train"], both["train"])
    return [judge(entry, "all threads against one", found and found["median"], THREADS)]


def of_set(entry, main, of, predictions):
    """`of` has the results by program, `main` is the name of partan's default way."""
    ours, goal = of.get(main), entry.goal
    records = []
    if goal:
        records += against(entry, ours, "libsvm", "training against svm-train", goal.must, goal.aim)
        if TIGHT in of:
            records += against(entry, of[TIGHT], "libsvm", "the same at --tol 0.001", goal.tight)
    for peer in (ours or {}).get("ratios", {}):
        if peer != "libsvm":
            records += against(entry, ours, peer, f"training against {peer}", 1)
            if TIGHT in of:
                records += against(entry, of[TIGHT], peer, f"the same at --tol 0.001, {peer}", 1, TIGHT_AIM)
        records += accuracy(entry, ours, peer)
    reading = ours["ratios"].get("libsvm", {}).get("read") if ours and ours["ratios"] else None
    if goal and reading:
        records.append(judge(entry, "reading against svm-train", reading["median"], READING))
    for prediction in predictions:
        if goal and prediction["set"] == entry.name:
            value = (prediction["ratios"]["predict"] or {}).get("median")
            records.append(judge(entry, "prediction against svm-predict", value, goal.predict))
    return records + of_threads(entry, ours, of.get(SINGLE))


def judge_all(entries, main, results, predictions):
    records = []
    for entry in entries:
        of = {r["program"]: r for r in results if r["set"] == entry.name}
        if of:
            records += of_set(entry, main, of, predictions)
    return records
