"""Weights of rows, from a column or a file, and of classes."""

import lzma
import random
import unittest

from cli import CliTest
from test_numpy import npy, npz

RARE = 12


def rows_of_clouds(rows=240, seed=3):
    """(label, features, weight) of two overlapping clouds, one row in twelve of the positive one."""
    draw = random.Random(seed)
    for i in range(rows):
        rare = i % RARE == 0
        yield "1" if rare else "-1", [round(draw.gauss(1.3 * rare, 1), 4) for _ in range(2)], i % 5 * 0.5


def table(rows, columns, header=True):
    """A CSV file with columns out of y (the label), w (the weight), a and b."""
    lines = [",".join(columns)] if header else []
    for label, (a, b), weight in rows:
        fields = {"y": label, "w": weight, "a": a, "b": b}
        lines.append(",".join(str(fields[c]) for c in columns))
    return "\n".join(lines) + "\n"


class Weights(CliTest):
    def setUp(self):
        super().setUp()
        self.rows = list(rows_of_clouds())
        self.write("plain.csv", table(self.rows, "yab"))
        self.write("last.csv", table(self.rows, "yabw"))
        self.write("named.csv", table(self.rows, "awyb"))
        self.write("numbers.csv", table(self.rows, "awyb", header=False))
        self.write("data.svm", "".join(f"{y} 1:{a} 2:{b}\n" for y, (a, b), _ in self.rows))
        self.write("w", "".join(f"{w}\n" for *_, w in self.rows))
        (self.folder / "w.xz").write_bytes(lzma.compress((self.folder / "w").read_bytes()))

    def repeated(self):
        """The same rows, each as often as its weight says, in halves."""
        return [row for row in self.rows for _ in range(round(2 * row[2]))]


