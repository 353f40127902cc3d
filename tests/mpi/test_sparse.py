"""Few support vectors by partan-mpi: the models and verdicts of partan for any number of processes, and how runs end early."""

import os
import re
import signal
import time
import unittest

import test_judge
import test_mpi


class Few(test_mpi.MpiTest):
    def setUp(self):
        super().setUp()
        self.command = "train"

    def assert_same(self, data, *options, processes=(3,), part=None):
        """Models, and what processes say of them together."""
        self.command = "train"
        expected = self.succeed("train", "-q", *options, data, "one")
        for n in processes:
            self.command = "train"
            _, err = self.together(n, "-q", *options, part or data, "several")
            self.assertEqual(err.replace("partan-mpi", "partan"), expected.stderr)
            self.assertEqual(self.model("several"), self.model("one"), f"{options}, {n} processes")
            self.command = "verify"
            self.together(n, "several", part or data)
        self.succeed("verify", "several", data)

    def assert_refuted(self, data):
        """Of a model with other weights, whose sum is the same, processes say what one says."""
        lines = (self.folder / "several").read_text().splitlines(keepends=True)
        if "|" not in lines[-2]:
            vectors = [i for i, line in enumerate(lines) if re.match(r"[0-9][^ ]* [+-]1 ", line)]
            of = {i: float(lines[i].split(" ")[0]) for i in vectors}
            less, more = sorted(vectors, key=of.get)[-2:]
            for i, weight in ((less, of[less] / 2), (more, of[more] + of[less] / 2)):
                lines[i] = f"{weight!r} {lines[i].split(' ', 1)[1]}"
        else:  # many classes: ROW CLASS MACHINE:WEIGHT ...
            lines[-2] = re.sub(r":([^ ]+)", lambda found: f":{float(found[1]) * 1.1!r}", lines[-2], count=1)
        self.write("changed", "".join(lines))
        expected = self.run_partan("verify", "changed", data)
        self.assertEqual(expected.returncode, 1)
        self.command = "verify"
        code, out, err = self.end(self.start(3, "changed", data))
        self.assertEqual((code, out), (1, expected.stdout), err)


class Problems(Few):
    def test_two_classes(self):
        self.succeed("gen", "ringnorm", "--rows", "1500", "data")
        self.assert_same("data", "--cost", "5", "--max-sv", "30", processes=(1, 2, 3, 4))
        self.assert_refuted("data")
        self.assert_same("data", "--cost", "5", "--max-sv", "30", "--solver", "swap", "--scale", "standard")

    def test_most_of_the_solution(self):
        self.succeed("gen", "twonorm", "--rows", "600", "data")
        self.assert_same("data", "--tol", "0.001", "--gamma", "0.1", "--max-sv", "150")

    def test_numbers(self):
        self.succeed("gen", "friedman", "--rows", "1200", "data")
        self.assert_same("data", "--problem", "regression", "--cost", "10", "--max-sv", "40", processes=(2, 4))
        self.assert_refuted("data")

    def test_outliers(self):
        self.succeed("gen", "ringnorm", "--rows", "1200", "data")
        self.assert_same("data", "--problem", "outlier", "--outliers", "0.1", "--max-sv", "20", processes=(2, 3))
        self.assert_refuted("data")

    def test_many_classes(self):
        self.write("data", test_judge.classes(900, 5))
        for how in ("ovo", "ovr"):
            self.assert_same("data", "--multiclass", how, "--cost", "3", "--max-sv", "40", processes=(2, 3))
        self.assert_refuted("data")

    def test_sparse_rows_and_weights(self):
        self.write("data", test_mpi.sparse(500))
        self.write("weights", "".join(f"{i % 4}\n" for i in range(500)))
        self.assert_same("data", "--max-sv", "40", processes=(3,))
        self.succeed("train", "-q", "--weights", "weights", "--max-sv", "40", "data", "one")
        self.command = "train"
        self.together(3, "-q", "--weights", "weights", "--max-sv", "40", "data", "several")
        self.assertEqual(self.model("several"), self.model("one"))

    def test_processes_without_rows(self):
        self.write("part-1", test_mpi.blobs(150))
        self.write("part-2", "")
        self.write("whole", test_mpi.blobs(150))
        self.assert_same("whole", "--max-sv", "12", part="part-*", processes=(4,))

    def test_probabilities(self):
        self.write("data", test_mpi.blobs(400))
        self.assert_same("data", "--probability", "--max-sv", "12", processes=(2,))

    def test_models_of_compress_are_verified(self):
        self.succeed("gen", "ringnorm", "--rows", "1000", "data")
        self.succeed("train", "-q", "data", "m")
        self.succeed("compress", "-q", "--max-sv", "25", "m", "data", "several")
        self.command = "verify"
        self.together(3, "several", "data")
        self.assert_refuted("data")

    def test_a_limit_below_the_number_of_classes(self):
        self.write("data", test_judge.classes(300, 5))
        expected = self.fail_with(2, "train", "--max-sv", "3", "data", "m").splitlines()[0]
        self.assertEqual(self.refused(3, "--max-sv", "3", "data", "m").replace("partan-mpi", "partan"), expected)


class Ends(Few):
    def test_a_checkpoint(self):
        self.succeed("gen", "ringnorm", "--rows", "1000", "data")
        options = ("-q", "--solver", "swap", "--tol", "0.01", "--max-sv", "20")
        self.together(3, *options, "--max-iter", "100", "--checkpoint", "ck", "--checkpoint-every", "0", "data", "m")
        self.together(2, *options, "--resume", "ck", "data", "several")
        self.succeed("train", *options, "--resume", "ck", "data", "one")
        self.assertEqual(self.model("several"), self.model("one"))

    def test_a_time_limit(self):
        self.write("data", test_mpi.blobs(300))
        _, err = self.together(3, "--solver", "fw", "--tol", "1e-9", "--max-sv", "9", "--time-limit", "0.5", "data", "m")
        self.assertIn("stopped by --time-limit", err)
        self.command = "verify"
        self.together(3, "m", "data")

    def test_a_signal_to_one_process(self):
        """While the whole solution is sought; what is chosen then has a certificate."""
        self.succeed("gen", "ringnorm", "--rows", "5000", "data")
        run = self.start(3, "--solver", "fw", "--tol", "1e-9", "--max-sv", "200", "--checkpoint", "ck",
                         "--checkpoint-every", "0", "data", "m")
        begin = time.monotonic()
        while not (self.folder / "ck").exists() and run.poll() is None and time.monotonic() < begin + test_mpi.DEADLINE:
            time.sleep(0.05)
        os.kill(test_mpi.Checkpoints.processes(self)[-1], signal.SIGTERM)
        code, _, err = self.end(run, 60)
        self.assertEqual(code, 0, err)
        self.assertIn("status INTERRUPTED", (self.folder / "m").read_text())
        self.succeed("verify", "m", "data")


if __name__ == "__main__":
    unittest.main()
