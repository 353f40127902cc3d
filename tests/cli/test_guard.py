"""No file is lost: an output replaces no input and no other output of the same run, and a model only a model."""

import os
import subprocess
import unittest

from cli import PARTAN, CliTest, blobs, environment

RATINGS = "".join(f"{i} {j} {(i * 7 + j * 3) % 5}\n" for i in range(12) for j in range(8) if (i + j) % 3)


class Guard(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", "y,a,b\n" + "".join(f"{i % 2},{i},{i * i % 7}\n" for i in range(30)))
        self.write("data", blobs(60))
        self.write("other", blobs(20, seed=2))
        self.write("ratings", RATINGS)
        self.write("precious.csv", "years,of,work\n")
        self.succeed("train", "-q", "data", "m")
        self.succeed("complete", "-q", "--radius", "5", "ratings", "matrix")
        self.succeed("scale", "-q", "--save", "s", "data", "scaled")
        os.symlink("data", self.folder / "link")
        os.link(self.folder / "data", self.folder / "twin")
        os.symlink("new.csv", self.folder / "dangling.csv")
        (self.folder / "sub").mkdir()

    def contents(self):
        return {p.name: p.read_bytes() for p in self.folder.iterdir() if p.is_file()}

    def refuse(self, sentence, *words, **how):
        before = self.contents()
        with self.subTest(words=words):
            self.assertIn(sentence, self.fail_with(2, *words, **how))
            self.assertEqual(self.contents(), before)

    def test_outputs_replace_no_input(self):
        for words in (
            ["train", "data", "data"], ["train", "data", "./data"], ["train", "data", "sub/../data"],
            ["train", "link", "data"], ["train", "data", "link"], ["train", "data", "twin"],
            ["train", "--force", "data", "data"],
            ["train", "--trace", "d.csv", "d.csv", "m2"], ["train", "--trace", "./d.csv", "d.csv", "m2"],
            ["predict", "data", "m", "m"], ["predict", "data", "m", "data"], ["predict", "data", "m", "twin"],
            ["scale", "data", "data"], ["scale", "data", "link"], ["scale", "--save", "data", "data", "o"],
            ["scale", "--restore", "s", "data", "s"], ["scale", "--restore", "s", "data", "data"],
            ["path", "--points", "2", "--plot", "data", "data"],
            ["path", "--points", "2", "--test", "other", "--plot", "other", "data"],
            ["lasso", "--lambda", "0.1", "--coefficients", "data", "data", "l"],
            ["lasso", "--cv", "3", "--plot", "data", "data", "l"],
            ["lasso", "--lambda", "0.1", "--trace", "d.csv", "d.csv", "l"],
            ["lasso", "--lambda", "0.1", "--force", "data", "data"],
            ["complete", "--plot", "ratings", "ratings", "c"], ["complete", "--force", "ratings", "ratings"],
            ["predict", "ratings", "matrix", "ratings"], ["predict", "ratings", "matrix", "matrix"],
        ):
            self.refuse("is an input and would be overwritten", *words)

    def test_standard_input_is_an_input_too(self):
        with open(self.folder / "data") as data:
            before = self.contents()
            done = subprocess.run([PARTAN, "train", "--force", "-", "data"], cwd=self.folder, stdin=data, text=True,
                                  capture_output=True, env=environment(), timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("is an input", done.stderr)
        self.assertEqual(self.contents(), before)

    def test_two_outputs_are_two_files(self):
        for words in (
            ["train", "--force", "--trace", "t.csv", "data", "t.csv"],
            ["train", "--trace", "new.csv", "data", "./new.csv"],
            ["train", "--trace", "new.csv", "data", "dangling.csv"],
            ["scale", "--save", "o", "data", "o"], ["scale", "--save", "o", "data", "sub/../o"],
            ["lasso", "--lambda", "0.1", "--coefficients", "c.csv", "--trace", "c.csv", "data", "l"],
            ["lasso", "--lambda", "0.1", "--coefficients", "l", "data", "l"],
            ["lasso", "--cv", "3", "--plot", "l", "data", "l"],
            ["complete", "--plot", "c", "ratings", "c"],
            ["path", "--points", "2", "--plot", "p-1.model", "--models", "p", "data"],
        ):
            self.refuse("given for two outputs", *words)

    def test_a_model_replaces_only_a_model(self):
        for words in (
            ["train", "data", "precious.csv"], ["train", "data", "other"], ["lasso", "--lambda", "0.1", "data", "other"],
            ["complete", "--radius", "5", "ratings", "precious.csv"],
        ):
            self.refuse("exists and is not a model; use --force", *words)
        self.write("p-2.model", "something else\n")
        self.refuse("p-2.model exists and is not a model", "path", "--points", "2", "--models", "p", "data")
        self.succeed("path", "-q", "--force", "--points", "2", "--models", "p", "data")
        for name in ("m", "matrix"):
            self.succeed("train", "-q", "data", name)
        self.write("empty", "")
        self.succeed("train", "-q", "--model-format", "libsvm", "data", "empty")
        self.succeed("train", "-q", "data", "empty")
        self.succeed("train", "-q", "--force", "data", "precious.csv")
        self.succeed("info", "precious.csv")

    def test_a_start_is_replaced_by_the_model_alone(self):
        self.succeed("train", "-q", "--init", "m", "--tol", "0.001", "data", "m")
        self.succeed("complete", "-q", "--radius", "5", "--init", "matrix", "ratings", "matrix")
        os.rename(self.folder / "m", self.folder / "m.csv")
        self.refuse("is an input", "train", "--init", "m.csv", "--trace", "m.csv", "data", "m2")

    def test_devices_and_standard_output_hold_anything(self):
        self.succeed("train", "-q", "--trace", "t.csv", "data", "/dev/null")
        self.succeed("scale", "--save", "/dev/null", "data", "/dev/null")
        self.succeed("scale", "--save", "o", "data")


if __name__ == "__main__":
    unittest.main()
