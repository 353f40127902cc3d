"""The report of the paper's experiments: agreement, bounds, the pictures of three vertices, and the page itself."""

import csv
import html.parser
import math
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as tree
from types import SimpleNamespace

from cli import HERE, PARTAN, CliTest, environment

sys.dont_write_bytecode = True
EXPERIMENTS = HERE.parent.parent / "experiments"
sys.path.insert(0, str(EXPERIMENTS))

# pylint: disable=wrong-import-position
from paper import agreement, page, plots, published, report, theory, zigzag  # noqa: E402

from harness.process import Failed  # noqa: E402
from harness.report import Table  # noqa: E402


class Numbers:
    """Results that are the published numbers times a factor."""

    protocol = SimpleNamespace(eps="1e-4", decades=("1e-3", "1e-4", "1e-5", "1e-6"), starts=10)
    sets = [SimpleNamespace(name=name, title=name.upper()) for name in published.PAPER["table2"]]

    def __init__(self, factor=1.0, limited=False):
        self.factor, self.limited = factor, limited

    def of(self, found):
        return {**{key: self.factor * value for key, value in found.items()}, "limited": self.limited} if found else {}

    def table2(self, name, solver):
        return self.of(published.table2(name, solver))

    def table3(self, name, solver, eps):
        return self.of(published.table3(name, solver, eps))

    def table4(self, name, solver):
        return self.of(published.table4(name, solver))

    def starts(self, name, solver, eps):
        """A tenth to either side of the published counts times the factor, at one eps."""
        found = published.table2(name, solver) if eps == "1e-4" else {}
        return {key: (0.9 * self.factor * value, 1.1 * self.factor * value) for key, value in found.items()}


class Agreement(unittest.TestCase):
    def test_every_published_count_is_compared_once(self):
        found = agreement.counts(Numbers())
        sets = {table: len(published.PAPER[table]) for table in ("table2", "table3", "table4")}
        # Two counts a solver in Tables 2 and 4; three values of eps in Table 3, whose fourth is Table 2's.
        self.assertEqual(len(found), 4 * (2 * sets["table2"] + 3 * sets["table3"] + 2 * sets["table4"]))

    def test_grades_are_by_the_share_of_the_published_count(self):
        for factor, near, close in ((1.04, 1, 1), (0.96, 1, 1), (1.2, 0, 1), (0.8, 0, 1), (1.3, 0, 0), (0.5, 0, 0)):
            found = agreement.counts(Numbers(factor))
            self.assertEqual(agreement.within(found, agreement.NEAR), near * len(found), factor)
            self.assertEqual(agreement.within(found, agreement.CLOSE), close * len(found), factor)
        self.assertEqual([agreement.grade(off) for off in (-0.05, 0.06, -0.3)], ["near", "close", "far"])

    def test_runs_that_a_limit_ended_are_not_compared(self):
        self.assertEqual(agreement.counts(Numbers(limited=True)), [])
        self.assertEqual(agreement.speedups(Numbers(limited=True), "seconds")[0][1], None)

    def test_the_table_adds_up_to_the_summary(self):
        found = agreement.counts(Numbers(1.2)) + agreement.counts(Numbers(1.01)) + agreement.counts(Numbers(2))
        rows = agreement.summary_table(found).rows
        totals = [int(cell) for cell in rows[0][2:]]
        for kind in ("by table", "by solver", "by set"):
            sums = [sum(int(row[i]) for row in rows if row[0] == kind) for i in range(2, 6)]
            self.assertEqual(sums, totals, kind)
        words = report.counted_agreement(Numbers(), found).split(" Of ")[0]
        self.assertEqual([int(n) for n in re.findall(r"\d+(?! ?%)\b", words.replace(" %", "%"))], totals[:3], words)

    def test_published_counts_in_the_range_of_first_vertices_are_counted(self):
        every = 4 * 2 * len(published.PAPER["table2"])  # two counts a solver
        for factor, share in ((1.0, 1), (1.09, 1), (1.3, 0), (0.8, 0)):
            self.assertEqual(agreement.in_range(Numbers(factor)), (share * every, every), factor)
        self.assertIn(f"Of {every} counts", report.counted_agreement(Numbers(), agreement.counts(Numbers())))

    def test_speed_ups_are_those_of_the_published_times(self):
        ratios = [paper for _, ours, paper in agreement.speedups(Numbers(3.0), "seconds") if math.isclose(ours, paper)]
        self.assertEqual(len(ratios), len(Numbers.sets))
        self.assertAlmostEqual(sum(ratios) / len(ratios), published.PAPER["speedup_in_time"], delta=0.005)


