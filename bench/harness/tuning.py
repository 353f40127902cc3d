"""Searches each program's parameters for the tasks of tasks.py by cross-validation, all on the same rows: every so many
of the training rows, so that the peers are done in minutes. Of few rows chance decides who is in which fold: they are
divided several times, and the mean of the scores counts."""

import json

from .environment import python
from .process import measure
from .report import Table
from .sources import script
from .tasks import OUTLIER

ROWS = 6_000  # at most; all of them for outliers, where partan's C depends on their number
FEW_ROWS = 3_100  # at most this many are few: of more, the peers take an hour


def division(task, few):
    """Folds, and how often the rows are divided into them."""
    rows = few.read_bytes().count(b"\n")
    return (5, 10) if rows <= FEW_ROWS and task.problem != OUTLIER else (3, 1)


def subset(task, files):
    """A file of at most about ROWS training rows, from all over the file."""
    lines = files["train"].read_bytes().splitlines(keepends=True)
    step = 1 if task.problem == OUTLIER else -(-len(lines) // ROWS)
    few = files["train"].with_name("few")
    few.write_bytes(b"".join(lines[::step]))
    return few


def values(numbers):
    return ",".join(f"{number:g}" for number in numbers)


def of_partan(task, few, program, folds, repeats):
    words = ["tune", "--json", "--threads", 1, "--problem", task.problem, "--folds", folds]
    for name, numbers in task.grid.items():
        words += [f"--{name}", values(numbers)]
    tables = [json.loads(measure([program, *words, "--seed", seed, few]).stdout)["points"] for seed in range(repeats)]
    means = [sum(point["score"] for point in points) / repeats for points in zip(*tables)]
    best = max(range(len(means)), key=lambda at: (means[at], -tables[0][at]["cost"]))
    return {name: tables[0][best][name] for name in task.grid}, means[best]


def of_peers(task, few, work, note, folds, repeats):
    """Both peers solve the same problem, so one search serves both."""
    options = json.dumps({"grid": task.their_grid or task.grid, "folds": folds, "repeats": repeats})
    words = [python(work, note), "-B", script("tune.py"), task.problem, few, options]
    said = json.loads(measure(words).stdout)
    return said["best"], said["score"]


def shown(best):
    return " ".join(f"{name}={value:g}" for name, value in best.items())


def run(tasks, program, work, note):
    """A table of the best parameters; what tasks.py has is to be what is shown here."""
    headings = ("set", "program", "best", "folds", "score by cross-validation")
    table = Table("Parameters", headings, left=3)
    for task, files in tasks:
        if not task.grid:
            continue
        few = subset(task, files)
        note(f"{task.name}: tuning partan")
        folds, repeats = division(task, few)
        ours = of_partan(task, few, program, folds, repeats)
        note(f"{task.name}: tuning the peers")
        theirs = of_peers(task, few, work, note, folds, repeats)
        for name, (best, score) in (("partan", ours), ("peers", theirs)):
            table.add(task.name, name, shown(best), f"{repeats} x {folds}", f"{score:.4f}")
    return table
