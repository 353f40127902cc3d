"""partan predict, verify and info."""

import bz2
import gzip
import json
import lzma
import os
import shutil
import subprocess
import threading
import unittest

from cli import CliTest, blobs

NUMBER = (int, float)


class Bounds(CliTest):
    """A model may state a bound of its gap, where its training had no time to compute it."""

    def setUp(self):
        super().setUp()
        self.write("data", blobs(200))
        self.succeed("train", "-q", "--solver", "fw", "--max-iter", "20", "data", "m")
        self.text = (self.folder / "m").read_text()

    def claim(self, factor, bound):
        """Whether the model with a gap so many times as large is verified."""
        lines = []
        for line in self.text.splitlines(True):
            key, _, value = line.partition(" ")
            if key in ("gap", "relative_gap"):
                line = f"{key} {float(value) * factor!r}\n"
            lines.append(line)
            if key == "relative_gap" and bound:
                lines.append("gap_is_bound yes\n")
        self.write("claimed", "".join(lines))
        return json.loads(self.run_partan("verify", "--json", "claimed", "data").stdout)["matches"]

    def test_no_less_than_the_true_gap(self):
        self.assertTrue(self.claim(1, bound=False))
        self.assertTrue(self.claim(1, bound=True))
        self.assertTrue(self.claim(2, bound=True))
        self.assertFalse(self.claim(2, bound=False))
        self.assertFalse(self.claim(0.5, bound=True))
        self.assertFalse(self.claim(0.5, bound=False))

    def test_it_is_shown_as_such(self):
        self.claim(2, bound=True)
        self.assertIs(self.json("info", "claimed")["gap_is_bound"], True)
        self.assertRegex(self.succeed("info", "claimed").stdout, r"gap +at most [0-9]")
        self.assertRegex(self.succeed("verify", "claimed", "data").stdout, r"gap, at most +[0-9]")
        self.assertIs(self.json("info", "m")["gap_is_bound"], False)


class Predict(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(200))
        self.write("test", blobs(100, seed=2))
        self.succeed("train", "-q", "data", "m")

    def test_accuracy_and_labels_agree(self):
        found = self.json("predict", "test", "m", "out")
        self.assert_schema(found, {"rows": int, "correct": int, "accuracy": NUMBER,
                                   "time": {"read": NUMBER, "predict": NUMBER, "total": NUMBER}})
        labels = (self.folder / "out").read_text().split()
        truth = [line.split()[0] for line in blobs(100, seed=2).splitlines()]
        correct = sum(float(a) == float(b) for a, b in zip(labels, truth))
        self.assertEqual((found["rows"], found["correct"], len(labels)), (100, correct, 100))
        self.assertAlmostEqual(found["accuracy"], correct / 100)
        text = self.succeed("predict", "test", "m").stdout
        self.assertEqual(text.splitlines()[0], f"Accuracy = {correct}% ({correct}/100)")

    def test_decision_values(self):
        self.succeed("predict", "--decision", "test", "m", "out")
        for line in (self.folder / "out").read_text().splitlines():
            label, value = line.split()
            self.assertEqual(float(label) > 0, float(value) > 0)

    def test_standard_output_holds_labels_only(self):
        done = self.succeed("predict", "test", "m", "-")
        self.assertEqual(len(done.stdout.splitlines()), 100)
        self.assertTrue(all(float(line) in (1, -1) for line in done.stdout.splitlines()))
        self.assertIn("Accuracy = ", done.stderr)
        self.assertEqual(self.succeed("predict", "-q", "test", "m", "-").stderr, "")

    def test_standard_input(self):
        found = self.json("predict", "-", "m", stdin=blobs(100, seed=2))
        self.assertEqual(found["accuracy"], self.json("predict", "test", "m")["accuracy"])

    def test_rows_without_labels(self):
        bare = "".join(line.split(" ", 1)[1] for line in blobs(100, seed=2).splitlines(True))
        found = self.json("predict", self.write("bare", bare), "m", "out")
        self.assertEqual((found["rows"], found["accuracy"]), (100, None))
        self.succeed("predict", "test", "m", "labelled")
        self.assertEqual((self.folder / "out").read_text(), (self.folder / "labelled").read_text())
        self.assertEqual(self.succeed("predict", "bare", "m").stdout, "100 rows, none with a label\n")

    def test_words_come_back_as_given(self):
        lines = [line.replace("1:", "").replace("2:", "").replace(" ", ",")
                 for line in blobs(100, labels=("spam", "ham")).splitlines(True)]
        self.write("words.csv", "class,x,y\n" + "".join(lines))
        self.succeed("train", "-q", "words.csv", "words.model")
        found = self.json("predict", "words.csv", "words.model", "out")
        self.assertEqual(set((self.folder / "out").read_text().split()), {"spam", "ham"})
        self.assertGreater(found["accuracy"], 0.6)
        self.assertEqual(self.json("info", "words.model")["labels"], ["spam", "ham"])
        fields = [line.strip().split(",") for line in lines]
        self.write("swapped.csv", "x,y,class\n" + "".join(f"{x},{y},{label}\n" for label, x, y in fields))
        for how in (["--label-column", "last"], ["--label-column", "3"], ["--label-name", "class"]):
            self.assertEqual(self.json("predict", *how, "swapped.csv", "words.model")["correct"], found["correct"])

    @unittest.skipUnless(shutil.which("svm-predict"), "svm-predict is not installed")
    def test_svm_predict_reads_what_is_written_and_agrees(self):
        self.succeed("train", "-q", "--model-format", "libsvm", "data", "theirs")
        self.succeed("predict", "test", "m", "ours.out")
        subprocess.run(["svm-predict", "-q", "test", "theirs", "theirs.out"], cwd=self.folder, check=True)
        self.assertEqual([float(x) for x in (self.folder / "ours.out").read_text().split()],
                         [float(x) for x in (self.folder / "theirs.out").read_text().split()])