class Curvature(CliTest):
    ROWS = ((1, (0.0, 0.0)), (1, (1.0, 0.5)), (-1, (0.2, 0.1)), (-1, (3.0, -1.0)), (1, (-2.0, 1.0)))

    def squared_diameter(self, gamma, cost):
        def value(i, j):
            (y, x), (z, w) = self.ROWS[i], self.ROWS[j]
            return y * z * (math.exp(-gamma * math.dist(x, w) ** 2) + 1) + (i == j) / cost

        every = range(len(self.ROWS))
        return max(value(i, i) + value(j, j) - 2 * value(i, j) for i in every for j in every)

    def test_it_is_half_the_squared_diameter(self):
        rows = [(label, dict(enumerate(x, 1))) for label, x in self.ROWS]
        self.assertAlmostEqual(theory.nearest_distance(rows), 0.05)
        for gamma, cost in ((0.1, 1), (1, 0.5), (10, 100)):
            found = theory.curvature(cost, math.exp(-gamma * theory.nearest_distance(rows)))
            self.assertAlmostEqual(found, self.squared_diameter(gamma, cost) / 2)
            self.assertLessEqual(found, theory.curvature(cost))

    def test_equal_rows_of_both_classes_are_found(self):
        self.write("rows", "1 1:2 3:0.5\n-1 1:7\n-1 1:2 3:0.5\n")
        self.assertEqual(theory.nearest_distance(theory.read_rows(self.folder / "rows")), 0.0)

    def test_the_bounds_hold_for_a_run_of_fw(self):
        self.succeed("gen", "checkerboard", "--rows", "500", "--quiet", "data")
        self.succeed("train", "-q", "--solver", "fw", "--cost", "10", "--eps", "1e-4", "--trace", "t.csv", "data", "m")
        rows = list(csv.DictReader((self.folder / "t.csv").read_text().splitlines()))[1:]
        lower = max(float(row["objective"]) - float(row["gap"]) for row in rows)
        curve, best = theory.curvature(10), math.inf
        # The greatest lower bound is at most 1e-4 below f*, as the run went on to that gap.
        for row in rows:
            k, best = int(row["iteration"]), min(best, float(row["gap"]))
            self.assertLessEqual(float(row["objective"]) - lower, theory.proposition1(curve, k) + 1e-4)
            if k >= 2:
                self.assertLessEqual(best, theory.proposition2(curve, k))
        self.assertLess(k, theory.steps_allowed(curve, 1e-4))

    def test_steps_allowed_are_the_first_that_meet_the_bound(self):
        steps = theory.steps_allowed(4.1, 1e-3)
        self.assertLessEqual(theory.proposition2(4.1, steps), 1e-3)
        self.assertGreater(theory.proposition2(4.1, steps - 1), 1e-3)


