"""Regression and outlier detection by partan-mpi: the models, reports and verdicts of partan for any number of processes."""

import json
import unittest

import test_mpi

OWN = ("model", "threads", "processes", "collective_calls", "bytes_sent", "time", "peak_memory_bytes", "cache_hits",
       "kernel_columns", "kernel_values")  # of a run, not of what it found


class Problems(test_mpi.MpiTest):
    def setUp(self):
        super().setUp()
        self.command = "train"

    def assert_reported(self, told, expected):
        self.assertEqual({k: v for k, v in json.loads(told).items() if k not in OWN},
                         {k: v for k, v in json.loads(expected.stdout).items() if k not in OWN})

    def assert_same(self, data, *options, processes=(3,), part=None):
        """Models and reports."""
        expected = self.succeed("train", "--json", *options, data, "one")
        for n in processes:
            told, _ = self.together(n, "--json", *options, part or data, "several")
            self.assertEqual(self.model("several"), self.model("one"), f"{options}, {n} processes")
            if not part:
                self.assert_reported(told, expected)

    def assert_verified(self, data):
        self.command = "verify"
        told, _ = self.together(3, "--json", "several", data)
        self.assert_reported(told, self.succeed("verify", "--json", "several", data))
        self.command = "train"


class Regression(Problems):
    def setUp(self):
        super().setUp()
        self.succeed("gen", "friedman", "--rows", "1200", "data")

    def test_all_numbers_of_processes(self):
        self.assert_same("data", "--problem", "regression", "--cost", "10", "--tol", "0.001", processes=(1, 2, 4))
        self.assert_verified("data")

    def test_variants_and_a_process_without_rows(self):
        lines = (self.folder / "data").read_text().splitlines(keepends=True)[:300]
        self.write("part-1", "".join(lines))
        self.write("part-2", "")
        self.write("whole", "".join(lines))
        options = ("--problem", "regression", "--epsilon", "1", "--max-iter", "300")
        self.assert_same("whole", *options, "--solver", "partan", part="part-*", processes=(4,))
        self.assert_same("whole", *options, "--solver", "swap", "--sample", "50", "--scale", "standard", processes=(3,))

    def test_a_checkpoint_and_a_model_to_start_from(self):
        options = ("-q", "--problem", "regression", "--cost", "10", "--solver", "swap", "--tol", "0.5")
        self.together(3, *options, "--max-iter", "500", "--checkpoint", "ck", "--checkpoint-every", "0", "data", "m")
        self.together(2, *options, "--resume", "ck", "data", "several")
        self.succeed("train", *options, "--resume", "ck", "data", "one")
        self.assertEqual(self.model("several"), self.model("one"))
        options = ("-q", "--problem", "regression", "--cost", "10", "--tol", "0.001", "--init", "m")
        self.together(3, *options, "data", "several")
        self.succeed("train", *options, "data", "one")
        self.assertEqual(self.model("several"), self.model("one"))

    def test_what_is_refused(self):
        self.write("words.csv", "y,a\n" + "".join(f"{'yes' if i % 2 else 'no'},{i}\n" for i in range(50)))
        options = ("--problem", "regression", "--label-name", "y", "words.csv", "m")
        expected = self.fail_with(1, "train", *options).splitlines()[0]
        self.assertEqual(self.refused(3, *options).replace("partan-mpi", "partan"), expected)


class Outliers(Problems):
    def test_all_numbers_of_processes(self):
        self.succeed("gen", "ringnorm", "--rows", "1200", "labelled")
        lines = (self.folder / "labelled").read_text().splitlines(keepends=True)
        self.write("data", "".join(line.split(" ", 1)[1] for line in lines))
        self.assert_same("data", "--problem", "outlier", "--outliers", "0.1", "--tol", "0.001", processes=(1, 3))
        self.assert_verified("data")
        self.assert_same("data", "--problem", "outlier", "--solver", "mfw", "--kernel", "linear", "--scale", "minmax")

    def test_a_time_limit_leaves_a_model_that_holds(self):
        self.succeed("gen", "ringnorm", "--rows", "20000", "data")
        _, err = self.together(3, "--problem", "outlier", "--cost", "1e-3", "--tol", "1e-9", "--gamma", "1", "--time-limit",
                               "0.5", "data", "m")
        self.assertIn("stopped by --time-limit", err)
        self.succeed("verify", "m", "data")


if __name__ == "__main__":
    unittest.main()
