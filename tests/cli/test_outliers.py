"""Outlier detection by the command line."""

import random
import shutil
import subprocess
import unittest

from cli import CliTest

OUTLIER = ("--problem", "outlier")


def cloud(rows, seed=1):
    """A normal cloud, label 1, with one row in twenty from a wide square, label -1."""
    draw = random.Random(seed)
    lines = []
    for _ in range(rows):
        out = draw.random() < 0.05
        x = [draw.uniform(-6, 6) if out else draw.gauss(0, 1) for _ in range(3)]
        lines.append(f"{-1 if out else 1} 1:{x[0]:.5f} 2:{x[1]:.5f} 3:{x[2]:.5f}\n")
    return "".join(lines)


class Outliers(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", cloud(1000))
        self.write("bare", "".join(line.split(" ", 1)[1] for line in cloud(1000).splitlines(True)))

    def test_a_share_is_outside(self):
        for kernel in ("rbf", "linear", "laplacian", "polynomial"):
            with self.subTest(kernel):
                found = self.json("train", *OUTLIER, "--kernel", kernel, "-c", "0.01", "--outliers", "0.05", "data", "m")
                self.assertEqual((found["problem"], found["outliers"]), ("outlier", 0.05))
                self.assertTrue(self.json("verify", "m", "data")["matches"])
                evaluation = self.json("predict", "--decision", "data", "m", "out")
                lines = [line.split() for line in (self.folder / "out").read_text().splitlines()]
                self.assertEqual(sum(label == "-1" for label, _ in lines), 50)
                self.assertTrue(all((float(value) > 0) == (label == "1") for label, value in lines))
                if kernel == "rbf":
                    self.assertGreater(evaluation["auc"], 0.97)

    def test_labels_are_not_needed(self):
        labelled = self.json("train", *OUTLIER, "-c", "0.01", "data", "m")
        bare = self.json("train", *OUTLIER, "-c", "0.01", "bare", "n")
        self.assertEqual(labelled["objective"], bare["objective"])
        self.succeed("verify", "n", "bare")
        self.assertIn("none with a label", self.succeed("predict", "bare", "n").stdout)
        self.assertIn("1 (inside), -1 (outliers)", self.succeed("info", "m").stdout)
        self.assertIn("are needed", self.fail_with(1, "tune", *OUTLIER, "bare"))

    def test_choice_by_labels(self):
        found = self.json("tune", *OUTLIER, "-c", "0.001,0.01,10", "--folds", "3", "data")
        self.assertEqual(found["score"], "auc")
        self.assertEqual(found["best"]["score"], max(point["auc"] for point in found["points"]))
        self.assertGreater(self.json("cv", *OUTLIER, "-c", "0.01", "data")["auc"], 0.97)

    def test_every_solver(self):
        for solver in ("fw", "mfw", "swap", "partan", "auto"):
            with self.subTest(solver):
                self.json("train", *OUTLIER, "--solver", solver, "-c", "0.1", "data", "m")
                self.succeed("verify", "m", "data")

    def test_models_of_libsvm(self):
        self.succeed("train", *OUTLIER, "-c", "0.01", "--outliers", "0.1", "--model-format", "libsvm", "data", "m")
        self.assertTrue((self.folder / "m").read_text().startswith("svm_type one_class\n"))
        self.assertIn("has no room for k(x, x)", self.fail_with(1, "train", *OUTLIER, "--kernel", "linear",
                                                                "--model-format", "libsvm", "data", "n"))
        self.succeed("predict", "data", "m", "ours")
        if not shutil.which("svm-predict"):
            self.skipTest("svm-predict is not there")
        for model in ("m", "l"):
            if model == "l":
                subprocess.run(["svm-train", "-q", "-s", "2", "-n", "0.1", "data", "l"], cwd=self.folder, check=True)
            subprocess.run(["svm-predict", "data", model, "theirs"], cwd=self.folder, check=True, capture_output=True)
            self.succeed("predict", "data", model, "ours")
            self.assertEqual((self.folder / "ours").read_text(), (self.folder / "theirs").read_text())

    def test_what_is_refused(self):
        self.assertIn("--problem outlier needs distances", self.fail_with(2, "train", *OUTLIER, "--kernel", "sigmoid",
                                                                          "data", "m"))
        self.assertIn("--outliers", self.fail_with(2, "train", *OUTLIER, "--outliers", "1", "data", "m"))


if __name__ == "__main__":
    unittest.main()