class ThreeVertices(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fw, cls.partan = zigzag.run(PARTAN, "fw"), zigzag.run(PARTAN, "partan")

    def test_the_objective_falls_towards_its_least_value(self):
        for steps in (self.fw, self.partan):
            values = [step.objective for step in steps]
            self.assertTrue(all(b < a for a, b in zip(values, values[1:])))
            self.assertGreaterEqual(values[-1], zigzag.LEAST - 1e-12)
            for step in steps:
                self.assertAlmostEqual(sum(step.weights), 1)
                self.assertGreaterEqual(min(step.weights), 0)

    def test_fw_zigzags_and_partan_does_not(self):
        self.assertEqual([step.vertex for step in self.fw[1:40]], [1, 2] * 19 + [1])
        self.assertGreater(zigzag.excess(self.fw, zigzag.STEPS), 0.01)
        self.assertEqual(len(self.partan), 4)
        self.assertAlmostEqual(zigzag.excess(self.partan, 3), 0)

    def test_the_parallel_tangent_goes_through_the_point_before(self):
        before, middle, after = self.partan[0].at(), zigzag.point(self.partan[2].middle), self.partan[2].at()
        cross = (middle[0] - before[0]) * (after[1] - before[1]) - (middle[1] - before[1]) * (after[0] - before[0])
        self.assertAlmostEqual(cross, 0)
        self.assertGreater(math.dist(before, after), math.dist(before, middle))

    def test_a_trace_that_does_not_fit_is_refused(self):
        rows = zigzag.traced(PARTAN, "fw")
        rows[3]["lambda"] = "0.9"
        with self.assertRaisesRegex(Failed, "three vertices"):
            zigzag.replayed(rows)

    def test_the_drawings_are_whole(self):
        for svg in (zigzag.figure1(self.partan), zigzag.figure2a(self.fw), zigzag.figure2b(self.fw, self.partan)):
            root = tree.fromstring(svg)
            width, height = float(root.get("width")), float(root.get("height"))
            for text in (element for element in root.iter() if element.tag.endswith("text")):
                self.assertTrue(0 <= float(text.get("x")) <= width and 0 <= float(text.get("y")) <= height, text.text)


class Pictures(unittest.TestCase):
    def test_bars_are_as_long_as_their_numbers(self):
        root = tree.fromstring(plots.bars("t", [("a", 2.0, 4.0), ("b", 1.0, None), ("c", None, None)], "x"))
        bars = [float(each.get("width")) for each in root.iter() if each.tag.endswith("rect")]
        self.assertEqual(len(bars), 3 + 2)  # and the legend's
        self.assertAlmostEqual(bars[1] / bars[0], 2, places=2)
        self.assertAlmostEqual(bars[2] / bars[0], 0.5, places=2)
        self.assertEqual(plots.bars("t", [("a", None, None)], "x"), "")

    def test_a_linear_axis_begins_at_the_first_iteration(self):
        svg = plots.plot("t", {"fw": [(0, 1.0), (5000, 1e-3)]}, published.TITLES, "x", "y", log_x=False)
        texts = [element.text for element in tree.fromstring(svg).iter() if element.tag.endswith("text")]
        for text in ("0", "5,000", "1e-3"):
            self.assertIn(text, texts)


class Reader(html.parser.HTMLParser):
    """Collects anchors, links and classes, and that every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.open, self.cells = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if "id" in found:
            self.anchors.append(found["id"])
        if tag == "a":
            self.links.append(found["href"])
        if tag == "td":
            self.cells.append(found["class"].split())
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Page(CliTest):
    def test_deviations_are_shaded_and_published_columns_told_apart(self):
        table = Table("t & u", ["set", "", "FW", "paper"], left=2)
        for ours in (100, 120, 200):
            cell = agreement.compared(f"{ours}", {"iterations": ours}, {"iterations": 100}, "iterations")
            table.add("a<b", "iterations", cell, "100")
        text = page.Grid(table).html()
        self.assertIn("a&lt;b", text)
        cells = Reader(text).cells
        self.assertEqual([cell[1:] for cell in cells if cell and cell[0] == "n"],
                         [["near"], ["paper"], ["close"], ["paper"], ["far"], ["paper"]])
        self.assertIn("<small>+20</small>", text)
        self.assertNotIn("small", page.Grid(table).markdown(self.folder))

    def test_headings_have_anchors_of_their_own(self):
        parts = [page.Heading("A b"), page.Heading("A b"), page.Heading("A, b: 1e-4", 3)]
        page.give_anchors(parts)
        self.assertEqual([part.anchor for part in parts], ["a-b", "a-b-1", "a-b-1e-4"])

    def test_words_become_html(self):
        found = page.parts_of("## T\n\nf* is *not* f*, `a*b` **b**\n\n- one\n- two [x](y)\n")
        self.assertEqual([type(part).__name__ for part in found], ["Heading", "Words", "Words"])
        self.assertEqual(found[1].html(), "<p>f* is <i>not</i> f*, <code>a*b</code> <b>b</b></p>")
        self.assertEqual(found[2].html(), '<ul><li>one</li><li>two <a href="y">x</a></li></ul>')

    def test_a_quick_report_is_one_whole_page(self):
        words = ["--partan", PARTAN, "--work", str(self.folder), "--quick", "--sets", "board", "--table", "3"]
        done = subprocess.run([sys.executable, str(EXPERIMENTS / "run"), *words], env=environment(), text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=280, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = self.folder / "quick/report"
        text = (folder / "paper-results.html").read_text()
        found = Reader(text)
        self.assertEqual(found.open, [])
        self.assertEqual(len(found.anchors), len(set(found.anchors)))
        inside = [link[1:] for link in found.links if link.startswith("#")]
        self.assertGreater(len(inside), 8)
        self.assertLessEqual(set(inside), set(found.anchors))
        self.assertNotIn("src=", text)  # nothing from outside
        pictures = re.findall(r"\(images/([^)]+)\)", (folder / "paper-results.md").read_text())
        self.assertEqual(sorted(pictures), sorted(path.name for path in (folder / "images").iterdir()))
        for name in pictures:
            tree.parse(folder / "images" / name)
        for name in ("paper-gap-board", "paper-gap-linear-board", "paper-zigzag-fw", "paper-partan-step"):
            self.assertIn(f"{name}.svg", pictures)
        self.assertIn("bound2", (folder / "images/paper-gap-board.svg").read_text().split("</style>")[1])


if __name__ == "__main__":
    unittest.main()
