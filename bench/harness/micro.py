"""Kernel blocks, the fused step, predictions and readers, measured by the program bench_micro, which prints a JSON object a line."""

import json
import os
import subprocess
from pathlib import Path

from . import sources
from .contenders import Libsvm
from .process import Failed, measure
from .report import Table, number
from .sets import SETS

SECONDS, QUICK_SECONDS = 0.3, 0.02  # for each measurement
FILES = ("a9a", "w8a", "ijcnn1", "kdd99", "mnist", "reuters21578")
CSV_ROWS, CSV_FEATURES = 50_000, 20


def reader_files(options, note):
    """Training files of some sets, and generated CSV."""
    names = options.sets.split(",") if options.quick else FILES
    files = [sources.prepared(SETS[name], options.data, options.work, options.partan, note) for name in names]
    paths = [found["train"] for found in files if found]
    table = options.work / "data" / "checkerboard.csv"
    if not table.is_file():
        words = ["checkerboard", "--rows", CSV_ROWS, "--features", CSV_FEATURES, "--quiet"]
        aside = table.with_name("aside.csv")
        measure([options.partan, "gen", *words, aside])
        aside.replace(table)
    return [*paths, table]


def run(program, options, note):
    seconds = QUICK_SECONDS if options.quick else SECONDS
    words = [program, "--seconds", seconds, "--teams", options.team, "--parts", options.only]
    words += reader_files(options, note)
    records = []
    with subprocess.Popen([str(w) for w in words], stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout:
            record = json.loads(line)
            record["load"] = os.getloadavg()[0]
            records.append(record)
            note(f"micro: {len(records)} measurements, now {record['part']}")
    if child.returncode != 0:
        raise Failed(f"{program} ended with status {child.returncode}")
    add_libsvm(of(records, "reader"), options, note)
    return records


def add_libsvm(records, options, note):
    """Seconds of svm-train's reader beside ours, the best of a few runs; None where it cannot read the file."""
    libsvm = Libsvm(options.work, note)
    there = not libsvm.missing()
    for record in records:
        readable = there and not record["file"].endswith(".csv")
        runs = [libsvm.reading(record["file"]) for _ in range(1 if options.quick else 3)] if readable else [None]
        record["libsvm_seconds"] = None if None in runs else min(runs)


def of(records, *parts):
    return [record for record in records if record["part"] in parts]


def rate(value, unit=1e9, form="{:.1f}"):
    return number(None if value is None else value / unit, form)


def floors(records):
    table = Table(
        "What the machine can do, in registers: operations on 32-bit lanes a nanosecond",
        ("instructions", "threads", "multiply-add", "xor, count bits, add", "4 byte products, added"),
        left=1,
    )
    for r in of(records, "floor"):
        rates = (rate(r[f"{key}_per_ns"], 1) for key in ("multiply", "count", "products"))
        table.add(r["isa"], r["threads"], *rates)
    headings = ("KB", "threads", "copied GB/s", "read GB/s")
    copies = Table("Memory: copying (bytes read and written together) and reading alone", headings, left=0)
    for r in of(records, "copy"):
        rates = (rate(r[key]) for key in ("bytes_per_second", "read_bytes_per_second"))
        copies.add(f"{r['bytes'] / 1024:,.0f}", r["threads"], *rates)
    return [table, copies]


def blocks(records):
    table = Table(
        "Kernel blocks (rbf): nanoseconds a value",
        (
            *("storage", "instructions", "features", "columns", "threads", "ns", "median", "arithmetic", "memory"),
            *("of the floor", "estimate"),
        ),
        notes=(
            "ns: the best sample, median beside it. arithmetic: the operations that a value needs at the rates above; "
            "memory: reading the rows once for the columns at hand, by a loop that only reads. of the floor: the "
            "larger of the two over ns; 100 % is the limit. noise: other programs were in the way, measure again.",
            "columns: 1 is a single column over all rows, 8 full panels, eight of them at a time. estimate: what the "
            "solvers assume for one core.",
        ),
    )
    for r in of(records, "block"):
        bounds = [bound for bound in (r["ns_floor"], r["ns_memory"]) if bound is not None]
        share = number(max(bounds) / r["ns"] if r["ns_floor"] is not None else None, "{:.0%}")
        # Nothing is faster than its floor, and nothing quiet takes twice as long as its best.
        if max(bounds) > 1.5 * r["ns"] or r["ns_median"] > 2 * r["ns"]:
            share = "noise"
        table.add(
            *(r["storage"], r["isa"], f"{r['features']:,}", r["width"], r["threads"]),
            *(number(r[key], "{:.3f}") for key in ("ns", "ns_median", "ns_floor", "ns_memory")),
            *(share, number(r["ns_estimate"], "{:.2f}")),
        )
    return table


def steps(records):
    table = Table(
        "The fused step: bytes a second",
        ("what", "instructions", "rows", "threads", "µs", "median", "GB/s", "copy GB/s", "time / copy"),
        notes=(
            "combine: new gradient and its minimum from two gradients, a column and signs, 32 bytes a row; step: the "
            "same with the column computed, packed bits of 123 features. copy: as many bytes copied by as many "
            "threads.",
        ),
    )
    for r in of(records, "combine", "step"):
        table.add(
            *(r["part"], r["isa"], f"{r['rows']:,}", r["threads"], number(r["microseconds"], "{:.1f}")),
            *(
                number(r["microseconds_median"], "{:.1f}"),
                rate(r["bytes_per_second"]),
                rate(r["copy_bytes_per_second"]),
            ),
            number(r["to_copy"], "{:.2f}"),
        )
    return table


def predictions(records):
    table = Table(
        "Prediction of one row in an array: microseconds a call, one thread",
        ("kernel", "features", "support vectors", "µs", "median"),
        left=1,
    )
    for r in of(records, "predict"):
        times = (number(r[key] * 1e6, "{:.2f}") for key in ("best", "median"))
        table.add(r["kernel"], r["features"], f"{r['support_vectors']:,}", *times)
    return table


def readers(records):
    table = Table(
        "Readers: MB/s of the file",
        (
            *("file", "storage", "MB", "rows", "features", "threads", "MB/s", "median"),
            *("line ends only", "LIBSVM", "x LIBSVM"),
        ),
        notes=(
            "line ends only: one thread that reads the file and looks for line ends. LIBSVM: svm-train's reader alone, "
            "from opening the file to the check of its parameters. All in MB/s. x LIBSVM: MB/s over LIBSVM's.",
        ),
    )
    for r in of(records, "reader"):
        path = Path(r["file"])
        name = path.parent.name if path.name == "train" else path.name
        table.add(
            *(name, r["storage"], f"{r['bytes'] / 1e6:.1f}", f"{r['rows']:,}", f"{r['features']:,}", r["threads"]),
            *(rate(r[key], 1e6, "{:,.0f}") for key in BYTES_A_SECOND),
            rate(r["bytes"] / r["libsvm_seconds"] if r["libsvm_seconds"] else None, 1e6, "{:,.0f}"),
            number(r["libsvm_seconds"] and r["libsvm_seconds"] * r["bytes_per_second"] / r["bytes"], "{:.1f}"),
        )
    return table


BYTES_A_SECOND = ("bytes_per_second", "bytes_per_second_median", "scan_bytes_per_second")


def tables(records):
    found = [*floors(records), blocks(records), steps(records), predictions(records), readers(records)]
    return [table for table in found if table.rows]
