"""One run of each program on a task of tasks.py, with that program's own parameters.

A trial returns a record: wall, cpu, peak, load, timed_out of the training process, and

    train             seconds of training alone, by the clock
    train_cpu         the same in processor time
    score             accuracy, R^2 or the area under the ROC curve, on the test rows
    support_vectors, relative_gap, remark

None where there is no such number. partan runs with one thread, so that processor time is what the work takes and
nothing else: see train_cpu below."""

import functools
import json
import os
import re

from .contenders import EMPTY, Libsvm, Partan, Sklearnex, ended
from .process import measure
from .sources import script
from .tasks import CLASSES, OUTLIER, REGRESSION

SCORE = {CLASSES: "accuracy", REGRESSION: "r2", OUTLIER: "auc"}
ONE_THREAD = ("--threads", 1)


def words_of(parameters, prefix="--"):
    return [word for name, value in parameters.items() for word in (f"{prefix}{name}", value)]


class PartanTrial(Partan):
    def fit(self, entry, data, model, limit, options=()):
        words = ["train", "--json", "--problem", entry.problem, *words_of(entry.ours)]
        return measure([self.program, *words, *self.options, *ONE_THREAD, *options, data, model], limit)

    def train(self, entry, files, limit, predict=True):
        process = self.fit(entry, files["train"], self.model(entry), limit)
        if process.timed_out:
            return ended(process, limit)
        said = json.loads(process.stdout)
        record = {**EMPTY, **process.record(), "train": said["time"]["train"]}
        # Of one thread, both are at least the processor time of training: the clock runs on while others have the core,
        # and the process also reads and writes.
        record["train_cpu"] = min(process.cpu, record["train"])
        record.update({key: said.get(key) for key in ("support_vectors", "relative_gap", "converged")})
        if predict:
            record["score"] = self.score(entry, files["test"], self.model(entry))
        return record

    def score(self, entry, data, model):
        words = ["predict", "--json", data, model, os.devnull]
        return json.loads(measure([self.program, *words]).stdout)[SCORE[entry.problem]]


class LibsvmTrial(Libsvm):
    TYPES = {CLASSES: 0, REGRESSION: 3, OUTLIER: 2}
    LETTERS = {"cost": "c", "gamma": "g", "epsilon": "p", "nu": "n"}

    def __init__(self, work, note, judge):
        super().__init__(work, note)
        self.judge = judge  # the partan that reads svm-train's models, as svm-predict does not tell every score

    def fit(self, entry, data, model, limit, options=()):
        words = ["svm-train", "-s", self.TYPES[entry.problem], "-t", 2]
        words += words_of({self.LETTERS[name]: value for name, value in entry.theirs.items()}, "-")
        return measure([*words, *options, data, model], limit)

    def before(self, entry, data):
        """Processor time before the first step. Of outliers, svm-train begins with the kernel columns of a share nu of
        the rows, which is training: there the file is read as one of two classes."""
        options = ["-s", 0, *self.NO_STEP] if entry.problem == OUTLIER else self.NO_STEP
        return self.fit(entry, data, os.devnull, None, options)

    def train(self, entry, files, limit, predict=True):
        model = self.work / "models" / f"{entry.name}.libsvm.model"
        before = self.before(entry, files["train"])
        process = self.fit(entry, files["train"], model, limit)
        if process.timed_out:
            return {**ended(process, limit), "train_cpu": max(0, process.cpu - before.cpu)}
        record = {**EMPTY, **process.record(), "converged": True}
        record["train"] = max(0, process.wall - before.wall)
        record["train_cpu"] = max(0, process.cpu - before.cpu)
        sizes = re.findall(r"nSV = (\d+)", process.stdout)
        record["support_vectors"] = int(sizes[-1]) if sizes else None
        if predict:
            # svm-predict tells neither R^2 nor the area under the curve; its models mean the same to partan.
            record["score"] = self.judge.score(entry, files["test"], model)
        return record


class SklearnexTrial(Sklearnex):
    def train(self, entry, files, limit, predict=True):
        del predict  # it is part of the same process
        options = {"problem": entry.problem, "sparse": False, "shrinking": True, **entry.theirs}
        words = [self.python, "-B", script("svc.py"), self.name, files["train"], files["test"], json.dumps(options)]
        process = measure(words, limit)
        if process.timed_out:
            return {**ended(process, limit), "train_cpu": process.cpu}
        said = json.loads(process.stdout)
        record = {**EMPTY, **process.record(), "train": said["fit"], "train_cpu": said["fit_cpu"], "converged": True}
        record.update(score=said["score"], support_vectors=said["support_vectors"], predict=said["predict"])
        if not said["accelerated"]:
            record["remark"] = "not accelerated: this is scikit-learn's own code"
        return record


def peers_of(partan):
    """Makers of the peers, by name."""
    return {"libsvm": functools.partial(LibsvmTrial, judge=partan), "sklearnex": SklearnexTrial}
