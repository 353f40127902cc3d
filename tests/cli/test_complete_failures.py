"""partan complete and its matrices when something is wrong with the ratings, the options, a model or the machine."""

import os
import random
import signal
import subprocess
import unittest

from cli import PARTAN, CliTest, environment

BANNER = "%%MatrixMarket matrix coordinate real general\n"


def ratings(rows, columns, share=0.7, seed=1):
    draw = random.Random(seed)
    places = [(i, j) for i in range(rows) for j in range(columns) if draw.random() < share]
    return "".join(f"{i} {j} {draw.gauss(3, 1):.2f}\n" for i, j in places)


class Ratings(CliTest):
    """What cannot be fitted gets a sentence with its place, and no model."""

    def test_bad_ratings_are_refused(self):
        for text, expected in (
            ("", "ratings: found no ratings, expected at least one"),
            ("# nothing\n\n", "ratings: found no ratings, expected at least one"),
            ("a x 1\na y five\n", "ratings:2:5: found 'five', expected a rating, a finite number"),
            ("1 1 five\n", "ratings:1:5: found 'five', expected a rating, a finite number"),
            ("a x 1\na y inf\n", "ratings:2:5: found 'inf', expected a rating, a finite number"),
            ("a x nan\na y 2\n", "ratings:1:5: found 'nan', expected a rating, a finite number"),
            ("a x 1e400\n", "ratings:1:5: found '1e400', expected a rating, a finite number"),
            ("a x 1\na y\n", "ratings:2:4: found 2 fields, expected a row, a column and a rating"),
            ("a x 1\nb x 2\na x 1\n", "ratings:3: found another value for row 'a' and column 'x', the first is in "),
            (BANNER + "2 2 2\n1 1 3\n", "ratings: found 1 entries, the size line announces 2"),
            (BANNER + "2 2 1\n1 1 3\n2 2 3\n", "ratings:4:1: found one entry more than the 1 announced"),
            (BANNER + "2 2 1\n3 1 3\n", "ratings:3:1: found '3', expected a whole number from 1 to 2"),
            (BANNER + "1099511627776 2 1\n1 1 3\n", "found '1099511627776', expected a whole number from 1 to 2147"),
            (BANNER.replace("real", "pattern") + "2 2 1\n1 1\n", "ratings:1:34: a pattern file says which entries"),
            (BANNER.replace("real", "complex") + "2 2 1\n1 1 1 1\n", "ratings:1:34: found 'complex', expected 'real'"),
            (BANNER.replace("general", "symmetric") + "2 2 1\n1 1 1\n", "found 'symmetric', expected 'general'"),
        ):
            with self.subTest(text=text):
                self.write("ratings", text)
                self.assertIn(expected, self.fail_with(1, "complete", "--radius", "1", "ratings", "m"))
                self.assertEqual(self.files(), ["ratings"])

    def test_binary_garbage_is_refused(self):
        for seed in range(20):
            (self.folder / "garbage").write_bytes(random.Random(seed).randbytes(2000))
            self.fail_with(1, "complete", "--radius", "1", "garbage", "m")
        self.assertEqual(self.files(), ["garbage"])

    def test_too_few_ratings_to_choose_a_radius_by(self):
        self.write("one", "a x 3\n")
        self.assertIn("one: too few ratings (1) to hold out a fraction of 0.1", self.fail_with(1, "complete", "one", "m"))


