"""The tasks of tasks.py: partan beside svm-train and scikit-learn-intelex at the parameters that suit each, with the
project's goals for them and verdicts.

Verdicts are by processor time, which other programs on the machine disturb little: partan's training with one thread
against the peers' training, prediction alone against svm-predict's alone."""

import itertools
import os
import statistics

from . import compare
from .figures import ratio, spread
from .goals import judge
from .prediction import cut_model, disagreements
from .process import measure
from .report import Table, number, ranged, seconds, times
from .tasks import CLASSES, MANY_PREDICT, OUTLIER, REGRESSION
from .trials import ONE_THREAD

SCORES = {CLASSES: "accuracy %", REGRESSION: "R^2", OUTLIER: "AUC"}
SHORT, SHORT_RUNS = 0.5, 7  # seconds: differences of shorter times need several runs
# How much lower partan's score may be.
LOSS = {CLASSES: 0.002, REGRESSION: 0.005, OUTLIER: 0.002}


def shown_score(task, value):
    if value is None:
        return "-"
    return f"{100 * value:.2f}" if task.problem == CLASSES else f"{value:.4f}"


def parameters(words):
    return " ".join(f"{name}={value:g}" for name, value in words.items())


# ---- measuring -------------------------------------------------------------------------------------------------------


def first_rows(data, rows, target):
    with open(data, "rb") as lines:
        target.write_bytes(b"".join(itertools.islice(lines, rows)))
    return target


def processor_time(words, limit):
    """That of a process, the median of several if it is short; None after a time-out."""
    times = []
    while len(times) < (SHORT_RUNS if not times or times[0] < SHORT else 1):
        process = measure(words, limit)
        if process.timed_out:
            return None
        times.append(process.cpu)
    return statistics.median(times)


def predict_once(command, rows, model, labels, limit):
    """Processor time of the whole process, and of prediction alone: without what reading the rows and reading the model
    take, each by a run in which the other is next to nothing. None after a time-out."""
    cut, one = model.with_suffix(".cut"), first_rows(rows, 1, rows.with_name("one"))
    runs = ((rows, model, labels), (rows, cut, os.devnull), (one, model, os.devnull), (one, cut, os.devnull))
    times = [processor_time([*command, *words], limit) for words in runs]
    if None in times:
        return None
    whole, of_rows, of_model, start = times
    return {"process": whole, "alone": whole - (of_rows + of_model - start)}


def predict_both(task, files, partan, plan, work, note):
    """partan predict and svm-predict on one model in LIBSVM's format; None when one of them was not done in time."""
    model, rows = work / "models" / f"{task.name}.common.model", files["test"]
    if partan.fit(task, files["train"], model, plan.limit, ["--model-format", "libsvm"]).timed_out:
        return None
    cut_model(model, model.with_suffix(".cut"))
    if task.predict_rows:
        rows = first_rows(rows, task.predict_rows, rows.with_name("some"))
    labels = {name: work / f"labels.{name}" for name in ("partan", "libsvm")}
    commands = {"partan": [partan.program, "predict", "--quiet", *ONE_THREAD], "libsvm": ["svm-predict"]}
    runs = {name: [] for name in commands}
    for turn in range(plan.repeat):
        for name, command in commands.items():
            note(f"{task.name}: prediction by {name}, turn {turn + 1}")
            runs[name].append(predict_once(command, rows, model, labels[name], plan.peer_limit))
            if runs[name][-1] is None:
                return None
    alone = {name: spread(run["alone"] for run in of) for name, of in runs.items()}
    process = {name: spread(run["process"] for run in of) for name, of in runs.items()}
    with open(labels["partan"], "rb") as lines:
        count = sum(1 for _ in lines)
    return {
        "set": task.name,
        "rows": count,
        "alone": alone,
        "process": process,
        "ratio": ratio(alone["libsvm"], alone["partan"]),
        "process_ratio": ratio(process["libsvm"], process["partan"]),
        "differing": disagreements(labels["partan"], labels["libsvm"]),
    }


def score_splits(task, files, contenders, plan, note, summaries):
    """The mean of the scores over all splits, of which the first one has been measured."""
    once = compare.Plan(1, 1, plan.limit, plan.peer_limit)
    found = {name: [summary["score"]] for name, summary in summaries.items()}
    for at in range(1, task.splits):
        other = {**files, **{part: files[part].with_name(f"{part}.{at}") for part in ("train", "test")}}
        for name, summary in compare.run_set(task, other, contenders, once, note).items():
            found[name].append(summary["score"])
    for name, scores in found.items():
        summaries[name]["score"] = None if None in scores else statistics.fmean(scores)


def run(tasks, contenders, plan, work, note, done):
    """Results and predictions, by task; done(both so far) after every task. The first contender is partan."""
    found, predicted = [], []
    with_libsvm = any(c.name == "libsvm" for c in contenders)
    for task, files in tasks:
        summaries = compare.run_set(task, files, contenders, plan, note)
        score_splits(task, files, contenders, plan, note, summaries)
        ours = summaries[contenders[0].name]
        for contender in contenders:
            result = {"set": task.name, "program": contender.name, "peer": contender.peer, **summaries[contender.name]}
            result["ratio"] = ratio(result["train_cpu"], ours["train_cpu"]) if contender.peer else None
            found.append(result)
        if task.many and with_libsvm:
            record = predict_both(task, files, contenders[0], plan, work, note)
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
        value = (prediction["ratio"] or {}).get("median")
        records.append(judge(task, "prediction, times svm-predict", value, MANY_PREDICT))
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
PREDICTION_NOTES = (
    "One model in LIBSVM's format, one thread, processor time. First prediction alone: that of the process less what "
    "reading the rows and reading the model take.",
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
        if task.splits > 1 and not r["peer"]:
            table.notes.append(f"{r['set']}: the score is the mean over {task.splits} splits into training and test rows")
        if any(one.get("kept") for one in r["runs"]):
            table.notes.append(f"{r['set']}, {r['program']}: from an earlier run, with the same parameters and data")
    return table


def predictions(records):
    alone, process = ("partan s", "svm-predict s", "x"), ("partan process s", "svm-predict process s", "x process")
    headings = ("set", "rows", *alone, *process, "labels differ")
    table = Table("Prediction with many classes", headings, left=1, notes=PREDICTION_NOTES)
    for r in records:
        alone, process = ([ranged(r[part][name]) for name in ("partan", "libsvm")] for part in ("alone", "process"))
        ratios = [times(r[name]) for name in ("ratio", "process_ratio")]
        table.add(r["set"], f"{r['rows']:,}", *alone, ratios[0], *process, ratios[1], f"{r['differing']:,}")
    return table


def tables(tasks, results, predicted, verdicts):
    goals = Table("Goals", ("set", "goal", "reached", "must", "verdict"))
    for v in verdicts:
        goals.add(v["set"], v["goal"], v["text"], number(v["must"]), v["verdict"])
    return [measured(tasks, results), *([predictions(predicted)] if predicted else []), goals]
