"""partan tune: the table, the command it ends with, JSON, what ends it early."""

import shlex
import unittest

from cli import CliTest, blobs

NUMBER = (int, float)
POINT = {
    "cost": NUMBER, "gamma": NUMBER, "validation_accuracy": NUMBER, "correct": int, "status": str, "converged": bool,
    "iterations": int, "relative_gap": NUMBER, "support_vectors": int, "seconds": NUMBER, "predict_seconds": NUMBER,
}
SCHEMA = {
    "data": str, "version": str, "kernel": str, "solver": str, "tol": NUMBER, "rows": int, "features": int,
    "validation": NUMBER, "validation_rows": int, "seed": int, "threads": int, "isa": str, "status": str,
    "points_wanted": int, "best": POINT, "points": list,
    "time": {"read": NUMBER, "tune": NUMBER, "total": NUMBER}, "peak_memory_bytes": int,
}


class Tune(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(300))

    def test_json(self):
        found = self.json("tune", "--cost", "0.1..100", "--points", "4", "--gamma", "0.1,1", "data")
        self.assert_schema(found, SCHEMA)
        self.assertEqual((found["status"], found["points_wanted"], len(found["points"])), ("OK", 8, 8))
        self.assertEqual(found["validation_rows"], 90)
        self.assertEqual([(p["gamma"], p["cost"]) for p in found["points"]],
                         [(gamma, cost) for gamma in (0.1, 1) for cost in (0.1, 1, 10, 100)])
        for point in found["points"]:
            self.assert_schema(point, POINT)
            self.assertEqual(point["validation_accuracy"], point["correct"] / 90)
        self.assertEqual(found["best"]["correct"], max(point["correct"] for point in found["points"]))
        self.assertIn(found["best"], found["points"])

    def test_the_split_is_decided_by_share_and_seed(self):
        def points(*words):
            found = self.json("tune", "--cost", "1,10", *words, "data")
            return found["validation_rows"], [(p["correct"], p["objective"]) for p in found["points"]]

        self.assertEqual(points(), points("--validation", "0.3", "--seed", "1"))
        self.assertNotEqual(points(), points("--seed", "2"))
        self.assertEqual(points("--validation", "0.5")[0], 150)

    def test_a_warning_about_the_data_is_given_once(self):
        self.write("wide", "".join(f"{1 - 2 * (i % 2)} 1:{i % 7} 2:{i * i % 11} 3:{10000 * (i % 5)}\n" for i in range(60)))
        for words in (["--gamma", "0.1,1,10"], ["--gamma", "0.1,1", "--folds", "2"]):
            warned = self.succeed("tune", "--cost", "1", *words, "wide").stderr
            self.assertEqual(warned.count("very different ranges"), 1)

    def test_table_ends_with_a_command_that_trains(self):
        self.write("the data", blobs(300))
        done = self.succeed("tune", "--cost", "0.1,1,10", "--tol", "0.02", "--no-merge", "the data")
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 6)
        self.assertEqual(lines[0].split(), "C gamma validation accuracy support vectors relative gap "
                                           "seconds".split())
        self.assertEqual([line.split()[0] for line in lines[1:4]], ["0.1", "1", "10"])
        self.assertRegex(lines[4], r"^best: [0-9.]+ % \([0-9]+/90\) at C [0-9.]+, gamma [0-9.]+$")
        name, *words = shlex.split(lines[5].removeprefix("train on all rows with: "))
        self.assertEqual(name, "partan")
        self.assertEqual(words[-4:], ["--tol", "0.02", "--no-merge", "the data"])
        self.assertLessEqual(self.json(*words)["relative_gap"], 0.02)
        self.assertEqual(self.succeed("tune", "-q", "--cost", "1,2", "data").stdout, "")

    def test_variants_start_each_cost_anew(self):
        words = ["tune", "--solver", "fw", "--tol", "0.1", "data", "--cost"]
        both = self.json(*words, "1,10")["points"][1]
        alone = self.json(*words, "10")["points"][0]
        self.assertEqual((both["iterations"], both["objective"]), (alone["iterations"], alone["objective"]))

    def test_a_best_cost_at_the_edge_is_told(self):
        edge = self.succeed("tune", "--cost", "1e-5,1e-4", "data").stderr
        self.assertIn("a better one may lie beyond it", edge)
        self.assertEqual(self.succeed("tune", "-q", "--cost", "1e-5,1e-4", "data").stderr, "")

    def test_labels_may_be_words(self):
        self.write("data.csv", "".join(f"{'spam' if i % 2 else 'ham'},{i % 2 + 0.01 * i}\n" for i in range(40)))
        self.assertEqual(self.json("tune", "--cost", "1,10", "data.csv")["best"]["validation_accuracy"], 1)

    def test_usage(self):
        for cost in ("1..", "..1", "0..1", "5..2", "1,,2", "a", "1,nan", ""):
            self.assertIn("--cost takes LO..HI", self.fail_with(2, "tune", "--cost", cost, "data"))
        for gamma in ("auto,,1", "1,-1", "x", "xauto", "0auto", "-1auto", "1..", "..", "auto2", ""):
            self.assertIn("--gamma takes LO..HI or a list", self.fail_with(2, "tune", "--gamma", gamma, "data"))
        self.assertIn("--points needs a range", self.fail_with(2, "tune", "--cost", "1,2", "-n", "5", "data"))
        for share in ("0", "1", "1.5"):
            self.assertIn("--validation takes", self.fail_with(2, "tune", "--validation", share, "data"))
        self.write("one", "1 1:1\n")
        self.assertIn("too few to split", self.fail_with(1, "tune", "one"))

    def test_limits(self):
        done = self.succeed("tune", "--max-iter", "3", "--tol", "1e-6", "--cost", "1,10", "data")
        self.assertIn("warning: 2 of these points did not reach the target gap", done.stderr)
        done = self.succeed("tune", "--time-limit", "1e-6", "--tol", "1e-6", "data")
        self.assertIn("warning: stopped by --time-limit: 0 of 10 points are done", done.stderr)


if __name__ == "__main__":
    unittest.main()
