"""The benchmark's own machinery: what it computes is right, and a small run gets to its end."""

import json
import os
import struct
import subprocess
import sys
import unittest

from cli import HERE, PARTAN, CliTest, blobs, environment

sys.dont_write_bytecode = True
BENCH = HERE.parent.parent / "bench"
sys.path.insert(0, str(BENCH))

# pylint: disable=wrong-import-position
from harness import compare, figures, kept, makers, prediction, process, results, scaling, sources, tuning  # noqa: E402
from harness.sets import SETS  # noqa: E402
from harness.tasks import TASKS  # noqa: E402


class Figures(unittest.TestCase):
    def test_a_power_law_gives_back_its_exponent(self):
        sizes = [1000, 2000, 4000, 8000]
        fit = figures.exponent(sizes, [3e-6 * size**1.25 for size in sizes])
        self.assertAlmostEqual(fit["exponent"], 1.25)
        self.assertAlmostEqual(fit["error"], 0)

    def test_one_size_has_no_exponent(self):
        self.assertIsNone(figures.exponent([1000, 1000], [1, 2]))

    def test_ratios_are_of_medians_within_what_single_runs_could_give(self):
        ratio = figures.ratio(figures.spread([10, 30, 20]), figures.spread([1, 4, 2]))
        self.assertEqual(ratio, {"median": 10, "least": 2.5, "most": 30})


class Plans(unittest.TestCase):
    class Contender:
        def __init__(self, peer):
            self.peer = peer

    def runs(self, plan, peer, wall, timed_out=False):
        runs = []
        while plan.again(self.Contender(peer), runs):
            runs.append({"wall": wall, "timed_out": timed_out})
        return len(runs)

    def test_slow_peers_run_once_unless_asked_for(self):
        plan = compare.Plan(repeat=3, peer_repeat=None, limit=100, peer_limit=1000)
        self.assertEqual(self.runs(plan, peer=False, wall=90), 3)
        self.assertEqual(self.runs(plan, peer=True, wall=1), 3)
        self.assertEqual(self.runs(plan, peer=True, wall=90), 1)
        plan = compare.Plan(repeat=3, peer_repeat=2, limit=100, peer_limit=1000)
        self.assertEqual(self.runs(plan, peer=True, wall=90), 2)

    def test_what_timed_out_is_not_run_again(self):
        plan = compare.Plan(repeat=3, peer_repeat=3, limit=100, peer_limit=1000)
        self.assertEqual(self.runs(plan, peer=False, wall=100, timed_out=True), 1)


