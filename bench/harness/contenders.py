"""Partan and its peers: how each is run on a set, and what it says.

A contender's train() returns a record: wall, cpu, peak, switches, load, timed_out of the training process, and

    read              seconds to read the training file
    train             seconds of training, reading and writing left out
    predict           seconds to predict the test rows, reading and writing left out; predict_wall: the whole process
    accuracy, support_vectors, iterations, relative_gap, converged

None where there is no such number. After a time-out there is nothing but wall."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import environment
from .machine import find
from .process import Failed, measure
from .sources import script

EMPTY = dict.fromkeys(
    ("read", "train", "predict", "predict_wall", "accuracy", "support_vectors", "iterations", "relative_gap")
)


def ended(process, limit):
    """The record of a run that its time limit ended."""
    return {**EMPTY, **process.record(), "train": limit, "converged": False}


class Partan:
    """One way of running partan; there may be several, by name."""

    peer = False
    SAID = ("support_vectors", "iterations", "relative_gap", "converged", "rows", "features", "storage", "solver")

    def __init__(self, name, program, options, work):
        self.name = name
        self.program = Path(program)
        self.options = list(options)
        self.work = work

    def missing(self):
        if not os.access(self.program, os.X_OK):
            return f"{self.program} is not there: run make first"
        known = set(re.findall(r"--[a-z0-9-]+", self.ask("train", "--help")))
        for word in self.options:
            name = word.partition("=")[0]
            if name.startswith("--") and name not in known:
                return f"{self.program} train knows no {name}"
        return None

    def ask(self, *words):
        return measure([self.program, *words]).stdout

    def version(self):
        said = json.loads(self.ask("version", "--json"))
        return f"partan {said['version']} ({said['isa']}, {said['threads']} threads, {said['compiler']})"

    def threads(self):
        """The option --threads alone, for commands other than train."""
        for i, word in enumerate(self.options):
            if word == "--threads":
                return self.options[i : i + 2]
            if word.startswith("--threads="):
                return [word]
        return []

    def model(self, entry):
        return self.work / "models" / f"{entry.name}.{self.name}.model"

    def fit(self, entry, data, model, limit, options=()):
        words = ["train", "--json", "--kernel", "rbf", "--cost", entry.cost, "--gamma", entry.gamma]
        return measure([self.program, *words, *self.options, *options, data, model], limit)

    def train(self, entry, files, limit, predict=True):
        process = self.fit(entry, files["train"], self.model(entry), limit)
        if process.timed_out:
            return ended(process, limit)
        said = json.loads(process.stdout)
        record = {**EMPTY, **process.record(), "read": said["time"]["read"], "train": said["time"]["train"]}
        record["peak"] = said.get("peak_memory_bytes") or process.peak
        record.update({key: said.get(key) for key in self.SAID})
        if predict:
            self.predict(files["test"], self.model(entry), limit, record)
        return record

    def predict(self, data, model, limit, record, output=None):
        output = output or self.work / "labels.partan"
        process = measure([self.program, "predict", "--json", *self.threads(), data, model, output], limit)
        if not process.timed_out:
            said = json.loads(process.stdout)
            record.update(predict=said["time"]["predict"], predict_wall=process.wall, accuracy=said["accuracy"])

    def verify(self, entry, files, limit):
        """True: the model's claims were recomputed from the data and hold. None: not done within the limit."""
        try:
            process = measure([self.program, "verify", *self.threads(), self.model(entry), files["train"]], limit)
        except Failed:
            return False
        return None if process.timed_out else True


