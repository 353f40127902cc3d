"""partan complete, and predict, verify and info on its matrices; partan gen ratings."""

import json
import math
import random
import unittest
import xml.etree.ElementTree

from cli import CliTest

NUMBER = (int, float)
FIELDS = {
    "objective": NUMBER,
    "gap": NUMBER,
    "relative_gap": NUMBER,
    "radius": NUMBER,
    "rank": int,
    "nuclear_norm": NUMBER,
    "rmse": NUMBER,
    "mae": NUMBER,
    "status": str,
    "converged": bool,
    "iterations": int,
    "entries": int,
    "rows": int,
    "columns": int,
}


def ratings(rows=40, columns=25, share=0.5, seed=1):
    """Lines of user, item and value: rank one and an offset for each user."""
    draw = random.Random(seed)
    u = [draw.gauss(0, 1) for _ in range(rows)]
    v = [draw.gauss(0, 1) for _ in range(columns)]
    lines = []
    for i in range(rows):
        for j in range(columns):
            if draw.random() < share:
                lines.append(f"user{i} item{j} {3 + 0.1 * i + u[i] * v[j] + draw.gauss(0, 0.2):.4f}\n")
    draw.shuffle(lines)
    return lines


class Complete(CliTest):
    def setUp(self):
        super().setUp()
        lines = ratings()
        self.data = self.write("ratings.txt", "".join(lines[50:]))
        self.held = self.write("held.txt", "".join(lines[:50]))

    def test_a_fit_writes_a_matrix_that_is_verified(self):
        found = self.json("complete", "--radius", "30", self.data, "m.model")
        self.assert_schema(found, FIELDS)
        self.assertLessEqual(found["relative_gap"], 1e-3)
        self.assertLessEqual(found["nuclear_norm"], 30 + 1e-9)
        audit = self.json("verify", "m.model", self.data)
        self.assertTrue(audit["matches"])
        self.assertAlmostEqual(audit["objective"], found["objective"], delta=1e-9)
        self.assertIn("verified: optimal to within", self.succeed("verify", "m.model", self.data).stdout)

    def test_every_solver_finds_the_same(self):
        best = self.json("complete", "--radius", "30", "--tol", "1e-6", self.data)
        for solver in ("fw", "mfw", "swap", "partan"):
            found = self.json("complete", "--radius", "30", "--solver", solver, "--tol", "1e-2", self.data)
            self.assertLessEqual(found["relative_gap"], 1e-2)
            self.assertLessEqual(found["objective"] - best["objective"], found["gap"] + 1e-6)
            self.assertTrue(self.json("verify", "ratings.txt.model", self.data)["matches"])

    def test_the_radius_is_chosen(self):
        found = self.json("complete", "--plot", "radii.svg", self.data, "m.model")
        self.assertEqual(found["radius"], found["best"]["radius"])
        errors = [p["held_rmse"] for p in found["points"]]
        self.assertEqual(min(errors), found["best"]["held_rmse"])
        self.assertEqual(xml.etree.ElementTree.parse(self.folder / "radii.svg").getroot().tag.split("}")[1], "svg")
        predicted = self.json("predict", self.held, "m.model")
        self.assertEqual(predicted["valued"], 50)
        self.assertLess(predicted["rmse"], 0.6)
        text = self.succeed("complete", "--path", self.data).stdout
        self.assertIn("held RMSE", text)
        self.assertIn("best: radius", text)

    def test_predictions_are_entries(self):
        self.succeed("complete", "--radius", "30", self.data, "m.model")
        done = self.succeed("predict", self.held, "m.model", "out.txt")
        self.assertRegex(done.stdout, r"^RMSE = 0\.\d+, MAE = 0\.\d+ \(50 entries\)\n$")
        lines = (self.folder / "out.txt").read_text().splitlines()
        given = (self.folder / "held.txt").read_text().splitlines()
        self.assertEqual([line.split("\t")[:2] for line in lines], [line.split()[:2] for line in given])
        squares = [(float(a.split("\t")[2]) - float(b.split()[2])) ** 2 for a, b in zip(lines, given)]
        self.assertAlmostEqual(
            math.sqrt(sum(squares) / 50), self.json("predict", self.held, "m.model")["rmse"], delta=1e-9
        )

    def test_what_is_unknown_gets_offsets(self):
        self.succeed("complete", "--radius", "30", self.data, "m.model")
        about = self.json("info", "m.model")
        self.write("new.txt", "nobody nothing\nnobody item3\nuser3 nothing\n")
        done = self.succeed("predict", "new.txt", "m.model", "-")
        values = [float(line.split("\t")[2]) for line in done.stdout.splitlines()]
        self.assertEqual(values[0], about["mean"])
        self.assertIn("3 entries, none with a value; 3 in a row or column that is not in the matrix", done.stderr)

    def test_top_lists_leave_out_what_is_rated(self):
        self.succeed("complete", "--radius", "30", self.data, "m.model")
        self.write("some.txt", "user3 item1 1\nuser3 item2 1\nstranger item1 1\n")
        done = self.succeed("predict", "--top", "4", "some.txt", "m.model", "-")
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        self.assertEqual([r[0] for r in rows], ["user3"] * 4)
        self.assertFalse({"item1", "item2"} & {r[1] for r in rows})
        values = [float(r[2]) for r in rows]
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertIn("1 rows, the best 4 columns each; 1 rows are not in the matrix", done.stderr)
        self.assertIn("OUTPUT", self.fail_with(2, "predict", "--top", "4", "some.txt", "m.model"))

    def test_top_is_for_matrices(self):
        self.write("d.svm", "1 1:1\n-1 1:2\n1 1:1.5\n-1 1:3\n")
        self.succeed("train", "d.svm", "d.model")
        self.assertIn("--top is only for completed matrices", self.fail_with(2, "predict", "--top", "2", "d.svm", "d.model"))

    def test_info_shows_claims(self):
        self.succeed("complete", "--radius", "30", "--centre", "rows", self.data, "m.model")
        text = self.succeed("info", "m.model").stdout
        self.assertIn("40 rows, 25 columns", text)
        self.assertIn("nuclear norm <= 30, centred by rows", text)
        about = self.json("info", "m.model")
        self.assertEqual(about["format"], "matrix")
        self.assertEqual(len(about["singular"]), about["rank"])
        self.assertAlmostEqual(sum(about["singular"]), about["nuclear_norm"], delta=1e-9)

    def test_tables_and_matrix_market(self):
        self.write("table.csv", "3,1,99,2,4,5\n1,99,99,3,99,99\n2,5,5,99,1,1\n")
        found = self.json("complete", "--missing", "99", "--first-column", "skip", "--radius", "2", "table.csv")
        self.assertEqual((found["rows"], found["columns"], found["entries"]), (3, 5, 9))
        self.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 1 1\n2 3 4\n3 4 2\n")
        found = self.json("complete", "--radius", "2", "m.mtx")
        self.assertEqual((found["rows"], found["columns"], found["entries"]), (3, 4, 3))

    def test_a_changed_matrix_is_found_out(self):
        self.succeed("complete", "--radius", "30", self.data, "m.model")
        text = (self.folder / "m.model").read_text().splitlines(keepends=True)
        at = next(i for i, line in enumerate(text) if line.startswith("user3 "))
        words = text[at].split()
        words[2] = repr(float(words[2]) + 0.1)
        text[at] = " ".join(words) + "\n"
        self.write("m.model", "".join(text))
        done = self.run_partan("verify", "m.model", self.data)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not verified", done.stderr)

    def test_a_run_cut_short_goes_on(self):
        done = self.succeed("complete", "--radius", "40", "--tol", "1e-9", "--max-iter", "1", self.data, "m.model")
        self.assertIn("stopped by --max-iter", done.stderr)
        found = self.json("complete", "--radius", "40", "--tol", "1e-6", "--init", "m.model", self.data, "n.model")
        self.assertTrue(found["converged"])
        short = self.json("complete", "--radius", "40", "--tol", "1e-6", "--max-rank", "1", self.data, "o.model")
        self.assertEqual((short["rank"], short["status"]), (1, "RANK_LIMIT"))

    def test_a_trace_is_written(self):
        self.succeed("complete", "--radius", "30", "--trace", "t.csv", self.data)
        lines = (self.folder / "t.csv").read_text().splitlines()
        self.assertTrue(lines[0].startswith("iteration,step,objective,gap"))
        self.assertGreaterEqual(len(lines), 3)

    def test_what_does_not_go_together(self):
        for words in (
            ("--path", "--radius", "3"),
            ("--path", "--init", "x"),
            ("--plot", "p.svg", "--radius", "3"),
            ("--trace", "t.csv"),
            ("--radius", "-1"),
            ("--centre", "middle"),
            ("--held-out", "1"),
            ("--max-rank", "3", "--solver", "fw", "--radius", "3"),
        ):
            self.fail_with(2, "complete", *words, self.data)

    def test_bad_files_get_a_sentence(self):
        self.write("bad.txt", "a x 1\nb x five\n")
        self.assertIn("bad.txt:2:5: found 'five', expected a rating", self.fail_with(1, "complete", "bad.txt"))
        self.write("twice.txt", "a x 1\nb x 2\na x 3\n")
        self.assertIn("twice.txt:3: found another value", self.fail_with(1, "complete", "twice.txt"))
        self.write("none.txt", "")
        self.assertIn("found no ratings", self.fail_with(1, "complete", "none.txt"))

    def test_ratings_are_generated(self):
        self.succeed("gen", "ratings", "--rows", "30", "--features", "20", "--entries", "200", "--rank", "2", "a.txt")
        self.succeed("gen", "ratings", "--rows", "30", "--features", "20", "--entries", "200", "--rank", "2", "b.txt")
        text = (self.folder / "a.txt").read_text()
        self.assertEqual(text, (self.folder / "b.txt").read_text())
        self.assertEqual(len(text.splitlines()), 200)
        self.assertEqual(len({tuple(line.split()[:2]) for line in text.splitlines()}), 200)
        self.assertIn("--rank and --entries", self.fail_with(2, "gen", "twonorm", "--rank", "3"))
        self.assertIn("ratings ", self.succeed("gen", "--list").stdout)


if __name__ == "__main__":
    unittest.main()