class RowWeights(Weights):
    WAYS = (
        ("--weights w plain.csv", "plain.csv --weights w"),
        ("--weights w.xz plain.csv", "plain.csv --weights w"),
        ("--weights w data.svm", "data.svm --weights w"),
        ("--weight-column last last.csv", "last.csv"),
        ("--weight-column 4 last.csv", "last.csv"),
        ("--weight-name w --label-name y named.csv", "named.csv"),
        ("--weight-column 2 --label-column 3 numbers.csv", "numbers.csv"),
    )

    def test_all_ways_are_one(self):
        """And a weighted row is a repeated one."""
        self.write("repeated.csv", table(self.repeated(), "yab"))
        words = ("--gamma", "0.5", "--tol", "1e-7")
        expected = self.json("train", *words, "--cost", "0.5", "repeated.csv", "m")["objective"]
        for way, verified in self.WAYS:
            with self.subTest(way):
                found = self.json("train", *words, *way.split(), "m")
                self.assertAlmostEqual(found["objective"] / expected, 1, places=6)
                self.assertEqual((found["features"], found["weights"]), (2, {"sum": 240, "zeros": 48}))
                self.assertIn("verified:", self.succeed("verify", "m", *verified.split()).stdout)

    def test_the_other_commands(self):
        plain = self.json("path", "-n", "2", "data.svm")["points"][0]["objective"]
        for command in ("path -n 2", "tune -n 2", "cv"):
            with self.subTest(command):
                found = self.json(*command.split(), "--weights", "w", "data.svm")
                same = self.json(*command.split(), "--weight-name", "w", "last.csv")
                self.assertEqual(found["weights"], {"sum": 240, "zeros": 48})
                self.assertEqual(found["class_weights"], {})
                key = "points" if "points" in found else "fold_list"
                self.assertEqual([p["objective"] for p in found[key]], [p["objective"] for p in same[key]])
                self.assertNotEqual(found[key][0]["objective"], plain)

    def test_prediction_needs_no_weights(self):
        """A table may have the column or not; measures do not use it."""
        self.succeed("train", "-q", "--label-name", "y", "--weight-name", "w", "named.csv", "m")
        expected = self.json("predict", "plain.csv", "m")
        self.assertEqual(expected["labelled"], 240)
        for name in ("named.csv", "last.csv"):
            found = self.json("predict", name, "m")
            self.assertEqual(
                {**found, "time": 0, "peak_memory_bytes": 0}, {**expected, "time": 0, "peak_memory_bytes": 0}
            )
        self.write("empty.csv", "b,a,w\n1,2,\n0,0,0\n")
        self.succeed("predict", "empty.csv", "m")
        read_as = self.json("info", "m")["read_as"]
        self.assertEqual((read_as["weight_column"], read_as["weight_name"]), (2, "w"))
        self.assertIn("label in column 'y', weight in column 'w'", self.succeed("info", "m").stdout)
        self.succeed("train", "-q", "--weight-column", "2", "--label-column", "3", "numbers.csv", "n")
        self.write("short.csv", table(self.rows, "ayb", header=False))
        for name in ("numbers.csv", "short.csv"):
            self.assertEqual(self.json("predict", name, "n")["correct"], expected["correct"])

    def test_verify_needs_them(self):
        self.succeed("train", "-q", "--weights", "w", "data.svm", "m")
        done = self.run_partan("verify", "m", "data.svm")
        self.assertEqual(done.returncode, 1)
        self.assertIn("fingerprint", done.stderr)

    def test_info_split_and_scale(self):
        self.assertIsNone(self.json("info", "plain.csv")["weights"])
        for words in (("--weights", "w", "data.svm"), ("--weight-name", "w", "last.csv")):
            self.assertEqual(self.json("info", *words)["weights"], {"sum": 240, "zeros": 48})
            self.assertIn("weights          sum 240, 48 rows of weight 0\n", self.succeed("info", *words).stdout)
        self.assertIn(
            "label in column 1 of 4, weight in column 4",
            self.succeed("info", "--weight-column", "last", "last.csv").stdout,
        )
        self.succeed("split", "--weight-name", "w", "last.csv", "first", "second")
        lines = {*(self.folder / "first").read_text().split(), *(self.folder / "second").read_text().split()}
        self.assertEqual(lines, set((self.folder / "last.csv").read_text().split()))
        self.succeed("scale", "--weight-name", "w", "--label-name", "y", "named.csv", "scaled.csv")
        scaled = [line.split(",") for line in (self.folder / "scaled.csv").read_text().splitlines()]
        self.assertEqual(scaled[0], ["a", "w", "y", "b"])
        self.assertEqual([float(fields[1]) for fields in scaled[1:]], [w for *_, w in self.rows])
        self.assertEqual(max(float(fields[0]) for fields in scaled[1:]), 1)
        self.assertIn(
            "LIBSVM text cannot hold weights of rows",
            self.fail_with(2, "scale", "--weight-name", "w", "--output-format", "libsvm", "last.csv", "s"),
        )

    def test_arrays(self):
        X, y = npy([x for _, x, _ in self.rows]), npy([float(label) for label, *_ in self.rows])
        weights = npy([w for *_, w in self.rows])
        together = npy([[float(label), w, *x] for label, x, w in self.rows])
        files = {
            "a.npz": npz(X=X, y=y, weights=weights),
            "b.npz": npz(features=X, labels=y, weights=weights),
            "short.npz": npz(X=X, y=y, weights=npy([1.0, 2.0])),
            "negative.npz": npz(X=X, y=y, weights=npy([-1.0] * 240)),
            "wide.npz": npz(X=X, y=y, weights=npy([[1.0]] * 240)),
            "c.npy": together,
        }
        for name, content in files.items():
            (self.folder / name).write_bytes(content)
        expected = self.json("info", "--weights", "w", "data.svm")["fingerprint"]
        self.assertEqual(self.json("info", "a.npz")["fingerprint"], expected)
        self.assertEqual(self.json("info", "b.npz")["fingerprint"], expected)
        self.assertEqual(self.json("info", "--weight-column", "2", "c.npy")["fingerprint"], expected)
        for code, words, answer in (
            (1, "short.npz", "short.npz: found 2 weights, expected 240 numbers, one per row"),
            (1, "negative.npz", "negative.npz: row 1 has weight -1, expected a number that is 0 or more"),
            (1, "wide.npz", "wide.npz: found weights of 2 dimensions, expected one"),
            (2, "--weight-column 1 c.npy", "c.npy: column 1 is both the label column and the weight column"),
            (2, "--weight-column 9 c.npy", "c.npy: found 4 columns, but the weight column is 9"),
            (2, "--weight-name q a.npz", "weights in an archive are an array named weights"),
        ):
            with self.subTest(words):
                self.assertIn(answer, self.fail_with(code, "train", *words.split(), "m"))
        self.assertIn("the Lasso does not use weights", self.succeed("lasso", "--lambda", "0.1", "a.npz").stderr)

    def test_what_is_refused(self):
        for name, text in {
            "few": "1\n2\n",
            "many": "1\n" * 241,
            "negative": "1\n-1\n",
            "nan": "nan\n",
            "zero": "0\n" * 240,
        }.items():
            self.write(name, text)
        self.write("bad.csv", "y,a,w\n1,2,3\n-1,2,-3\n")
        self.write("empty.csv", "y,a,w\n1,2,3\n-1,2,\n")
        self.write("zero.csv", "y,a,w\n1,2,0\n-1,2,0\n")
        answers = (
            (
                1,
                "--weights few plain.csv",
                "few:2: found the last of 2 weights, expected 240, one for each row of " "plain.csv",
            ),
            (1, "--weights many plain.csv", "many:241: found a weight more than the 240 rows of plain.csv"),
            (
                1,
                "--weights negative plain.csv",
                "negative:2: found '-1', expected a weight, a number that is 0 or more",
            ),
            (1, "--weights nan plain.csv", "nan:1: found 'nan', expected a weight"),
            (1, "--weights zero plain.csv", "zero: all rows have weight 0, expected one above 0"),
            (1, "--weights absent plain.csv", "absent: cannot be read"),
            (2, "--weights - plain.csv", "--weights takes a file, not '-'"),
            (2, "--weights w --weight-name w last.csv", "--weights and --weight-name cannot be combined"),
            (2, "--weights w --weight-column 4 last.csv", "--weights and --weight-column cannot be combined"),
            (2, "--weight-column 0 last.csv", "weight-column"),
            (2, "--weight-column 5 last.csv", "last.csv:1: found 4 columns, but the weight column is 5"),
            (2, "--weight-column 1 last.csv", "last.csv:1: column 1 is both the label column and the weight column"),
            (2, "--weight-name q last.csv", "last.csv:1: found no column named 'q' in the header"),
            (2, "--weight-name y last.csv", "last.csv:1: column 1 is both the label column and the weight column"),
            (2, "--weight-column 2 data.svm", "data.svm:1: found LIBSVM text, expected a table"),
            (1, "--weight-name w bad.csv", "bad.csv:3:6: found '-3', expected a weight, a number that is 0 or more"),
            (1, "--weight-name w empty.csv", "empty.csv:3:6: found an empty field, expected a weight"),
            (1, "--weight-name w zero.csv", "zero.csv: all rows have weight 0, expected one above 0"),
        )
        before = self.files()
        for code, words, answer in answers:
            with self.subTest(words):
                self.assertIn(answer, self.fail_with(code, "train", *words.split(), "m"))
        self.assertIn("is an input", self.fail_with(2, "train", "--weights", "w", "--force", "plain.csv", "w"))
        self.succeed("lasso", "-q", "--lambda", "0.1", "plain.csv", "l")
        self.assertIn(
            "--weights is for models of partan train", self.fail_with(2, "verify", "--weights", "w", "l", "w")
        )
        (self.folder / "l").unlink()
        self.assertIn(
            "unknown option '--weight-column'", self.fail_with(2, "lasso", "--weight-column", "2", "last.csv")
        )
        self.assertEqual(self.files(), before)


