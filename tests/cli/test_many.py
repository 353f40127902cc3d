"""More than two classes: train, predict, info, verify, cv, tune and path, in text and JSON, and LIBSVM's files."""

import random
import unittest

from cli import CliTest

CLASSES = ["ape", "bee", "cat", "dog"]


def clouds(rows, seed=1, names=CLASSES, spread=0.5):
    """CSV with a header: the class and two features, around a corner of a square for each class."""
    rng = random.Random(seed)
    lines = ["kind,x,y"]
    for i in range(rows):
        k = i % len(names)
        lines.append(f"{names[k]},{rng.gauss(k % 2, spread):.4f},{rng.gauss(k // 2, spread):.4f}")
    return "\n".join(lines) + "\n"


class Many(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data.csv", clouds(200))
        self.write("test.csv", clouds(80, seed=2))

    def test_from_training_to_prediction(self):
        text = self.succeed("train", "data.csv", "m").stdout
        self.assertIn("classes          4, 6 machines (one for each pair)\n", text)
        self.assertIn("certificate      every machine optimal to within", text)
        self.succeed("verify", "m", "data.csv")
        found = self.json("predict", "test.csv", "m", "out")
        predicted = (self.folder / "out").read_text().split()
        truth = [line.split(",")[0] for line in (self.folder / "test.csv").read_text().splitlines()[1:]]
        self.assertEqual(found["correct"], sum(a == b for a, b in zip(predicted, truth)))
        self.assertGreater(found["accuracy"], 0.6)
        for i, name in enumerate(CLASSES):
            row = [sum(a == name and b == other for a, b in zip(truth, predicted)) for other in CLASSES]
            self.assertEqual(found["confusion"][i], row)
            self.assertEqual(found["classes"][i]["recall"], row[i] / sum(row))
        shown = self.succeed("predict", "test.csv", "m").stdout
        self.assertIn("rows: class, columns: prediction", shown)
        self.assertIn(f"balanced accuracy {found['balanced_accuracy']:.4f}, macro F1 {found['macro_f1']:.4f}, "
                      f"AUC {found['auc']:.4f} (mean of each class against the rest)\n", shown)

    def area(self, truth, scores):
        """Of each class against the rest, the mean; scores are a dictionary by class for each row."""
        areas = []
        for name in CLASSES:
            inside = [s[name] for s, t in zip(scores, truth) if t == name]
            outside = [s[name] for s, t in zip(scores, truth) if t != name]
            areas.append(sum((a > b) + (a == b) / 2 for a in inside for b in outside) / (len(inside) * len(outside)))
        return sum(areas) / len(areas)

    def test_the_area_under_the_curves(self):
        truth = [line.split(",")[0] for line in (self.folder / "test.csv").read_text().splitlines()[1:]]
        for options in ([], ["--probability"]):
            self.succeed("train", "--force", "--multiclass", "ovr", *options, "data.csv", "m")
            found = self.json("predict", "--probability" if options else "--decision", "test.csv", "m", "out")
            lines = (self.folder / "out").read_text().splitlines()[len(options):]  # without the head of probabilities
            scores = [dict(zip(CLASSES, map(float, line.split()[1:]))) for line in lines]
            self.assertAlmostEqual(found["auc"], self.area(truth, scores))
        alone = "\n".join(line for line in clouds(80).splitlines() if not line.startswith(("bee", "cat", "dog")))
        self.write("ape.csv", alone + "\n")
        self.assertIsNone(self.json("predict", "ape.csv", "m")["auc"])
        self.assertNotIn("AUC", self.succeed("predict", "ape.csv", "m").stdout)

    def test_decision_values_and_votes(self):
        for how, machines in (("ovo", 6), ("ovr", 4)):
            self.succeed("train", "--multiclass", how, "data.csv", "m")
            described = self.json("info", "m")
            self.assertEqual((described["multiclass"], described["labels"]), (how, CLASSES))
            self.assertEqual(len(described["machines"]), machines)
            worst = max(one["relative_gap"] for one in described["machines"])
            self.assertEqual(worst, described["relative_gap"])
            self.assertLessEqual(worst, 0.05)
            self.succeed("predict", "--decision", "test.csv", "m", "out")
            for line in (self.folder / "out").read_text().splitlines():
                label, *values = line.split()
                self.assertEqual(len(values), machines)
                score = dict.fromkeys(CLASSES, 0)
                for one, value in zip(described["machines"], map(float, values)):
                    if how == "ovr":
                        self.assertIsNone(one["negative"])
                        score[one["positive"]] = value
                    else:
                        score[one["positive"]] += value + 1000 * (value > 0)
                        score[one["negative"]] += -value + 1000 * (not value > 0)
                self.assertEqual(label, max(score, key=score.get))

    def test_models_of_libsvm(self):
        names = ["3", "-1", "7", "20"]
        self.write("n.csv", clouds(200, names=names))
        self.write("t.csv", clouds(80, seed=2, names=names))
        self.succeed("train", "--model-format", "libsvm", "n.csv", "m")
        text = (self.folder / "m").read_text()
        self.assertIn("nr_class 4\n", text)
        self.assertIn("\nlabel -1 3 7 20\n", text)
        self.succeed("predict", "t.csv", "m", "out")
        self.succeed("train", "--force", "n.csv", "native")
        self.succeed("predict", "t.csv", "native", "other")
        one, two = ((self.folder / name).read_text().split() for name in ("out", "other"))
        self.assertGreaterEqual(sum(a == b for a, b in zip(one, two)), 78)  # but for ties
        self.assertIn("one for each class", self.fail_with(1, "train", "--multiclass", "ovr", "--model-format", "libsvm",
                                                           "n.csv", "no"))
        self.assertIn("labels are whole numbers", self.fail_with(1, "train", "--model-format", "libsvm", "data.csv", "no"))

    def test_selection(self):
        found = self.json("cv", "--folds", "4", "data.csv")
        self.assertEqual(found["labelled"], 200)
        self.assertEqual(sum(fold["correct"] for fold in found["fold_list"]), found["correct"])
        self.assertAlmostEqual(found["auc"], sum(fold["auc"] for fold in found["fold_list"]) / 4)
        self.assertIn("4 classes: balanced accuracy", self.succeed("cv", "data.csv").stdout)
        truth = [line.split(",")[0] for line in (self.folder / "data.csv").read_text().splitlines()[1:]]
        for how, machines in (("ovo", 6), ("ovr", 4)):
            found = self.json("cv", "--multiclass", how, "--decision", "data.csv", "out")
            lines = [line.split() for line in (self.folder / "out").read_text().splitlines()]
            self.assertEqual({len(line) for line in lines}, {1 + machines})
            self.assertEqual(found["correct"], sum(line[0] == label for line, label in zip(lines, truth)))
            if how == "ovr":
                for label, *values in lines:
                    self.assertEqual(label, CLASSES[max(range(4), key=lambda i: float(values[i]))])
        best = self.json("tune", "--cost", "0.1,1,10", "--gamma", "0.1,1", "data.csv")
        self.assertEqual(len(best["points"]), 6)
        best = self.json("tune", "--cost", "0.1,1,10", "--score", "auc", "data.csv")
        self.assertEqual(best["best"]["score"], max(point["auc"] for point in best["points"]))
        tested = self.json("path", "--cost", "1..10", "--points", "2", "--test", "test.csv", "data.csv")
        self.assertEqual(len(tested["points"]), 2)
        self.succeed("train", "--cost", "10", "--gamma", str(tested["gamma"]), "data.csv", "m")
        accuracy = self.json("predict", "test.csv", "m")["accuracy"]
        self.assertLess(abs(accuracy - tested["points"][1]["test_accuracy"]), 0.05)  # other solutions within --tol

    def test_initial_models(self):
        first = self.json("train", "--max-iter", "20", "data.csv", "m")
        self.assertEqual(first["status"], "ITERATION_LIMIT")
        self.json("train", "--tol", "1e-4", "--init", "m", "data.csv", "m2")
        self.succeed("verify", "m2", "data.csv")
        again = self.json("train", "--init", "m2", "data.csv", "m3")
        self.assertEqual((again["status"], again["iterations"]), ("OK", 0))
        self.assertIn("the initial model has a machine for each pair of classes, expected multiclass ovr",
                      self.fail_with(1, "train", "--init", "m", "--multiclass", "ovr", "data.csv", "n"))
        self.write("other.csv", clouds(20, names=["ape", "bee", "cat", "gnu"]))
        self.assertIn("class 'gnu' of the data is none of the initial model's 4 classes",
                      self.fail_with(1, "train", "--init", "m", "other.csv", "n"))

    def test_a_tuning_is_resumed_with_all_its_numbers(self):
        command = ["tune", "--cost", "0.1,1", "--score", "f1", "--table", "t.csv", "data.csv"]
        first, again = self.json(*command), self.json(*command)
        self.assertEqual(again["resumed"], 2)
        for one, other in zip(first["points"], again["points"]):
            for name in ("validation_accuracy", "correct", "balanced_accuracy", "f1", "auc", "score"):
                self.assertEqual(one[name], other[name])

    def test_weights_and_failures(self):
        self.succeed("train", "--class-weight", "cat=3", "--class-weight", "dog=0.5", "data.csv", "m")
        self.succeed("verify", "m", "data.csv")
        self.assertIn("expected one of the 4 classes", self.fail_with(1, "train", "--class-weight", "cow=3", "data.csv", "n"))
        self.write("other.csv", clouds(20, names=["cow", "fox", "gnu"]))
        self.assertIn("none of the model's 4 classes", self.fail_with(1, "predict", "other.csv", "m"))
        self.assertIn("not verified", self.fail_with(1, "verify", "-q", "m", "test.csv"))
        text = (self.folder / "m").read_text()
        for old, new in (("classes 4", "classes 5"), ("\npositive 1", "\npositive 2"), (" | ", " "), ("class bee", "class aaa"),
                         ("\nend", ""), ("\nsupport_vectors", "\nsupport_vectors 9")):
            self.write("broken", text.replace(old, new, 1))
            self.assertIn("broken", self.fail_with(1, "info", "broken"))


class Unusual(CliTest):
    """What data may be like, and what comes of it."""

    def certified(self, text, *options):
        self.write("data", text)
        found = self.json("train", *options, "data", "m")
        self.assertEqual(found["status"], "OK")
        self.succeed("verify", "m", "data")
        return found

    def test_a_class_of_one_row(self):
        rng = random.Random(3)
        for classes in (2, 3):
            rows = [f"{1 + i % (classes - 1)} 1:{rng.random():.3f} 2:{rng.random():.3f}\n" for i in range(40)]
            self.certified("7 1:0.5 2:3\n" + "".join(rows))
            self.assertEqual(self.succeed("predict", "data", "m", "-").stdout.split()[0], "7")

    def test_features_that_are_constant(self):
        for classes in (2, 3):
            for scale in ("none", "standard", "minmax"):
                self.certified("".join(f"{i % classes} 1:3 2:3\n" for i in range(30)), "--scale", scale)

    def test_weights_that_are_all_0_in_a_class(self):
        self.write("data", "".join(f"{1 + i % 3} 1:{i % 3} 2:{i % 5}\n" for i in range(30)))
        self.write("w", "".join(f"{0 if i % 3 == 2 else 1}\n" for i in range(30)))
        found = self.json("train", "--weights", "w", "data", "m")
        self.assertEqual(found["labels"], ["2", "1"])
        self.write("w", "".join(f"{1 if i % 3 == 2 else 0}\n" for i in range(30)))
        self.assertIn("3", self.fail_with(1, "train", "--weights", "w", "data", "m"))

    def test_labels_that_the_model_does_not_know(self):
        self.write("data", "".join(f"{1 + i % 3} 1:{i % 3} 2:{i % 5}\n" for i in range(30)))
        self.succeed("train", "data", "m")
        self.write("new", "1 1:0 2:1\n9 1:1 2:1\n")
        found = self.json("predict", "new", "m")
        self.assertEqual((found["labelled"], found["other_labels"]), (2, 1))
        self.write("new", "8 1:0 2:1\n9 1:1 2:1\n")
        self.assertIn("label", self.fail_with(1, "predict", "new", "m"))

    def test_more_classes_than_memory_has_room_for(self):
        self.write("data.csv", "".join(f"c{i},{i % 7},{i % 11}\n" for i in range(30000)))
        text = self.fail_with(1, "train", "data.csv", "m")
        self.assertIn("found 30000 classes, whose 449985000 machines need more than", text)
        self.assertIn("multiclass ovr", text)


if __name__ == "__main__":
    unittest.main()
