"""Runs trainings, one or several at a time. Each result is a file of its own, named by a hash of the command, the data
and the program, so that an interrupted experiment goes on where it was, and a changed program starts anew."""

import concurrent.futures
import hashlib
import json
import sys
import threading
import time
from pathlib import Path

from harness import machine
from harness.process import Failed, kill_active, measure
from harness.sources import sha256

from . import ROOT
from .protocol import Training, Tuning, Width

DURATIONS = Path(__file__).parent / "durations.json"  # seconds of the runs of the last full experiment, for estimates
USUAL = 3.0  # seconds, where nothing is known


class Runner:
    def __init__(self, program, work, files, threads, note, accepted=()):
        self.program = Path(program).resolve()
        self.build = sha256(self.program)
        self.builds = (self.build, *accepted)  # whose results are taken; new ones are of the first
        self.machine = machine.sentence(machine.describe(ROOT))
        self.files = files  # set name -> {"train", "test", "sha256"}
        self.threads = threads
        self.note = note
        self.folder = work / "runs"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.known = {}

    # ---- results ----

    def key(self, job, build):
        identity = [job.words(), self.threads, getattr(job, "trace", 0), self.files[job.set]["sha256"], build]
        return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:24]

    def path(self, job, suffix=".json", build=None):
        return self.folder / (self.key(job, build or self.build) + suffix)

    def result(self, job):
        """The record of a run that has been done; None when it has not."""
        if job not in self.known and job.set in self.files:
            paths = (self.path(job, build=build) for build in self.builds)
            path = next((path for path in paths if path.is_file()), None)
            if path:
                self.known[job] = json.loads(path.read_text())
        return self.known.get(job)

    def trace(self, job):
        """The path of a run's trace; None where there is no run."""
        record = self.result(job)
        return self.path(job, ".csv", record["build"]) if record else None

    # ---- one run ----

    def run(self, job):
        record = RUN[type(job)](self, job)
        aside = self.path(job, ".part")
        aside.write_text(json.dumps(record, indent=1) + "\n")
        aside.replace(self.path(job))
        self.known[job] = record
        return record

    def record(self, job, process):
        about = {"label": job.label(), "set": job.set, "command": job.words(), "threads": self.threads}
        return {**about, **process.record(), "when": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "build": self.build,
                "machine": self.machine}  # fmt: skip

    def width(self, job):
        model = self.path(job, ".model.part")
        try:
            process = measure([self.program, *job.words(), "--json", self.files[job.set]["train"], model])
        finally:
            model.unlink(missing_ok=True)
        return {**self.record(job, process), "train": json.loads(process.stdout)}

    def tune(self, job):
        files = self.files[job.set]
        process = measure([self.program, *job.words(), "--json", "--threads", self.threads, files["train"]])
        return {**self.record(job, process), "tune": json.loads(process.stdout)}

    def train(self, job):
        files = self.files[job.set]
        model = self.path(job, ".model.part")
        trace = self.path(job, ".csv")
        words = [*job.words(), "--json", "--threads", self.threads]
        words += ["--trace", trace, "--trace-rows", job.trace] if job.trace else []
        try:
            process = measure([self.program, *words, files["train"], model])
            predict = measure(
                [self.program, "predict", "--json", "--threads", self.threads, files["test"], model]
            ).stdout
        finally:
            model.unlink(missing_ok=True)
        record = {**self.record(job, process), "train": json.loads(process.stdout), "predict": json.loads(predict)}
        if job.rule == "sampled":
            record["stop_seconds"] = float(last_cell(trace, "seconds"))
        return record

    # ---- all of them ----

    def run_all(self, stages):
        """Stages are (chains, how many chains at a time), one after the other."""
        progress = Progress(self, stages)
        for chains, at_a_time in stages:
            self.run_stage([chain for chain in chains if list(waiting(self, chain))], at_a_time, progress)
        self.note("")

    def run_stage(self, chains, at_a_time, progress):
        if at_a_time == 1:
            for chain in chains:
                self.run_chain(chain, progress)
            return
        with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
            futures = [pool.submit(self.run_chain, chain, progress) for chain in chains]
            try:
                for future in concurrent.futures.as_completed(futures):
                    future.result()
            except BaseException:
                # The others neither begin nor go on: what they have is kept.
                pool.shutdown(wait=False, cancel_futures=True)
                kill_active()
                raise

    def run_chain(self, chain, progress):
        """Runs what is not yet done. A chain ends at a run that met its time limit."""
        for job in chain:
            done = self.result(job)
            if not done:
                progress.begin(job)
                done = self.run(job)
                progress.end(job, done["wall"])
            if met_limit(done):
                break


RUN = {Width: Runner.width, Tuning: Runner.tune, Training: Runner.train}


def last_cell(path, column):
    """Of the last row of a trace."""
    head, *rows = path.read_text().splitlines()
    return rows[-1].split(",")[head.split(",").index(column)]


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

    def __init__(self, runner, stages):
        self.note = runner.note
        self.lock = threading.Lock()
        expected = json.loads(DURATIONS.read_text()) if DURATIONS.is_file() else {}
        self.left = {}  # run -> seconds it will take, and share of the machine
        for chains, at_a_time in stages:
            for chain in chains:
                for job in waiting(runner, chain):
                    self.left.setdefault(job, (expected.get(job.label(), USUAL), at_a_time))
        self.total, self.begun = len(self.left), 0
        self.spent = self.foreseen = 0.0

    def begin(self, job):
        with self.lock:
            self.begun += 1
            pace = self.spent / self.foreseen if self.foreseen > 10 else 1.0
            left = pace * sum(seconds / at_a_time for seconds, at_a_time in self.left.values())
            self.note(f"[{self.begun}/{self.total}] {job.label()}; about {duration(left)} left")

    def end(self, job, seconds):
        with self.lock:
            self.spent += seconds
            self.foreseen += self.left.pop(job, (0.0, 1))[0]


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
