"""Few support vectors: train --max-sv and compress, in text and JSON."""

import unittest

from cli import CliTest


class Compress(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("gen", "twonorm", "--rows", "600", "--seed", "1", "train")
        self.succeed("gen", "twonorm", "--rows", "600", "--seed", "2", "test")
        self.succeed("train", "-q", "--cost", "10", "--gamma", "0.1", "train", "m")

    def accuracy(self, model, data="test"):
        return self.json("predict", data, model)["accuracy"]

    def test_training_with_a_limit(self):
        found = self.json("train", "--cost", "10", "--gamma", "0.1", "--max-sv", "20", "train", "few")
        self.assertLessEqual(found["support_vectors"], 20)
        self.assertEqual(found["max_sv"], 20)
        self.assertGreater(self.accuracy("few"), self.accuracy("m") - 0.02)
        self.succeed("verify", "few", "train")
        self.assertEqual(self.json("info", "few")["max_sv"], 20)

    def test_a_limit_that_is_not_reached_changes_nothing(self):
        self.succeed("train", "-q", "--cost", "10", "--gamma", "0.1", "--max-sv", "600", "train", "all")
        strip = lambda name: [
            line for line in (self.folder / name).read_text().splitlines() if not line.startswith("seconds")
        ]
        self.assertEqual(strip("all"), strip("m"))

    def test_compression_reports_what_it_changed(self):
        found = self.json("compress", "--max-sv", "25", "m", "train", "few")
        self.assertEqual(found["support_vectors_before"], self.json("info", "m")["support_vectors"])
        self.assertEqual(found["support_vectors"], self.json("info", "few")["support_vectors"])
        self.assertEqual(found["accuracy_before"], self.accuracy("m", "train"))
        self.assertEqual(found["accuracy"], self.accuracy("few", "train"))
        self.assertEqual(found["relative_gap"], self.json("info", "few")["relative_gap"])
        self.succeed("verify", "few", "train")

    def test_a_loss_in_accuracy_is_kept(self):
        text = self.succeed("compress", "--max-loss", "0.01", "m", "train").stdout
        self.assertIn("support vectors", text)
        loss = self.accuracy("m", "train") - self.accuracy("m.compressed.model", "train")
        self.assertLessEqual(loss, 0.01)

    def test_other_data_of_the_same_kind(self):
        self.succeed("compress", "--max-sv", "25", "m", "test", "few")
        self.succeed("verify", "few", "test")
        self.assertEqual(self.run_partan("verify", "few", "train").returncode, 1)

    def test_cross_validation_and_paths_keep_the_limit(self):
        found = self.json("path", "--cost", "1..10", "--points", "2", "--gamma", "0.1", "--max-sv", "20", "train")
        self.assertTrue(all(point["support_vectors"] <= 20 for point in found["points"]))
        found = self.json("cv", "--gamma", "0.1", "--max-sv", "20", "--folds", "3", "train")
        self.assertGreater(found["accuracy"], 0.9)

    def test_what_cannot_be(self):
        both = self.fail_with(2, "compress", "--max-sv", "5", "--max-loss", "0.1", "m", "train")
        self.assertIn("give one of them", both)
        few = self.fail_with(2, "compress", "--max-sv", "1", "m", "train")
        self.assertIn("expected at least 2 support vectors", few)

    def test_regression(self):
        self.succeed("gen", "friedman", "--rows", "500", "--seed", "1", "numbers")
        settings = ("--problem", "regression", "--scale", "standard", "--cost", "10", "--gamma", "0.1", "--epsilon", "0.1")
        self.succeed("train", "-q", *settings, "numbers", "m")
        found = self.json("train", *settings, "--max-sv", "60", "numbers", "few")
        self.assertLessEqual(found["support_vectors"], 60)
        self.succeed("verify", "few", "numbers")
        found = self.json("compress", "--max-sv", "60", "m", "numbers", "small")
        self.assertEqual(found["r2"], self.json("predict", "numbers", "small")["r2"])
        self.assertEqual(found["r2_before"], self.json("predict", "numbers", "m")["r2"])
        self.assertGreater(found["r2"], 0.8)
        self.succeed("verify", "small", "numbers")
        self.assertIn("R^2", self.succeed("compress", "--max-loss", "0.1", "m", "numbers").stdout)
        self.assertGreater(self.json("cv", *settings, "--max-sv", "60", "--folds", "3", "numbers")["r2"], 0.6)

    def test_outliers(self):
        settings = ("--problem", "outlier", "--cost", "0.02", "--gamma", "0.05", "--outliers", "0.1")
        self.succeed("train", "-q", *settings, "train", "m")
        found = self.json("compress", "--max-sv", "30", "m", "train", "few")
        self.assertGreater(found["agreement"], 0.95)
        self.assertEqual(found["labels_changed"], round((1 - found["agreement"]) * 600))
        self.succeed("verify", "few", "train")
        self.json("train", *settings, "--max-sv", "30", "train", "small")
        self.succeed("verify", "small", "train")


if __name__ == "__main__":
    unittest.main()
