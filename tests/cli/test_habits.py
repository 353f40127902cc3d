"""What users of LIBSVM type: accepted, or answered by what to use instead."""

import unittest

from cli import CliTest, blobs

ANSWERS = [
    ("train -v 5 data", "-v 5: for cross-validation use partan cv --folds 5 DATA"),
    ("train -v10 data", "partan cv --folds 10 DATA"),
    ("train -b 2 data", "-b 2: takes 0 or 1; or use --probability"),
    ("train -w 2 data", "-w 2: needs a class and a weight, as in -w1 2; or use --class-weight LABEL=W"),
    ("train -s 1 data", "-s 1: nu-SVMs are not available"),
    ("train -s 2 data", "-s 2: use --problem outlier"),
    ("train -s 3 data", "-s 3: use --problem regression, with -p for epsilon"),
    ("train -s3 data", "-s3: use --problem regression"),
    ("train -s 4 data", "--problem regression with --epsilon"),
    ("train -e 0.001 data", "use --tol, which bounds the relative duality gap: --tol 0.001"),
    ("train -m 100 data", "--cache 100M"),
    ("train -n 0.5 data", "use --cost"),
    ("cv -v 5 data", "partan cv --folds 5 DATA"),
    ("tune -e 0.1 data", "--tol 0.1"),
    ("path -b 2 data", "-b 2: takes 0 or 1; or use --probability"),
    ("predict -b yes data m", "-b yes: takes 0 or 1; or use --probability"),
    ("scale -l -1 -u 1 data", "-l -1: use --minmax LO,HI"),
    ("scale -s range data", "use --save FILE"),
    ("scale -r range data", "use --restore FILE"),
]


class Habits(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(60))

    def test_what_is_answered(self):
        for words, answer in ANSWERS:
            with self.subTest(words):
                self.assertIn(answer, self.fail_with(2, *words.split()))
        self.assertEqual(self.files(), ["data"])

    def test_what_is_accepted(self):
        plain = self.json("train", "data", "m")
        found = self.json(*"train -s 0 -b 0 -h 0 -t 2 data m".split())
        self.assertEqual(found["objective"], plain["objective"])
        self.json(*"train -h1 -s0 data m".split())
        self.assertIn("Usage: partan train", self.succeed("train", "-h").stdout)
        self.succeed("predict", "-b", "0", "data", "m")
        self.assertEqual(self.json(*"train -b 1 data m".split())["probability"]["folds"], 5)
        self.assertIsNone(self.json(*"train -b 0 data n".split())["probability"])
        self.succeed("predict", "-b1", "data", "m", "out")
        self.assertTrue((self.folder / "out").read_text().startswith("labels "))
        self.assertEqual(self.json("train", "--problem", "regression", "-p", "0.2", "data", "r")["epsilon"], 0.2)
        self.assertEqual(self.json("tune", "-n", "3", "-s", "0", "data")["points_wanted"], 3)

    def test_verbose_keeps_its_letter(self):
        self.write("5", blobs(60))
        self.assertIn("read in", self.succeed("train", "-v", "5", "m").stderr)
        self.assertIn("read in", self.succeed("train", "-vq", "data", "m").stderr)

    def test_choices_in_either_case(self):
        for name in ("RBF", "Rbf", "GAUSSIAN", "rbf"):
            self.assertEqual(self.json("train", "--kernel", name, "data", "m")["kernel"], "rbf")
        self.assertEqual(self.json("train", "--solver", "Partan", "--gamma", "AUTO", "data", "m")["solver"], "partan")
        self.assertEqual(self.json("train", "--storage", "Sparse", "data", "m")["storage"], "sparse")

    def test_model_and_data_in_either_order(self):
        self.succeed("train", "-q", "data", "m")
        self.assertIn("m looks like a model and data does not: the order is predict DATA MODEL",
                      self.fail_with(2, "predict", "m", "data"))
        expected = self.json("verify", "m", "data")
        found = self.json("verify", "data", "m")
        self.assertEqual({**found, "time": None}, {**expected, "time": None})
        self.assertIn("m looks like a model, not data", self.fail_with(1, "train", "m", "n"))
        self.assertIn("data looks like data, not a model; usage: partan predict DATA MODEL",
                      self.fail_with(1, "predict", "data", "data"))

    def test_labels_that_are_no_classes(self):
        self.write("real", "".join(f"{i / 7} 1:{i}\n" for i in range(9)))
        self.assertIn("9 different numbers as labels, which look like regression targets: did you mean problem regression?",
                      self.fail_with(1, "train", "real"))
        self.write("many", "".join(f"{i} 1:{i}\n" for i in range(300)))
        self.assertIn("300 different numbers as labels, which look like regression targets", self.fail_with(1, "train", "many"))

    def test_repeating_rows_is_a_weight(self):
        """Rows that are there twice count as one with twice the cost."""
        one = "1 1:0.5\n-1 1:1\n-1 1:2\n1 1:-1\n"
        self.write("once", one)
        self.write("twice", one + one)
        words = ("--gamma", "1", "--tol", "1e-9")
        once = self.json("train", *words, "--cost", "2", "once", "a")
        twice = self.json("train", *words, "--cost", "1", "twice", "b")
        self.assertAlmostEqual(once["objective"], twice["objective"], places=9)


if __name__ == "__main__":
    unittest.main()
