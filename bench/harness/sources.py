"""A set's training and test file, as LIBSVM text, made once from the files in PARTAN_DATA and kept in the work folder.

Makers run in a process of their own, so that what they need is not counted into the memory of what is measured."""

import bz2
import contextlib
import fcntl
import gzip
import hashlib
import json
import lzma
import os
import shutil
import subprocess
import sys
from pathlib import Path

from .process import Failed, measure

# Raise it when a maker changes what it makes.
VERSION = 1

OPENERS = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}
CHUNK = 1 << 20


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def locate(folder, name):
    """The file of that name, plain or compressed, in its set's folder or directly in the data folder."""
    for base in (folder / name, folder / Path(name).name):
        for suffix in ("", *OPENERS):
            path = Path(str(base) + suffix)
            if path.is_file():
                return path
    return None


def open_source(path):
    """A binary file object of the plain content."""
    return OPENERS.get(Path(path).suffix, open)(path, "rb")


def script(name):
    """One of the scripts that run in the Python peers' environment."""
    return Path(__file__).resolve().parent.parent / "peers" / name


def stamp(path):
    found = os.stat(path)
    return [str(path), found.st_size, found.st_mtime_ns]


def sample_of(entry, program):
    """A generated set is known by its first rows: another generator makes another set."""
    words = generator_options(entry.options, 100)
    return hashlib.sha256(measure([program, "gen", *words, "-"]).stdout.encode()).hexdigest()


def generator_options(options, rows):
    words = [options["kind"], "--rows", rows, "--quiet"]
    for name in ("features", "noise", "seed"):
        if name in options:
            words += [f"--{name}", options[name]]
    return words


def key_of(entry, paths, program):
    key = {"version": VERSION, "maker": entry.maker, "options": entry.options, "sources": [stamp(p) for p in paths]}
    if entry.maker == "generate":
        key["sample"] = sample_of(entry, program)
    return json.loads(json.dumps(key))


def make(entry, paths, program, folder):
    """Runs the maker into a folder aside, then moves it into place."""
    aside = folder.with_name(folder.name + ".part")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    words = [
        sys.executable,
        "-B",
        "-m",
        "harness.makers",
        entry.maker,
        json.dumps(entry.options),
        program,
        aside,
        *paths,
    ]
    bench = Path(__file__).resolve().parent.parent
    done = subprocess.run([str(w) for w in words], cwd=bench, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{entry.name} could not be made: {done.stderr.strip()[-500:]}")
    shutil.rmtree(folder, ignore_errors=True)
    aside.rename(folder)


@contextlib.contextmanager
def only_one(folder):
    """Others who want to prepare the same folder wait."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_name(folder.name + ".lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def prepared(entry, data, work, program, note):
    """{"train": path, "test": path, "sha256": {...}, ...}; None when a source file is not there."""
    paths = [locate(data, name) for name in entry.sources]
    if not all(paths):
        return None
    folder = work / "data" / entry.name
    key = key_of(entry, [path.resolve() for path in paths], program)
    with only_one(folder):
        record = folder / "made.json"
        made = json.loads(record.read_text()) if record.is_file() else None
        if not made or made["key"] != key:
            note(f"{entry.name}: preparing the data")
            make(entry, [path.resolve() for path in paths], Path(program).resolve(), folder)
            files = {part: folder / part for part in ("train", "test")}
            made = {
                "key": key,
                "sha256": {part: sha256(path) for part, path in files.items()},
                "bytes": {part: path.stat().st_size for part, path in files.items()},
            }
            record.write_text(json.dumps(made, indent=2) + "\n")
    return {"train": folder / "train", "test": folder / "test", "sha256": made["sha256"], "bytes": made["bytes"]}
