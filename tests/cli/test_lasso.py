"""partan lasso, and predict, verify and info on its models."""

import json
import math
import random
import unittest
import xml.etree.ElementTree

from cli import CliTest

FIELDS = {
    "objective": (int, float),
    "gap": (int, float),
    "relative_gap": (int, float),
    "radius": (int, float),
    "lambda": (int, float),
    "nonzeros": int,
    "r2": (int, float),
    "status": str,
    "converged": bool,
    "iterations": int,
}


def table(rows=60, features=20, seed=1, header=True):
    """CSV with the target first: three features matter."""
    draw = random.Random(seed)
    lines = ["y," + ",".join(f"gene {j}" for j in range(1, features + 1))] if header else []
    for _ in range(rows):
        x = [draw.gauss(0, 1 + j % 3) for j in range(features)]
        y = 2 + 3 * x[0] - 2 * x[4] + x[9] + draw.gauss(0, 0.5)
        lines.append(",".join(f"{v:.6f}" for v in [y, *x]))
    return "\n".join(lines) + "\n"


class Lasso(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.write("genes.csv", table())

    def test_a_fit_writes_a_model_that_is_verified(self):
        for form in ("--lambda=0.1", "--radius=4"):
            found = self.json("lasso", form, self.data, "g.model")
            self.assert_schema(found, FIELDS)
            self.assertLessEqual(found["relative_gap"], 1e-6)
            audit = self.json("verify", "g.model", self.data)
            self.assertTrue(audit["matches"])
            self.assertAlmostEqual(audit["objective"], found["objective"], delta=1e-9)
            if form.startswith("--radius"):
                self.assertLessEqual(audit["norm"], 4 + 1e-9)

    def test_the_two_forms_meet(self):
        penalised = self.json("lasso", "--lambda", "0.3", self.data)
        ball = self.json("lasso", "--radius", repr(penalised["radius"]), self.data)
        self.assertAlmostEqual(ball["lambda"], 0.3, delta=1e-6)
        self.assertAlmostEqual(ball["r2"], penalised["r2"], delta=1e-6)

    def test_every_solver_finds_the_same(self):
        best = self.json("lasso", "--radius", "6", self.data)
        for solver in ("fw", "mfw", "swap", "partan"):
            for sample in ("0", "5"):
                found = self.json(
                    "lasso", "--radius", "6", "--solver", solver, "--sample", sample, "--tol", "1e-2", self.data
                )
                self.assertLessEqual(found["relative_gap"], 1e-2)
                self.assertLessEqual(found["objective"] - best["objective"], found["gap"] + 1e-6)
                self.assertTrue(self.json("verify", "genes.csv.model", self.data)["matches"])

    def test_names_come_from_the_header(self):
        self.succeed("lasso", "--lambda", "0.3", "--coefficients", "b.csv", self.data)
        lines = (self.folder / "b.csv").read_text().splitlines()
        self.assertEqual(lines[0], "feature,name,coefficient")
        self.assertTrue(lines[1].startswith('0,"(intercept)",'))
        self.assertTrue(lines[2].startswith('1,"gene 1",'))
        shown = self.succeed("info", "genes.csv.model").stdout
        self.assertIn("gene 5 (feature 5)", shown)
        about = self.json("info", "genes.csv.model")
        self.assertEqual(about["coefficients"][0]["name"], "gene 1")
        self.assertEqual(len(about["coefficients"]), about["nonzeros"])

    def test_without_a_header_features_have_numbers(self):
        self.write("plain.csv", table(header=False))
        self.succeed("lasso", "--lambda", "0.3", "plain.csv")
        about = self.json("info", "plain.csv.model")
        self.assertIsNone(about["coefficients"][0]["name"])
        self.assertEqual(about["coefficients"][0]["feature"], 1)

    def test_predictions_are_values_with_their_error(self):
        self.succeed("lasso", "--lambda", "0.01", self.data, "g.model")
        self.write("new.csv", table(seed=2))
        done = self.succeed("predict", "new.csv", "g.model", "out.txt")
        self.assertRegex(done.stdout, r"^RMSE = 0\.[0-9]+, R\^2 = 0\.9[0-9]+ \(60 rows\)\n$")
        self.assertEqual(len((self.folder / "out.txt").read_text().splitlines()), 60)
        found = self.json("predict", "new.csv", "g.model")
        self.assertAlmostEqual(found["rmse"], math.sqrt(found["mse"]))
        self.assertIn("--decision", self.fail_with(2, "predict", "--decision", "new.csv", "g.model", "x"))

    def test_a_path_is_a_table_and_a_plot(self):
        done = self.succeed("lasso", "--path", "--points", "7", "--plot", "path.svg", self.data)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 9)
        self.assertEqual(lines[0].split()[0], "lambda")
        tree = xml.etree.ElementTree.parse(self.folder / "path.svg")
        self.assertEqual(tree.getroot().tag, "{http://www.w3.org/2000/svg}svg")
        found = self.json("lasso", "--path", self.data)
        self.assertEqual(len(found["points"]), 100)
        self.assertEqual(found["points"][0]["nonzeros"], 0)
        for point in found["points"]:
            self.assert_schema(point, FIELDS)
            self.assertLessEqual(point["relative_gap"], 1e-6)
        self.assertAlmostEqual(found["points"][-1]["lambda"] / found["points"][0]["lambda"], 1e-4)
        self.assertEqual(self.files(), ["genes.csv", "path.svg"])

    def test_cross_validation_chooses(self):
        found = self.json("lasso", "--cv", "5", "--points", "30", "--plot", "cv.svg", self.data)
        cv = found["cv"]
        self.assertEqual(len(cv["points"]), 30)
        errors = [point["error"] for point in cv["points"]]
        self.assertEqual(cv["best"]["index"], errors.index(min(errors)))
        self.assertGreaterEqual(cv["one_standard_error"]["lambda"], cv["best"]["lambda"])
        self.assertEqual(found["lambda"], cv["best"]["lambda"])
        other = self.json("lasso", "--cv", "5", "--points", "30", "--choose", "1se", self.data)
        self.assertEqual(other["lambda"], cv["one_standard_error"]["lambda"])
        self.assertLessEqual(other["nonzeros"], found["nonzeros"])
        text = self.succeed("lasso", "--cv", "5", "--points", "30", self.data).stdout
        self.assertIn("  best\n", text)
        xml.etree.ElementTree.parse(self.folder / "cv.svg")

    def test_a_trace_has_every_pass(self):
        self.succeed("lasso", "--radius", "6", "--solver", "swap", "--trace", "t.jsonl", self.data)
        rows = [json.loads(line) for line in (self.folder / "t.jsonl").read_text().splitlines()]
        self.assertEqual(rows[0]["step"], "start")
        self.assertLess(rows[-1]["relative_gap"], rows[0]["relative_gap"])
        self.succeed("lasso", "--lambda", "0.1", "--trace", "t.csv", self.data)
        self.assertGreater(len((self.folder / "t.csv").read_text().splitlines()), 1)

    def test_limits_leave_a_model_with_a_warning(self):
        done = self.succeed("lasso", "--radius", "6", "--solver", "fw", "--tol", "1e-9", "--max-iter", "5", self.data)
        self.assertIn("stopped by --max-iter", done.stderr)
        self.assertTrue(self.json("verify", "genes.csv.model", self.data)["matches"])

    def test_what_was_changed_in_a_model_is_noticed(self):
        self.succeed("lasso", "--lambda", "0.3", self.data, "g.model")
        text = (self.folder / "g.model").read_text()
        key, value = next(line.split() for line in text.splitlines() if line.startswith("objective "))
        self.write("w.model", text.replace(f"{key} {value}", f"{key} {float(value) * 1.001!r}"))
        done = self.run_partan("verify", "w.model", self.data)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not verified: the model claims an objective", done.stderr)
        self.write("cut.model", text[: len(text) // 2])
        self.assertIn("cut.model", self.fail_with(1, "info", "cut.model"))

    def test_what_does_not_go_together_is_said(self):
        for words, said in (
            ((), "one of --lambda, --radius, --path and --cv must be given"),
            (("--lambda", "1", "--path"), "no more than one of"),
            (("--lambda", "-1"), "--lambda takes a number from 0"),
            (("--path", "--coefficients", "x"), "--path writes no model"),
            (("--lambda", "1", "--plot", "x.svg"), "--plot needs --path or --cv"),
            (("--cv", "1"), "--cv takes"),
            (("--lambda", "1", "--json", "--coefficients", "-"), "only one output can go to standard output"),
        ):
            self.assertIn(said, self.fail_with(2, "lasso", *words, self.data))
        said = self.fail_with(2, "lasso", "--lambda", "1", "--solver", "fw", self.data)
        self.assertIn("solver fw only supports the form with a radius", said)

    def test_data_that_cannot_be_fitted_is_refused_with_its_place(self):
        self.write("words.csv", "y,a,b\nhigh,1,2\nlow,2,3\n")
        self.assertIn(
            "found 'high' as a target, expected numbers", self.fail_with(1, "lasso", "--lambda", "1", "words.csv")
        )
        self.write("nan.csv", "y,a,b\n1,1,2\n2,x,3\n")
        self.assertIn("nan.csv:3:3", self.fail_with(1, "lasso", "--lambda", "1", "nan.csv"))
        self.assertIn(
            "expected an SVM model",
            self.fail_with(1, "train", "--init", self.model(), self.write("t.svm", "1 1:1\n-1 1:2\n")),
        )

    def model(self):
        self.succeed("lasso", "--lambda", "0.3", self.data, "g.model")
        return "g.model"

    def test_a_constant_column_has_no_coefficient(self):
        self.write("c.csv", "y,a,b\n1,5,1\n2,5,2\n3,5,4\n")
        found = self.json("lasso", "--lambda", "0.01", "c.csv")
        self.assertEqual(found["nonzeros"], 1)
        self.assertEqual(self.json("info", "c.csv.model")["coefficients"][0]["feature"], 2)


if __name__ == "__main__":
    unittest.main()
