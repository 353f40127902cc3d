"""Checkpoints: runs that are killed at random moments and resumed; PARTAN_KILLS says how often (default 6 each)."""

import os
import random
import subprocess
import time
import unittest

from cli import PARTAN, CliTest, environment

KILLS = int(os.environ.get("PARTAN_KILLS", "6"))


def three_blobs(rows):
    draw = random.Random(3)
    lines = []
    for i in range(rows):
        x, y = draw.gauss(i % 3, 0.8), draw.gauss(i % 3 % 2, 0.8)
        lines.append(f"{i % 3} 1:{x:.6f} 2:{y:.6f}\n")
    return "".join(lines)


class Killed(CliTest):
    def steps(self):
        """Iterations of the machines in the checkpoint, by number, and whether they are done."""
        found, number = {}, None
        for line in (self.folder / "ck").read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == "number":
                number = value
            elif key == "done":
                done = value == "yes"
            elif key == "iterations":
                found[number] = (done, int(value))
        return found

    def kill_and_resume(self, *options):
        """Kills the training KILLS times, at moments drawn anew, and lets the last run come to its end."""
        draw = random.Random(7)
        words = [PARTAN, "train", "-q", *options, "--checkpoint", "ck", "--checkpoint-every", "0.001", "data", "model"]
        start = time.monotonic()
        subprocess.run(words, cwd=self.folder, env=environment(), check=True, timeout=120)
        whole = time.monotonic() - start
        (self.folder / "ck").unlink()
        (self.folder / "model").unlink()
        before = {}
        for _ in range(KILLS):
            resume = ["--resume", "ck"] if (self.folder / "ck").exists() else []
            run = subprocess.Popen([*words, *resume], cwd=self.folder, env=environment(), stderr=subprocess.PIPE)
            try:
                run.communicate(timeout=draw.uniform(0, whole))
            except subprocess.TimeoutExpired:
                run.kill()
                run.communicate()
            self.assertIn(run.returncode, (0, -9))
            if (self.folder / "ck").exists():
                now = self.steps()
                for number, (done, steps) in before.items():
                    self.assertIn(number, now)
                    self.assertGreaterEqual(now[number], (done, steps), "nothing of an earlier run is lost")
                before = now
        resume = ["--resume", "ck"] if (self.folder / "ck").exists() else []
        done = self.succeed("train", *options, *resume, "data", "model")
        self.assertNotIn("warning", done.stderr, "the target is met")
        self.succeed("verify", "model", "data")

    def test_default_solver(self):
        self.succeed("gen", "ringnorm", "--rows", "6000", "data")
        self.kill_and_resume("--cost", "100", "--tol", "1e-5")

    def test_variant(self):
        self.succeed("gen", "ringnorm", "--rows", "2000", "data")
        self.kill_and_resume("--solver", "partan", "--tol", "0.005")

    def test_sampled_variant(self):
        self.succeed("gen", "ringnorm", "--rows", "2000", "data")
        self.kill_and_resume("--solver", "swap", "--sample", "194", "--tol", "0.1")

    def test_many_classes(self):
        self.write("data", three_blobs(6000))
        self.kill_and_resume("--tol", "1e-5", "--cost", "100")


class Options(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("gen", "ringnorm", "--rows", "500", "data")
        self.succeed("train", "-q", "--checkpoint", "ck", "--checkpoint-every", "0", "data", "model")

    def test_a_training_with_checkpoints_is_the_same(self):
        self.succeed("train", "-q", "data", "plain")
        lines = [[line for line in (self.folder / name).read_text().splitlines() if not line.startswith("seconds")]
                 for name in ("model", "plain")]
        self.assertEqual(*lines)

    def test_other_data_and_settings_are_refused(self):
        self.succeed("gen", "ringnorm", "--rows", "500", "--seed", "9", "other")
        message = self.fail_with(1, "train", "--resume", "ck", "other", "m")
        self.assertRegex(message, "ck:3: found 'fingerprint .*', expected 'fingerprint .*': .* on other data")
        for option in (("--cost", "2"), ("--kernel", "linear"), ("--gamma", "0.5"), ("--solver", "fw"),
                       ("--scale", "minmax")):
            message = self.fail_with(1, "train", "--resume", "ck", *option, "data", "m")
            self.assertIn("the checkpoint is that of a training with other settings", message, option)
        message = self.fail_with(1, "train", "--resume", "ck", "--class-weight", "balanced", "data", "m")
        self.assertIn("with other weights of classes", message)
        self.assertNotIn("m", self.files())

    def test_tolerance_and_limits_may_be_others(self):
        found = self.json("train", "--resume", "ck", "--tol", "1e-6", "--max-iter", "1000000", "data", "m")
        self.assertTrue(found["converged"])
        self.assertLessEqual(found["relative_gap"], 1e-6)
        self.succeed("verify", "m", "data")

    def test_a_checkpoint_replaces_no_other_file(self):
        before = (self.folder / "model").read_text()
        message = self.fail_with(2, "train", "--checkpoint", "model", "data", "m")
        self.assertIn("model exists and is not a checkpoint; use --force to overwrite it", message)
        message = self.fail_with(2, "train", "--checkpoint", "data", "data", "m")
        self.assertIn("data is an input and would be overwritten", message)
        message = self.fail_with(2, "train", "--checkpoint", "m", "data", "m")
        self.assertIn("given for two outputs", message)
        self.assertEqual((self.folder / "model").read_text(), before)

    def test_what_cannot_be_combined(self):
        self.assertIn("takes a file", self.fail_with(2, "train", "--checkpoint", "-", "data", "m"))
        self.assertIn("needs --checkpoint", self.fail_with(2, "train", "--checkpoint-every", "3", "data", "m"))
        self.assertIn("cannot be combined", self.fail_with(2, "train", "--resume", "ck", "--init", "model", "data", "m"))
        message = self.fail_with(1, "train", "--resume", "nowhere", "data", "m")
        self.assertIn("nowhere: ", message)

    def test_a_folder_that_cannot_be_written_is_noticed_before_training(self):
        message = self.fail_with(1, "train", "--checkpoint", "nowhere/ck", "data", "m")
        self.assertIn("nowhere/ck: cannot be written", message)

    def test_a_model_is_no_checkpoint(self):
        message = self.fail_with(1, "train", "--resume", "model", "data", "m")
        self.assertIn("model: found an SVM model, expected a checkpoint", message)


if __name__ == "__main__":
    unittest.main()
