"""partan path: the table, JSON, models, the plot, and what ends it early."""

import json
import signal
import subprocess
import unittest
import xml.etree.ElementTree as tree

from cli import PARTAN, CliTest, blobs, environment

NUMBER = (int, float)
POINT = {
    "cost": NUMBER, "status": str, "converged": bool, "iterations": int, "objective": NUMBER, "gap": NUMBER,
    "relative_gap": NUMBER, "support_vectors": int, "kernel_values": int, "seconds": NUMBER,
}
SCHEMA = {
    "data": str, "version": str, "kernel": str, "gamma": NUMBER, "solver": str, "tol": NUMBER, "rows": int,
    "features": int, "storage": str, "threads": int, "isa": str, "status": str, "points_wanted": int, "points": list,
    "time": {"read": NUMBER, "train": NUMBER, "test": NUMBER, "total": NUMBER}, "peak_memory_bytes": int,
}


class Path(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(300))
        self.write("other", blobs(200, seed=2))

    def test_json(self):
        found = self.json("path", "--gamma", "0.5", "--cost", "0.1..100", "--points", "7", "--tol", "0.01", "data")
        self.assert_schema(found, SCHEMA)
        self.assertEqual((found["status"], found["points_wanted"], len(found["points"])), ("OK", 7, 7))
        self.assertEqual((found["test"], found["best_cost"]), (None, None))
        for i, point in enumerate(found["points"]):
            self.assert_schema(point, POINT)
            self.assertAlmostEqual(point["cost"], 0.1 * 1000 ** (i / 6), delta=1e-9 * point["cost"])
            self.assertLessEqual(point["relative_gap"], 0.01)
            self.assertEqual((point["test_accuracy"], point["model"]), (None, None))
        objectives = [point["objective"] for point in found["points"]]
        self.assertEqual(objectives, sorted(objectives, reverse=True))
        self.assertEqual(self.files(), ["data", "other"])

    def test_every_model_is_what_its_point_says(self):
        found = self.json("path", "--cost", "1..50", "-n", "10", "--test", "other", "--models", "m", "data")
        self.assertEqual(self.files(), ["data"] + [f"m-{i:02}.model" for i in range(1, 11)] + ["other"])
        for point in found["points"]:
            self.assertTrue(self.json("verify", point["model"], "data")["matches"])
            told = self.json("info", point["model"])
            self.assertEqual((told["cost"], told["objective"]), (point["cost"], point["objective"]))
            self.assertEqual(self.json("predict", "other", point["model"])["accuracy"], point["test_accuracy"])
        best = max(found["points"], key=lambda point: point["test_accuracy"])
        self.assertEqual(found["best_cost"], best["cost"])

    def test_table(self):
        done = self.succeed("path", "--cost", "0.1..10", "--points", "3", "--test", "other", "data")
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 5)
        self.assertEqual(lines[0].split(), "C objective relative gap support vectors iterations seconds test "
                                           "accuracy".split())
        self.assertEqual([line.split()[0] for line in lines[1:4]], ["0.1", "1", "10"])
        self.assertRegex(lines[4], r"^best test accuracy [0-9.]+ % \([0-9]+/200\) at C [0-9.]+$")
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.succeed("path", "-q", "data").stdout, "")
        without = self.succeed("path", "--points", "2", "data").stdout.splitlines()
        self.assertNotIn("accuracy", without[0])
        self.assertEqual(len(without), 3)

    def test_plot(self):
        for words in ([], ["--test", "other"]):
            self.succeed("path", "-q", "--points", "5", "--plot", "p.svg", *words, "data")
            root = tree.parse(self.folder / "p.svg").getroot()
            names = [element.tag.split("}")[1] for element in root.iter()]
            self.assertEqual(names.count("polyline"), 1 + bool(words))
            self.assertGreaterEqual(names.count("circle"), 5 * (1 + bool(words)))
            texts = [element.text for element in root.iter() if element.tag.endswith("text")]
            self.assertEqual("test accuracy, %" in texts, bool(words))
            for cost in ("0.1", "1", "10", "100"):
                self.assertIn(cost, texts)

    def test_usage(self):
        for cost in ("1", "1..", "..1", "0..1", "5..2", "1..1", "a..b", "1..nan", "1...2e"):
            self.assertIn("--cost takes two positive numbers LO..HI", self.fail_with(2, "path", "--cost", cost, "data"))
        self.assertIn("--points takes", self.fail_with(2, "path", "--points", "1", "data"))
        self.assertIn("data is an input", self.fail_with(2, "path", "--plot", "data", "data"))
        self.assertIn("standard output", self.fail_with(2, "path", "--plot", "-", "data"))
        self.assertIn("no/m-01.model", self.fail_with(1, "path", "--models", "no/m", "data"))
        self.assertIn("missing", self.fail_with(1, "path", "--test", "missing", "data"))

    def test_limits(self):
        done = self.succeed("path", "--json", "--max-iter", "3", "--tol", "1e-6", "--points", "4", "data")
        found = json.loads(done.stdout)
        self.assertEqual([point["status"] for point in found["points"]], ["ITERATION_LIMIT"] * 4)
        self.assertIn("warning: 4 of these points did not reach the target gap", done.stderr)
        done = self.succeed("path", "--time-limit", "1e-6", "--tol", "1e-6", "data")
        self.assertIn("warning: stopped by --time-limit: 1 of 20 points are done", done.stderr)
        self.assertIn("TIME_LIMIT", done.stdout)


class Interrupted(CliTest):
    def test_a_signal_leaves_the_points_that_are_done(self):
        self.write("data", blobs(3000))
        words = ["path", "--points", "10000", "--tol", "1e-4", "--models", "m", "data"]
        process = subprocess.Popen([PARTAN, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment(), text=True)
        self.addCleanup(process.kill)
        rows = [process.stdout.readline() for _ in range(4)]
        process.send_signal(signal.SIGINT)
        rows += process.stdout.readlines()  # communicate() would lose what has been read ahead
        err = process.stderr.read()
        process.wait(60)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn(f"warning: interrupted: {len(rows) - 1} of 10000 points are done", err)
        models = [name for name in self.files() if name != "data"]
        self.assertEqual(models, [f"m-{i:05}.model" for i in range(1, len(rows))])
        self.assertTrue(self.json("verify", models[-1], "data")["matches"])


if __name__ == "__main__":
    unittest.main()