class Libsvm:
    name = "libsvm"
    peer = True
    # svm-train makes no step when its tolerance is greater than any violation: what is left is starting, reading the
    # file, and one column of the kernel matrix.
    NO_STEP = ("-e", "1e9")

    def __init__(self, work, note=None):
        self.work = work
        self.note = note or (lambda _text: None)
        self.stopwatch = None

    def missing(self):
        there = shutil.which("svm-train") and shutil.which("svm-predict")
        return None if there else "svm-train is not installed (Debian: libsvm-tools)"

    def version(self):
        words = ["dpkg-query", "-W", "-f", "${Version}", "libsvm-tools"]
        try:
            found = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
        except OSError:
            found = ""
        return f"LIBSVM's svm-train (libsvm-tools {found})" if found else "LIBSVM's svm-train"

    def fit(self, entry, data, model, limit, options=()):
        words = ["svm-train", "-s", 0, "-t", 2, "-c", entry.cost, "-g", entry.gamma, *entry.libsvm]
        return measure([*words, *options, data, model], limit)

    def preparing(self, entry, data, limit=None):
        """Seconds that svm-train spends before its first step."""
        return self.fit(entry, data, os.devnull, limit, self.NO_STEP).wall

    def reading(self, data):
        """Seconds that svm-train spends in its reader; None where this cannot be told."""
        if self.stopwatch is None:
            self.stopwatch = self.make_stopwatch()
        if not self.stopwatch:
            return None
        process = measure(["svm-train", data, os.devnull], environment={"LD_PRELOAD": str(self.stopwatch)})
        return float(process.stdout)

    def make_stopwatch(self):
        """The library that svm-train is run with to time its reader; False when it does not work here."""
        source = Path(__file__).resolve().parent.parent / "peers" / "read_problem.c"
        library = self.work.resolve() / "read_problem.so"
        library.parent.mkdir(parents=True, exist_ok=True)
        words = [os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", source, "-o", library, "-ldl"]
        try:
            measure(words)
            with tempfile.NamedTemporaryFile("w", dir=library.parent) as sample:
                sample.write("1 1:1\n-1 1:2\n")
                sample.flush()
                float(measure(["svm-train", sample.name, os.devnull], environment={"LD_PRELOAD": str(library)}).stdout)
        except (Failed, ValueError) as failure:
            self.note(f"libsvm: its reader cannot be timed alone ({failure})")
            return False
        return library

    def train(self, entry, files, limit, predict=True):
        model = self.work / "models" / f"{entry.name}.libsvm.model"
        before = self.preparing(entry, files["train"])
        read = self.reading(files["train"]) or before
        process = self.fit(entry, files["train"], model, limit)
        if process.timed_out:
            return {**ended(process, limit), "read": read}
        record = {**EMPTY, **process.record(), "read": read, "train": process.wall - before}
        record["iterations"] = int(find(r"#iter = (\d+)", process.stdout, "0"))
        record["support_vectors"] = int(find(r"Total nSV = (\d+)", process.stdout, "0"))
        record["converged"] = "reaching max number of iterations" not in process.stdout
        if predict:
            self.predict(files["test"], model, limit, record)
        return record

    def predict(self, data, model, limit, record, output=None):
        process = measure(["svm-predict", data, model, output or self.work / "labels.libsvm"], limit)
        if not process.timed_out:
            right, total = re.search(r"\((\d+)/(\d+)\)", process.stdout).groups()
            record.update(predict_wall=process.wall, accuracy=int(right) / int(total))


class PythonPeer:
    peer = True

    def __init__(self, work, note):
        self.work = work
        self.note = note
        self.python = None

    def missing(self):
        try:
            self.python = environment.python(self.work, self.note)
        except (Failed, OSError) as failure:
            return f"{self.package} could not be installed ({failure})"
        there = environment.version(self.work, self.package)
        return None if there else f"{self.package} could not be installed on this machine"

    def version(self):
        return f"{self.package} {environment.version(self.work, self.package)}"

    def train(self, entry, files, limit, predict=True):
        del predict  # it is part of the same process
        options = {key: getattr(entry, key) for key in ("cost", "gamma", "sparse", "shrinking")}
        words = [self.python, "-B", script("svc.py"), self.name, files["train"], files["test"], json.dumps(options)]
        process = measure(words, limit)
        if process.timed_out:
            return ended(process, limit)
        said = json.loads(process.stdout)
        record = {**EMPTY, **process.record(), "train": said["fit"], "train_cpu": said["fit_cpu"], "converged": True}
        for key in ("read", "predict", "accuracy", "support_vectors"):
            record[key] = said[key]
        if self.name == "sklearnex" and not said["accelerated"]:
            record["remark"] = "not accelerated: scikit-learn-intelex fell back to scikit-learn"
        return record


class Sklearn(PythonPeer):
    name = "sklearn"
    package = "scikit-learn"


class Sklearnex(PythonPeer):
    name = "sklearnex"
    package = "scikit-learn-intelex"


# A new peer is a class as above and its place here.
PEERS = {peer.name: peer for peer in (Libsvm, Sklearn, Sklearnex)}
DEFAULT_PEERS = ("libsvm", "sklearnex")
