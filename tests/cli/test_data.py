"""partan gen and partan scale."""

import unittest

from cli import CliTest


def rows_of(text):
    """LIBSVM text as (label, {index: value})."""
    rows = []
    for line in text.splitlines():
        label, *pairs = line.split()
        rows.append((label, {int(i): float(v) for i, v in (pair.split(":") for pair in pairs)}))
    return rows


class Generate(CliTest):
    def kinds(self):
        names = [line.split()[0] for line in self.succeed("gen", "--list").stdout.splitlines()]
        return [name for name in names if name != "ratings"]  # which are entries, not rows: test_complete.py

    def test_every_kind(self):
        kinds = self.kinds()
        for kind in ("checkerboard", "spirals", "ringnorm", "twonorm", "waveform", "onehot", "text"):
            self.assertIn(kind, kinds)
        for kind in kinds:
            with self.subTest(kind=kind):
                rows = rows_of(self.succeed("gen", kind, "--rows", "50").stdout)
                self.assertEqual(len(rows), 50)
                self.assertEqual(len({label for label, _ in rows}), len(rows) if kind == "friedman" else 2)

    def test_outputs_agree(self):
        text = self.succeed("gen", "spirals", "--seed", "3").stdout
        self.assertEqual(self.succeed("gen", "spirals", "--seed", "3", "one").stdout, "")
        self.succeed("gen", "spirals", "--seed", "3", "--output", "two")
        self.succeed("gen", "spirals", "--seed", "3", "-o", "three.csv")
        self.assertEqual((self.folder / "one").read_text(), text)
        self.assertEqual((self.folder / "two").read_text(), text)
        self.assertIn(",", (self.folder / "three.csv").read_text().splitlines()[1])
        self.assertEqual((self.folder / "three.csv").read_text(),
                         self.succeed("gen", "spirals", "--seed", "3", "--format", "csv").stdout)
        self.assertNotEqual(self.succeed("gen", "spirals", "--seed", "4").stdout, text)

    def test_features_and_noise(self):
        rows = rows_of(self.succeed("gen", "twonorm", "--features", "5", "--rows", "20", "--noise", "auto").stdout)
        self.assertLessEqual(max(max(row) for _, row in rows), 5)


class Scale(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", "1 1:2 2:10\n-1 1:4 2:30\n1 1:3 2:20\n")

    def test_minmax(self):
        rows = rows_of(self.succeed("scale", "data").stdout)
        self.assertEqual([row.get(1, 0) for _, row in rows], [0, 1, 0.5])
        rows = rows_of(self.succeed("scale", "--minmax", "-1,1", "data").stdout)
        self.assertEqual([row.get(2, 0) for _, row in rows], [-1, 1, 0])
        self.assertEqual([float(label) for label, _ in rows], [1, -1, 1])

    def test_standardise(self):
        rows = rows_of(self.succeed("scale", "--standardise", "data").stdout)
        values = [row.get(2, 0) for _, row in rows]
        self.assertAlmostEqual(sum(values), 0, places=5)
        self.assertAlmostEqual(sum(v * v for v in values) / 3, 1, places=5)

    def test_save_and_restore(self):
        self.succeed("scale", "--save", "s", "data", "one")
        self.succeed("scale", "--restore", "s", "data", "two")
        self.assertEqual((self.folder / "one").read_text(), (self.folder / "two").read_text())
        self.write("other", "1 1:6 2:10\n")
        rows = rows_of(self.succeed("scale", "--restore", "s", "other").stdout)
        self.assertEqual(rows[0][1][1], 2)

    def test_formats(self):
        self.succeed("scale", "data", "out.csv")
        self.assertIn(",", (self.folder / "out.csv").read_text())
        self.assertEqual(self.succeed("scale", "--output-format", "csv", "data").stdout,
                         (self.folder / "out.csv").read_text())
        self.assertEqual(rows_of(self.succeed("scale", "-", stdin="1 1:5\n-1 1:7\n").stdout)[1][1], {1: 1})


if __name__ == "__main__":
    unittest.main()
