"""partan-mpi train and verify with more than two classes: the models of partan, to the last bit, and its verdict."""

import json
import random
import unittest

import test_mpi
from test_judge import classes


class ManyClasses(test_mpi.MpiTest):
    def setUp(self):
        super().setUp()
        rows = classes(420, 4).splitlines(keepends=True)
        # One class is in the last process only
        self.write("data", "".join(rows[4:]) + "".join(f"9 {row[2:]}" for row in rows[:4]))

    def assert_same_model(self, processes, *options, data="data"):
        self.succeed("train", "-q", *options, data, "one")
        out, _ = self.together(processes, "--json", *options, data, "several")
        self.assertEqual(self.model("several"), self.model("one"), f"{options}, {processes} processes")
        told = json.loads(out)
        self.assertEqual(told["processes"], processes)
        self.assertGreater(told["bytes_sent"], 0)

    def assert_same_verdict(self, processes, model, code=0):
        expected = self.run_partan("verify", model, "data")
        self.assertEqual(expected.returncode, code)
        self.command = "verify"
        found, out, _ = self.end(self.start(processes, model, "data"))
        self.command = "train"
        self.assertEqual((found, out), (code, expected.stdout))

    def test_models_and_verdicts_of_partan(self):
        self.assert_same_model(2)  # whose machines have no more rows than half of all: each is one process's
        self.assert_same_model(3, "--scale", "standard")
        self.assert_same_verdict(2, "several")
        self.assert_same_model(2, "--multiclass", "ovr", "--gamma", "scale", "--class-weight", "balanced")
        self.assert_same_verdict(3, "several")
        self.write("data", (self.folder / "data").read_text() + "1 1:0.5\n")
        self.assert_same_verdict(2, "several", 1)

    def test_probabilities(self):
        """Words are dealt to folds in the order in which they appear, which is no order of their own."""
        names = ("c", "a", "b")
        draw = random.Random(3)
        self.write("t.csv", "".join(f"{names[i % 3 if i > 91 else 0]},{draw.gauss(i % 3, 1):.3f},{draw.gauss(0, 1):.3f}\n"
                                    for i in range(303)))
        self.assert_same_model(3, "--label-column", "1", "--no-header", "--probability", data="t.csv")


if __name__ == "__main__":
    unittest.main()
