"""Searches each program's parameters for the tasks of tasks.py by cross-validation, all on the same rows: every so many
of the training rows, so that the peers are done in minutes."""

import json

from .environment import python
from .process import measure
from .report import Table
from .sources import script
from .tasks import OUTLIER

FOLDS = 3
ROWS = 6_000  # at most; all of them for outliers, where partan's C depends on their number


def subset(task, files):
    """A file of at most about ROWS training rows, from all over the file."""
    lines = files["train"].read_bytes().splitlines(keepends=True)
    step = 1 if task.problem == OUTLIER else -(-len(lines) // ROWS)
    few = files["train"].with_name("few")
    few.write_bytes(b"".join(lines[::step]))
    return few


def values(numbers):
    return ",".join(f"{number:g}" for number in numbers)


def of_partan(task, few, program):
    words = ["tune", "--json", "--threads", 1, "--problem", task.problem, "--folds", FOLDS]
    for name, numbers in task.grid.items():
        words += [f"--{name}", values(numbers)]
    best = json.loads(measure([program, *words, few]).stdout)["best"]
    return {name: best[name] for name in task.grid}, best["score"]


def of_peers(task, few, work, note):
    """Both peers solve the same problem, so one search serves both."""
    grid = task.their_grid or task.grid
    words = [python(work, note), "-B", script("tune.py"), task.problem, few, json.dumps({"grid": grid, "folds": FOLDS})]
    said = json.loads(measure(words).stdout)
    return said["best"], said["score"]


def shown(best):
    return " ".join(f"{name}={value:g}" for name, value in best.items())


def run(tasks, program, work, note):
    """A table of the best parameters; what tasks.py has is to be what is shown here."""
    headings = ("set", "program", "best", "score by cross-validation")
    table = Table(f"Parameters, {FOLDS} folds", headings, left=3)
    for task, files in tasks:
        if not task.grid:
            continue
        few = subset(task, files)
        note(f"{task.name}: tuning partan")
        ours = of_partan(task, few, program)
        note(f"{task.name}: tuning the peers")
        theirs = of_peers(task, few, work, note)
        for name, (best, score) in (("partan", ours), ("peers", theirs)):
            table.add(task.name, name, shown(best), f"{score:.4f}")
    return table
