"""Tables: the model knows how its data was read, prediction keeps to it, and what differs is named; scale keeps a table
as it was."""

import random
import unittest

from cli import CliTest

NAMES = ("height", "width", "depth")


class Tables(CliTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(1)
        self.rows = []
        for _ in range(60):
            x = [round(draw.random(), 4), round(5 * draw.random(), 4), round(draw.random(), 4)]
            self.rows.append(["spam" if x[0] + 0.2 * x[1] > 1 else "ham", *x])
        self.table("train.csv", "class", *NAMES)
        self.succeed("train", "-q", "train.csv", "m")
        self.expected = self.succeed("predict", "train.csv", "m", "-").stdout

    def table(self, name, *columns, header=True, separator=","):
        """A file of these columns; a name that is none of the rows' is a column of ones."""
        places = {"class": 0, **{one: i + 1 for i, one in enumerate(NAMES)}}
        lines = [separator.join(columns)] if header else []
        for row in self.rows:
            lines.append(separator.join(str(row[places[one]]) if one in places else "1" for one in columns))
        return self.write(name, "\n".join(lines) + "\n")

    def test_the_same_columns_in_any_order(self):
        for columns in (["width", "class", "depth", "height"], ["depth", "width", "height"], [*NAMES, "class"]):
            for separator in ",;\t":
                name = self.table("t.csv" if separator != "\t" else "t.tsv", *columns, separator=separator)
                with self.subTest(columns=columns, separator=separator):
                    done = self.succeed("predict", name, "m", "-")
                    self.assertEqual(done.stdout, self.expected)
                    self.assertIn("Accuracy" if "class" in columns else "none with a label", done.stderr)

    def test_an_unlabelled_table_never_loses_a_feature(self):
        self.table("plain.csv", "class", *NAMES, header=False)
        self.table("unlabelled.csv", *NAMES, header=False)
        for model in ("m", "plain.model"):
            self.succeed("train", "-q", "plain.csv", "plain.model")
            done = self.succeed("predict", "unlabelled.csv", model, "-")
            self.assertEqual(done.stdout, self.expected)
            self.assertIn("60 rows, none with a label", done.stderr)

    def test_what_differs_is_named(self):
        cases = (
            (("class", "height", "width"), "there is no column 'depth'"),
            (("class", *NAMES, "mass"), "column 'mass' is neither a feature nor the label"),
            (("height", "width"), "there is no column 'depth'"),
        )
        for columns, sentence in cases:
            self.table("t.csv", *columns)
            for words in (["predict", "t.csv", "m"], ["verify", "m", "t.csv"]):
                with self.subTest(words=words, columns=columns):
                    self.assertIn(sentence, self.fail_with(1, *words))
        self.table("t.csv", "class", "height", header=False)
        self.assertIn("found 2 columns, expected the 3 features", self.fail_with(1, "predict", "t.csv", "m"))
        self.write("t.svm", "1 1:1 4:1\n")
        self.assertIn("found feature 4, expected no more than the 3", self.fail_with(1, "predict", "t.svm", "m"))
        self.write("t.svm", "1 1:1\n-1 2:1\n")
        self.assertIn("found labels '1' and '-1', the model's classes", self.fail_with(1, "predict", "t.svm", "m"))

    def test_sparse_files_may_have_fewer_features(self):
        self.write("d", "1 1:1 3:1\n-1 1:2\n")
        self.write("t", "1 1:1\n0 1:2\n")
        self.succeed("train", "-q", "d", "s")
        self.assertNotIn("features", self.succeed("predict", "t", "s").stderr)
        done = self.succeed("predict", "-v", "t", "s")
        self.assertIn("has 1 of the 3 features of the training data", done.stderr)
        self.assertIn("warning: t: 1 of 2 labels are not classes of the model, '1' and '-1'", done.stderr)
        self.write("more", "1 1:1 5:1\n")
        self.fail_with(1, "predict", "more", "s")
        self.succeed("train", "-q", "--features", "5", "d", "s")
        self.succeed("predict", "more", "s")

    def test_a_row_is_not_taken_for_a_header(self):
        self.write("t.csv", "spam,1,abc\nham,2,3\n")
        self.assertIn("found words and numbers in the first line", self.fail_with(1, "train", "t.csv", "x"))
        self.assertIn("t.csv:1:8: found 'abc'", self.fail_with(1, "train", "--no-header", "t.csv", "x"))

    def test_scaled_tables_are_as_they_were(self):
        for columns, options in (
            (["class", *NAMES], []),
            ([*NAMES, "class"], ["--label-column", "last"]),
            (["height", "class", "width", "depth"], ["--label-name", "class"]),
            (["height", "class", "width", "depth"], ["--label-column", "2"]),
            ([*NAMES], ["--label-column", "none"]),
        ):
            for header in (True, False):
                if "--label-name" in options and not header:
                    continue
                self.table("in.csv", *columns, header=header)
                for output in ("out.csv", "-"):
                    with self.subTest(columns=columns, header=header, output=output):
                        done = self.succeed("scale", *options, "--minmax", "0,1", "in.csv", output)
                        text = done.stdout if output == "-" else (self.folder / output).read_text()
                        before, after = (self.folder / "in.csv").read_text().splitlines(), text.splitlines()
                        self.assertEqual(len(before), len(after))
                        if header:
                            self.assertEqual(before[0], after[0])
                        self.write("back.csv", text)
                        again = self.succeed("scale", *options, "--minmax", "0,1", "back.csv", "-").stdout
                        self.assertEqual(again, text, "scaled to the same range, it stays what it is")

    def test_features_of_different_ranges_are_scaled_by_the_model(self):
        draw = random.Random(2)
        lines = []
        for _ in range(300):
            x, y, noise = draw.gauss(0, 1), draw.gauss(0, 1), draw.gauss(0, 5000)
            lines.append(f"{'in' if x * y > 0 else 'out'},{x},{y},{noise}\n")
        self.write("wide.csv", "class,x,y,noise\n" + "".join(lines[:200]))
        self.write("test.csv", "class,x,y,noise\n" + "".join(lines[200:]))
        done = self.succeed("train", "wide.csv", "plain")
        self.assertIn("warning: wide.csv: features have very different ranges: that of feature 3 ('noise') is", done.stderr)
        self.assertIn("--scale standard", done.stderr)
        self.assertIn("(of the training problem; accuracy is another matter)", done.stdout)
        self.assertLess(self.json("predict", "test.csv", "plain")["accuracy"], 0.7)
        for how in ("minmax", "standard"):
            with self.subTest(how=how):
                done = self.succeed("train", "--scale", how, "wide.csv", how)
                self.assertEqual(done.stderr, "")
                self.assertIn(f"scaled ({how})", done.stdout)
                self.assertGreater(self.json("predict", "test.csv", how)["accuracy"], 0.85)
                self.assertEqual(self.json("info", how)["scale"], how)
                self.assertIn("verified: optimal to within", self.succeed("verify", how, "wide.csv").stdout)
        message = self.fail_with(2, "train", "--scale", "minmax", "--model-format", "libsvm", "wide.csv", "x")
        self.assertIn("--scale needs a native model", message)

    def test_a_scaled_table_can_be_trained_on_and_predicted(self):
        self.succeed("scale", "--save", "s", "train.csv", "scaled.csv")
        self.succeed("train", "-q", "scaled.csv", "m2")
        self.succeed("predict", "scaled.csv", "m2")

    def test_a_saved_scaling_knows_its_columns(self):
        self.succeed("scale", "--save", "s", "train.csv", "scaled.csv")
        expected = (self.folder / "scaled.csv").read_text()
        self.table("t.csv", "class", "width", "depth", "height")
        self.assertEqual(self.succeed("scale", "--restore", "s", "t.csv").stdout, expected)
        for columns, sentence in (
            (("class", "height", "width"), "there is no column 'depth'"),
            (("class", *NAMES, "mass"), "column 'mass' is neither"),
        ):
            self.table("t.csv", *columns)
            self.assertIn(sentence, self.fail_with(1, "scale", "--restore", "s", "t.csv", "o"))
        self.table("t.csv", "class", "height", "width", header=False)
        self.assertIn("found 2 features", self.fail_with(1, "scale", "--no-header", "--restore", "s", "t.csv", "o"))


if __name__ == "__main__":
    unittest.main()
