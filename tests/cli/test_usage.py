"""What is refused before any work is done: exit status 2, a sentence on standard error, nothing on standard output."""

import unittest

from cli import CliTest

CASES = [
    # unknown words, with the nearest one
    ("trian x", "unknown command 'trian'; did you mean 'train'?"),
    ("xyzzy", "unknown command 'xyzzy'"),
    ("-c 1 x", "unknown option '-c'; the command must come first"),
    ("train --kernal rbf x", "unknown option '--kernal'; did you mean '--kernel'?"),
    ("train --kernal=rbf x", "unknown option '--kernal'; did you mean '--kernel'?"),
    ("train --time x", "unknown option '--time'; did you mean '--time-limit'?"),
    ("train --max_iter 3 x", "unknown option '--max_iter'; did you mean '--max-iter'?"),
    ("train --xyzzyx x", "unknown option '--xyzzyx'\n"),
    ("train -z x", "unknown option '-z'"),
    ("train -qz x", "unknown option '-z' in -qz"),
    ("train --no-json x", "unknown option '--no-json'"),
    ("predict --cost 1 x y", "unknown option '--cost'"),
    ("gen chekerboard", "unknown kind 'chekerboard'; did you mean 'checkerboard'?"),
    # values
    ("train x --cost", "option '--cost' needs a value: --cost C"),
    ("train x -c", "option '-c' needs a value: -c C"),
    ("train --json=yes x", "option '--json' takes no value"),
    ("train --cost abc x", "--cost takes a number from 1e-30 to 1e+30, not 'abc'"),
    ("train -c0 x", "--cost takes a number from 1e-30 to 1e+30, not '0'"),
    ("train --cost -1 x", "--cost takes a number from 1e-30 to 1e+30, not '-1'"),
    ("train --cost= x", "--cost takes a number from 1e-30 to 1e+30, not ''"),
    ("train --cost nan x", "not 'nan'"),
    ("train --cost inf x", "not 'inf'"),
    ("train --cost 1e999 x", "not '1e999'"),
    ("train --gamma -1 x", "--gamma takes a number from 1e-300 to 1e+300, or auto or scale, not '-1'"),
    ("train --gamma sclae x", "did you mean 'scale'?"),
    ("train --kernel rfb x", "did you mean 'rbf'?"),
    ("train -t 9 x", "--kernel takes linear, polynomial, rbf, sigmoid, precomputed or laplacian, not '9'"),
    ("train --degree 2.5 x", "--degree takes a whole number from 1 to 1000, not '2.5'"),
    ("train --tol 2 x", "--tol takes a number from 0 to 1, not '2'"),
    ("train --max-iter -1 x", "--max-iter takes a whole number of at least 0, not '-1'"),
    ("train --cache 12Q x", "--cache takes a number of bytes (or of K, M, G or T), or auto, not '12Q'"),
    ("train --threads -2 x", "--threads takes a whole number from 0 to 4096, or auto, not '-2'"),
    ("train --storage bit x", "did you mean 'bits'?"),
    ("train --label-column -3 x", "--label-column takes a whole number from 1 to 2147483647, or last or none"),
    ("train --model-format xml x", "--model-format takes native or libsvm, not 'xml'"),
    ("train --trace t.txt x", "--trace takes a file whose name ends in .csv, .jsonl or .json, not 't.txt'"),
    ("train --step classic x", "--step classic needs solver fw, not auto"),
    ("train --tol 0 x", "--tol 0 needs an eps above 0"),
    ("help --completions tcsh", "--completions takes bash, zsh or fish, not 'tcsh'"),
    ("scale --minmax 1,0 x", "--minmax takes two numbers LO,HI with LO below HI, as in 0,1, not '1,0'"),
    ("scale --minmax 1 x", "--minmax takes two numbers"),
    ("scale --minmax 0,nan x", "--minmax takes two numbers"),
    ("scale --minmax 0,1 --standardise x", "--minmax and --standardise cannot be combined"),
    ("scale --restore f --save g x", "--restore applies a saved scaling and cannot be combined with --save"),
    ("gen spirals --rows 0", "--rows takes a whole number of at least 1, not '0'"),
    ("gen spirals a --output b", "the output is given twice, as 'a' and as --output b"),
    # arguments
    ("train", "an argument is missing; usage: partan train [options] DATA [MODEL]"),
    ("train a b c", "unexpected argument 'c'; usage: partan train [options] DATA [MODEL]"),
    ("predict a", "one more argument is missing"),
    ("verify a", "one more argument is missing"),
    ("info", "an argument is missing"),
    ("gen", "KIND is missing"),
    ("version now", "unexpected argument 'now'"),
    ("train -", "MODEL is required when data is read from standard input"),
    ("train --json a -", "both write to standard output"),
    ("predict --json a b -", "both write to standard output"),
    ("predict --decision a b", "--decision writes decision values to OUTPUT, which is missing"),
]


class Usage(CliTest):
    def test_refusals(self):
        for line, message in CASES:
            with self.subTest(line=line):
                text = self.fail_with(2, *line.split(" "))
                self.assertIn(message, text)
                command = line.split(" ")[0]
                self.assertTrue(text.endswith(f"Try 'partan help {command}'.\n") or text.endswith("Try 'partan help'.\n"))
                self.assertEqual(self.files(), [], "nothing is written")

    def test_the_empty_word_is_no_option(self):
        self.assertIn("unexpected argument ''", self.fail_with(2, "train", "a", "b", ""))
        self.assertIn("unknown command ''", self.fail_with(2, ""))

    def test_very_long_words_are_refused_like_others(self):
        word = "x" * 100000
        self.assertIn("unknown option", self.fail_with(2, "train", "--" + word, "x"))
        self.assertIn("unknown command", self.fail_with(2, word))
        self.assertIn("--cost takes", self.fail_with(2, "train", "--cost", word, "x"))

    def test_double_dash_ends_the_options(self):
        self.assertIn("--cost", self.fail_with(1, "train", "--", "--cost"))  # a file that is not there


if __name__ == "__main__":
    unittest.main()
