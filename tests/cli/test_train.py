"""partan train: results, settings, files, statuses."""

import csv
import json
import os
import re
import subprocess
import unittest

from cli import CliTest, blobs

NUMBER = (int, float)
SCHEMA = {
    "data": str, "model": str, "version": str, "solver": str, "kernel": str, "gamma": NUMBER, "cost": NUMBER,
    "tol": NUMBER, "eps": NUMBER, "sample": int, "seed": int, "rows": int, "features": int, "storage": str,
    "threads": int, "isa": str, "status": str, "converged": bool, "iterations": int, "objective": NUMBER, "gap": NUMBER,
    "relative_gap": NUMBER, "support_vectors": int, "kernel_columns": int, "kernel_values": int, "cache_hits": int,
    "time": {"read": NUMBER, "train": NUMBER, "total": NUMBER}, "peak_memory_bytes": int,
}
TRACE = "iteration,step,objective,gap,relative_gap,lambda,mu,active,kernel_columns,seconds".split(",")


class Train(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(300))

    def test_json(self):
        found = self.json("train", "--cost", "10", "--gamma", "0.5", "--tol", "0.01", "--threads", "2", "data", "m")
        self.assert_schema(found, SCHEMA)
        wanted = {"solver": "auto", "kernel": "rbf", "gamma": 0.5, "cost": 10, "rows": 300, "features": 2,
                  "tol": 0.01, "eps": 0, "status": "OK", "converged": True, "threads": 2, "model": "m", "data": "data"}
        self.assertEqual({k: found[k] for k in wanted}, wanted)
        self.assertLessEqual(found["relative_gap"], 0.01)
        self.assertAlmostEqual(found["relative_gap"], found["gap"] / (2 * found["objective"]), delta=1e-12)
        self.assertGreater(found["peak_memory_bytes"], 1 << 20)
        self.assertGreaterEqual(found["time"]["total"], found["time"]["train"])
        self.assertEqual(self.files(), ["data", "m"])

    def test_json_tells_what_model_files_do_not_record(self):
        found = self.json("train", "data", "m")
        self.assertEqual((found["further_samples"], found["merge"]), (2, True))
        found = self.json("train", "--sample", "50", "--further-samples", "5", "--no-merge", "data", "m")
        self.assertEqual((found["further_samples"], found["merge"]), (5, False))
        self.assertNotIn("merge", self.json("info", "m"))

    def test_text_and_silence(self):
        done = self.succeed("train", "data")
        for word in ("300 rows, 2 features", "rbf, gamma", "support vectors", "objective", "certificate", "data.model"):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "", "off a terminal there is no progress")
        done = self.succeed("train", "-q", "data")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_verbose_speaks_on_standard_error(self):
        done = self.succeed("train", "-v", "--json", "data")
        self.assertIn("partan train: data: 300 rows, 2 features, 600 nonzeros, held dense", done.stderr)
        json.loads(done.stdout)

    def test_default_model_name(self):
        (self.folder / "deep").mkdir()
        for name in ("deep/set.txt", "deep/other"):
            self.write(name, blobs(40))
            self.succeed("train", "-q", name)
        with open(self.folder / "deep" / "packed.gz", "wb") as file:
            file.write(subprocess.run(["gzip", "-c"], input=blobs(40).encode(), capture_output=True, check=True).stdout)
        self.succeed("train", "-q", "deep/packed.gz")
        self.assertEqual(self.files(), ["data", "deep", "other.model", "packed.model", "set.txt.model"])

    def test_standard_input_gives_the_same_model(self):
        self.succeed("train", "data", "one")
        self.succeed("train", "-", "two", stdin=blobs(300))
        one, two = (self.json("verify", name, "data") for name in ("one", "two"))
        self.assertEqual(one["objective"], two["objective"])

    def test_model_to_standard_output(self):
        done = self.succeed("train", "data", "-")
        self.succeed("train", "-q", "data", "m")
        self.assertIn("certificate", done.stderr)
        self.assertNotIn("certificate", done.stdout)
        self.write("piped", done.stdout)
        self.assertEqual(self.json("info", "piped")["objective"], self.json("info", "m")["objective"])

    def test_options_in_any_order_and_form(self):
        forms = ["-c 4 -g .5 --json data m", "data -c4 m --json -g0.5", "--json --cost=4 data --gamma=5e-1 m",
                 "data m --cost 4 --gamma 0.5 --json", "--cost 9 --json --cost 4 -g .5 -- data m"]
        found = [json.loads(self.succeed("train", "--threads", "1", *form.split()).stdout) for form in forms]
        self.assertEqual(len({one["objective"] for one in found}), 1)
        self.assertEqual({(one["cost"], one["gamma"]) for one in found}, {(4, 0.5)})

    def test_negative_values(self):
        found = self.json("train", "-t", "1", "-d", "1", "-r", "-0.25", "-g", "1", "--max-iter", "3", "data", "m")
        self.assertEqual((found["kernel"], found["degree"], found["coef0"]), ("polynomial", 1, -0.25))

    def test_parameters_a_kernel_does_not_use_are_null(self):
        found = self.json("train", "-t", "linear", "data", "m")
        self.assertEqual((found["gamma"], found["degree"], found["coef0"]), (None, None, None))

    def test_eps_switches_the_default_tol_off(self):
        found = self.json("train", "--eps", "0.5", "data", "m")
        self.assertEqual((found["tol"], found["eps"], found["status"]), (0, 0.5, "OK"))
        found = self.json("train", "--eps", "1e-9", "--tol", "0.2", "data", "m")
        self.assertEqual((found["tol"], found["eps"], found["status"]), (0.2, 1e-9, "OK"))
        self.assertGreater(found["gap"], 1e-9)

    def test_every_solver_and_the_samples(self):
        solvers = re.search(r"--solver NAME.*? One of (.*?)\.", " ".join(self.succeed("help", "train").stdout.split()))
        variants = [name for name in solvers.group(1).split(", ") if name != "auto"]
        self.assertIn("partan", variants)
        for solver in variants:
            for sample in ("0", "50"):
                with self.subTest(solver=solver, sample=sample):
                    found = self.json("train", "--solver", solver, "--sample", sample, "--tol", "0.1", "data", "m")
                    self.assertEqual((found["solver"], found["sample"], found["converged"]), (solver, int(sample), True))
                    self.assertTrue(self.json("verify", "m", "data")["matches"])

    def test_same_seed_same_model(self):
        for name in ("one", "two"):
            self.succeed("train", "-q", "--sample", "20", "--seed", "7", "--threads", "2", "data", name)
        one, two = (self.json("info", name) for name in ("one", "two"))
        self.assertEqual([one[k] for k in ("objective", "gap", "iterations")],
                         [two[k] for k in ("objective", "gap", "iterations")])


