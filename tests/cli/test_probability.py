"""Probabilities: train, predict, info, verify, cv and tune with them, their files, limits, and LIBSVM's programs."""

import csv
import io
import json
import math
import random
import shutil
import signal
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from cli import PARTAN, CliTest, blobs, environment

SVM_TRAIN, SVM_PREDICT = shutil.which("svm-train"), shutil.which("svm-predict")


def clouds(rows, classes, seed=1, spread=0.9):
    """LIBSVM lines of clouds around points of a circle; labels count from 1."""
    draw = random.Random(seed)
    lines = []
    for i in range(rows):
        angle = 2 * math.pi * (i % classes) / classes
        x, y = math.cos(angle) + draw.gauss(0, spread), math.sin(angle) + draw.gauss(0, spread)
        lines.append(f"{i % classes + 1} 1:{x:.6f} 2:{y:.6f}\n")
    return "".join(lines)


def parse(text):
    """LIBSVM's format: the labels of the columns, the predictions, and a row of numbers for each."""
    head, *lines = text.splitlines()
    assert head.startswith("labels ")
    rows = [line.split() for line in lines]
    return head.split()[1:], [row[0] for row in rows], [[float(p) for p in row[1:]] for row in rows]


class Probabilities(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(300))
        self.write("test", blobs(200, seed=2))
        self.write("three", clouds(240, 3))
        self.write("three.test", clouds(150, 3, seed=2))

    def read(self, name):
        return (self.folder / name).read_text()

    def labels_of(self, name):
        return [line.split()[0].lstrip("+") for line in self.read(name).splitlines()]

    def check_output(self, test, model, columns):
        """The columns are in this order, rows add up to 1, labels are the most probable, scores are as reported."""
        found = self.json("predict", "--probability", test, model, "out")
        head, predicted, p = parse(self.read("out"))
        self.assertEqual(head, columns)
        truth = self.labels_of(test)
        self.assertEqual(len(p), len(truth))
        for label, row in zip(predicted, p):
            self.assertAlmostEqual(sum(row), 1)
            self.assertEqual(row[head.index(label)], max(row))
        self.assertEqual(found["correct"], sum(a == b for a, b in zip(predicted, truth)))
        loss = [-math.log(row[head.index(label)]) for row, label in zip(p, truth)]
        self.assertAlmostEqual(found["log_loss"], sum(loss) / len(loss))
        errors = [sum((q - (name == label)) ** 2 for q, name in zip(row, head)) for row, label in zip(p, truth)]
        self.assertAlmostEqual(found["brier"], sum(errors) / len(errors) / (2 if len(head) == 2 else 1))
        self.succeed("predict", test, model, "plain")
        self.assertEqual(self.read("plain").split(), predicted)  # with and without --probability
        return found

    def test_two_classes(self):
        text = self.succeed("train", "--probability", "data", "m").stdout
        self.assertIn("probabilities    calibrated on 5 folds\n", text)
        found = self.check_output("test", "m", ["1", "-1"])
        self.assertLess(found["log_loss"], 0.6)  # log(2) without knowing anything
        shown = self.succeed("predict", "test", "m").stdout
        self.assertIn(f"log-loss {found['log_loss']:.4f}, Brier score {found['brier']:.4f}\n", shown)
        self.assertIn("probabilities    calibrated on 5 folds\n", self.succeed("info", "m").stdout)
        self.assertIn("not covered: probabilities", self.succeed("verify", "m", "data").stdout)
        self.assertEqual(self.json("verify", "m", "data")["not_covered"], "probability")
        self.succeed("train", "data", "plain.model")
        self.assertNotIn("not covered", self.succeed("verify", "plain.model", "data").stdout)
        self.assertIsNone(self.json("verify", "plain.model", "data")["not_covered"])

    def test_more_classes(self):
        for how in ("ovo", "ovr"):
            self.succeed("train", "--probability", "--multiclass", how, "--probability-folds", "3", "three", "m")
            self.check_output("three.test", "m", ["1", "2", "3"])
            described = self.json("info", "m")["probability"]
            self.assertEqual((described["folds"], len(described["sigmoids"])), (3, 3))

    def test_formats(self):
        self.succeed("train", "-q", "--probability", "data", "m")
        self.succeed("predict", "-q", "--probability", "test", "m", "out")
        self.succeed("predict", "-q", "--probability", "test", "m", "out.csv")
        self.succeed("predict", "-q", "--probability", "test", "m", "out.jsonl")
        head, labels, p = parse(self.read("out"))
        table = list(csv.reader(io.StringIO(self.read("out.csv"))))
        self.assertEqual(table[0], ["label", *head])
        self.assertEqual([[row[0], *map(float, row[1:])] for row in table[1:]], [[a, *b] for a, b in zip(labels, p)])
        objects = [json.loads(line) for line in self.read("out.jsonl").splitlines()]
        self.assertEqual(objects, [{"label": a, "probability": dict(zip(head, b))} for a, b in zip(labels, p)])
        self.assertEqual(self.succeed("predict", "--probability", "test", "m", "-").stdout, self.read("out"))

    def test_words_with_commas(self):
        rows = [line.split() for line in blobs(80).splitlines()]
        self.write("words.csv", "k,x,y\n" + "".join(
            f'"{"a, b" if r[0] == "+1" else "c"}",{r[1][2:]},{r[2][2:]}\n' for r in rows))
        self.succeed("train", "-q", "--probability", "words.csv", "m")
        self.succeed("predict", "-q", "--probability", "words.csv", "m", "out.csv")
        table = list(csv.reader(io.StringIO(self.read("out.csv"))))
        self.assertEqual(table[0], ["label", "c", "a, b"])
        self.assertEqual({row[0] for row in table[1:]}, {"a, b", "c"})

    def test_reliability(self):
        self.succeed("train", "-q", "--probability", "data", "m")
        self.succeed("predict", "-q", "--reliability", "r.svg", "test", "m", "labels")
        self.succeed("predict", "-q", "--probability", "--reliability", "r.csv", "test", "m", "out")
        self.succeed("plot", "r.csv", "again.svg")
        self.assertEqual(self.read("r.svg"), self.read("again.svg"))
        self.assertEqual(ElementTree.fromstring(self.read("r.svg")).tag, "{http://www.w3.org/2000/svg}svg")
        head, _, p = parse(self.read("out"))
        truth = self.labels_of("test")
        rows = [[0, 0] for _ in range(10)]
        for row, label in zip(p, truth):
            at = rows[min(int(10 * row[head.index("1")]), 9)]
            at[0] += 1
            at[1] += label == "1"
        table = list(csv.DictReader(io.StringIO(self.read("r.csv"))))
        self.assertEqual([[int(bin["rows"]), int(bin["hits"])] for bin in table], rows)
        for bin in table:
            if int(bin["rows"]):
                self.assertAlmostEqual(float(bin["observed"]), int(bin["hits"]) / int(bin["rows"]))
        self.succeed("train", "-q", "--probability", "three", "m3")
        self.succeed("predict", "-q", "--reliability", "r3.csv", "three.test", "m3")
        self.assertEqual(sum(int(bin["rows"]) for bin in csv.DictReader(io.StringIO(self.read("r3.csv")))), 150)

    def test_what_is_refused(self):
        self.succeed("train", "-q", "data", "m")
        for option in (["--probability"], ["--reliability", "r.svg"]):
            self.assertIn("m: the model has no probabilities; train it with --probability",
                          self.fail_with(1, "predict", *option, "test", "m"))
        self.succeed("train", "-q", "--probability", "data", "p")
        self.assertIn("--decision and --probability cannot be combined",
                      self.fail_with(2, "predict", "--decision", "--probability", "test", "p", "out"))
        self.assertIn("--reliability takes a file", self.fail_with(2, "predict", "--reliability", "-", "test", "p"))
        self.write("bare", "".join("0" + line[2:] for line in blobs(5).splitlines(True)))
        self.write("bare.csv", "1,2\n3,4\n")
        self.assertIn("a reliability diagram needs rows with labels",
                      self.fail_with(1, "predict", "-q", "--reliability", "r.svg", "bare.csv", "p"))
        self.assertNotIn("r.svg", self.files())
        self.assertIn("--probability is for classification, not for problem regression",
                      self.fail_with(2, "train", "--problem", "regression", "--probability", "data"))
        self.write("lonely", blobs(20) + "3 1:0.5\n")
        self.assertIn("lonely: class '3' has 1 row, expected at least 2", self.fail_with(1, "train", "-b1", "lonely"))
        self.write("bins.csv", "least,probability,observed,rows,hits\n0,0.5,2,1,2\n")
        self.assertIn("expected no more hits than rows", self.fail_with(1, "plot", "bins.csv", "r.svg"))
        self.assertIn("cannot be combined with --probability", self.fail_with(2, "cv", "--probability", "data", "out"))

    def test_cv_and_tune(self):
        found = self.json("cv", "--probability", "--folds", "3", "data")
        total = sum(fold["labelled"] * fold["log_loss"] for fold in found["fold_list"])
        self.assertAlmostEqual(found["log_loss"], total / found["labelled"])
        self.assertIn(f"log-loss {found['log_loss']:.4f}", self.succeed("cv", "--probability", "--folds", "3",
                                                                       "data").stdout)
        self.assertIsNone(self.json("cv", "--folds", "3", "data")["log_loss"])
        found = self.json("tune", "--score", "log-loss", "--cost", "0.001,1", "--table", "t.csv", "data")
        self.assertEqual(found["best"]["log_loss"], min(point["log_loss"] for point in found["points"]))
        self.assertEqual(found["best"]["score"], -found["best"]["log_loss"])
        text = self.succeed("tune", "--score", "log-loss", "--cost", "0.001,1", "data").stdout
        self.assertIn(f"log-loss {found['best']['log_loss']:.4f} at", text)
        self.assertRegex(text, "train on all rows with: partan train .* --probability data")
        self.succeed("plot", "t.csv", "t.svg")
        self.assertIn("negative log-loss", self.read("t.svg"))

    def test_path_models(self):
        self.succeed("path", "-q", "--probability", "--points", "2", "--cost", "1..10", "--models", "m", "data")
        for name in ("m-1.model", "m-2.model"):
            self.check_output("test", name, ["1", "-1"])

    def test_the_trace_is_that_of_the_model(self):
        steps = []
        for words in ([], ["--probability"]):
            self.succeed("train", "-q", *words, "--trace", "t.csv", "data", "m")
            steps.append([line.split(",")[0] for line in self.read("t.csv").splitlines()])
        self.assertEqual(steps[0], steps[1])

    def test_scaling_and_threads_give_the_same_bits(self):
        texts = set()
        for threads in ("1", "2", "3"):
            self.succeed("train", "-q", "--probability", "--scale", "standard", "--threads", threads, "three", "m")
            self.succeed("predict", "-q", "--probability", "--threads", threads, "three.test", "m", "out")
            texts.add(self.read("out"))
        self.assertEqual(len(texts), 1)

    def test_weights_of_classes_move_probabilities(self):
        """As repeated rows would: a class of weight 10 becomes more probable."""
        means = []
        for words in ([], ["--class-weight", "1=10"]):
            self.succeed("train", "-q", "--probability", *words, "data", "m")
            self.succeed("predict", "-q", "--probability", "test", "m", "out")
            head, _, p = parse(self.read("out"))
            means.append(sum(row[head.index("1")] for row in p) / len(p))
        self.assertAlmostEqual(means[0], 0.5, delta=0.1)
        self.assertGreater(means[1], 0.65)

    def test_a_time_limit_writes_the_model_without(self):
        self.write("big", blobs(20000))
        done = self.succeed("train", "--probability", "--probability-folds", "1000", "--time-limit", "1", "big", "m")
        self.assertIn("warning: stopped by --time-limit before all folds were done: the model has no probabilities",
                      done.stderr)
        self.assertNotIn("probabilities", done.stdout)
        self.assertIsNone(self.json("info", "m")["probability"])
        self.assertTrue(self.json("verify", "m", "big")["matches"])
        done = self.succeed("path", "--probability", "--probability-folds", "1000", "--time-limit", "1", "big")
        self.assertIn("warning: stopped before all folds were done: the model of C ", done.stderr)


