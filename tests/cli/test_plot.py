"""partan plot: what is drawn, and what cannot be."""

import unittest
import xml.etree.ElementTree as ElementTree

from cli import CliTest, blobs


class Plot(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(100))

    def drawn(self, name):
        """The elements of a picture by their tag."""
        root = ElementTree.parse(self.folder / name).getroot()
        found = {}
        for node in root.iter():
            found.setdefault(node.tag.split("}")[1], []).append(node)
        return found

    def texts(self, name):
        return [node.text for node in self.drawn(name)["text"]]

    def test_traces(self):
        for solver in ("fw", "swap"):
            self.succeed("train", "-q", "--solver", solver, "--trace", f"{solver}.csv", "data", "m")
        self.succeed("plot", "fw.csv", "swap.csv", "gap.svg")
        self.assertEqual(len(self.drawn("gap.svg")["polyline"]), 2)
        self.assertTrue({"fw.csv", "swap.csv", "iterations", "relative gap"} <= set(self.texts("gap.svg")))
        self.succeed("plot", "--x", "seconds", "--y", "objective", "fw.csv", "-")
        self.succeed("plot", "--x", "seconds", "--y", "objective", "fw.csv", "o.svg")
        self.assertTrue({"seconds", "objective"} <= set(self.texts("o.svg")))
        self.write("bad.csv", "iteration,step,gap\n1,swap,2\n")
        self.assertIn("there is no column 'relative_gap'", self.fail_with(1, "plot", "bad.csv", "x.svg"))
        self.assertNotIn("x.svg", self.files())

    def test_the_points_of_a_trace_are_where_they_belong(self):
        self.write("t.csv", "iteration,step,relative_gap\n1,swap,1\n10,swap,0.1\n100,swap,0.01\n")
        self.succeed("plot", "t.csv", "t.svg")
        line = self.drawn("t.svg")["polyline"][0]
        points = [tuple(map(float, pair.split(","))) for pair in line.get("points").split()]
        frame = [node for node in self.drawn("t.svg")["rect"] if node.get("fill") == "none"][0]
        left, top, width, height = (float(frame.get(key)) for key in ("x", "y", "width", "height"))
        for (x, y), share in zip(points, (0, 0.5, 1)):
            self.assertAlmostEqual(x, left + share * width, delta=0.2)
            self.assertAlmostEqual(y, top + share * height, delta=0.2)

    def test_tables_are_drawn_as_their_commands_do(self):
        self.succeed("tune", "-q", "--cost", "1,10,100", "--gamma", "0.1,1", "--score", "auc", "--table", "t.csv",
                     "--plot", "t.svg", "data")
        self.succeed("plot", "t.csv", "t2.svg")
        self.assertEqual((self.folder / "t.svg").read_text(), (self.folder / "t2.svg").read_text())
        for test in ((), ("--test", "data")):
            self.succeed("path", "-q", "--points", "5", *test, "--table", "p.csv", "--plot", "p.svg", "data")
            self.succeed("plot", "p.csv", "p2.svg")
            self.assertEqual((self.folder / "p.svg").read_text(), (self.folder / "p2.svg").read_text())

    def test_path_table(self):
        found = self.json("path", "--points", "3", "--test", "data", "--table", "p.csv", "data")
        lines = (self.folder / "p.csv").read_text().splitlines()
        names = lines[0].split(",")
        for line, point in zip(lines[1:], found["points"], strict=True):
            fields = dict(zip(names, line.split(",")))
            for key in ("cost", "objective", "relative_gap", "test_accuracy"):
                self.assertEqual(float(fields[key]), point[key])
            self.assertEqual(int(fields["support_vectors"]), point["support_vectors"])
        self.assertIn("is an input", self.fail_with(2, "path", "--table", "data", "data"))

    def test_decision_regions(self):
        self.succeed("train", "-q", "data", "m")
        self.succeed("plot", "m", "data", "r.svg")
        self.succeed("plot", "data", "m", "r2.svg")
        self.assertEqual((self.folder / "r.svg").read_text(), (self.folder / "r2.svg").read_text())
        found = self.drawn("r.svg")
        self.assertEqual(len(found["circle"]), 100 + 2)
        self.assertGreater(len(found["path"][11].get("d")), 100, "the boundary crosses the picture")
        self.assertTrue({"feature 1", "feature 2", "1", "-1"} <= set(self.texts("r.svg")))

    def test_features_of_decision_regions(self):
        self.write("three.csv", "".join(f"{i % 2},{i % 7},{i % 5},{i % 3}\n" for i in range(40)))
        self.write("named.csv", "y,a&b,c,d\n" + (self.folder / "three.csv").read_text())
        self.succeed("train", "-q", "--no-header", "three.csv", "m")
        self.assertIn("choose two of them with --features I,J", self.fail_with(2, "plot", "m", "three.csv", "r.svg"))
        self.succeed("plot", "--features", "3,1", "m", "named.csv", "r.svg")
        self.assertTrue({"d", "a&b"} <= set(self.texts("r.svg")))
        for features in ("1,1", "0,1", "1", "1,4", "x"):
            self.fail_with(2, "plot", "--features", features, "m", "named.csv", "r2.svg")
        self.assertNotIn("r2.svg", self.files())

    def test_what_cannot_be_drawn(self):
        self.assertIn("expected a model, a CSV trace", self.fail_with(1, "plot", "data", "x.svg"))
        self.fail_with(1, "plot", "nowhere", "x.svg")
        self.succeed("train", "-q", "data", "m")
        self.assertIn("plot MODEL DATA OUTPUT", self.fail_with(2, "plot", "m", "x.svg"))
        self.assertIn("is an input", self.fail_with(2, "plot", "m", "data", "m"))
        self.assertEqual(self.files(), ["data", "m"])


if __name__ == "__main__":
    unittest.main()
