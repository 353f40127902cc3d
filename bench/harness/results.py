"""The tasks of tasks.py: partan beside svm-train and scikit-learn-intelex at the parameters that suit each, with the
project's goals for them and verdicts.

Verdicts are by processor time, which other programs on the machine disturb little: partan's training with one thread
against the peers' training, and of prediction whole process against whole process."""

import itertools

from . import compare
from .figures import ratio, spread
from .goals import judge
from .prediction import disagreements
from .process import measure
from .report import Table, number, ranged, seconds, times
from .tasks import CLASSES, MANY_PREDICT, OUTLIER, REGRESSION
from .trials import ONE_THREAD

SCORES = {CLASSES: "accuracy %", REGRESSION: "R^2", OUTLIER: "AUC"}
# How much lower partan's score may be.
LOSS = {CLASSES: 0.002, REGRESSION: 0.005, OUTLIER: 0.002}


def shown_score(task, value):
    if value is None:
        return "-"
    return f"{100 * value:.2f}" if task.problem == CLASSES else f"{value:.4f}"


def parameters(words):
    return " ".join(f"{name}={value:g}" for name, value in words.items())


# ---- measuring -------------------------------------------------------------------------------------------------------


def predict_both(task, files, partan, work, repeat, limit, note):
    """partan predict and svm-predict on one model in LIBSVM's format; None when one of them was not done in time."""
    note(f"{task.name}: prediction")
    model, rows = work / "models" / f"{task.name}.common.model", files["test"]
    if partan.fit(task, files["train"], model, limit, ["--model-format", "libsvm"]).timed_out:
        return None
    if task.predict_rows:
        rows = files["test"].with_name("some")
        with open(files["test"], "rb") as lines:
            rows.write_bytes(b"".join(itertools.islice(lines, task.predict_rows)))
    labels = {name: work / f"labels.{name}" for name in ("partan", "libsvm")}
    commands = {
        "partan": [partan.program, "predict", "--quiet", *ONE_THREAD, rows, model, labels["partan"]],
        "libsvm": ["svm-predict", rows, model, labels["libsvm"]],
    }
    runs = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            process = measure(command, limit)
            if process.timed_out:
                return None
            runs[name].append(process)
    cpu = {name: spread(process.cpu for process in of) for name, of in runs.items()}
    wall = {name: spread(process.wall for process in of) for name, of in runs.items()}
    return {
        "set": task.name,
        "rows": sum(1 for _ in open(labels["partan"], "rb")),
        "cpu": cpu,
        "wall": wall,
        "ratio": ratio(cpu["libsvm"], cpu["partan"]),
        "differing": disagreements(labels["partan"], labels["libsvm"]),
    }


def run(tasks, contenders, plan, work, note, done):
    """Results and predictions, by task; done(both so far) after every task. The first contender is partan."""
    found, predicted = [], []
    with_libsvm = any(c.name == "libsvm" for c in contenders)
    for task, files in tasks:
        summaries = compare.run_set(task, files, contenders, plan, note)
        ours = summaries[contenders[0].name]
        for contender in contenders:
            result = {"set": task.name, "program": contender.name, "peer": contender.peer, **summaries[contender.name]}
            result["ratio"] = ratio(result["train_cpu"], ours["train_cpu"]) if contender.peer else None
            found.append(result)
        if task.many and with_libsvm:
            record = predict_both(task, files, contenders[0], work, plan.repeat, plan.peer_limit, note)
            predicted += [record] if record else []
        done(found, predicted)
    return found, predicted


# ---- judging ---------------------------------------------------------------------------------------------------------


def judge_score(task, ours, peer):
    less, must = ours - peer["score"], -LOSS[task.problem]
    points = task.problem == CLASSES
    text = f"{100 * less:+.2f} points" if points else f"{less:+.4f}"
    record = judge(task, f"{SCORES[task.problem].split()[0]} less {peer['program']}'s", less, must, text=text)
    return {**record, "must": 100 * must if points else must}


def judge_task(task, results, prediction):
    """The task's goals as records of goals.judge."""
    of = {r["program"]: r for r in results if r["set"] == task.name}
    ours = next(r for r in of.values() if not r["peer"])
    records = []
    for peer in (r for r in of.values() if r["peer"]):
        must = task.train_ratio if peer["program"] == "libsvm" else 1
        value = (peer["ratio"] or {}).get("median")
        records.append(judge(task, f"training, times {peer['program']}", value, must, at_least=peer["timed_out"]))
        if ours["score"] is not None and peer["score"] is not None:
            records.append(judge_score(task, ours["score"], peer))
    if prediction:
        records.append(judge(task, "prediction, times svm-predict", prediction["ratio"]["median"], MANY_PREDICT))
    return records


def judge_all(tasks, results, predictions):
    records = []
    for task in tasks:
        if any(r["set"] == task.name for r in results):
            prediction = next((p for p in predictions if p["set"] == task.name), None)
            records += judge_task(task, results, prediction)
    return records


# ---- tables ----------------------------------------------------------------------------------------------------------

NOTES = (
    "train: training alone, by the clock; CPU: its processor time. partan has one thread, svm-train has but one, "
    "scikit-learn-intelex takes all cores. svm-train's are those of the process less those of one that makes no step.",
    "x: the peer's processor time over partan's. CPU of the process: with reading and writing (and Python's start).",
)


def measured(tasks, results):
    headings = ("set", "program", "parameters", "score", "", "train s", "CPU s", "x", "process CPU s", "SVs", "load")
    table = Table("Scores and training", headings, left=5, notes=NOTES)
    of = {task.name: task for task in tasks}
    for r in results:
        task = of[r["set"]]
        late = ">" if r["timed_out"] else ""
        table.add(
            *(r["set"], r["program"], parameters(task.theirs if r["peer"] else task.ours), SCORES[task.problem]),
            *(shown_score(task, r["score"]), late + ranged(r["train"]), late + ranged(r["train_cpu"])),
            *(times(r["ratio"], r["timed_out"]), seconds(r["cpu"]["median"]), number(r["support_vectors"], "{:,}")),
            f"{r['load']['median']:.0f}",
        )
        if r.get("remark"):
            table.notes.append(f"{r['set']}, {r['program']}: {r['remark']}")
        if any(one.get("kept") for one in r["runs"]):
            table.notes.append(f"{r['set']}, {r['program']}: from an earlier run, with the same parameters and data")
    return table


def predictions(records):
    headings = ("set", "rows", "partan CPU s", "svm-predict CPU s", "x", "labels differ")
    notes = ("One model in LIBSVM's format, one thread; processor time of whole processes, model and rows read.",)
    table = Table("Prediction with many classes", headings, left=1, notes=notes)
    for r in records:
        cells = (r["set"], f"{r['rows']:,}", ranged(r["cpu"]["partan"]), ranged(r["cpu"]["libsvm"]))
        table.add(*cells, times(r["ratio"]), f"{r['differing']:,}")
    return table


def tables(tasks, results, predicted, verdicts):
    goals = Table("Goals", ("set", "goal", "reached", "must", "verdict"))
    for v in verdicts:
        goals.add(v["set"], v["goal"], v["text"], number(v["must"]), v["verdict"])
    return [measured(tasks, results), *([predictions(predicted)] if predicted else []), goals]
