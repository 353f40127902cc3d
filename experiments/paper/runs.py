"""Runs trainings one after the other. Each result is a file of its own, named by a hash of the command, the data and the
program, so that an interrupted experiment goes on where it was, and a changed program starts anew."""

import hashlib
import json
import sys
import time
from pathlib import Path

from harness.process import Failed, measure
from harness.sources import sha256

from .protocol import Training

DURATIONS = Path(__file__).parent / "durations.json"  # seconds of the runs of the last full experiment, for estimates
USUAL = 3.0  # seconds, where nothing is known


class Runner:
    def __init__(self, program, work, files, threads, note):
        self.program = Path(program).resolve()
        self.build = sha256(self.program)
        self.files = files  # set name -> {"train", "test", "sha256"}
        self.threads = threads
        self.note = note
        self.folder = work / "runs"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.known = {}

    # ---- results ----

    def key(self, job):
        identity = [job.words(), self.threads, getattr(job, "traced", False), self.files[job.set]["sha256"], self.build]
        return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:24]

    def path(self, job, suffix=".json"):
        return self.folder / (self.key(job) + suffix)

    def result(self, job):
        """The record of a run that has been done; None when it has not."""
        if job not in self.known and job.set in self.files and self.path(job).is_file():
            self.known[job] = json.loads(self.path(job).read_text())
        return self.known.get(job)

    # ---- one run ----

    def run(self, job):
        record = self.train(job) if isinstance(job, Training) else self.tune(job)
        aside = self.path(job, ".part")
        aside.write_text(json.dumps(record, indent=1) + "\n")
        aside.replace(self.path(job))
        self.known[job] = record
        return record

    def record(self, job, process):
        about = {"label": job.label(), "set": job.set, "command": job.words(), "threads": self.threads}
        return {**about, **process.record(), "when": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "build": self.build}

    def tune(self, job):
        files = self.files[job.set]
        process = measure([self.program, *job.words(), "--json", files["train"]])
        return {**self.record(job, process), "tune": json.loads(process.stdout)}

    def train(self, job):
        files = self.files[job.set]
        model = self.folder / "model.part"
        trace = self.path(job, ".csv")
        words = [*job.words(), "--json", "--threads", self.threads]
        words += ["--trace", trace, "--trace-rows", "2000"] if job.traced else []
        process = measure([self.program, *words, files["train"], model])
        predict = measure([self.program, "predict", "--json", files["test"], model]).stdout
        model.unlink()
        return {**self.record(job, process), "train": json.loads(process.stdout), "predict": json.loads(predict)}

    # ---- all of them ----

    def run_all(self, chains):
        """Runs what is not yet done. A chain ends at a run that met its time limit."""
        progress = Progress(self, chains)
        for chain in chains:
            for job in chain:
                done = self.result(job)
                if not done:
                    progress.begin(job)
                    done = self.run(job)
                    progress.end(job, done["wall"])
                if met_limit(done):
                    break
        self.note("")


def met_limit(record):
    return record.get("train", {}).get("status") == "TIME_LIMIT"


def waiting(runner, chain):
    """The runs of a chain that are still to be done."""
    for job in chain:
        record = runner.result(job)
        if not record:
            yield job
        elif met_limit(record):
            return


class Progress:
    """One line: what runs now, how many are left, and for about how long."""

    def __init__(self, runner, chains):
        self.note = runner.note
        self.expected = json.loads(DURATIONS.read_text()) if DURATIONS.is_file() else {}
        jobs = dict.fromkeys(job for chain in chains for job in waiting(runner, chain))
        self.left = {job: self.expected.get(job.label(), USUAL) for job in jobs}
        self.total = len(jobs)
        self.spent = self.foreseen = 0.0

    def begin(self, job):
        pace = self.spent / self.foreseen if self.foreseen > 10 else 1.0
        left = sum(self.left.values()) * pace
        number = self.total - len(self.left) + 1
        self.note(f"[{number}/{self.total}] {job.label()}; about {duration(left)} left")

    def end(self, job, seconds):
        self.spent += seconds
        self.foreseen += self.left.pop(job, 0.0)


def duration(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def save_durations(runner):
    """Keeps what the runs took, for the estimates of later ones."""
    seconds = {job.label(): round(record["wall"], 1) for job, record in runner.known.items()}
    DURATIONS.write_text(json.dumps(dict(sorted(seconds.items())), indent=0) + "\n")


def check_program(program):
    if not Path(program).is_file():
        raise Failed(f"{program} is not there: run make first, or name it with --partan")


def note(text):
    """One line on a terminal, replaced by the next; lines elsewhere."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)
