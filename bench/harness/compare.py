"""Runs contenders side by side: on each set all of them in turn, then all of them again."""

from .figures import ratio, spread

MEASURED = ("wall", "cpu", "train_cpu", "read", "train", "predict", "predict_wall", "peak", "load", "switches")
FOUND = (
    *("accuracy", "score", "support_vectors", "iterations", "relative_gap", "converged"),
    *("remark", "verified", "solver", "storage", "rows", "features"),
)


class Plan:
    """How often and how long. peer_repeat None: as often as partan, unless one run of the peer takes over `slow` s."""

    def __init__(self, repeat, peer_repeat, limit, peer_limit, slow=60, verify=False):
        self.repeat = repeat
        self.peer_repeat = peer_repeat
        self.limit = limit
        self.peer_limit = peer_limit
        self.slow = slow
        self.verify = verify

    def limit_of(self, contender):
        return self.peer_limit if contender.peer else self.limit

    def again(self, contender, runs):
        """Whether a contender is to run once more."""
        if runs and runs[-1]["timed_out"]:
            return False
        if not contender.peer or (self.peer_repeat is None and not (runs and runs[-1]["wall"] > self.slow)):
            return len(runs) < self.repeat
        return len(runs) < (self.peer_repeat or 1)


def summarise(runs):
    """Spreads of what was measured; what was found is the same in each run, so the first run's (it also predicted)."""
    summary = {key: spread(run.get(key) for run in runs) for key in MEASURED}
    summary.update({key: runs[0].get(key) for key in FOUND})
    summary["timed_out"] = any(run["timed_out"] for run in runs)
    summary["runs"] = runs
    return summary


def ratios(ours, theirs):
    """How many times longer the peer took. A peer that timed out took at least so long."""
    if ours["timed_out"]:
        return {}
    result = {key: ratio(theirs[key], ours[key]) for key in ("wall", "train", "read", "predict")}
    # Python's own start is left out; the other programs' is too short to matter.
    result["cpu"] = ratio(theirs["train_cpu"] or theirs["cpu"], ours["cpu"])
    # svm-predict does not say what its prediction alone takes: prediction.py measures it on a common model.
    result["at_least"] = theirs["timed_out"]
    if ours["accuracy"] is not None and theirs["accuracy"] is not None:
        result["accuracy"] = ours["accuracy"] - theirs["accuracy"]
    return result


def run_set(entry, files, contenders, plan, note):
    """{contender's name: summary}."""
    runs = {contender.name: [] for contender in contenders}
    turn = 0
    while True:
        due = [c for c in contenders if plan.again(c, runs[c.name])]
        if not due:
            break
        turn += 1
        for contender in due:
            note(f"{entry.name}: {contender.name}, turn {turn}")
            record = contender.train(entry, files, plan.limit_of(contender))
            if plan.verify and not contender.peer and turn == 1 and not record["timed_out"]:
                record["verified"] = contender.verify(entry, files, plan.limit)
            runs[contender.name].append(record)
    return {name: summarise(of) for name, of in runs.items()}


def compare(sets, contenders, plan, note, done):
    """A list of {"set", "program", ..., "ratios": {peer: ...}}; done(list so far) after every set."""
    results = []
    for entry, files in sets:
        summaries = run_set(entry, files, contenders, plan, note)
        for contender in contenders:
            result = {"set": entry.name, "program": contender.name, "peer": contender.peer, **summaries[contender.name]}
            if not contender.peer:
                peers = [c.name for c in contenders if c.peer]
                result["ratios"] = {peer: ratios(result, summaries[peer]) for peer in peers}
            results.append(result)
        done(results)
    return results
