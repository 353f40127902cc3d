"""partan cv, and tune by folds, over ranges of gamma, resumed, and as a picture."""

import json
import unittest
import xml.etree.ElementTree as ElementTree

from cli import CliTest, blobs

NUMBER = (int, float)
SCHEMA = {
    "data": str, "kernel": str, "gamma": NUMBER, "cost": NUMBER, "rows": int, "features": int, "folds": int,
    "status": str, "threads": int, "labelled": int, "correct": int, "accuracy": NUMBER, "balanced_accuracy": NUMBER,
    "auc": NUMBER, "classes": list, "confusion": list, "mean_accuracy": NUMBER, "deviation": NUMBER, "fold_list": list,
    "time": {"read": NUMBER, "cross_validate": NUMBER, "total": NUMBER}, "peak_memory_bytes": int,
}


class CrossValidation(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(201))

    def test_json_adds_up(self):
        found = self.json("cv", "--folds", "4", "data", "out")
        self.assert_schema(found, SCHEMA)
        folds = found["fold_list"]
        self.assertEqual((len(folds), found["labelled"]), (4, 201))
        self.assertEqual(sum(fold["correct"] for fold in folds), found["correct"])
        self.assertLessEqual(max(f["labelled"] for f in folds) - min(f["labelled"] for f in folds), 1)
        mean = sum(fold["accuracy"] for fold in folds) / 4
        self.assertAlmostEqual(found["mean_accuracy"], mean)
        self.assertAlmostEqual(found["deviation"], (sum((f["accuracy"] - mean) ** 2 for f in folds) / 3) ** 0.5)
        self.assertAlmostEqual(found["auc"], sum(fold["auc"] for fold in folds) / 4)
        labels = [float(line) for line in (self.folder / "out").read_text().split()]
        truth = [float(line.split()[0]) for line in (self.folder / "data").read_text().splitlines()]
        self.assertEqual(sum(a == b for a, b in zip(labels, truth)), found["correct"])
        self.assertEqual(found["gamma"], self.json("info", "data")["gamma_auto"])

    def test_text(self):
        done = self.succeed("cv", "--folds", "3", "data")
        lines = done.stdout.splitlines()
        head = "fold rows accuracy balanced AUC support vectors relative gap seconds"
        self.assertEqual(lines[0].split(), head.split())
        self.assertEqual([line.split()[0] for line in lines[1:4]], ["1", "2", "3"])
        found = self.json("cv", "--folds", "3", "data")
        self.assertIn(f"({found['correct']}/201)", lines[5])
        self.assertEqual(lines[-1], f"accuracy by fold: mean {100 * found['mean_accuracy']:.2f} %, "
                                    f"standard deviation {100 * found['deviation']:.2f} %")
        self.assertEqual(self.succeed("cv", "-q", "data").stdout, "")

    def test_the_seed_decides_and_outputs(self):
        first = self.json("cv", "data")["correct"], self.json("cv", "data")["fold_list"][0]["objective"]
        self.assertNotEqual(first[1], self.json("cv", "--seed", "2", "data")["fold_list"][0]["objective"])
        done = self.succeed("cv", "--decision", "data", "-")
        pairs = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual(len(pairs), 201)
        self.assertTrue(all((float(a) > 0) == (float(b) > 0) for a, b in pairs))
        self.assertIn("accuracy by fold", done.stderr)

    def test_words_and_precomputed(self):
        self.write("w.csv", "".join(f"{'spam' if i % 2 else 'ham'},{i % 2 + 0.01 * i}\n" for i in range(40)))
        self.assertEqual([c["label"] for c in self.json("cv", "w.csv", "out")["classes"]], ["spam", "ham"])
        self.assertEqual(set((self.folder / "out").read_text().split()), {"spam", "ham"})

    def test_what_is_refused(self):
        self.fail_with(2, "cv", "--folds", "1", "data")
        self.fail_with(2, "cv", "--decision", "data")
        self.assertIn("is an input", self.fail_with(2, "cv", "data", "data"))
        self.write("few", "1 1:1\n1 1:2\n-1 1:3\n1 1:4\n-1 1:5\n")
        said = self.fail_with(1, "cv", "few")
        self.assertIn("class '-1' has 2 rows, expected at least one for each of 5 folds", said)

    def test_time_limit(self):
        done = self.succeed("cv", "--time-limit", "1e-6", "data", "out")
        self.assertIn("stopped by --time-limit: 0 of 5 folds are done; no OUTPUT is written", done.stderr)
        self.assertNotIn("out", self.files())
        found = json.loads(self.succeed("cv", "--time-limit", "1e-6", "--json", "data").stdout)
        self.assertEqual((found["status"], found["accuracy"], found["mean_accuracy"]), ("TIME_LIMIT", None, None))