class Results(CliTest):
    """What looks odd but has an answer gets that."""

    def complete(self, text, *words):
        self.write("ratings", text)
        found = self.json("complete", *words, "ratings", "m")
        self.assertTrue(self.json("verify", "m", "ratings")["matches"])
        return found

    def predict(self, text):
        self.write("asked", text)
        out = self.succeed("predict", "asked", "m", "-").stdout
        return [float(line.split("\t")[2]) for line in out.splitlines()]

    def test_one_rating(self):
        self.assertEqual(self.complete("a x 3\n", "--radius", "1")["rank"], 0)
        self.assertEqual(self.predict("a x\nb x\na y\nb y\n"), [3, 3, 3, 3])
        found = self.complete("a x 3\n", "--radius", "1", "--centre", "none")
        self.assertEqual((found["rank"], found["objective"]), (1, 2))

    def test_equal_values(self):
        text = "".join(f"{i} {j} 3\n" for i in range(20) for j in range(10))
        for words in ((), ("--radius", "1")):
            found = self.complete(text, *words)
            self.assertEqual((found["rank"], found["objective"], found["relative_gap"]), (0, 0, 0))
        self.assertEqual(self.predict("5 5\nnobody nothing\n"), [3, 3])

    def test_an_empty_row_and_an_empty_column(self):
        found = self.complete("1,2,,4,5\n,,,,\n2,1,,3,1\n", "--radius", "2")
        self.assertEqual((found["rows"], found["columns"], found["entries"]), (3, 5, 8))
        about = self.json("info", "m")
        rows = {1: sum((1, 2, 4, 5)) / 4, 3: sum((2, 1, 3, 1)) / 4}
        self.assertAlmostEqual(self.predict("2 3\n")[0], about["mean"])
        for row, mean in rows.items():  # the column adds nothing: the mean of the row is left
            self.assertAlmostEqual(self.predict(f"{row} 3\n")[0], mean)

    def test_users_and_items_seen_only_in_the_test_set(self):
        self.complete("a x 1\na y 2\nb x 2\nb y 5\n", "--radius", "1")
        about = self.json("info", "m")
        self.write("asked", "new new 2\na new 2\nnew x 2\na x 1\n")
        found = self.json("predict", "asked", "m")
        self.assertEqual((found["entries"], found["valued"], found["unknown"]), (4, 4, 3))
        values = self.predict("new new\na new\nnew x\n")
        self.assertEqual(values[:2], [about["mean"], 1.5])
        self.assertEqual(self.predict("new x\nnewer x\n"), [values[2]] * 2)

    def test_huge_numbers_are_names(self):
        found = self.complete("1099511627776 1 3\n1099511627777 18446744073709551616 4\n", "--radius", "1")
        self.assertEqual((found["rows"], found["columns"]), (2, 2))

    def test_limits_of_the_rank(self):
        text = ratings(20, 10)
        short = self.complete(text, "--radius", "5", "--max-rank", "1")
        self.assertEqual((short["rank"], short["status"]), (1, "RANK_LIMIT"))
        self.assertEqual(self.complete(text, "--radius", "5", "--max-rank", "1000")["status"], "OK")

    def test_no_radius_is_one_to_be_chosen(self):
        chosen = self.complete(ratings(20, 10), "--radius", "0")
        self.assertEqual(chosen["radius"], chosen["best"]["radius"])
        for radius in ("-1", "nan", "inf", "x"):
            self.assertIn("--radius takes a number", self.fail_with(2, "complete", "--radius", radius, "ratings"))

    def test_ratings_from_a_pipe(self):
        text = ratings(20, 10)
        self.write("ratings", text)
        file = self.json("complete", "--radius", "5", "ratings", "m")
        pipe = self.json("complete", "--radius", "5", "-", "p", stdin=text)
        self.assertEqual(file["objective"], pipe["objective"])
        predicted = self.json("predict", "-", "p", stdin=text)
        self.assertEqual(predicted["rmse"], self.json("predict", "ratings", "m")["rmse"])
        self.assertIn("MODEL is required when data is read from standard input", self.fail_with(2, "complete", "--radius", "5", "-", stdin=text))