class Making(CliTest):
    def test_pixels_read_as_the_float_of_k_255ths(self):
        for k in range(256):
            text = makers.shortest_float32(k / 255.0)
            self.assertEqual(struct.pack("f", float(text)), struct.pack("f", k / 255.0))

    def test_a_model_cut_to_two_support_vectors_keeps_one_a_class(self):
        head = "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 5\nrho 0\nlabel 1 -1\n"
        self.write("model", head + "nr_sv 3 2\nSV\n1 1:1\n1 1:2\n1 1:3\n-1 1:4\n-1 1:5\n")
        prediction.cut_model(self.folder / "model", self.folder / "cut")
        cut = (self.folder / "cut").read_text()
        self.assertIn("total_sv 2\n", cut)
        self.assertTrue(cut.endswith("nr_sv 1 1\nSV\n1 1:1\n-1 1:4\n"))

    def test_a_cut_model_of_three_classes_keeps_one_of_each(self):
        head = "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 3\ntotal_sv 5\nrho 0 0 0\nlabel 1 2 3\n"
        self.write("model", head + "nr_sv 2 1 2\nSV\n1 1 1:1\n1 1 1:2\n-1 1 1:3\n-1 -1 1:4\n-1 -1 1:5\n")
        prediction.cut_model(self.folder / "model", self.folder / "cut")
        cut = (self.folder / "cut").read_text()
        self.assertIn("total_sv 3\n", cut)
        self.assertTrue(cut.endswith("nr_sv 1 1 1\nSV\n1 1 1:1\n-1 1 1:3\n-1 -1 1:4\n"))

    def test_labels_that_differ_are_counted_as_numbers(self):
        self.write("a", "1\n-1\n1\n")
        self.write("b", "+1\n1\n1.0\n")
        self.assertEqual(prediction.disagreements(self.folder / "a", self.folder / "b"), 1)

    def test_labels_below_a_number_become_one_class(self):
        self.write("train", "1 1:0.5\n2 2:1\n\n3 1:1\n")
        self.write("test", "3 1:2\n")
        sources_ = [str(self.folder / name) for name in ("train", "test")]
        (self.folder / "out").mkdir()
        makers.two_classes({"positive_below": 3}, None, self.folder / "out", *sources_)
        self.assertEqual((self.folder / "out/train").read_text(), "1 1:0.5\n1 2:1\n-1 1:1\n")

    def test_a_split_has_every_row_once(self):
        self.write("all", "".join(f"{i} 1:{i}\n" for i in range(10)))
        (self.folder / "out").mkdir()
        makers.split({"splits": 3}, None, self.folder / "out", str(self.folder / "all"))
        tests = []
        for end in ("", ".1", ".2"):
            parts = [(self.folder / "out" / f"{part}{end}").read_text().splitlines() for part in ("train", "test")]
            self.assertEqual([len(part) for part in parts], [8, 2])
            self.assertEqual(sorted(parts[0] + parts[1]), [f"{i} 1:{i}" for i in range(10)])
            tests.append(parts[1])
        self.assertNotEqual(tests[0], tests[1])

    def test_generated_sets_are_made_once_and_known_by_their_rows(self):
        said = []
        entry = SETS["board"]
        first = sources.prepared(entry, self.folder, self.folder, PARTAN, said.append)
        again = sources.prepared(entry, self.folder, self.folder, PARTAN, said.append)
        self.assertEqual(first, again)
        self.assertEqual(len(said), 1)
        rows = [first[part].read_text().count("\n") for part in ("train", "test")]
        self.assertEqual(rows, [entry.options["rows"], makers.TEST_ROWS])


class Processes(unittest.TestCase):
    def test_a_limit_ends_a_command_and_what_it_started(self):
        result = process.measure(["sh", "-c", "sleep 60 & wait"], limit=0.2)
        self.assertTrue(result.timed_out)
        self.assertLess(result.wall, 30)

    def test_a_failure_is_reported_with_its_last_words(self):
        with self.assertRaisesRegex(process.Failed, "exit 3: no way"):
            process.measure(["sh", "-c", "echo no way >&2; exit 3"])

    def test_a_missing_program_is_reported(self):
        with self.assertRaisesRegex(process.Failed, "No such file"):
            process.measure(["/nonexistent/program"])


