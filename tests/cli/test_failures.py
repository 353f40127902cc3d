"""What goes wrong at run time: exit status 1, a sentence that names the file, nothing half-written, no crash."""

import os
import subprocess
import unittest

from cli import PARTAN, CliTest, blobs, environment


class Failures(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(100))

    def closed(self, *words, shell):
        """Runs with redirections that only a shell can make."""
        line = f'"$0" "$@" {shell}'
        return subprocess.run(["sh", "-c", line, PARTAN, *words], cwd=self.folder, env=environment(), text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)

    def test_missing_input(self):
        for words in (["train", "nowhere"], ["predict", "data", "nowhere"], ["verify", "nowhere", "data"],
                      ["info", "nowhere"], ["scale", "nowhere"], ["scale", "--restore", "nowhere", "data"]):
            self.assertIn("nowhere: ", self.fail_with(1, *words))
        self.assertEqual(self.files(), ["data"])

    def test_bad_input_is_located(self):
        self.write("bad", "1 1:2\n-1 1:x\n")
        self.assertIn("bad:2:", self.fail_with(1, "train", "bad"))
        self.write("nan", "1 1:2\n-1 1:nan\n")
        self.assertIn("nan:2:", self.fail_with(1, "train", "nan"))
        self.write("single", "1 1:2\n1 1:3\n")
        self.assertIn("single", self.fail_with(1, "train", "single"))
        self.write("empty", "")
        self.assertIn("empty", self.fail_with(1, "train", "empty"))
        self.assertEqual(self.files(), ["bad", "data", "empty", "nan", "single"])

    def test_outputs_are_checked_before_the_work(self):
        for words in (["train", "nowhere.svm", "no/such/folder/m"],
                      ["train", "--trace", "no/t.csv", "nowhere.svm", "m"],
                      ["predict", "nowhere.svm", "nowhere.model", "no/out"], ["scale", "nowhere.svm", "no/out"],
                      ["scale", "--save", "no/s", "nowhere.svm", "out"]):
            message = self.fail_with(1, *words)
            self.assertIn("cannot be written", message)
            self.assertNotIn("nowhere", message)
        self.assertEqual(self.files(), ["data"])

    def test_failed_training_leaves_nothing_behind(self):
        self.succeed("train", "-q", "data", "old")
        before = (self.folder / "old").read_text()
        self.write("bad", "1 1:2\nx\n")
        self.fail_with(1, "train", "--trace", "t.csv", "bad", "old")
        self.assertEqual(self.files(), ["bad", "data", "old"])
        self.assertEqual((self.folder / "old").read_text(), before)

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_full_disk(self):
        self.succeed("train", "-q", "data", "m")
        for words in (["train", "-q", "data", "/dev/full"], ["predict", "-q", "data", "m", "/dev/full"],
                      ["gen", "spirals", "--output", "/dev/full"], ["scale", "data", "/dev/full"]):
            with self.subTest(words=words):
                self.assertIn("/dev/full: cannot be written", self.fail_with(1, *words))
        with open("/dev/full", "w") as full:
            for words in (["train", "data", "m"], ["train", "--json", "data", "m"], ["predict", "data", "m", "-"],
                          ["info", "m"], ["help"], ["help", "--man"], ["version"], ["gen", "spirals"]):
                with self.subTest(words=words):
                    done = self.run_partan(*words, stdout=full)
                    self.assertEqual(done.returncode, 1)
                    self.assertIn("cannot be written: No space left on device", done.stderr)

    def test_closed_standard_output(self):
        for words in (["help"], ["gen", "spirals"], ["train", "data", "m"], ["predict", "data", "m", "-"]):
            with self.subTest(words=words):
                done = self.closed(*words, shell=">&-")
                self.assertEqual(done.returncode, 1)
                self.assertIn("cannot be written", done.stderr)
        self.assertTrue((self.folder / "m").stat().st_size > 0, "the model itself was written")
        self.succeed("info", "m")

    def test_closed_standard_error_and_input(self):
        done = self.closed("train", "data", "m", shell="2>&- <&-")
        self.assertEqual(done.returncode, 0)
        done = self.closed("train", "-", "m2", shell="<&-")
        self.assertEqual(done.returncode, 1)

    def test_messages_never_land_in_a_file_that_took_the_place_of_standard_error(self):
        done = self.closed("train", "--progress", "--solver", "fw", "--tol", "1e-12", "--time-limit", "0.4", "--trace",
                           "t.csv", "data", "m", shell="2>&-")
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("partan train", (self.folder / "t.csv").read_text())
        self.assertNotIn("partan train", (self.folder / "m").read_text())

    def test_broken_pipe_ends_quietly_enough(self):
        line = '"$0" gen spirals --rows 1000000 | head -n 1; echo ${PIPESTATUS[0]}'
        done = subprocess.run(["bash", "-c", line, PARTAN], cwd=self.folder, env=environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout.splitlines()[-1], "1")
        self.assertIn("Broken pipe", done.stderr)

    def test_existing_output_is_replaced_whole(self):
        self.write("m", "x" * 1000000)
        self.succeed("train", "-q", "--force", "data", "m")
        self.assertNotIn("xxx", (self.folder / "m").read_text())
        self.assertEqual(self.files(), ["data", "m"])

    def test_odd_file_names_survive_in_json(self):
        name = 'a "quoted"\\ name\twith\nbreaks é.svm'
        self.write(name, blobs(40))
        found = self.json("train", name, "m")
        self.assertEqual(found["data"], name)


if __name__ == "__main__":
    unittest.main()