class Interrupted(CliTest):
    def test_a_signal_during_the_folds(self):
        self.write("data", blobs(5000))
        words = ["train", "--probability", "--probability-folds", "1000", "--json", "--progress", "data", "m"]
        process = subprocess.Popen([PARTAN, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment())
        self.addCleanup(process.kill)
        seen = b""
        while b"calibrate" not in seen:
            more = process.stderr.read1()
            self.assertTrue(more, "the run ended before the folds began")
            seen += more
        process.send_signal(signal.SIGINT)
        out, err = (text.decode() for text in process.communicate(timeout=60))
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("warning: interrupted before all folds were done: the model has no probabilities", err)
        found = json.loads(out)
        self.assertEqual((found["status"], found["converged"], found["probability"]), ("OK", True, None))
        self.assertTrue(self.json("verify", "m", "data")["matches"])


@unittest.skipUnless(SVM_TRAIN and SVM_PREDICT, "LIBSVM's programs are not installed")
class Libsvm(CliTest):
    def run_svm(self, *words):
        subprocess.run(words, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def compare(self, test, model, tolerance):
        self.run_svm(SVM_PREDICT, "-b", "1", test, model, "theirs")
        self.succeed("predict", "-q", "-b", "1", test, model, "ours")
        theirs, ours = (parse((self.folder / name).read_text()) for name in ("theirs", "ours"))
        self.assertEqual(theirs[0], ours[0])
        self.assertLess(max(abs(a - b) for x, y in zip(theirs[2], ours[2]) for a, b in zip(x, y)), tolerance)
        for label, other, p in zip(theirs[1], ours[1], ours[2]):
            top = sorted(p)
            self.assertTrue(label == other or top[-1] - top[-2] < tolerance)

    def test_their_models_and_ours(self):
        """Two classes: older versions of LIBSVM couple these too, to a tolerance of 0.0025."""
        for name, classes, tolerance in (("two", 2, 5e-3), ("three", 3, 1e-4), ("six", 6, 1e-4)):
            self.write(name, clouds(240, classes))
            self.write("test", clouds(200, classes, seed=2))
            self.run_svm(SVM_TRAIN, "-q", "-b", "1", "-g", "1", name, "their.model")
            self.compare("test", "their.model", tolerance)
            self.succeed("train", "-q", "-b", "1", "-g", "1", "--model-format", "libsvm", name, "our.model")
            self.compare("test", "our.model", tolerance)
            self.succeed("train", "-q", "-b", "1", "-g", "1", name, "native.model")
            self.succeed("predict", "-q", "-b", "1", "test", "native.model", "native")
            native, ours = (parse((self.folder / name).read_text()) for name in ("native", "ours"))
            self.assertEqual(native[0], ours[0])
            self.assertLess(max(abs(a - b) for x, y in zip(native[2], ours[2]) for a, b in zip(x, y)), 0.01)

    def test_without_the_option_labels_are_by_votes(self):
        self.write("three", clouds(240, 3))
        self.run_svm(SVM_TRAIN, "-q", "-b", "1", "three", "m")
        self.run_svm(SVM_PREDICT, "three", "m", "theirs")
        done = self.succeed("predict", "three", "m", "ours")
        self.assertNotIn("log-loss", done.stdout)
        self.assertEqual((self.folder / "theirs").read_text(), (self.folder / "ours").read_text())
        self.assertIn("probabilities    by probA and probB\n", self.succeed("info", "m").stdout)

    def test_half_of_the_lines_is_refused(self):
        self.write("data", blobs(60))
        self.run_svm(SVM_TRAIN, "-q", "-b", "1", "data", "m")
        lines = (self.folder / "m").read_text().splitlines(True)
        self.write("half", "".join(line for line in lines if not line.startswith("probB")))
        self.assertIn("expected a probA and a probB for each pair of classes, or none",
                      self.fail_with(1, "predict", "data", "half"))


if __name__ == "__main__":
    unittest.main()