class Verdicts(unittest.TestCase):
    """Of partan at 1 s of processor time and a score of 0.9, beside a peer."""

    def verdicts(self, task, cpu, score, timed_out=False, program="libsvm"):
        common = {"set": task, "timed_out": False}
        ours = {**common, "program": "partan", "peer": False, "score": 0.9, "ratio": None}
        ratio = figures.ratio(figures.spread([cpu]), figures.spread([1.0]))
        peer = {**common, "program": program, "peer": True, "score": score, "ratio": ratio, "timed_out": timed_out}
        return [record["verdict"] for record in results.judge_task(TASKS[task], [ours, peer], None)]

    def test_a_slower_peer_of_a_like_score_is_what_the_goals_ask_for(self):
        self.assertEqual(self.verdicts("letter26", cpu=1.5, score=0.9015), ["reached", "reached"])
        self.assertEqual(self.verdicts("letter26", cpu=0.5, score=0.9025), ["NOT reached", "NOT reached"])

    def test_losses_of_regression_are_in_its_own_units(self):
        self.assertEqual(self.verdicts("abalone", cpu=2, score=0.9049), ["reached", "reached"])
        self.assertEqual(self.verdicts("abalone", cpu=2, score=0.9051), ["reached", "NOT reached"])

    def test_the_factor_on_mnist_is_to_svm_train_alone(self):
        self.assertEqual(self.verdicts("mnist10", cpu=14, score=None), ["NOT reached"])
        self.assertEqual(self.verdicts("mnist10", cpu=14, score=None, program="sklearnex"), ["reached"])

    def test_a_prediction_too_short_to_tell_is_not_measured(self):
        ours = {"set": "letter26", "program": "partan", "peer": False, "score": 0.9, "ratio": None, "timed_out": False}
        for ratio, verdict in ((None, "not measured"), ({"median": 21}, "reached"), ({"median": 19}, "NOT reached")):
            records = results.judge_task(TASKS["letter26"], [ours], {"ratio": ratio})
            self.assertEqual([record["verdict"] for record in records], [verdict])

    def test_a_peer_that_was_stopped_leaves_a_goal_open_unless_it_is_met_already(self):
        self.assertEqual(self.verdicts("mnist10", cpu=14, score=None, timed_out=True), ["open: the peer timed out"])
        self.assertEqual(self.verdicts("mnist10", cpu=16, score=None, timed_out=True), ["reached"])


class Scores(CliTest):
    """Of small sets: means over splits, and over divisions into folds."""

    class Program:
        name, peer = "partan", False

        def __init__(self, scores):
            self.scores = scores

        def train(self, _entry, files, _limit):
            at = int(files["train"].suffix[1:])
            assert files["test"].suffix == files["train"].suffix
            return {"timed_out": False, "wall": 1, "score": self.scores[at]}

    def mean(self, scores):
        task = TASKS["housing"]
        summaries = {"partan": {"score": scores[0]}}
        files = {part: self.folder / part for part in ("train", "test")}
        plan = compare.Plan(3, 1, 10, 10)
        results.score_splits(task, files, [self.Program(scores)], plan, lambda _text: None, summaries)
        return summaries["partan"]["score"]

    def test_the_mean_over_splits(self):
        splits = TASKS["housing"].splits
        self.assertGreater(splits, 1)
        self.assertAlmostEqual(self.mean(list(range(splits))), (splits - 1) / 2)
        self.assertIsNone(self.mean([1.0] * (splits - 1) + [None]))

    def test_few_rows_are_divided_again_and_again(self):
        few, task = self.folder / "few", TASKS["svmguide1"]
        for rows, expected in ((tuning.FEW_ROWS, (5, 10)), (tuning.FEW_ROWS + 1, (3, 1))):
            few.write_text("1 1:1\n" * rows)
            self.assertEqual(tuning.division(task, few), expected)

    def test_the_best_point_is_that_of_the_mean(self):
        few = self.folder / self.write("few", blobs(30, seed=5))  # of which one division has another best point
        best, score = tuning.of_partan(TASKS["svmguide1"], few, PARTAN, 3, 4)
        grid = TASKS["svmguide1"].grid
        words = [f"--{name}={','.join(map(str, values))}" for name, values in grid.items()]
        sums = {}
        for seed in range(4):
            for point in self.json("tune", *words, "--folds", "3", "--seed", str(seed), "few")["points"]:
                at = (point["cost"], point["gamma"])
                sums[at] = sums.get(at, 0) + point["score"]
        self.assertEqual(len(sums), len(grid["cost"]) * len(grid["gamma"]))
        self.assertAlmostEqual(score, max(sums.values()) / 4)
        self.assertAlmostEqual(sums[best["cost"], best["gamma"]] / 4, score)


