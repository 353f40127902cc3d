"""The path over C against one training at its largest C, in turns."""

import json

from .figures import ratio, spread
from .process import Failed, measure

POINTS = 20


def available(partan):
    try:
        partan.ask("path", "--help")
    except Failed:
        return False
    return True


def costs(entry):
    """Two decades up to and around the set's C."""
    return entry.cost / 10, entry.cost * 10


def run(entry, files, partan, repeat, limit, note):
    """One record; None when it was not done in time."""
    low, high = costs(entry)
    words = ["path", "--json", "--gamma", entry.gamma, "--cost", f"{low:g}..{high:g}", "--points", POINTS]
    walls, trains, gaps = [], [], []
    for turn in range(repeat):
        note(f"{entry.name}: path, turn {turn + 1} of {repeat}")
        process = measure([partan.program, *words, *partan.options, files["train"]], limit)
        single = partan.fit(entry, files["train"], partan.model(entry), limit)
        if process.timed_out or single.timed_out:
            return None
        said, one = json.loads(process.stdout), json.loads(single.stdout)
        # Reading is on both sides of the wall; what is compared is the work after it.
        walls.append(said["time"]["total"] - said["time"]["read"])
        trains.append(one["time"]["train"])
        gaps += [point["relative_gap"] for point in said.get("points", [])]
    path, train = spread(walls), spread(trains)
    return {
        "set": entry.name,
        "cost": f"{low:g}..{high:g}",
        "points": POINTS,
        "path": path,
        "train": train,
        "ratio": ratio(path, train),
        "worst_gap": max(gaps, default=None),
    }
