"""The paper's experiments: published numbers, data, downloads, tables and claims, and a quick run to its end."""

import ast
import bz2
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import unittest
import xml.etree.ElementTree as tree

from cli import HERE, PARTAN, CliTest, environment

sys.dont_write_bytecode = True
EXPERIMENTS = HERE.parent.parent / "experiments"
sys.path.insert(0, str(EXPERIMENTS))

# pylint: disable=wrong-import-position
from paper import agreement, beyond, choices, claims, downloads, plots, published, sets, tables  # noqa: E402
from paper.protocol import FULL, PARTS, Choice, Training, half  # noqa: E402
from paper.results import TABLE_FIELDS, mean, outcome, spread  # noqa: E402

from harness import makers  # noqa: E402
from harness.process import Failed  # noqa: E402


class Published(unittest.TestCase):
    def test_every_set_has_its_rows_and_the_mean_speed_up_is_the_one_in_the_text(self):
        self.assertEqual(set(published.PAPER["table1"]), set(sets.PAPER_SETS))
        self.assertEqual(set(published.PAPER["table2"]), set(sets.PAPER_SETS))
        rows = published.PAPER["table2"].values()
        ratios = [row["fw"]["seconds"] / row["partan"]["seconds"] for row in rows]
        self.assertAlmostEqual(sum(ratios) / len(ratios), published.PAPER["speedup_in_time"], delta=0.005)

    def test_table_3_repeats_table_2_but_for_the_misprint(self):
        for name in sets.TIGHT_SETS:
            for solver in published.SOLVERS:
                two, three = published.table2(name, solver), published.table3(name, solver, "1e-4")
                self.assertEqual(two["seconds"], three["seconds"])
                if (name, solver) != ("a9a", "partan"):
                    self.assertEqual(two["iterations"], three["iterations"])


class Data(CliTest):
    def test_usps_images_go_to_all_places_of_the_canvas(self):
        pixels = {1: 1.0, 256: 0.0}  # the corners
        line = "".join(f" {i}:{pixels.get(i, -1.0):g}" for i in range(1, 257))
        self.write("train", f"1{line}\n2{line}\n3{line}\n")
        self.write("test", f"2{line}\n")
        (self.folder / "out").mkdir()
        makers.usps_ext({}, None, self.folder / "out", *(str(self.folder / name) for name in ("train", "test")))
        rows = (self.folder / "out/train").read_text().splitlines()
        self.assertEqual(len(rows), 2 * 121)  # zeros and ones only
        self.assertEqual(rows[0], "1 1:1 406:0.5")  # 15 rows of 26 and 15 on, from 1
        self.assertEqual(rows[1], "1 2:1 407:0.5")
        self.assertEqual(rows[120], "1 271:1 676:0.5")
        self.assertEqual(rows[121], "-1 1:1 406:0.5")

    def test_a_subset_has_every_so_many_rows(self):
        self.write("train", "".join(f"1 1:{i}\n" for i in range(10)))
        self.write("test", "1 1:1\n")
        (self.folder / "out").mkdir()
        makers.copy({"every": 4}, None, self.folder / "out", *(str(self.folder / name) for name in ("train", "test")))
        self.assertEqual((self.folder / "out/train").read_text(), "1 1:0\n1 1:4\n1 1:8\n")

    def test_missing_sets_are_told_and_rcv1_has_a_stand_in(self):
        (self.folder / "w8a").mkdir()
        self.write("w8a/w8a", "1 1:1\n")
        self.write("w8a/w8a.t", "1 1:1\n")
        found, said = sets.choose([], self.folder)
        self.assertEqual([entry.name for entry in found], ["w8a", "rcv1-like"])
        self.assertEqual(len(said), 5)
        self.assertIn("rcv1-like instead", said[-1])
        with self.assertRaisesRegex(Failed, "'w9a' is no data set"):
            sets.choose(["w9a"], self.folder)