class Verify(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(200))
        self.succeed("train", "-q", "data", "m")

    def test_claims_hold(self):
        found = self.json("verify", "m", "data")
        self.assert_schema(found, {"objective": NUMBER, "gap": NUMBER, "relative_gap": NUMBER, "feasible": bool,
                                   "matches": bool, "claimed": {"objective": NUMBER, "gap": NUMBER}})
        self.assertTrue(found["feasible"] and found["matches"])
        self.assertIsNone(found["reason"])
        text = self.succeed("verify", "m", "data").stdout
        for word in ("claimed", "recomputed", "objective", "relative gap", "verified: optimal to within"):
            self.assertIn(word, text)

    def test_a_gap_that_proves_nothing_is_said_to(self):
        self.succeed("train", "-q", "--solver", "fw", "--max-iter", "1", "data", "early")
        self.assertGreater(self.json("verify", "early", "data")["relative_gap"], 1)
        text = self.succeed("verify", "early", "data").stdout
        self.assertIn("verified: the stored values hold; a relative gap of 1 or more proves nothing", text)
        self.assertNotIn("optimal", text)

    def test_other_data_is_noticed(self):
        self.write("other", blobs(200, seed=9))
        done = self.run_partan("verify", "m", "other", "--json")
        self.assertEqual(done.returncode, 1)
        if done.stdout:
            self.assertFalse(json.loads(done.stdout)["matches"])
        self.assertIn("partan verify: ", done.stderr)

    def test_quiet_speaks_by_its_exit_status(self):
        self.assertEqual(self.succeed("verify", "-q", "m", "data").stdout, "")
        self.write("other", blobs(200, seed=9))
        self.fail_with(1, "verify", "-q", "m", "other")


class Info(CliTest):
    def test_native_and_libsvm(self):
        self.write("data", blobs(200))
        trained = self.json("train", "data", "m")
        self.succeed("train", "-q", "--model-format", "libsvm", "data", "theirs")
        found = self.json("info", "m")
        for key in ("objective", "gap", "relative_gap", "support_vectors", "gamma", "cost", "rows", "features",
                    "status", "iterations", "solver", "kernel", "labels"):
            self.assertEqual(found[key], trained[key], key)
        self.assert_schema(found, {"format": str, "version": str, "fingerprint": str, "bias": NUMBER})
        self.assertEqual(found["labels"], ["1", "-1"])
        other = self.json("info", "theirs")
        self.assertEqual((other["format"], other["support_vectors"]), ("libsvm", trained["support_vectors"]))
        for name in ("m", "theirs"):
            self.assertIn("support vectors", self.succeed("info", name).stdout)

    def test_a_model_from_what_can_be_read_once(self):
        self.write("data", blobs(200))
        self.succeed("train", "-q", "data", "m")
        expected = self.json("info", "m")
        text = (self.folder / "m").read_text()
        found = self.json("info", "-", stdin=text)
        self.assertEqual({**found, "model": "m"}, expected)
        self.assertTrue(self.json("verify", "-", "data", stdin=text)["matches"])
        self.assertEqual(self.json("predict", "data", "-", stdin=text)["correct"],
                         self.json("predict", "data", "m")["correct"])
        for pack in (gzip, bz2, lzma):
            (self.folder / "packed").write_bytes(pack.compress(text.encode()))
            self.assertEqual({**self.json("info", "packed"), "model": "m"}, expected)
        os.mkfifo(self.folder / "pipe")
        writer = threading.Thread(target=lambda: (self.folder / "pipe").write_text(text), daemon=True)
        writer.start()
        self.assertEqual({**self.json("info", "pipe"), "model": "m"}, expected)
        writer.join()

    def test_what_is_no_model(self):
        said = self.fail_with(1, "info", "-", stdin=blobs(20))
        self.assertRegex(said, "expected 'partan-model 1'.*, the first line of a model")
        self.fail_with(1, "info", "missing")
        self.fail_with(1, "info", os.curdir)


if __name__ == "__main__":
    unittest.main()
