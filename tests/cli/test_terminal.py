"""Progress on a terminal and off one, and signals."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

from cli import PARTAN, CliTest, blobs, environment

# Plain Frank-Wolfe towards a gap it does not reach within the test; the limit is there in case a test goes wrong.
LONG = ["train", "--solver", "fw", "--tol", "1e-12", "--time-limit", "60"]


class OnTerminal(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(3000))

    def start(self, *words, columns=100, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=None):
        """The process, and our end of the terminal that is its standard error (and output, where stdout is None)."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([PARTAN, *words], cwd=self.folder, stdin=stdin, stdout=stdout or theirs,
                                   stderr=theirs, env=env or environment(TERM="xterm"), text=True)
        os.close(theirs)
        self.addCleanup(os.close, ours)
        self.addCleanup(process.kill)
        return process, ours

    def read(self, ours, until, seconds=30):
        """What appears until `until` matches, or the other end is closed."""
        text, end = "", time.monotonic() + seconds
        while time.monotonic() < end and not (until and re.search(until, text)):
            if select.select([ours], [], [], 0.1)[0]:
                try:
                    chunk = os.read(ours, 65536)
                except OSError:
                    break
                if not chunk:
                    break
                text += chunk.decode()
        return text

    def interrupt_when_shown(self, *words, **how):
        process, ours = self.start(*words, **how)
        text = self.read(ours, r"iterations[^\r]*\x1b\[K")  # a whole line
        process.send_signal(signal.SIGINT)
        text += self.read(ours, None)
        out, _ = process.communicate(timeout=30)
        return process.returncode, out, text

    def test_one_line_that_is_drawn_over_and_cleared(self):
        code, out, text = self.interrupt_when_shown(*LONG, "data", "m", env=environment(TERM="xterm", NO_COLOR="1"))
        self.assertEqual(code, 0)
        self.assertRegex(text, r"\rtrain .*gap [0-9.e-]+ -> 1e-12  [0-9,]+ iterations  [0-9,]+ active")
        stopping = "\r\npartan: stopping; interrupt again to quit immediately\r\n"
        self.assertIn(stopping, text)
        before = text[:text.index("partan train: warning")].replace(stopping, "")
        self.assertNotIn("\n", before, "one line only")
        self.assertTrue(before.endswith("\r\x1b[K"), "cleared before the warning")
        self.assertNotRegex(text, r"\x1b\[[0-9;]*m", "NO_COLOR")
        self.assertNotIn("\x1b", out)

    def short_run(self, *words, **how):
        process, ours = self.start(*LONG, "--time-limit", "0.5", *words, "data", "m", **how)
        text = self.read(ours, None)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0)
        return text

    def test_narrow_terminals_do_not_wrap(self):
        for columns in (10, 20, 40, 60, 200):
            text = self.short_run(columns=columns)
            self.assertIn("train", text)
            for line in text.split("partan train: warning")[0].split("\r"):
                self.assertLess(len(re.sub(r"\x1b\[[0-9;]*[mK]", "", line)), columns)

    def test_what_is_done_and_the_point_at_work_rise_over_all_gammas(self):
        slow = environment(TERM="xterm", PARTAN_ISA="reference")  # every point is shown, on fast machines too
        process, ours = self.start("tune", "--solver", "fw", "--tol", "1e-12", "--max-iter", "12000", "--cost", "1,10",
                                   "--gamma", "0.1,0.2,0.4", "data", columns=200, env=slow)
        text = self.read(ours, None, 120)
        process.communicate(timeout=60)
        points = [(int(at), int(of)) for at, of in re.findall(r"tune (\d+) of (\d+)", text)]
        shares = [int(share) for share in re.findall(r"(\d+)%", text[text.index("tune"):])]
        self.assertTrue(points and shares)
        self.assertEqual({of for _, of in points}, {6})
        self.assertEqual(points, sorted(points))
        self.assertEqual(shares, sorted(shares))

    def test_a_table_begins_where_the_line_was(self):
        process, ours = self.start("path", "--points", "2", "--cost", "0.1..1", "-", stdin=subprocess.PIPE, stdout=None)
        text, rows = "", blobs(200)
        while "read" not in text:  # however long it takes until it is shown
            process.stdin.write(rows)
            process.stdin.flush()
            text += self.read(ours, "read", 0.05)
        process.stdin.close()
        text += self.read(ours, None)
        process.wait(timeout=60)
        self.assertTrue(text[:text.index("objective")].rstrip(" C").endswith("\r\x1b[K"), text)

    def test_what_switches_it_off(self):
        for word in ("-q", "--no-progress"):
            text = self.short_run(word)
            self.assertNotIn("iterations", text)
            self.assertTrue(text.startswith("partan train: warning: "), text)

    def test_dumb_terminals_get_no_escapes(self):
        self.assertNotIn("\x1b", self.short_run(env=environment(TERM="dumb")))


class OffTerminal(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(3000))

    def start(self, *words, stdin=subprocess.DEVNULL):
        process = subprocess.Popen([PARTAN, *words], cwd=self.folder, stdin=stdin, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment(), text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def test_plain_lines_now_and_then(self):
        done = self.succeed(*LONG, "--progress", "--time-limit", "1", "data", "m")
        lines = [line for line in done.stderr.splitlines() if "warning" not in line]
        self.assertTrue(1 <= len(lines) <= 2, done.stderr)
        self.assertNotIn("\x1b", done.stderr)
        self.assertNotIn("\r", done.stderr)

    def test_a_signal_ends_training_with_a_valid_model(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(*LONG, "--progress", "--json", "--trace", "t.csv", "data", "m")
            for line in process.stderr:
                if "iterations" in line:
                    break
            process.send_signal(number)
            out, err = process.communicate(timeout=30)
            found = json.loads(out)
            self.assertEqual((process.returncode, found["status"], found["converged"]), (0, "INTERRUPTED", False))
            self.assertIn("warning: interrupted: the relative gap is ", err)
            self.assertTrue(self.json("verify", "m", "data")["matches"])
            self.assertEqual(self.files(), ["data", "m", "t.csv"])
            self.assertEqual(self.json("info", "m")["gap"], found["gap"])

    def test_a_signal_while_reading_leaves_nothing(self):
        process = self.start("train", "--trace", "t.csv", "-", "m", stdin=subprocess.PIPE)
        process.stdin.write(blobs(50))
        process.stdin.flush()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, out, err), (1, "", "partan train: interrupted\n"))
        self.assertEqual(self.files(), ["data"])

    def test_a_signal_ends_the_generator(self):
        process = self.start("gen", "twonorm", "--rows", "100000000", "big")
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, out, err), (1, "", "partan gen: interrupted\n"))
        self.assertEqual(self.files(), ["data"])


if __name__ == "__main__":
    unittest.main()
