"""Time and memory against rows, threads and cache budgets, on generated data: a checkerboard without noise, and ringnorm,
whose classes overlap, so that a share of all rows are support vectors.

More rows begin with the same ones, so every size is a part of the next. A series (one kind of data, one number of
threads, one budget) ends with the first size that takes over the time limit."""

import json
import os
import shlex

from .figures import exponent, spread
from .goals import BYTES_A_ROW, EXPONENT, within
from .process import measure
from .report import Table, megabytes, number, ranged

FIRST, LAST = 31_250, 2_000_000
KINDS = {"checkerboard": (10, "20"), "ringnorm": (10, "auto")}  # C and gamma
BUDGETS = ("1M", "64M", "auto")

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def sizes(first, last):
    rows = []
    while first <= last:
        rows.append(first)
        first *= 2
    return rows


def budget_bytes(text):
    """None for auto: how much that is, partan decides."""
    if text == "auto":
        return None
    return int(float(text[:-1]) * UNITS[text[-1]]) if text[-1] in UNITS else int(text)


def data_bytes(said):
    """What a training set takes in memory: its storage's own arrays, and a norm and a label a row."""
    rows, features = said["rows"], said["features"]
    if said["storage"] == "bits":
        return rows * ((features + 31) // 32 * 4 + 8)
    if said["storage"] == "sparse":
        return said["nonzeros"] * 8 + rows * (8 + 4 + 8)
    if said["storage"] == "bytes":
        return rows * (features + 4 + 8)
    return rows * (features * 4 + 4 + 8)


def generate(partan, work, kind, rows, note):
    path = work / "data" / "scaling" / f"{kind}.{rows}"
    if not path.is_file():
        note(f"scaling: making {rows:,} rows of {kind}")
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(".part")
        measure([partan.program, "gen", kind, "--rows", rows, "--quiet", aside])
        aside.replace(path)
    return path


def bare_program(partan, work):
    """Peak memory of a training on hardly any rows: what the program takes whatever the data."""
    path = work / "data" / "scaling" / "few"
    path.parent.mkdir(parents=True, exist_ok=True)
    measure([partan.program, "gen", "checkerboard", "--rows", 64, "--quiet", path])
    process = measure([partan.program, "train", "--json", "--cache", 0, path, os.devnull])
    return json.loads(process.stdout).get("peak_memory_bytes") or process.peak


def run_once(partan, kind, path, threads, budget, limit, idle):
    cost, gamma = KINDS[kind]
    words = ["train", "--json", "--kernel", "rbf", "--cost", cost, "--gamma", gamma]
    words += [*partan.options, "--threads", threads, "--cache", budget]
    process = measure([partan.program, *words, path, os.devnull], limit)
    record = process.record()
    if process.timed_out:
        return record
    said = json.loads(process.stdout)
    for key in ("iterations", "support_vectors", "relative_gap", "converged", "kernel_values", "status"):
        record[key] = said.get(key)
    peak = said.get("peak_memory_bytes") or process.peak
    budget = budget_bytes(budget)
    record.update(train=said["time"]["train"], read=said["time"]["read"], peak=peak, data=data_bytes(said))
    # The program itself, before it has any data, is not the data's fault.
    rest = None if budget is None else peak - idle - record["data"] - budget
    record["beyond"] = None if rest is None else rest / said["rows"]
    return record


def series(partan, work, kind, rows, threads, budget, repeat, limit, idle, note):
    points = []
    for count in rows:
        path = generate(partan, work, kind, count, note)
        runs = []
        while len(runs) < repeat and not (runs and runs[-1]["timed_out"]):
            note(f"scaling: {kind}, {count:,} rows, {threads} threads, cache {budget}")
            runs.append(run_once(partan, kind, path, threads, budget, limit, idle))
        late = runs[-1]["timed_out"]
        points.append({"rows": count, "timed_out": late, "runs": runs, "train": spread(r.get("train") for r in runs)})
        if late:
            break
    done = [point for point in points if not point["timed_out"]]
    fit = exponent([p["rows"] for p in done], [p["train"]["median"] for p in done])
    return {"kind": kind, "threads": threads, "budget": budget, "points": points, "fit": fit}


def run(partan, work, kinds, rows, threads, budgets, repeat, limit, note, done):
    idle = bare_program(partan, work)
    results = []
    for kind in kinds:
        for budget in budgets:
            for count in threads:
                results.append(series(partan, work, kind, rows, count, budget, repeat, limit, idle, note))
                done(results)
    return results


NOTES = (
    "checkerboard: 2 features, no noise; ringnorm: 20 features, of which a share of all rows are support vectors. "
    + "; ".join(f"{kind}: C = {cost}, gamma {gamma}" for kind, (cost, gamma) in KINDS.items())
    + ". exponent: p of train = c rows^p, fitted to the sizes that were done in time, with its standard error. "
    "values: kernel values over rows times support vectors.",
    f"beyond: bytes a row of peak memory beyond data, budget and the bare program; the goal is at most {BYTES_A_ROW}.",
)


FIT_NOTES = ("speed-up: over the first number of threads, at the largest size that both have done.",)


def tables(results, options):
    points = Table(
        "Scaling with rows",
        (
            "data",
            "cache",
            "threads",
            "rows",
            "train s",
            "read s",
            "CPU/wall",
            "steps",
            "SVs",
            "values",
            "gap/2f",
            "peak MB",
            "beyond B/row",
        ),
        notes=NOTES + ((f"partan's options: {shlex.join(options)}",) if options else ()),
    )
    headings = ("data", "cache", "threads", "exponent", "error", "sizes", f"goal: {EXPONENT}", "speed-up", "B/row")
    fits = Table("Growth, and memory", (*headings, f"goal: {BYTES_A_ROW}"), notes=FIT_NOTES)
    single = {}
    for result in results:
        for point in result["points"]:
            run_ = point["runs"][0]
            key = (result["kind"], result["budget"], point["rows"])
            setting = (result["kind"], result["budget"], result["threads"])
            if point["timed_out"]:
                points.add(*setting, f"{point['rows']:,}", f">{run_['wall']:.0f}", *"--------")
                continue
            values = run_["kernel_values"] / (point["rows"] * run_["support_vectors"])
            single.setdefault(key, point["train"]["median"])
            points.add(
                *(*setting, f"{point['rows']:,}", ranged(point["train"])),
                *(number(run_["read"], "{:.3f}"), number(run_["cpu"] / run_["wall"], "{:.2f}")),
                *(number(run_["iterations"], "{:,}"), number(run_["support_vectors"], "{:,}")),
                *(f"{values:.2f}", number(run_["relative_gap"], "{:.4f}"), megabytes(run_["peak"]), number(run_["beyond"], "{:.0f}")),
            )
        fits.add(*fit_cells(result, single))
    return [points, fits]


def growth_goal(result):
    """Where support vectors grow with the rows, time grows with their square."""
    fit = result["fit"]
    return within(fit and fit["exponent"], EXPONENT) if result["kind"] == "checkerboard" else "-"


def fit_cells(result, single):
    """The exponent, and the speed-up over the first number of threads at the largest size both have done."""
    fit = result["fit"]
    done = [point for point in result["points"] if not point["timed_out"]]
    speed = None
    largest = (result["kind"], result["budget"], done[-1]["rows"]) if done else None
    if largest in single:
        speed = single[largest] / done[-1]["train"]["median"]
    shown = ("-", "-", "-") if not fit else (f"{fit['exponent']:.2f}", number(fit["error"], "{:.2f}"), fit["points"])
    # Of the largest size: on few rows single pages show.
    beyond = [run_["beyond"] for run_ in (done[-1]["runs"] if done else ()) if run_["beyond"] is not None]
    memory = max(beyond, default=None)
    return (
        *(result["kind"], result["budget"], result["threads"], *shown, growth_goal(result)),
        *(number(speed, "{:.2f}"), number(memory, "{:.0f}")),
        within(memory, BYTES_A_ROW),
    )