class Limits(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(300))

    def test_iteration_limit(self):
        done = self.succeed("train", "--json", "--max-iter", "5", "--tol", "1e-9", "data", "m")
        found = json.loads(done.stdout)
        self.assertEqual((found["status"], found["converged"], found["iterations"]), ("ITERATION_LIMIT", False, 5))
        self.assertIn("partan train: warning: stopped by --max-iter: the relative gap is ", done.stderr)
        self.assertIn("the target was 1e-09; raise the limit, or continue with --init m", done.stderr)
        self.assertTrue(self.json("verify", "m", "data")["matches"])

    def test_time_limit(self):
        done = self.succeed("train", "--solver", "fw", "--time-limit", "0.2", "--tol", "1e-12", "-q", "data", "m")
        self.assertIn("warning: stopped by --time-limit", done.stderr)
        self.assertTrue(self.json("verify", "m", "data")["matches"])

    def test_large_data_end_with_what_is_known(self):
        """Whatever the moment: the gap is the true one, or a bound of it."""
        self.succeed("gen", "ringnorm", "--rows", "60000", "-q", "large")
        for solver, limit in (("auto", "0.05"), ("auto", "0.6"), ("swap", "0.3"), ("partan", "0.2")):
            words = ("--sample", "50") if solver == "partan" else ()
            found = self.json("train", "--solver", solver, *words, "--cost", "100", "--tol", "1e-9",
                              "--time-limit", limit, "large", "m")
            self.assertEqual((found["status"], found["converged"]), ("TIME_LIMIT", False))
            self.assertIs(self.json("info", "m")["gap_is_bound"], found["gap_is_bound"])
            self.assertTrue(self.json("verify", "m", "large")["matches"])

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "takes minutes with a sanitizer; smaller data go the same ways")
    def test_the_sample_that_large_data_begin_with(self):
        """It grows to all rows, and nothing depends on threads."""
        self.succeed("gen", "ringnorm", "--rows", "100000", "-q", "large")
        models = []
        for threads in ("1", "3"):
            done = self.succeed("train", "-vv", "--cost", "10", "--threads", threads, "large", "m")
            lines = (self.folder / "m").read_text().splitlines()
            models.append([line for line in lines if not line.startswith("seconds")])
        self.assertEqual(*models)
        near = [int(n) for n in re.findall(r"(\d+) near rows priced", done.stderr)]
        self.assertTrue(15000 < near[0] < 18000 and max(near) > 50000, near)
        self.assertTrue(self.json("verify", "m", "large")["matches"])

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "takes minutes with a sanitizer")
    def test_a_sample_that_has_just_grown_is_no_solution(self):
        """Stopped then, the run gives back the solution of the sample before, which predicts better."""
        self.succeed("gen", "ringnorm", "--rows", "100000", "-q", "large")
        self.succeed("gen", "ringnorm", "--rows", "5000", "--seed", "2", "-q", "test")
        done = self.succeed("train", "-vv", "--cost", "10", "large", "m")
        rounds = re.findall(r"s: (\d+) steps on .*, (\d+) of them with weight; (\d+) near", done.stderr)
        near = [int(r[2]) for r in rounds]
        grown = near.index(max(near))  # the round that ended with a larger sample
        steps = sum(int(r[0]) for r in rounds[: grown + 1]) + int(rounds[grown + 1][0]) // 3
        found = self.json("train", "--cost", "10", "--max-iter", str(steps), "large", "m")
        self.assertEqual((found["status"], found["gap_is_bound"]), ("ITERATION_LIMIT", False))
        self.assertEqual(found["support_vectors"], int(rounds[grown][1]))
        self.assertTrue(self.json("verify", "m", "large")["matches"])
        self.assertGreater(self.json("predict", "test", "m")["accuracy"], 0.975)

    def test_going_on_from_a_model(self):
        self.succeed("train", "-q", "--tol", "0.05", "data", "rough")
        cold = self.json("train", "--tol", "0.01", "data", "cold")
        warm = self.json("train", "--tol", "0.01", "--init", "rough", "data", "warm")
        self.assertTrue(warm["converged"])
        self.assertLess(warm["iterations"], cold["iterations"])
        self.assertIn("no-such-model", self.fail_with(1, "train", "--init", "no-such-model", "data", "x"))
        self.assertEqual(self.files(), ["cold", "data", "rough", "warm"])


