"""The comparison's results as tables: what was measured, ratios to the peers, predictions on a common model."""

from .goals import PATH, within
from .process import own_peak
from .report import Table, megabytes, number, percent, ranged, times

MEASURED_NOTES = (
    "train: training alone (for svm-train its wall time less that of a run that makes no step); read: reading the "
    "training file (svm-train: its reader alone; Python: scikit-learn's); wall, CPU: the whole training process.",
    "predict: the test rows, alone; for svm-predict the whole process. Medians, and least-most where they differ.",
    "gap/2f: partan's proof that the margin is within this share of the best possible one. peak: largest resident set.",
)
RATIO_NOTES = (
    "How many times longer the peer took: medians' ratio (least-most that single runs could give).",
    "train: training against training; wall: whole process against whole process (for the Python peers it includes "
    "starting Python); CPU: processor time of all threads, which other programs disturb less; accuracy: partan's less "
    "the peer's, in points.",
)
PREDICTION_NOTES = (
    "One model, written by partan in LIBSVM's format, used by both on the test rows. predict: partan's prediction "
    "alone, and svm-predict's wall time less that of a run with two support vectors (reading and writing); wall: whole "
    "processes.",
)


def peak(result):
    """Of the peers the kernel does not show less than this program's own."""
    value = result["peak"]["median"]
    hidden = result["peer"] and value <= 1.1 * own_peak()
    return ("<" if hidden else "") + megabytes(value)


def measured(results):
    headings = (
        *("set", "program", "train s", "read s", "wall s", "CPU s", "predict s"),
        *("accuracy", "SVs", "steps", "gap/2f", "peak MB", "load"),
    )
    table = Table("Training and prediction", headings, notes=MEASURED_NOTES)
    for r in results:
        late = ">" if r["timed_out"] else ""
        predict = r["predict"] or r["predict_wall"]
        table.add(
            *(r["set"], r["program"], late + ranged(r["train"]), ranged(r["read"]), late + ranged(r["wall"])),
            *(ranged(r["cpu"]), ranged(predict), percent(r["accuracy"]), number(r["support_vectors"], "{:,}")),
            *(number(r["iterations"], "{:,}"), number(r["relative_gap"], "{:.4f}")),
            *(peak(r), f"{r['load']['median']:.1f}"),
        )
        if r.get("remark"):
            table.notes.append(f"{r['set']}, {r['program']}: {r['remark']}")
        if r.get("verified") is False:
            table.notes.append(f"{r['set']}, {r['program']}: partan verify does NOT confirm the model")
    return table


def ratios(results):
    headings = ("set", "partan", "peer", "x train", "x wall", "x CPU", "x read", "accuracy")
    table = Table("Ratios to the peers", headings, left=3, notes=RATIO_NOTES)
    for r in results:
        for peer, found in r.get("ratios", {}).items():
            late = found.get("at_least", False)
            points = found.get("accuracy")
            table.add(
                *(r["set"], r["program"], peer, times(found.get("train"), late), times(found.get("wall"), late)),
                *(times(found.get("cpu"), late), times(found.get("read"))),
                number(points if points is None else 100 * points, "{:+.2f}"),
            )
    return table


def predictions(records):
    headings = ("set", "rows", "partan s", "svm-predict s", "x predict", "x wall", "labels differ")
    table = Table("Prediction with the same model", headings, left=1, notes=PREDICTION_NOTES)
    for r in records:
        spreads = r["seconds"]
        table.add(
            *(r["set"], f"{r['rows']:,}", ranged(spreads["partan"]), ranged(spreads["libsvm"])),
            *(times(r["ratios"]["predict"]), times(r["ratios"]["wall"]), f"{r['differing']:,}"),
        )
    return table


def goals(records):
    table = Table("Goals", ("set", "goal", "reached", "must", "aim", "verdict"), notes=())
    for r in records:
        table.add(r["set"], r["goal"], r["text"], number(r["must"]), number(r["aim"]), r["verdict"])
    return table


def paths(records):
    headings = ("set", "C", "points", "path s", "one training s", "path / training", "worst gap/2f", f"goal: {PATH}")
    table = Table("A path over C against one training", headings, left=2)
    for r in records:
        table.add(
            *(r["set"], r["cost"], r["points"], ranged(r["path"]), ranged(r["train"])),
            *(times(r["ratio"]), number(r["worst_gap"], "{:.4f}")),
            within((r["ratio"] or {}).get("median"), PATH),
        )
    return table
