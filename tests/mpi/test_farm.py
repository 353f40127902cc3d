"""partan-mpi tune and cv: what partan says and writes, to the last bit, for any number of processes; and what goes wrong,
with deadlines."""

import json
import os
import random
import re
import signal
import subprocess
import time
import unittest

import test_mpi
from test_mpi import ALLOWED, DEADLINE, MPIRUN, PROGRAM, blobs, environment

OWN = ("time", "peak_memory_bytes", "processes")  # of a run, not of what it found


def timeless(found):
    """JSON without times."""
    if isinstance(found, dict):
        return {k: timeless(v) for k, v in found.items() if k not in OWN and "seconds" not in k}
    return [timeless(v) for v in found] if isinstance(found, list) else found


def classes(rows, count):
    draw = random.Random(3)
    return "".join(f"{i % count} 1:{draw.gauss(i % count, 0.8):.4f} 2:{draw.gauss(-(i % count), 1.5):.4f}\n"
                   for i in range(rows))


class FarmTest(test_mpi.MpiTest):
    def processes(self):
        return test_mpi.Checkpoints.processes(self)

    def rows(self, text):
        """The table without seconds, which only a status may follow."""
        return [re.sub(r" +[0-9.]+( +[A-Z_]+)?$", r"\1", line) if line[:1] == " " else line
                for line in text.splitlines()]

    def assert_same(self, *words, processes=(3,), files=()):
        """Table, messages, JSON and files are those of partan."""
        one = self.succeed(self.command, "--threads", "1", *words)
        kept = {name: self.take(name) for name in files}
        numbers = json.loads(self.succeed(self.command, "--threads", "1", "--json", *words).stdout)
        for name in files:
            self.take(name)
        for n in processes:
            out, err = self.together(n, *words)
            self.assertEqual(self.rows(out), self.rows(one.stdout), f"{words}, {n} processes")
            self.assertEqual(err.replace("partan-mpi", "partan"), one.stderr)
            for name in files:
                self.assertEqual(self.take(name), kept[name], f"{name}, {words}, {n} processes")
            found = json.loads(self.together(n, "--json", *words)[0])
            for name in files:
                self.take(name)
            self.assertEqual(found["processes"], n)
            self.assertEqual(timeless(found), timeless(numbers), f"{words}, {n} processes")

    def take(self, name):
        """A file's text, which is removed; of a table of points, without times."""
        text = (self.folder / name).read_text()
        (self.folder / name).unlink()
        return points(text) if text.startswith("# partan tune") else text

    def wait_for(self, run, there):
        begin = time.monotonic()
        while not there() and run.poll() is None and time.monotonic() < begin + DEADLINE:
            time.sleep(0.02)
        self.assertTrue(there(), "what was waited for did not come")

    def one_message(self, *parts):
        """What one process says where each part is a number of processes and words of its own."""
        words = []
        for count, *own in parts:
            words += [":"] * bool(words) + ["-n", str(count), *own]
        run = subprocess.Popen([MPIRUN, *words], cwd=self.folder, env=environment(**ALLOWED), text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
        code, _, err = self.end(run)
        self.assertNotEqual(code, 0)
        lines = [line for line in err.splitlines() if line.startswith("partan-mpi")]
        self.assertEqual(len(lines), 1, f"one process speaks: {err}")
        return lines[0]


def points(text):
    """The lines of a table of points without times."""
    lines = text.splitlines()
    skipped = [i for i, name in enumerate(lines[1].split(",")) if "seconds" in name]
    return lines[:1] + [[v for i, v in enumerate(line.split(",")) if i not in skipped] for line in lines[1:]]


class Tune(FarmTest):
    command = "tune"

    def test_all_numbers_of_processes(self):
        self.write("data", blobs(300))
        self.assert_same("--cost", "0.1,1,10", "--gamma", "0.01..10", "--gamma-points", "6", "--folds", "3", "--table",
                         "t.csv", "--plot", "p.svg", "data", processes=(1, 2, 3, 4), files=("t.csv", "p.svg"))

    def test_fewer_lines_than_processes(self):
        self.write("data", blobs(200))
        self.assert_same("--cost", "1,10", "--gamma", "auto", "data", processes=(4,))
        self.assert_same("--cost", "1", "--kernel", "linear", "data")

    def test_problems(self):
        self.succeed("gen", "friedman", "--rows", "200", "numbers")
        self.assert_same("--problem", "regression", "--cost", "1,10", "--gamma", "0.1,0.5", "--epsilon", "0.1,0.5",
                         "--score", "mae", "--table", "t.csv", "numbers", files=("t.csv",))
        self.write("many", classes(240, 4))
        self.assert_same("--cost", "1,10", "--gamma", "0.1,1,5", "--score", "f1", "many")
        self.write("odd", blobs(200))
        self.assert_same("--problem", "outlier", "--cost", "0.01,0.1", "--gamma", "0.1,1", "odd")

    def test_solvers_and_scores(self):
        self.write("data", blobs(200))
        self.assert_same("--solver", "partan", "--cost", "1,10", "--gamma", "0.1,1", "--tol", "0.1", "data")
        self.assert_same("--score", "log-loss", "--cost", "1,10", "--gamma", "0.1,1", "data")
        self.assert_same("--max-iter", "3", "--tol", "1e-6", "--cost", "1,10", "--gamma", "0.1,1", "data")

    def test_data_that_cannot_be_read_in_parts(self):
        """Every process reads all of it, so it may be compressed, and have its weights in another file."""
        rows = "".join(f"{'spam' if i % 2 else 'ham'},{i % 7},{i % 2 + 0.01 * i:.2f}\n" for i in range(120))
        self.write("t.csv", "label,a,b\n" + rows)
        subprocess.run(["gzip", str(self.folder / "t.csv")], check=True)
        self.write("w", "".join(f"{1 + i % 3}\n" for i in range(120)))
        self.assert_same("--weights", "w", "--scale", "standard", "--class-weight", "balanced", "--cost", "1,10",
                         "--gamma", "0.1,1", "t.csv.gz")

    def test_warnings_of_all_processes_are_told(self):
        self.write("data", "".join(f"{i % 2} 1:{i % 2 + i % 5} 2:{(i * 7919) % 1000003}\n" for i in range(100)))
        self.assert_same("--cost", "1,2", "--gamma", "0.1,0.2,0.3", "data")
        self.assertIn("very different ranges", self.together(3, "--cost", "1", "--gamma", "0.1,0.2", "data")[1])

    def test_tables_are_resumed(self):
        """By any number of processes, and by partan."""
        self.write("data", blobs(200))
        words = ("--cost", "1,10", "--table", "t.csv")
        self.together(3, *words, "--gamma", "0.1,1", "data")
        out, err = self.together(2, *words, "--gamma", "0.05,0.1,1,2", "data")
        self.assertIn("4 of 8 points are taken from t.csv", err)
        self.assertEqual([line.split()[1] for line in out.splitlines()[1:9]],
                         ["0.1", "0.1", "1", "1", "0.05", "0.05", "2", "2"])
        self.succeed("tune", *words, "--gamma", "0.05,0.1,1,2", "data")
        resumed = self.take("t.csv")
        self.succeed("tune", *words, "--gamma", "0.05,0.1,1,2", "data")
        self.assertEqual(self.take("t.csv"), resumed)
        self.write("t.csv", "a,b\n")
        self.assertIn("t.csv:1: not a table of partan tune", self.refused(3, *words, "data"))

    def test_a_time_limit(self):
        self.succeed("gen", "ringnorm", "--rows", "20000", "ring")
        words = ("--cost", "10,1000", "--tol", "1e-5", "--gamma", "0.1..1", "--gamma-points", "9")
        out, err = self.together(3, *words, "--time-limit", "2", "--json", "ring")
        found = json.loads(out)
        self.assertEqual(found["status"], "TIME_LIMIT")
        self.assertLess(len(found["points"]), 18)
        self.assertRegex(err, r"stopped by --time-limit: \d+ of 18 points are done")

    def test_a_signal_to_one_process_ends_all_with_what_is_known(self):
        self.write("data", blobs(3000))
        for which in (0, 2):
            words = ("--cost", "1,1e9", "--solver", "fw", "--tol", "1e-9")
            run = self.start(3, *words, "--gamma", "0.1,1,2,3,4", "data")
            self.wait_for(run, lambda: self.has_begun(3))
            time.sleep(1)
            os.kill(self.processes()[which], signal.SIGTERM)
            code, out, err = self.end(run, 60)
            self.assertEqual(code, 0, err)
            self.assertRegex(err, r"warning: interrupted: \d of 10 points are done")

    def has_begun(self, count):
        try:
            return len(self.processes()) == count
        except AssertionError:
            return False

    def test_interruption_of_all(self):
        self.write("data", blobs(3000))
        run = self.start(3, "--cost", "1", "--solver", "fw", "--tol", "1e-9", "--gamma", "1,2,3,4", "data")
        self.wait_for(run, lambda: self.has_begun(3))
        time.sleep(1)
        run.send_signal(signal.SIGINT)
        self.end(run, 60)

    def test_a_process_that_dies(self):
        """The run ends; lines that others have finished are in the table, and the run can be resumed."""
        self.write("data", blobs(400))
        words = ("--cost", "1,10", "--table", "t.csv", "--tol", "1e-3")
        gammas = ",".join(f"{0.1 + 0.01 * i:.2f}" for i in range(60))
        run = self.start(3, *words, "--gamma", gammas, "data")
        self.wait_for(run, lambda: (self.folder / "t.csv").exists())
        os.kill(self.processes()[-1], signal.SIGKILL)
        code, _, _ = self.end(run, 60)
        self.assertNotEqual(code, 0)
        begun = points((self.folder / "t.csv").read_text())
        self.assertGreater(len(begun), 2)
        self.together(2, *words, "--gamma", gammas, "data")
        resumed = self.take("t.csv")
        self.assertEqual([line for line in resumed if line in begun], begun)
        self.succeed("tune", "--threads", "1", *words, "--gamma", gammas, "data")
        self.assertEqual(self.take("t.csv"), resumed)


    def test_the_table_is_written_while_others_work(self):
        self.write("data", blobs(600))
        gammas = [f"{0.1 + 0.01 * i:.2f}" for i in range(30)]
        run = self.start(2, "--cost", "1,10", "--table", "t.csv", "--tol", "1e-3", "--gamma", ",".join(gammas), "data")
        self.wait_for(run, lambda: (self.folder / "t.csv").exists())
        held = self.processes()[-1]
        os.kill(held, signal.SIGSTOP)
        try:
            self.wait_for(run, lambda: len((self.folder / "t.csv").read_text().splitlines()) >= 2 * len(gammas))
        finally:
            os.kill(held, signal.SIGCONT)
        code, _, err = self.end(run)
        self.assertEqual(code, 0, err)
        self.assertEqual(len((self.folder / "t.csv").read_text().splitlines()), 2 + 2 * len(gammas))


class Failures(FarmTest):
    command = "tune"

    def setUp(self):
        super().setUp()
        self.write("data", blobs(200))

    def test_a_line_that_one_process_cannot_do(self):
        message = self.refused(3, "--kernel", "polynomial", "--cost", "1", "--gamma", "1,2,1e30,3,4,5", "data")
        self.assertRegex(message, "partan-mpi tune: (process [23] of 3: )?kernel values leave the range of float32")

    def test_failures_of_all(self):
        self.assertIn("nowhere: cannot be read", self.refused(3, "nowhere"))
        self.write("bad", blobs(30) + "+1 1:x\n")
        self.assertIn("bad:31:6: found 'x'", self.refused(3, "bad"))
        self.assertIn("--cost takes", self.refused(3, "--cost", "x", "data"))
        self.assertIn("unknown option", self.refused(3, "--no-such-option", "data"))
        self.assertIn("standard input cannot be read by several processes", self.refused(3, "-"))
        self.write("few", "1 1:1\n-1 1:2\n1 1:3\n1 1:4\n")
        self.assertIn("class '-1' has 1 row", self.refused(3, "--folds", "2", "--gamma", "1,2,3", "few"))

    def test_failures_of_one(self):
        words = (PROGRAM, "tune", "--threads", "1", "--gamma", "1,2")
        self.assertIn("nowhere: cannot be read", self.one_message((2, *words, "data"), (1, *words, "nowhere")))
        self.write("other", blobs(201))
        self.assertIn("process 3 has found other data", self.one_message((2, *words, "data"), (1, *words, "other")))
        self.assertIn("different instruction sets", self.one_message((2, *words, "data"), (
            1, "env", "PARTAN_ISA=reference", *words, "data")))

    def test_outputs_that_cannot_be_written(self):
        self.assertIn("/dev/full: cannot be written: No space", self.refused(3, "--plot", "/dev/full", "data"))
        self.assertIn("nowhere/t: cannot be written", self.refused(3, "--table", "nowhere/t", "data"))

    def test_a_table_that_cannot_be_written_any_more(self):
        (self.folder / "sub").mkdir()
        run = self.start(3, "--table", "sub/t.csv", "--tol", "1e-3", "--gamma",
                         ",".join(f"{0.1 + 0.01 * i:.2f}" for i in range(200)), "data")
        self.wait_for(run, lambda: (self.folder / "sub/t.csv").exists())
        (self.folder / "sub").rename(self.folder / "elsewhere")
        code, _, err = self.end(run)
        self.assertNotEqual(code, 0)
        lines = [line for line in err.splitlines() if line.startswith("partan-mpi")]
        self.assertEqual(len(lines), 1, err)
        self.assertIn("sub/t.csv: cannot be written", lines[0])


class CrossValidation(FarmTest):
    command = "cv"

    def test_all_numbers_of_processes(self):
        self.write("data", blobs(301))
        self.assert_same("--folds", "5", "--decision", "data", "out", processes=(1, 2, 3, 4), files=("out",))

    def test_fewer_folds_than_processes(self):
        self.write("data", blobs(101))
        self.assert_same("--folds", "2", "data", processes=(4,))

    def test_problems(self):
        self.succeed("gen", "friedman", "--rows", "200", "numbers")
        self.assert_same("--problem", "regression", "--folds", "9", "numbers", "out", files=("out",))
        self.write("many", classes(240, 4))
        self.assert_same("--decision", "many", "out", files=("out",))
        self.assert_same("--probability", "many")
        self.write("words.csv", "".join(f"{'spam' if i % 2 else 'ham'},{i % 2 + 0.01 * i}\n" for i in range(80)))
        self.assert_same("words.csv", "out", files=("out",))
        self.write("odd", blobs(200))
        self.assert_same("--problem", "outlier", "--cost", "0.1", "odd")
        self.assert_same("--max-iter", "3", "--tol", "1e-6", "odd")

    def test_many_rows_travel_in_parts(self):
        self.succeed("gen", "ringnorm", "--rows", "45000", "ring")
        self.assert_same("--folds", "2", "--tol", "0.5", "--decision", "ring", "out", processes=(2,), files=("out",))

    def test_output_on_standard_output(self):
        self.write("data", blobs(100))
        one = self.succeed("cv", "data", "-")
        self.assertEqual(self.together(3, "data", "-")[0], one.stdout)

    def test_a_time_limit(self):
        self.write("data", blobs(300))
        out, err = self.together(3, "--time-limit", "1e-6", "data", "out")
        self.assertIn("stopped by --time-limit: 0 of 5 folds are done; no OUTPUT is written", err)
        self.assertNotIn("out", self.files())

    def test_signals(self):
        """SIGTERM to one process ends all; the folds that are done are reported, whichever they are."""
        self.write("data", blobs(3000))
        run = self.start(3, "--solver", "fw", "--tol", "1e-9", "data", "out")
        self.wait_for(run, lambda: Tune.has_begun(self, 3))
        time.sleep(1)
        os.kill(self.processes()[-1], signal.SIGTERM)
        code, _, err = self.end(run, 60)
        self.assertEqual(code, 0, err)
        self.assertIn("interrupted: 0 of 5 folds are done; no OUTPUT is written", err)
        self.assertNotIn("out", self.files())

    def test_failures(self):
        self.write("few", "1 1:1\n1 1:2\n-1 1:3\n1 1:4\n-1 1:5\n")
        self.assertIn("class '-1' has 2 rows, expected at least one for each of 5 folds", self.refused(3, "few"))
        self.assertIn("nowhere/out: cannot be written", self.refused(3, "few", "nowhere/out"))
        self.write("data", blobs(100))
        self.assertIn("/dev/full: cannot be written: No space left", self.refused(3, "data", "/dev/full"))


if __name__ == "__main__":
    unittest.main()