class ClassWeights(Weights):
    WORDS = ("--gamma", "0.5", "data.svm", "m")

    def test_reports(self):
        self.assertNotIn("class weights", self.succeed("train", *self.WORDS).stdout)
        found = self.json("train", *self.WORDS)
        self.assertEqual((found["balanced"], found["class_weights"]), (False, {"1": 1, "-1": 1}))
        listed = ("--class-weight", "1=8", "--class-weight", "-1=0.5")
        self.assertIn("class weights    8 for 1, 0.5 for -1\n", self.succeed("train", *listed, *self.WORDS).stdout)
        self.assertIn("class weights    8 for 1, 0.5 for -1\n", self.succeed("info", "m").stdout)
        self.assertEqual(self.json("info", "m")["class_weights"], {"1": 8, "-1": 0.5})
        self.assertIn("verified:", self.succeed("verify", "m", "data.svm").stdout)
        self.assertEqual(
            self.json("train", *listed, "--class-weight", "1=2", *self.WORDS)["class_weights"], {"1": 2, "-1": 0.5}
        )
        text = self.succeed("train", "--class-weight", "balanced", *self.WORDS).stdout
        self.assertIn("class weights    6 for 1, 0.5454545454545454 for -1 (balanced)\n", text)

    def test_as_in_libsvm(self):
        expected = self.json("train", "--class-weight", "1=8", "--class-weight", "-1=0.5", *self.WORDS)
        found = self.json("train", "-w1", "8", "-w-1", "0.5", *self.WORDS)
        self.assertEqual(
            (found["objective"], found["class_weights"]), (expected["objective"], expected["class_weights"])
        )
        for words, answer in (
            ("-w 8", "-w 8: needs a class and a weight, as in -w1 2"),
            ("-w1 x", "--class-weight takes LABEL=W with a number W above 0"),
        ):
            self.assertIn(answer, self.fail_with(2, "train", *words.split(), "data.svm"))

    def test_labels_with_equals_signs(self):
        self.write("d.csv", "y,a\n" + "a=b,1\nc,2\na=b,0\nc,3\n")
        found = self.json("train", "--class-weight", "a=b=3", "d.csv", "m")
        self.assertEqual(found["class_weights"], {"a=b": 3, "c": 1})

    def test_balanced_finds_the_rare_class(self):
        for words in (("cv",), ("tune", "--score", "balanced", "-n", "3")):
            plain = self.json(*words, "--gamma", "0.5", "data.svm")
            found = self.json(*words, "--gamma", "0.5", "--class-weight", "balanced", "data.svm")
            self.assertEqual((found["balanced"], found["class_weights"]), (True, {}))
            score = lambda r: r["best"]["score"] if "best" in r else r["balanced_accuracy"]
            self.assertGreater(score(found), score(plain) + 0.05)

    def test_tables_of_tune_know_them(self):
        words = ("tune", "-q", "-n", "2", "--table", "t.csv")
        listed = ("--class-weight", "1=8", "--class-weight", "-1=2", "data.svm")
        self.succeed(*words, *listed)
        self.assertIn("--class-weight 1=8 --class-weight -1=2", (self.folder / "t.csv").read_text().splitlines()[0])
        self.succeed(*words, *listed)
        for other in (("1=7", "-1=2"), ("1=8", "-1=3")):
            given = [word for one in other for word in ("--class-weight", one)]
            self.assertIn("different run", self.fail_with(1, *words, *given, "data.svm"))
        line = self.succeed("tune", "-n", "2", *listed).stdout.splitlines()[-1]
        self.assertIn("--class-weight 1=8 --class-weight -1=2 data.svm", line)

    def test_what_is_refused(self):
        for code, words, answer in (
            (
                1,
                "--class-weight 7=2",
                "data.svm: found a weight for class '7', expected one of the classes '-1' and '1'",
            ),
            (2, "--class-weight 1=0", "--class-weight takes LABEL=W with a number W above 0, or balanced, not '1=0'"),
            (2, "--class-weight 1=-2", "not '1=-2'"),
            (2, "--class-weight 1=nan", "not '1=nan'"),
            (2, "--class-weight 1=inf", "not '1=inf'"),
            (2, "--class-weight 1", "not '1'"),
            (2, "--class-weight =2", "not '=2'"),
            (2, "--class-weight balanced --class-weight 1=2", "--class-weight balanced cannot be combined"),
        ):
            for command in ("train", "path", "tune", "cv"):
                with self.subTest(f"{command} {words}"):
                    done = self.run_partan(command, *words.split(), "data.svm")
                    self.assertEqual(done.returncode, code)
                    self.assertIn(answer, done.stderr)


if __name__ == "__main__":
    unittest.main()