class Keeping(CliTest):
    class Peer:
        name = "peer"

        def __init__(self, wall):
            self.wall = wall
            self.runs = 0

        def version(self):
            return "1"

        def train(self, _entry, _files, _limit, _predict=True):
            self.runs += 1
            return {"wall": self.wall, "timed_out": False}

    def runs(self, wall, hashes):
        peer = self.Peer(wall)
        contender = kept.Kept(peer, self.folder / "kept")
        for sha256 in hashes:
            contender.train(TASKS["cloud"], {"sha256": sha256}, None)
        return peer.runs

    def test_long_runs_are_used_again_until_the_data_change(self):
        self.assertEqual(self.runs(kept.LONG + 1, ["a", "a", "b", "b"]), 2)

    def test_short_runs_are_not_kept(self):
        self.assertEqual(self.runs(1, ["a", "a"]), 2)


class Budgets(unittest.TestCase):
    def test_sizes_double_up_to_the_last(self):
        self.assertEqual(scaling.sizes(1000, 5000), [1000, 2000, 4000])

    def test_budgets_are_read_as_partan_reads_them(self):
        self.assertEqual([scaling.budget_bytes(text) for text in ("64K", "2M", "100", "auto")],
                         [64 << 10, 2 << 20, 100, None])


class Running(CliTest):
    def bench(self, *words):
        command = [sys.executable, str(BENCH / "run"), "--partan", PARTAN, "--work", str(self.folder), *words]
        return subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=250, check=False)

    def test_a_comparison_without_peers_gets_to_its_end(self):
        done = self.bench("--sets", "board", "--peers", "none", "--repeat", "1", "--tol", "0.3", "--verify",
                          "--variant", "looser=--tol 0.5")
        self.assertEqual(done.returncode, 0, done.stderr)
        record = json.loads((self.folder / "results/comparison.json").read_text())
        self.assertEqual([r["program"] for r in record["results"]], ["partan", "looser"])
        for result in record["results"]:
            self.assertTrue(result["converged"])
            self.assertTrue(result["verified"])
            self.assertGreater(result["cpu"]["median"], 0)
            self.assertGreater(result["accuracy"], 0.8)
        markdown = (self.folder / "results/comparison.md").read_text()
        self.assertIn("| board | looser |", markdown)

    def test_results_without_peers_have_scores_by_the_problem(self):
        done = self.bench("--results", "--tasks", "cloud,friedman", "--peers", "none", "--repeat", "1", "--tol", "0.3")
        self.assertEqual(done.returncode, 0, done.stderr)
        record = json.loads((self.folder / "results/results.json").read_text())
        self.assertEqual([r["set"] for r in record["results"]], ["cloud", "friedman"])
        for result in record["results"]:
            self.assertGreater(result["train_cpu"]["median"], 0)
            self.assertGreater(result["score"], 0.8)

    def test_scaling_reports_an_exponent_and_memory(self):
        done = self.bench("--scaling", "--kinds", "ringnorm", "--rows", "200..800", "--team", "1", "--budgets", "64K",
                          "--tol", "0.3")
        self.assertEqual(done.returncode, 0, done.stderr)
        record = json.loads((self.folder / "results/scaling.json").read_text())
        (series,) = record["scaling"]
        self.assertEqual([point["rows"] for point in series["points"]], [200, 400, 800])
        self.assertEqual(series["fit"]["points"], 3)

    def test_unknown_names_are_refused_with_what_there_is(self):
        for words, expected in (
            (["--sets", "a9b"], "'a9b' is no data set; there are: a9a"),
            (["--results", "--tasks", "letter"], "'letter' is no task; there are: letter26"),
            (["--sets", "board", "--peers", "svmlight"], "'svmlight' is no peer; there are: libsvm"),
            (["--variant", "x=--nosuch 1"], "knows no --nosuch"),
        ):
            done = self.bench(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(expected, done.stderr)

    def test_a_set_without_files_is_left_out_with_a_word(self):
        done = self.bench("--sets", "a9a", "--data", os.devnull, "--peers", "none")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a9a is left out", done.stderr)


if __name__ == "__main__":
    unittest.main()