class TuneByFolds(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(120))

    def test_a_point_is_a_cross_validation(self):
        for score, key in (("accuracy", "mean_accuracy"), ("auc", "auc")):
            point = self.json("tune", "--folds", "4", "--cost", "3", "--gamma", "0.5", "--score", score, "data")["best"]
            found = self.json("cv", "--folds", "4", "--cost", "3", "--gamma", "0.5", "data")
            self.assertAlmostEqual(point["score"], found[key], places=12)
            self.assertEqual(point["correct"], found["correct"])
        self.assertIn("cannot be combined", self.fail_with(2, "tune", "--folds", "3", "--validation", "0.2", "data"))

    def test_gammas(self):
        auto = self.json("info", "data")["gamma_auto"]

        def gammas(*words):
            points = self.json("tune", "--cost", "1", *words, "data")["points"]
            return [point["gamma"] for point in points]

        self.assertEqual(gammas("--gamma", "0.01..1", "--gamma-points", "3"), [0.01, 0.1, 1])
        self.assertEqual(gammas(), [auto])
        found = gammas("--gamma", "0.1auto..10auto", "--gamma-points", "3")
        for value, factor in zip(found, (0.1, 1, 10)):
            self.assertAlmostEqual(value / auto, factor, places=9)
        self.assertEqual(gammas("--gamma", "AUTO,2auto,0.5"), [auto, 2 * auto, 0.5])
        self.assertEqual(len(gammas("--gamma", "0.001..1")), 7)
        self.assertIn("smaller value must come first", self.fail_with(2, "tune", "--gamma", "10auto..auto", "data"))
        said = self.fail_with(2, "tune", "--kernel", "linear", "--gamma", "1,2", "data")
        self.assertIn("does not depend on it", said)
        self.assertIn("--gamma-points needs a range",
                      self.fail_with(2, "tune", "--gamma", "1", "--gamma-points", "3", "data"))

    def test_edges_of_both(self):
        said = self.succeed("tune", "--cost", "1e-5,1e-4", "--gamma", "1e-6,1e-5", "data").stderr
        self.assertIn("the best cost is the", said)
        self.assertIn("the best gamma is the", said)

    def test_a_table_is_resumed(self):
        words = ["tune", "--folds", "3", "--cost", "1,10", "--table", "t.csv"]
        plain = self.json(*words, "--gamma", "0.1,1", "data")
        self.assertEqual((plain["resumed"], len(plain["points"])), (0, 4))
        more = self.json(*words, "--gamma", "0.1,0.5,1", "data")
        self.assertEqual((more["resumed"], len(more["points"])), (4, 6))

        def exact(points):
            return [{k: v for k, v in p.items() if "seconds" not in k} for p in points]

        self.assertEqual(exact(p for p in more["points"] if p["gamma"] != 0.5), exact(plain["points"]))
        fresh = self.json(*words[:-2], "--gamma", "0.1,0.5,1", "data")
        self.assertEqual(exact(fresh["points"]), exact(more["points"]))
        self.assertEqual(exact([fresh["best"]]), exact([more["best"]]))
        lines = (self.folder / "t.csv").read_text().splitlines()
        self.assertEqual(len(lines), 2 + 6)

    def test_a_table_of_something_else_is_left_alone(self):
        self.write("t.csv", "a,b\n1,2\n")
        words = ["tune", "--cost", "1,10", "--table", "t.csv"]
        self.assertIn("t.csv:1: not a table of partan tune", self.fail_with(1, *words, "data"))
        self.assertEqual((self.folder / "t.csv").read_text(), "a,b\n1,2\n")
        (self.folder / "t.csv").unlink()
        self.succeed(*words, "data")
        before = (self.folder / "t.csv").read_text()
        self.assertIn("is the table of a different run", self.fail_with(1, *words, "--seed", "2", "data"))
        self.write("other", blobs(50, seed=3))
        self.assertIn("is the table of a different run", self.fail_with(1, *words, "other"))
        self.assertEqual((self.folder / "t.csv").read_text(), before)
        self.assertIn("is an input", self.fail_with(2, "tune", "--table", "data", "data"))

    def test_plots(self):
        self.succeed("tune", "-q", "--cost", "1,10,100", "--gamma", "0.1,1", "--plot", "map.svg", "data")
        root = ElementTree.parse(self.folder / "map.svg").getroot()
        cells = [node for node in root.iter() if node.tag.endswith("title")][1:]
        self.assertEqual(len(cells), 6)
        found = self.json("tune", "--cost", "1,10,100", "--gamma", "0.1,1", "data")
        for node, point in zip(cells, found["points"]):
            self.assertEqual(node.text, f"C {point['cost']:g}, gamma {point['gamma']:g}: {point['score']:.4f}")
        self.succeed("tune", "-q", "--cost", "1,10,100", "--folds", "3", "--plot", "line.svg", "data")
        root = ElementTree.parse(self.folder / "line.svg").getroot()
        self.assertEqual(len([node for node in root.iter() if node.tag.endswith("circle")]), 3)

    def test_interrupted_by_the_time_limit(self):
        done = self.succeed("tune", "--cost", "1,10", "--gamma", "0.1,1", "--time-limit", "1e-6", "--table", "t.csv",
                            "--json", "data")
        found = json.loads(done.stdout)
        self.assertEqual(found["status"], "TIME_LIMIT")
        self.assertLess(len(found["points"]), 4)


if __name__ == "__main__":
    unittest.main()