class Trace(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(200))

    def test_csv_and_json_lines_agree(self):
        self.succeed("train", "-q", "--trace", "t.csv", "--trace-rows", "0", "data", "m")
        self.succeed("train", "-q", "--trace", "t.jsonl", "--trace-rows", "0", "data", "m")
        with open(self.folder / "t.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        lines = [json.loads(line) for line in (self.folder / "t.jsonl").read_text().splitlines()]
        self.assertEqual(list(rows[0]), TRACE)
        self.assertEqual([list(line) for line in lines], [TRACE] * len(lines))
        self.assertEqual(len(rows), len(lines))
        for row, line in zip(rows, lines):
            self.assertEqual((int(row["iteration"]), row["step"]), (line["iteration"], line["step"]))
            self.assertEqual(float(row["objective"]), line["objective"])
        self.assertEqual(rows[0]["step"], "start")
        values = [float(row["objective"]) for row in rows]
        self.assertTrue(all(b <= a * (1 + 1e-9) for a, b in zip(values, values[1:])), "the objective falls")

    def test_rows_are_thinned_out(self):
        self.succeed("train", "-q", "--solver", "fw", "--max-iter", "5000", "--tol", "1e-12", "--trace", "t.csv",
                     "--trace-rows", "50", "data", "m")
        count = len((self.folder / "t.csv").read_text().splitlines())
        self.assertTrue(10 <= count <= 120, count)


if __name__ == "__main__":
    unittest.main()
