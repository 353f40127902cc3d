"""Regression by the command line: every command that knows classes knows numbers."""

import math
import shutil
import subprocess
import unittest

from cli import CliTest

REGRESSION = ("--problem", "regression")


def sums(labels, predicted):
    mean = sum(labels) / len(labels)
    squares = sum((a - b) ** 2 for a, b in zip(labels, predicted))
    return {
        "r2": 1 - squares / sum((a - mean) ** 2 for a in labels),
        "mse": squares / len(labels),
        "mae": sum(abs(a - b) for a, b in zip(labels, predicted)) / len(labels),
    }


class Regression(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("gen", "friedman", "--rows", "400", "data")

    def labels(self):
        return [float(line.split()[0]) for line in (self.folder / "data").read_text().splitlines()]

    def test_predictions_are_numbers(self):
        found = self.json("train", *REGRESSION, "-c", "10", "data", "m")
        self.assertEqual((found["problem"], found["epsilon"], found["labels"]), ("regression", 0.1, []))
        self.assertLess(found["objective"], 0)
        self.assertAlmostEqual(found["relative_gap"], -found["gap"] / found["objective"], places=9)
        evaluation = self.json("predict", "data", "m", "out")
        predicted = [float(line) for line in (self.folder / "out").read_text().splitlines()]
        for name, value in sums(self.labels(), predicted).items():
            self.assertAlmostEqual(evaluation[name], value, places=9)
        self.assertGreater(evaluation["r2"], 0.9)
        text = self.succeed("predict", "data", "m").stdout
        self.assertRegex(text, r"^R\^2 = 0\.9\d+, MSE = \S+, MAE = \S+ \(400 rows\)\n$")

    def test_verify_and_info(self):
        self.succeed("train", *REGRESSION, "--scale", "standard", "data", "m")
        self.assertIn("verified: optimal to within", self.succeed("verify", "m", "data").stdout)
        self.assertTrue(self.json("verify", "m", "data")["matches"])
        self.assertIn("numbers (regression)", self.succeed("info", "m").stdout)
        text = (self.folder / "m").read_text()
        (self.folder / "wrong").write_text(text.replace("epsilon 0.1", "epsilon 0.2"))
        done = self.run_partan("verify", "wrong", "data")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not verified: the model claims an objective", done.stderr)

    def test_every_solver(self):
        for solver in ("fw", "mfw", "swap", "partan", "auto"):
            for more in ((), ("--sample", "64")) if solver != "auto" else ((),):
                with self.subTest(solver, more=more):
                    self.json("train", *REGRESSION, "--solver", solver, *more, "-c", "0.1", "--max-iter", "3000", "data",
                              "m")
                    self.succeed("verify", "m", "data")

    def test_cross_validation_and_choice(self):
        found = self.json("cv", *REGRESSION, "--folds", "4", "data", "out")
        predicted = [float(line) for line in (self.folder / "out").read_text().splitlines()]
        expected = sums(self.labels(), predicted)
        self.assertAlmostEqual(found["mse"], expected["mse"], places=9)
        self.assertAlmostEqual(found["r2"], sum(fold["r2"] for fold in found["fold_list"]) / 4, places=9)
        words = ("tune", *REGRESSION, "-c", "1,10", "--epsilon", "0.1,5", "--score", "mse", "--table", "t.csv", "data")
        first = self.json(*words)
        self.assertEqual(len(first["points"]), 4)
        self.assertEqual(first["best"]["score"], -min(point["mse"] for point in first["points"]))
        again = self.json(*words)
        self.assertEqual(again["resumed"], 4)
        self.assertEqual(again["best"]["mse"], first["best"]["mse"])
        self.assertIn("--epsilon 0.1", self.succeed(*words).stdout)
        self.succeed("plot", "t.csv", "t.svg")
        self.assertIn("use r2, mse or mae", self.fail_with(2, "tune", *REGRESSION, "--score", "auc", "data"))
        self.assertIn("use accuracy", self.fail_with(2, "tune", "--score", "r2", "data"))

    def test_path(self):
        found = self.json("path", *REGRESSION, "-c", "0.1..10", "-n", "3", "--test", "data", "--table", "p.csv", "data")
        scores = [point["test_r2"] for point in found["points"]]
        self.assertEqual(sorted(scores), scores)
        self.assertEqual(found["best_cost"], 10)
        self.succeed("plot", "p.csv", "p.svg")
        self.assertIn("test R^2", (self.folder / "p.svg").read_text())

    def test_start_from_a_model(self):
        cold = self.json("train", *REGRESSION, "--tol", "1e-4", "data", "m")
        warm = self.json("train", *REGRESSION, "--tol", "1e-4", "--init", "m", "data", "n")
        self.assertLess(warm["iterations"], cold["iterations"])

    def test_limits_leave_a_true_gap(self):
        found = self.json("train", *REGRESSION, "-c", "1000", "--tol", "1e-9", "--max-iter", "3", "data", "m")
        self.assertEqual(found["status"], "ITERATION_LIMIT")
        self.succeed("verify", "m", "data")

    def test_where_nothing_is_proven_yet_it_says_so(self):
        """Stopped at a point whose objective is above 0, the trivial one's."""
        self.succeed("gen", "friedman", "--rows", "1000", "-q", "easy")
        words = [*REGRESSION, "--epsilon", "8", "--cost", "100", "--gamma", "0.3", "--max-iter", "12"]
        self.assertIn("no bound yet", self.succeed("train", *words, "easy", "m").stdout)
        self.assertIn("verified: no bound yet", self.succeed("verify", "m", "easy").stdout)
        self.assertFalse(self.json("train", *words, "easy", "m")["converged"])

    def test_libsvm_reads_and_writes_the_models(self):
        self.succeed("train", *REGRESSION, "--model-format", "libsvm", "data", "m")
        self.assertTrue((self.folder / "m").read_text().startswith("svm_type epsilon_svr\n"))
        self.succeed("predict", "data", "m", "ours")
        self.assertEqual(self.json("info", "m")["problem"], "regression")
        if not shutil.which("svm-predict"):
            self.skipTest("svm-predict is not there")
        subprocess.run(["svm-predict", "data", "m", "theirs"], cwd=self.folder, check=True, capture_output=True)
        self.compare("ours", "theirs")
        subprocess.run(["svm-train", "-q", "-s", "3", "-g", "0.3", "data", "l"], cwd=self.folder, check=True)
        subprocess.run(["svm-predict", "data", "l", "theirs"], cwd=self.folder, check=True, capture_output=True)
        self.succeed("predict", "data", "l", "ours")
        self.compare("ours", "theirs")

    def compare(self, ours, theirs):
        for a, b in zip((self.folder / ours).read_text().split(), (self.folder / theirs).read_text().split()):
            self.assertTrue(math.isclose(float(a), float(b), rel_tol=1e-4, abs_tol=1e-3), (a, b))

    def test_labels_that_do_not_fit(self):
        self.write("words.csv", "label,x\n" + "".join(f"{'ab'[i % 2]},{i}\n" for i in range(9)))
        self.assertIn("found label 'a', expected a number", self.fail_with(1, "train", *REGRESSION, "words.csv"))
        self.write("numbers.csv", "label,x\n" + "".join(f"{i % 4},{i}\n" for i in range(9)))
        self.succeed("train", *REGRESSION, "-q", "numbers.csv", "m")
        self.assertIn("found label 'a', the model predicts numbers", self.fail_with(1, "predict", "words.csv", "m"))
        self.write("constant", "".join(f"3 1:{i}\n" for i in range(9)))
        found = self.succeed("train", *REGRESSION, "constant", "c")
        self.assertIn("the model predicts the mean for every row", found.stderr)
        self.succeed("verify", "c", "constant")
        self.succeed("predict", "constant", "c", "out")
        self.assertEqual(set((self.folder / "out").read_text().split()), {"3"})
        self.assertIn("did you mean problem regression?", self.fail_with(1, "train", "data", "m"))
        self.assertIn("--problem regression takes no weights of classes", self.fail_with(2, "train", *REGRESSION, "--class-weight",
                                                                          "balanced", "data", "m"))

    def test_there_are_no_probabilities(self):
        self.assertIn("--probability is for classification, not for problem regression", self.fail_with(2, "train", *REGRESSION,
                                                                                  "--probability", "data", "m"))
        self.succeed("train", *REGRESSION, "-q", "data", "m")
        self.fail_with(1, "predict", "--probability", "data", "m", "out")

    def test_pictures_of_classes_are_refused(self):
        self.succeed("train", *REGRESSION, "-q", "data", "m")
        self.assertIn("the model predicts numbers", self.fail_with(1, "predict", "--plot", "p.svg", "data", "m"))
        self.assertIn("the model predicts numbers", self.fail_with(1, "plot", "--features", "1,2", "m", "data", "p.svg"))

    def test_rows_without_labels_are_predicted(self):
        self.succeed("train", *REGRESSION, "-q", "data", "m")
        self.write("bare", "1:0.5 2:0.5\n3:0.25\n")
        self.assertIn("none with a label", self.succeed("predict", "bare", "m").stdout)


if __name__ == "__main__":
    unittest.main()
