"""Outputs survive what may happen to a process: signals, limits, links and rights; nothing half-written is left."""

import os
import resource
import signal
import subprocess
import time
import unittest

from cli import PARTAN, CliTest, blobs, environment


class Output(CliTest):
    def start(self, *words, **how):
        return subprocess.Popen(
            [PARTAN, *words],
            cwd=self.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **how,
        )

    def test_signals_leave_nothing_half_written(self):
        for signals in (
            [signal.SIGINT],
            [signal.SIGTERM],
            [signal.SIGHUP],
            [signal.SIGQUIT],
            [signal.SIGINT, signal.SIGTERM],
        ):
            with self.subTest(signals=signals):
                run = self.start("gen", "spirals", "--rows", "1000000000", "--threads", "1", "out")
                time.sleep(0.3)
                for number in signals:
                    run.send_signal(number)
                run.communicate(timeout=30)
                self.assertNotEqual(run.returncode, 0)
                self.assertEqual(self.files(), [])

    def test_a_hangup_ends_a_training_as_an_interruption_does(self):
        self.write("data", blobs(3000, spread=3.0))
        run = self.start("train", "--solver", "fw", "--tol", "1e-12", "--trace", "t.csv", "data", "m")
        time.sleep(0.5)
        run.send_signal(signal.SIGHUP)
        _, error = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, error)
        self.succeed("info", "m")
        self.assertEqual(self.files(), ["data", "m", "t.csv"])

    def test_a_limit_of_file_sizes_is_an_error(self):
        run = self.start(
            "gen",
            "spirals",
            "--rows",
            "100000",
            "out",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000)),
        )
        _, error = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertIn("out: cannot be written: File too large", error)
        self.assertEqual(self.files(), [])

    def test_models_keep_rights_and_links(self):
        self.write("data", blobs(40))
        self.succeed("train", "-q", "data", "m")
        os.chmod(self.folder / "m", 0o600)
        os.symlink("m", self.folder / "current")
        self.succeed("train", "-q", "--cost", "7", "data", "current")
        self.assertTrue((self.folder / "current").is_symlink())
        self.assertEqual((self.folder / "m").stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.json("info", "m")["cost"], 7)

    def test_long_names(self):
        name = "n" * 255
        self.write("data", blobs(40))
        self.succeed("train", "-q", "data", name)
        self.succeed("train", "-q", "data", name)
        self.succeed("predict", "data", name, "p" * 255)
        self.assertEqual(self.files(), ["data", name, "p" * 255])


if __name__ == "__main__":
    unittest.main()