class Download(CliTest):
    """Against files instead of hosts."""

    def setUp(self):
        super().setUp()
        self.content = b"1 1:0.5\n-1 2:1\n"
        (self.folder / "host").mkdir()
        (self.folder / "host" / "a.bz2").write_bytes(bz2.compress(self.content))

    def get(self, **about):
        entry = {"file": "set/a", "page": "P", "from": "a.bz2", **about}
        self.write("list.json", json.dumps({"pages": {"P": (self.folder / "host").as_uri()}, "files": [entry]}))
        command = [sys.executable, str(EXPERIMENTS / "download"), "data", "--list", "list.json"]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)

    def test_a_file_with_the_right_hash_is_unpacked_into_place_once(self):
        digest = hashlib.sha256(self.content).hexdigest()
        done = self.get(sha256=digest)
        self.assertEqual((done.returncode, done.stdout), (0, "set/a: fetched\n"), done.stderr)
        self.assertEqual((self.folder / "data/set/a").read_bytes(), self.content)
        self.assertEqual(os.listdir(self.folder / "data/set"), ["a"])
        self.assertEqual(self.get(sha256=digest).stdout, "set/a: there already\n")

    def test_a_wrong_file_is_refused_and_not_put_into_place(self):
        done = self.get(sha256="0" * 64)
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected 0000", done.stderr)
        self.assertFalse((self.folder / "data/set/a").exists())
        self.assertIn("2 rows, expected 3", self.get(rows=3).stderr)
        self.assertEqual(self.get(rows=2).returncode, 0)

    def test_failures_name_the_address(self):
        done = self.get(**{"from": "missing.bz2"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("host/missing.bz2", done.stderr)
        (self.folder / "host" / "a.bz2").write_bytes(b"not packed")
        self.assertEqual(self.get(rows=2).returncode, 1)
        self.assertFalse((self.folder / "data/set/a").exists())

    def test_the_list_has_the_files_of_all_sets(self):
        listed = {entry["file"] for entry in downloads.listed()["files"]}
        self.assertEqual(listed, {file for entry in sets.TABLE for file in entry.files})


class Plans(unittest.TestCase):
    choice = Choice("0.5", 10, "given")

    def test_the_stop_is_half_of_the_papers_eps(self):
        self.assertEqual(half("1e-4"), "5e-05")
        words = Training("w8a", "fw", "0.5", 10, 60, eps="1e-3").words()
        self.assertEqual(words[words.index("--eps") + 1], "0.0005")

    def test_table_3_uses_the_runs_of_table_2(self):
        for solver in published.SOLVERS:
            job = FULL.table3("w8a", self.choice, solver, FULL.eps)
            self.assertEqual(job, FULL.table2("w8a", self.choice, solver))

    def test_labels_tell_trainings_apart(self):
        jobs = [job for part in PARTS for chain in FULL.chains(part, "w8a", [self.choice]) for job in chain]
        jobs += FULL.tunings("w8a", "0.5") + [FULL.width("w8a")]
        self.assertEqual(len({job.label() for job in jobs}), len(set(jobs)))

    def test_gamma_is_twice_the_inverse_of_the_mean_and_c_a_power_of_two(self):
        self.assertEqual(FULL.fit_gammas("a9a", 0.25), ["0.5", "0.25"])
        self.assertEqual(FULL.fit_gammas("ijcnn1", 0.25)[2:], ["1", "2", "4"])
        self.assertEqual((FULL.costs[0], FULL.costs[-1], len(FULL.costs)), (1 / 32, 32, 11))

    def test_table_4_draws_one_further_sample_and_starts_are_random(self):
        words = FULL.table4("w8a", self.choice, "mfw")[2].words()
        self.assertEqual(words[words.index("--further-samples") + 1], "1")
        self.assertEqual(words[words.index("--seed") + 1], "3")
        words = FULL.started("w8a", self.choice, "mfw", "1e-5")[9].words()
        self.assertEqual(words[words.index("--init") + 1], "random")
        self.assertEqual(words[words.index("--seed") + 1], "10")


class Chosen(unittest.TestCase):
    """gamma and C from counts and validation accuracies that are given."""

    class Fake:
        protocol = FULL

        def __init__(self, counts, accuracies):
            self.counts, self.accuracies = counts, accuracies

        def width(self, _name):
            return 0.25

        def tuning(self, _name):
            return self.accuracies

        def fit(self, name, gamma, cost, solver):
            factor = self.counts.get((gamma, cost))
            paper = published.table2(name, solver)
            return {**{field: factor * paper[field] for field in paper}, "limited": False} if factor else {}

    def choose(self, counts, accuracies):
        found = choices.choose(self.Fake(counts, accuracies), sets.SETS["a9a"])
        return [(choice.gamma, choice.cost, choice.why) for choice in found]

    def test_counts_and_validation_that_agree_are_one_choice(self):
        self.assertEqual(self.choose({("0.5", 2): 1.01}, {2: 0.9, 4: 0.8}), [("0.5", 2, choices.BOTH)])

    def test_those_that_differ_are_two_the_counts_first(self):
        found = self.choose({("0.5", 2): 1.01, ("0.5", 4): 1.02}, {1: 0.9, 2: 0.9, 4: 0.8})
        self.assertEqual(found, [("0.5", 2, choices.COUNTS), ("0.5", 1, choices.VALIDATION)])

    def test_another_gamma_only_counts_where_none_of_the_usual_is_near(self):
        self.assertEqual(self.choose({("0.5", 2): 1.2, ("0.25", 2): 1.01}, {})[0][0], "0.5")
        self.assertEqual(self.choose({("0.5", 2): 1.3, ("0.25", 2): 1.01}, {})[0][0], "0.25")

    def test_a_set_can_have_its_c_given(self):
        found = choices.choose(self.Fake({}, {}), sets.SETS["rcv1-like"])
        self.assertEqual([(choice.cost, choice.why) for choice in found], [(1, choices.GIVEN)])


class FakeResults:
    """Outcomes as the paper has them, or changed."""

    protocol = FULL

    def __init__(self, change=lambda name, solver, found: found):
        self.sets = [sets.SETS[name] for name in sets.PAPER_SETS]
        self.change = change

    def table2(self, name, solver, _choice=None):
        return self.change(name, solver, {**published.table2(name, solver), "limited": False})

    def table3(self, name, solver, eps):
        found = published.table3(name, solver, eps)
        return {**found, "accuracy": 90.0, "limited": False} if found else {}

    def table4(self, name, solver):
        found = published.table4(name, solver)
        return {**found, "gap": 2e-4, "limited": False} if found else {}

    def trace(self, _name, solver):
        """Gaps that fall as 1/k and swing, those of SWAP most and those of MFW least."""
        swing = {"fw": 1.2, "mfw": 1.05, "swap": 3.0, "partan": 1.3}[solver]
        return [(k, swing ** (k % 2) / k) for k in range(1, 400)]


class Claims(unittest.TestCase):
    def judged(self, change=lambda name, solver, found: found):
        return {claim.says[:30]: claim for claim in claims.judge(FakeResults(change))}

    def test_the_same_numbers_have_the_same_verdict_on_both_sides(self):
        found = self.judged()
        self.assertGreater(len(found), 25)
        for claim in found.values():
            self.assertTrue(claim.criterion)
            if claim.published.holds is not None and "Figure 3" not in claim.says:
                self.assertEqual(claim.published.holds, claim.holds, claim.says)
        no = [claim.says for claim in found.values() if claim.holds is False]
        self.assertEqual(no, ["That also holds true for the other variants."])  # SWAP's steps are dearer in its tables

    def test_what_the_papers_own_tables_say_only_in_part(self):
        partly = {claim.says[:24] for claim in self.judged().values() if claim.published.holds == claims.PART}
        for beginning in ("With the strictest eps t", "PARTAN starts out with a", "The number of iterations"):
            self.assertIn(beginning, partly)

    def test_a_slow_partan_upsets_them(self):
        def slow(_name, solver, found):
            return {**found, "seconds": found["seconds"] * (10 if solver == "partan" else 1)}

        found = self.judged(slow)
        self.assertIs(found["PARTAN improves on the running"].holds, False)
        self.assertIs(found["Using PARTAN does not imply a "].holds, False)
        self.assertIs(found["PARTAN yields the most consist"].holds, False)

    def test_one_set_that_says_no_makes_it_in_part(self):
        def slow(name, solver, found):
            return {**found, "seconds": found["seconds"] * (10 if (name, solver) == ("w8a", "partan") else 1)}

        claim = self.judged(slow)["Using PARTAN does not imply a "]
        self.assertEqual((claim.holds, claim.verdict), (claims.PART, "holds in part (not on Web w8a)"))

    def test_means_are_over_the_same_sets(self):
        def missing(name, _solver, found):
            return {**found, "limited": name == "rcv1"}

        claim = self.judged(missing)["PARTAN improves on the running"]
        self.assertIn("2.93 in iterations", claim.paper)  # of five sets; 2.63 of six
        self.assertEqual(claim.paper.split(" (by")[0], claim.here)

    def test_runs_that_a_limit_ended_are_not_judged(self):
        def late(_name, _solver, found):
            return {**found, "limited": True}

        self.assertNotIn("PARTAN improves on the running", self.judged(late))


class Notes(unittest.TestCase):
    def test_no_number_is_written_in_them(self):
        """Digits stand only in names of sets, tables, figures and in code."""
        names = re.compile(r"a9a|w8a|IJCNN1|ijcnn1|KDD99|kdd99|RCV1|rcv1|Tables? \d( and \d| to \d)?|D/2f|table\d")
        source = ast.parse((EXPERIMENTS / "paper/notes.py").read_text())
        texts = [node.value for node in ast.walk(source) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        forms = re.compile(r"^[.:,]?\d*[.,]?\d*[%fgk]*$")  # of numbers, as in f"{x:.2f}"
        for text in texts:
            rest = names.sub("", text)
            self.assertFalse(re.search(r"\d", rest) and not forms.match(rest), text)


class Numbers(unittest.TestCase):
    def test_means_are_over_the_runs_there_are(self):
        runs = [{"seconds": 1, "limited": False}, {}, {"seconds": 3, "limited": True}]
        found = mean(runs)
        self.assertAlmostEqual(found.pop("deviation")["seconds"], 2**0.5)
        self.assertEqual(found, {"seconds": 2, "limited": True, "runs": 2})
        self.assertEqual(mean([{}]), {})
        self.assertEqual(outcome(None), {})

    def test_time_is_the_share_of_it_that_the_run_had_a_core(self):
        train = {"status": "OK", "time": {"train": 8.0}, **dict.fromkeys(
            ("iterations", "support_vectors", "gap", "relative_gap", "objective", "kernel_values", "gamma"), 1)}  # fmt: skip
        record = {"train": train, "predict": {"accuracy": 0.5}, "cpu": 5.0, "wall": 10.0, "threads": 1}
        self.assertEqual(outcome(record)["seconds"], 4.0)
        self.assertEqual(outcome({**record, "stop_seconds": 2.0})["seconds"], 1.0)
        self.assertEqual(outcome({**record, "cpu": 11.0})["seconds"], 8.0)
        self.assertEqual(outcome({**record, "threads": 2})["seconds"], 8.0)

    def test_a_spread_is_of_runs_that_ended(self):
        runs = [{field: value for field in TABLE_FIELDS} | {"limited": value > 5} for value in (3, 2, 9)]
        self.assertEqual(spread(runs)["iterations"], (2, 3))
        self.assertEqual(spread(runs[:1]), {})

    def test_a_published_count_is_in_a_range_to_its_three_digits(self):
        self.assertTrue(agreement.explained(16_500, 16_550, 17_000))
        self.assertFalse(agreement.explained(16_500, 16_600, 17_000))
        self.assertFalse(agreement.explained(None, 1, 2))

    def test_cells(self):
        self.assertEqual(tables.shown({"iterations": 16819, "limited": False}, "iterations"), "16,819")
        self.assertEqual(tables.shown({"seconds": 12.34, "limited": True}, "seconds"), ">12.3")
        self.assertEqual(tables.shown({}, "seconds"), "-")

    def test_accuracy_noise_is_a_binomial_error(self):
        self.assertAlmostEqual(beyond.noise(50, 10_000), 0.5)
        self.assertGreater(beyond.noise(100, 10_000), 0)


class Plots(unittest.TestCase):
    def test_lines_ticks_and_legend(self):
        curves = {"fw": [(10**k, 10.0**-k) for k in range(7)], "partan": [(1, 1), (100, 1e-6)], "mfw": []}
        root = tree.fromstring(plots.plot("t & u", curves, published.TITLES, "x", "y"))
        names = [element.tag.split("}")[1] for element in root.iter()]
        self.assertEqual(names.count("path"), 2)
        texts = [element.text for element in root.iter() if element.tag.endswith("text")]
        for text in ("t & u", "FW", "PARTAN", "1e6"):
            self.assertIn(text, texts)
        self.assertEqual(plots.plot("t", {"fw": []}, published.TITLES, "x", "y"), "")

    def test_long_lines_are_thinned_but_keep_their_extremes(self):
        points = [(i, 1 + (i == 5000)) for i in range(1, 10_001)]
        kept = plots.thinned(points)
        self.assertLess(len(kept), 500)
        self.assertIn((5000, 2), kept)
        self.assertEqual(kept[-1], points[-1])


class Running(CliTest):
    def run_it(self, *words):
        command = [sys.executable, str(EXPERIMENTS / "run"), "--partan", PARTAN, "--work", str(self.folder), *words]
        return subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=280, check=False)

    def test_a_quick_run_without_data_makes_the_report_and_is_not_repeated(self):
        words = ["--quick", "--data", str(self.folder / "nothing")]
        done = self.run_it(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("a9a: a9a/a9a, a9a/a9a.t is not in", done.stderr)
        folder = self.folder / "quick/report"
        text = (folder / "paper-results.md").read_text()
        for part in ("Table 2", "Table 3", "Figure 3", "Table 4", "What follows", "Beyond the paper", "D/2f <= 0.01"):
            self.assertIn(part, text)
        self.assertIn("RCV1-like (generated stand-in)", text)
        page = (folder / "paper-results.html").read_text()
        self.assertIn("<svg", page)
        self.assertNotIn("src=", page)  # nothing from outside
        runs = sorted((self.folder / "quick/runs").glob("*.json"))
        times = [run.stat().st_mtime_ns for run in runs]

        runs[0].unlink()  # as if it had been interrupted before this one
        again = self.run_it(*words)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("[1/", again.stderr)
        self.assertTrue(runs[0].exists())
        self.assertEqual([run.stat().st_mtime_ns for run in runs[1:]], times[1:])

    def test_an_interrupted_run_ends_what_it_started_and_goes_on_later(self):
        words = ["--quick", "--sets", "board", "--beyond", "--jobs", "2"]
        command = [sys.executable, str(EXPERIMENTS / "run"), "--partan", PARTAN, "--work", str(self.folder), *words]
        slow = environment(PARTAN_ISA="reference")  # so that it does not end before it is interrupted
        process = subprocess.Popen(command, env=slow, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while "D/2f" not in (line := process.stderr.readline()) and line:
            pass
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(sorted((self.folder / "quick/runs").glob("*.model.part")), [])
        before = len(list((self.folder / "quick/runs").glob("*.json")))
        self.assertGreater(before, 0)
        done = self.run_it(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(len(list((self.folder / "quick/runs").glob("*.json"))), before)

    def test_one_table_of_one_set(self):
        done = self.run_it("--quick", "--sets", "board", "--table", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "quick/report/paper-results.md").read_text()
        self.assertIn("Table 2", text)
        self.assertNotIn("Table 4", text)
        listed = self.run_it("--quick", "--sets", "board", "--table", "2", "--list").stdout.splitlines()
        self.assertEqual(len(listed), 5 + 2 * 2 * 4)  # Table 2, and from two first vertices at two stops
        self.assertTrue(all(" s  board: " in line for line in listed), listed)

    def test_unknown_names_are_refused(self):
        self.assertIn("'7' is no table", self.run_it("--table", "7").stderr)
        self.assertIn("'a9b' is no data set", self.run_it("--sets", "a9b").stderr)


if __name__ == "__main__":
    unittest.main()
