"""Input that is damaged, endless or long in coming ends with a sentence, at once when asked to."""

import bz2
import gzip
import lzma
import os
import resource
import signal
import subprocess
import time
import unittest

from cli import PARTAN, CliTest, blobs, environment


def run_limited(test, megabytes, *words, timeout=120):
    """Runs with so much address space only; a sanitizer wants more than that for itself."""

    def run(*line):
        limit = megabytes << 20
        return subprocess.run([PARTAN, *line], cwd=test.folder, env=environment(), capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))  # fmt: skip

    if run("version").returncode != 0:
        test.skipTest("the program does not start in so little memory")
    return run(*words)


class Compressed(CliTest):
    def put(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def test_damaged_files_are_refused_by_every_command(self):
        text = blobs(60).encode()
        self.put("data", text)
        self.succeed("train", "-q", "data", "m")
        model = (self.folder / "m").read_bytes()
        for ending, compress in ((".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)):
            good = self.put("good" + ending, compress(text))
            self.succeed("train", "-q", good, "m2")
            packed = bytearray(compress(text))
            packed[-6] ^= 1
            bad = self.put("bad" + ending, bytes(packed))
            more = self.put("more" + ending, compress(text) + b"more")
            twice = self.put("twice" + ending, gzip.compress(compress(text)))
            for name, sentence in ((bad, "cannot be decompressed as"), (more, "cannot be decompressed as"),
                                   (twice, "is compressed twice")):
                for words in (["train", name, "m3"], ["predict", name, "m"], ["verify", "m", name], ["scale", name]):
                    with self.subTest(words=words):
                        self.assertIn(f"{name}: {sentence}", self.fail_with(1, *words))
            damaged = bytearray(compress(model))
            damaged[-6] ^= 1
            self.assertIn("cannot be decompressed", self.fail_with(1, "info", self.put("m" + ending, bytes(damaged))))

    def test_a_bomb_meets_the_memory_limit(self):
        member = gzip.compress(b"1" * (1 << 20))
        self.put("line.gz", member * 3000)
        self.put("rows.gz", gzip.compress(b"1 1:1 2:1\n" * 100000) * 3000)
        for words in (
            ["train", "line.gz", "m"],
            ["info", "line.gz"],
            ["complete", "line.gz", "m"],
            ["train", "rows.gz", "m"],
        ):
            with self.subTest(words=words):
                done = run_limited(self, 600, *words)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, "out of memory|more than the .* of available memory")
        self.assertEqual(self.files(), ["line.gz", "rows.gz"])


class Wide(CliTest):
    def test_memory_goes_by_what_is_there(self):
        self.write("wide", "1 1:1 1000000000:1\n-1 1:2\n")
        for words in (
            ["train", "-q", "wide", "m"],
            ["train", "-q", "--kernel", "linear", "wide", "l"],
            ["train", "-q", "--solver", "partan", "--gamma", "scale", "wide", "p"],
            ["predict", "wide", "m"],
            ["verify", "m", "wide"],
            ["path", "-q", "--points", "2", "wide"],
            ["scale", "--save", "s", "wide", "o"],
            ["scale", "--restore", "s", "wide", "o"],
            ["scale", "--standardise", "wide", "o"],
            ["info", "m"],
            ["lasso", "-q", "--lambda", "0.01", "wide", "b"],
            ["lasso", "-q", "--path", "--points", "3", "wide"],
            ["predict", "wide", "b"],
            ["verify", "b", "wide"],
        ):
            with self.subTest(words=words):
                threads = [] if words[0] == "info" else ["--threads", "1"]
                done = run_limited(self, 400, *words, *threads, timeout=10)
                self.assertEqual(done.returncode, 0, done.stderr)


class Waiting(CliTest):
    def interrupted(self, *words, number=signal.SIGINT, stdin=None):
        run = subprocess.Popen([PARTAN, *words], cwd=self.folder, env=environment(), text=True, stdin=stdin or subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.4)
        self.assertIsNone(run.poll(), "it waits")
        run.send_signal(number)
        start = time.monotonic()
        out, error = run.communicate(timeout=30)
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual((run.returncode, out), (1, ""))
        self.assertIn("interrupted", error)

    def test_a_signal_ends_the_wait_for_input(self):
        self.write("data", blobs(40))
        self.succeed("train", "-q", "data", "m")
        os.mkfifo(self.folder / "pipe")
        for words in (["train", "pipe", "m2"], ["predict", "pipe", "m"], ["predict", "data", "pipe"], ["info", "pipe"],
                      ["scale", "pipe"], ["complete", "pipe", "m2"], ["train", "--threads", "4", "pipe", "m2"]):
            with self.subTest(words=words):
                self.interrupted(*words)
        self.interrupted("train", "pipe", "m2", number=signal.SIGTERM)
        self.assertEqual(self.files(), ["data", "m", "pipe"])

    def test_a_pipe_that_has_begun_can_be_left_too(self):
        for beginning in (b"", b"1 1:1\n-1 1:2\n" * 30000):
            for threads in ("1", "4"):
                read, write = os.pipe()
                writer = os.fork()
                if writer == 0:
                    os.close(read)
                    os.write(write, beginning)
                    time.sleep(30)
                    os._exit(0)
                os.close(write)
                try:
                    with os.fdopen(read) as stdin:
                        self.interrupted("train", "--threads", threads, "-", "m", stdin=stdin)
                finally:
                    os.kill(writer, signal.SIGKILL)
                    os.waitpid(writer, 0)


if __name__ == "__main__":
    unittest.main()