class Models(CliTest):
    def setUp(self):
        super().setUp()
        self.write("ratings", ratings(20, 10))
        self.succeed("complete", "--radius", "5", "ratings", "m")
        self.text = (self.folder / "m").read_text()

    def test_a_truncated_model_is_refused(self):
        for size in range(0, len(self.text) - 1, 61):
            self.write("cut", self.text[:size])
            for words in (("info", "cut"), ("predict", "ratings", "cut"), ("verify", "cut", "ratings")):
                self.assertIn("cut", self.fail_with(1, *words))

    def test_claims_are_checked(self):
        for key, value in (
            ("objective", "1"),
            ("gap", "1e-9"),
            ("radius", "4"),
            ("mean", "1"),
            ("entries", "3"),
            ("fingerprint", "0123456789abcdef"),
        ):
            lines = [f"{key} {value}" if line.startswith(f"{key} ") else line for line in self.text.splitlines()]
            self.assertNotEqual("\n".join(lines) + "\n", self.text)
            self.write("changed", "\n".join(lines) + "\n")
            done = self.run_partan("verify", "changed", "ratings")
            self.assertEqual(done.returncode, 1, key)
            self.assertIn("not verified", done.stderr)

    def test_a_rank_that_cannot_be_is_refused(self):
        lines = ["rank 11" if line.startswith("rank ") else line for line in self.text.splitlines()]
        self.write("changed", "\n".join(lines) + "\n")
        self.assertIn("a rank that such a matrix can have", self.fail_with(1, "info", "changed"))

    def test_models_of_another_kind(self):
        self.write("d.svm", "1 1:1\n-1 1:2\n1 1:1.5\n-1 1:3\n")
        self.succeed("train", "d.svm", "d.model")
        self.assertIn(
            "d.model: found an SVM model, expected a completed matrix",
            self.fail_with(1, "complete", "--radius", "5", "--init", "d.model", "ratings", "n"),
        )
        wrong = self.fail_with(1, "train", "--init", "m", "d.svm")
        self.assertIn("m: found a completed matrix, expected an SVM model", wrong)
        self.assertIn("expected a pair index:value", self.fail_with(1, "predict", "ratings", "d.model"))

    def test_ratings_of_others_do_not_verify(self):
        self.write("others", ratings(20, 10, seed=2))
        self.assertEqual(self.run_partan("verify", "m", "others").returncode, 1)


class Machine(CliTest):
    def test_a_time_limit_leaves_a_matrix(self):
        self.write("ratings", ratings(300, 200))
        done = self.succeed("complete", "--radius", "900", "--tol", "1e-12", "--time-limit", "0.05", "ratings", "m")
        self.assertIn("warning: stopped by --time-limit: the relative gap is", done.stderr)
        self.assertTrue(self.json("verify", "m", "ratings")["matches"])
        done = self.succeed("complete", "--tol", "1e-9", "--time-limit", "0.5", "ratings", "m")
        self.assertIn("warning: stopped by --time-limit before all radii were tried", done.stderr)
        self.assertTrue(self.json("verify", "m", "ratings")["matches"])

    def interrupt(self, *words, seen):
        """Interrupts a run once its standard output has said something, or at once where nothing is to be seen."""
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            [PARTAN, *words], cwd=self.folder, env=environment(), stdout=pipe, stderr=pipe, text=True
        )
        while seen and not process.stdout.readline().strip()[:1].isdigit():
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        return err

    def test_an_interruption_leaves_a_matrix(self):
        self.write("ratings", ratings(400, 300))
        err = self.interrupt("complete", "--tol", "1e-7", "ratings", "m", seen=True)
        self.assertIn("warning: interrupted before all radii were tried", err)
        self.assertTrue(self.json("verify", "m", "ratings")["matches"])

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_a_full_disk_is_an_error(self):
        self.write("ratings", ratings(20, 10))
        self.succeed("complete", "--radius", "5", "ratings", "m")
        for words in (
            ("complete", "-q", "--radius", "5", "ratings", "/dev/full"),
            ("complete", "-q", "--path", "--plot", "/dev/full", "ratings"),
            ("predict", "-q", "ratings", "m", "/dev/full"),
            ("predict", "-q", "--top", "3", "ratings", "m", "/dev/full"),
        ):
            self.assertIn("/dev/full: cannot be written: No space left", self.fail_with(1, *words))
        with open("/dev/full", "w", encoding="utf-8") as full:
            for words in (("complete", "--radius", "5", "ratings", "m"), ("predict", "ratings", "m", "-")):
                done = self.run_partan(*words, stdout=full)
                self.assertEqual(done.returncode, 1)
                self.assertIn("cannot be written: No space left", done.stderr)


if __name__ == "__main__":
    unittest.main()
