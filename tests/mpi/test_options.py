"""Options of training by several processes that concern the rows: scaling, weights, and a model to start from. The same
bits as partan --no-merge, as in test_mpi.py."""

import json
import random
import unittest

import test_mpi
from test_mpi import blobs, sparse


def table(rows, seed=4):
    """Features of very different ranges, one of which is the same in all rows and one is mostly 0."""
    draw = random.Random(seed)
    return [(i % 2, draw.gauss(i % 2, 1), draw.gauss(500 * (i % 2), 1000), draw.randrange(-2, 3), 7,
             draw.random() if i % 9 == 0 else 0) for i in range(rows)]


def lines(rows):
    return "".join(f"{row[0]} " + " ".join(f"{f + 1}:{x:.4f}" for f, x in enumerate(row[1:]) if x) + "\n"
                   for row in rows)


class Scaling(test_mpi.MpiTest):
    def test_all_numbers_of_processes_and_solvers(self):
        self.write("data", lines(table(403)))
        for scale in ("minmax", "standard"):
            self.assert_same("data", "--scale", scale, "--solver", "auto", "--tol", "0.01", processes=(1, 2, 3, 4))
            self.assert_same("data", "--scale", scale, "--solver", "partan", "--gamma", "scale", "--tol", "0.1")

    def test_storages(self):
        self.succeed("gen", "onehot", "--rows", "600", "bits")
        self.write("text", sparse(400))
        for scale in ("minmax", "standard"):
            self.assert_same("bits", "--scale", scale, "--tol", "0.1")
            self.assert_same("text", "--storage", "sparse", "--scale", scale, "--tol", "0.1", "--gamma", "0.01")

    def test_bytes_after_scaling(self):
        draw = random.Random(1)
        rows = (f"{i % 2} " + " ".join(f"{f}:{draw.choice((0, 51, 102, 204, 255))}" for f in range(1, 20))
                for i in range(200))
        self.write("bytes", "\n".join(rows) + "\n")
        self.assert_same("bytes", "--scale", "minmax", "--tol", "0.05")

    def test_tables_whose_columns_have_names(self):
        rows = table(200)
        self.write("t.csv", "y,a,b,c,d,e\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
        self.assert_same("t.csv", "--label-name", "y", "--scale", "standard", "--tol", "0.05")

    def test_processes_without_rows(self):
        self.write("few", lines(table(3)))
        self.assert_same("few", "--scale", "standard", "--gamma", "1", "--tol", "0.1", processes=(4,))

    def test_text_of_a_million_words(self):
        draw = random.Random(3)
        self.write("text", "".join(f"{i % 2} " + " ".join(f"{f}:{draw.choice((1, 2))}" for f in
                                                          sorted(draw.sample(range(1, 1500000), 6))) + "\n"
                                   for i in range(60)))
        self.assert_same("text", "--scale", "minmax", "--gamma", "0.1", "--tol", "0.1")


class Weights(test_mpi.MpiTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(7)
        self.write("data", blobs(403))
        # The second of three processes has no row with weight, and rows without it are at both ends
        self.weights = [0 if i < 3 or 120 < i < 300 or i > 400 else draw.choice((0, 1, 0.3)) for i in range(403)]
        self.write("weights", "# of rows\n" + "".join(f"{w}\n" for w in self.weights))

    def test_from_a_file(self):
        for options in (("--solver", "auto", "--tol", "0.01"), ("--solver", "fw", "--tol", "0.1"),
                        ("--scale", "standard", "--class-weight", "balanced", "--gamma", "scale", "--tol", "0.05"),
                        ("--sample", "40", "--tol", "0.2")):
            self.succeed("train", "-q", "--no-merge", *options, "--weights", "weights", "data", "one")
            for n in (1, 2, 3, 4):
                self.together(n, "-q", *options, "--weights", "weights", "data", "several")
                self.assertEqual(self.model("several"), self.model("one"), f"{options}, {n} processes")
        self.succeed("verify", "--weights", "weights", "several", "data")

    def test_from_a_column(self):
        rows = [line.split() for line in blobs(403).splitlines()]
        text = "".join(f"{y},{a[2:]},{b[2:]},{w}\n" for (y, a, b), w in zip(rows, self.weights))
        self.write("w.csv", "y,a,b,w\n" + text)
        self.assert_same("w.csv", "--weight-name", "w", "--solver", "auto", "--tol", "0.01", processes=(2, 3, 4))

    def test_labels_of_rows_without_weight_do_not_count(self):
        self.write("w.csv", "y,a,w\n" + "".join(f"{i % 2 if i < 150 else i},{i * 7 % 50},{int(i < 150)}\n"
                                               for i in range(300)))
        self.assert_same("w.csv", "--weight-name", "w", "--gamma", "0.01", "--tol", "0.1", processes=(2, 3))

    def test_the_report_is_of_all_rows(self):
        one = json.loads(self.succeed("train", "--json", "--weights", "weights", "data", "m").stdout)
        several = json.loads(self.together(3, "--json", "--weights", "weights", "data", "m")[0])
        self.assertEqual((several["weights"], several["rows"]), (one["weights"], one["rows"]))
        self.assertEqual(several["weights"]["zeros"], self.weights.count(0))
        out, _ = self.together(4, "--weights", "weights", "data", "m")
        self.assertIn(f"rows of weight 0\n", out)

    def test_checkpoints(self):
        options = ("--weights", "weights", "--tol", "1e-3", "--solver", "swap")
        self.together(3, "-q", *options, "--max-iter", "40", "--checkpoint", "ck", "--checkpoint-every", "0", "data", "m")
        self.together(2, "-q", *options, "--resume", "ck", "data", "m")
        self.succeed("verify", "--weights", "weights", "m", "data")
        self.succeed("train", "-q", *options, "--no-merge", "--resume", "ck", "data", "m")

    def test_what_is_refused(self):
        self.write("few", "1\n" * 402)
        self.write("more", "1\n" * 404)
        self.write("bad", "1\n" * 350 + "-1\n" * 53)
        self.write("none", "0\n" * 403)
        for weights in ("few", "more", "bad", "none", "nowhere"):
            expected = self.fail_with(1, "train", "--weights", weights, "data", "m").splitlines()[0]
            self.assertEqual(self.refused(3, "--weights", weights, "data", "m").replace("partan-mpi", "partan"), expected)
        self.write("w.csv", "y,a,w\n" + "".join(f"{i % 2},{i},0\n" for i in range(100)))
        self.assertIn("all rows have weight 0", self.refused(3, "--weight-name", "w", "w.csv", "m"))
        self.assertIn("would be overwritten", self.refused(3, "--force", "--weights", "weights", "data", "weights"))


class Start(test_mpi.MpiTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(403))

    def test_a_model_of_the_same_data(self):
        self.succeed("train", "-q", "--no-merge", "--tol", "0.3", "data", "start")
        for solver in ("auto", "swap", "partan"):
            self.assert_same("data", "--init", "start", "--solver", solver, "--tol", "0.02", processes=(1, 2, 3, 4))
        self.assert_same("data", "--init", "start", "--sample", "50", "--tol", "0.2")

    def test_a_model_of_other_rows(self):
        """Among which some are the same, and there more than once."""
        rows = blobs(403).splitlines(keepends=True)
        self.write("some", "".join(rows[300:] + rows[50:100] + rows[60:70]))
        self.write("all", "".join(rows + rows[60:65] + rows[310:330]))
        self.succeed("train", "-q", "--no-merge", "--tol", "0.3", "some", "start")
        for solver in ("auto", "swap"):
            self.assert_same("all", "--init", "start", "--solver", solver, "--tol", "0.02", processes=(1, 2, 3, 4))

    def test_a_model_with_its_classes_the_other_way_round(self):
        """Support vectors are rows of the same class, whatever its sign."""
        rows = [line.split() for line in blobs(300).splitlines()]
        for name, words in (("ab", "AB"), ("ba", "BA"), ("cd", "CD")):
            self.write(f"{name}.csv", "".join(f"{words[y == '+1']},{a[2:]},{b[2:]}\n" for y, a, b in rows))
        self.succeed("train", "-q", "--tol", "0.3", "ab.csv", "start")
        self.assert_same("ab.csv", "--init", "start", "--tol", "0.05")
        self.assertIn("no row is a support vector", self.refused(3, "--init", "start", "ba.csv", "m"))
        self.assertIn("the initial model has classes", self.refused(3, "--init", "start", "cd.csv", "m"))

    def test_with_other_options(self):
        self.write("weights", "".join(f"{i % 3}\n" for i in range(403)))
        options = ("--scale", "standard", "--weights", "weights", "--class-weight", "balanced", "--solver", "auto")
        self.succeed("train", "-q", *options, "--tol", "0.3", "data", "start")
        options = (*options, "--init", "start", "--tol", "0.02")
        self.succeed("train", "-q", "--no-merge", *options, "data", "one")
        self.together(3, "-q", *options, "data", "several")
        self.assertEqual(self.model("several"), self.model("one"))

    def test_with_checkpoints(self):
        self.succeed("train", "-q", "--tol", "0.5", "data", "start")
        self.assert_same("data", "--init", "start", "--checkpoint", "ck", "--checkpoint-every", "0", "--tol", "0.05")
        self.assertIn("cannot be combined", self.refused(2, "--init", "start", "--resume", "ck", "data", "m"))

    def test_what_is_refused(self):
        self.assertIn("nowhere: cannot be read", self.refused(3, "--init", "nowhere", "data", "m"))
        self.write("other", blobs(100, 9))
        self.succeed("train", "-q", "other", "start")
        self.assertIn("no row is a support vector of the initial model", self.refused(3, "--init", "start", "data", "m"))
        self.succeed("train", "-q", "--problem", "regression", "data", "start")
        self.assertIn("the initial model is one of regression", self.refused(3, "--init", "start", "data", "m"))


if __name__ == "__main__":
    unittest.main()
