"""partan predict on labelled data: what it reports is recomputed here from the decision values, by plain code."""

import unittest
import xml.etree.ElementTree as ElementTree

from cli import CliTest, blobs

NUMBER = (int, float)
CLASS = {
    "label": str, "rows": int, "predicted": int, "correct": int, "precision": NUMBER, "recall": NUMBER, "f1": NUMBER,
}


def area(pairs):
    """Share of the pairs of a positive and a negative row in the right order; ties count half."""
    wins = sum((p > n) + 0.5 * (p == n) for p, yes in pairs if yes for n, no in pairs if not no)
    positives = sum(yes for _, yes in pairs)
    return wins / (positives * (len(pairs) - positives))


def average_precision(pairs):
    total = sum(yes for _, yes in pairs)
    result, last = 0.0, 0.0
    for threshold in sorted({value for value, _ in pairs}, reverse=True):
        above = [yes for value, yes in pairs if value >= threshold]
        recall = sum(above) / total
        result += (recall - last) * sum(above) / len(above)
        last = recall
    return result


class Evaluation(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(200))
        self.write("test", blobs(301, seed=2))
        self.succeed("train", "-q", "data", "m")

    def pairs(self):
        self.succeed("predict", "-q", "--decision", "test", "m", "out")
        values = [float(line.split()[1]) for line in (self.folder / "out").read_text().splitlines()]
        labels = [line.startswith("+1") for line in (self.folder / "test").read_text().splitlines()]
        return list(zip(values, labels))

    def test_json_is_what_the_decision_values_give(self):
        pairs = self.pairs()
        found = self.json("predict", "test", "m")
        counts = {(a, b): sum(yes == a and (value > 0) == b for value, yes in pairs)
                  for a in (True, False) for b in (True, False)}
        self.assertEqual(found["confusion"], [[counts[a, b] for b in (True, False)] for a in (True, False)])
        recalls = []
        for entry, name in zip(found["classes"], (True, False)):
            self.assert_schema(entry, CLASS)
            self.assertEqual(entry["label"], "1" if name else "-1")
            hits, actual = counts[name, name], counts[name, True] + counts[name, False]
            predicted = counts[True, name] + counts[False, name]
            self.assertEqual((entry["rows"], entry["predicted"], entry["correct"]), (actual, predicted, hits))
            self.assertAlmostEqual(entry["precision"], hits / predicted, places=14)
            self.assertAlmostEqual(entry["recall"], hits / actual, places=14)
            self.assertAlmostEqual(entry["f1"], 2 / (actual / hits + predicted / hits), places=14)
            recalls.append(hits / actual)
        self.assertAlmostEqual(found["balanced_accuracy"], sum(recalls) / 2, places=14)
        self.assertAlmostEqual(found["auc"], area(pairs), places=12)
        self.assertAlmostEqual(found["average_precision"], average_precision(pairs), places=12)

    def test_text(self):
        found = self.json("predict", "test", "m")
        lines = self.succeed("predict", "test", "m").stdout.splitlines()
        self.assertEqual(lines[2].split(), "class rows predicted 1 predicted -1 precision recall F1".split())
        for line, entry, counts in zip(lines[3:5], found["classes"], found["confusion"]):
            shares = [f"{entry[key]:.4f}" for key in ("precision", "recall", "f1")]
            self.assertEqual(line.split(), [entry["label"], str(entry["rows"]), *map(str, counts), *shares])
        self.assertEqual(lines[6], f"balanced accuracy {found['balanced_accuracy']:.4f}, AUC {found['auc']:.4f}, "
                                   f"average precision {found['average_precision']:.4f} (positive class: 1)")

    def test_labels_of_other_classes_count_as_wrong(self):
        self.write("three", blobs(20, seed=2) + "5 1:1 2:1\n")
        found = self.json("predict", "three", "m")
        self.assertEqual((found["other_labels"], found["labelled"]), (1, 21))
        self.assertIn("1 rows have a label that is neither class", self.succeed("predict", "three", "m").stdout)

    def test_words_are_not_taken_for_numbers(self):
        self.write("numbers", blobs(100, labels=("0", "1")))
        self.succeed("train", "-q", "numbers", "n")
        self.write("words.csv", "a,0,0\nb,1,-1\n0,0,0\n")
        found = self.json("predict", "--no-header", "words.csv", "n")
        self.assertEqual((found["labelled"], found["other_labels"]), (3, 2))

    def test_plot(self):
        self.succeed("predict", "-q", "--plot", "roc.svg", "test", "m")
        root = ElementTree.parse(self.folder / "roc.svg").getroot()
        texts = "".join(root.itertext())
        found = self.json("predict", "test", "m")
        self.assertIn(f"AUC {found['auc']:.4f}", texts)
        self.assertIn(f"average precision {found['average_precision']:.4f}", texts)
        lines = [node for node in root.iter() if node.tag.endswith("polyline")]
        self.assertEqual(len(lines), 4)
        for node in lines:
            for point in node.get("points").split():
                x, y = map(float, point.split(","))
                self.assertTrue(80 <= x <= 870 and 52 <= y <= 402, point)

    def test_plots_that_cannot_be(self):
        self.write("one", "+1 1:0 2:0\n")
        self.assertIn("rows of both classes", self.fail_with(1, "predict", "--plot", "p.svg", "one", "m"))
        self.assertIn("'-' needs standard output for itself", self.fail_with(2, "predict", "--plot", "-", "test", "m"))
        self.assertIn("is an input", self.fail_with(2, "predict", "--plot", "test", "test", "m"))
        self.assertNotIn("p.svg", self.files())


if __name__ == "__main__":
    unittest.main()
