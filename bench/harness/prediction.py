"""svm-predict against partan predict on the same model, which partan writes in LIBSVM's format.

svm-predict does not say what part of its time is reading the rows. It is measured with the same model cut to one
support vector a class: what such a run takes is starting, reading the rows and writing the labels."""

import itertools

from .figures import ratio, spread
from .process import measure


def cut_model(source, target):
    """A copy of a LIBSVM model with the first support vector of each class only."""
    with open(source) as lines, open(target, "w") as out:
        classes, firsts = 2, set()
        for line in lines:
            word, *values = line.split()
            if word == "nr_class":
                classes = int(values[0])
            elif word == "total_sv":
                line = f"total_sv {classes}\n"
            elif word == "nr_sv":
                firsts = {0, *itertools.accumulate(int(count) for count in values[:-1])}
                line = "nr_sv" + classes * " 1" + "\n"
            out.write(line)
            if word == "SV":
                break
        for number, line in enumerate(lines):
            if number in firsts:
                out.write(line)


def disagreements(first, second):
    """Rows whose labels differ, as numbers."""
    with open(first) as a, open(second) as b:
        return sum(float(x) != float(y) for x, y in zip(a, b, strict=True))


def same_model(entry, files, partan, plan, work, note):
    """One record; None when partan or svm-predict was not done in time."""
    limit, repeat = plan.peer_limit, plan.repeat
    model, cut = work / "models" / f"{entry.name}.common.model", work / "models" / f"{entry.name}.cut.model"
    labels = {name: work / f"labels.{name}" for name in ("partan", "libsvm")}
    note(f"{entry.name}: a model for both partan predict and svm-predict")
    if partan.fit(entry, files["train"], model, limit, ["--model-format", "libsvm"]).timed_out:
        return None
    cut_model(model, cut)
    runs = {"partan": [], "partan_wall": [], "libsvm_wall": [], "libsvm": [], "libsvm_reading": []}
    for turn in range(repeat):
        # As with training: what takes minutes is not repeated unless that was asked for.
        if turn and turn >= (plan.peer_repeat or (1 if runs["libsvm_wall"][-1] > plan.slow else repeat)):
            break
        note(f"{entry.name}: prediction, turn {turn + 1}")
        ours = {}
        partan.predict(files["test"], model, limit, ours, labels["partan"])
        reading = measure(["svm-predict", files["test"], cut, work / "labels.cut"], limit)
        theirs = measure(["svm-predict", files["test"], model, labels["libsvm"]], limit)
        if not ours or reading.timed_out or theirs.timed_out:
            return None
        runs["partan"].append(ours["predict"])
        runs["partan_wall"].append(ours["predict_wall"])
        runs["libsvm_wall"].append(theirs.wall)
        runs["libsvm_reading"].append(reading.wall)
        runs["libsvm"].append(theirs.wall - reading.wall)
    spreads = {name: spread(values) for name, values in runs.items()}
    with open(labels["partan"]) as lines:
        rows = sum(1 for _ in lines)
    return {
        "set": entry.name,
        "rows": rows,
        "differing": disagreements(labels["partan"], labels["libsvm"]),
        "seconds": spreads,
        "ratios": {
            "wall": ratio(spreads["libsvm_wall"], spreads["partan_wall"]),
            "predict": ratio(spreads["libsvm"], spreads["partan"]),
        },
    }
