"""partan-mpi: the same bits as partan for any number of processes, data in parts, and what goes wrong, with deadlines.

PARTAN and PARTAN_MPI name the programs, MPIRUN what starts processes.
"""

import json
import lzma
import os
import random
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from cli import CliTest, blobs, environment  # noqa: E402

PROGRAM = os.environ["PARTAN_MPI"]
MPIRUN = os.environ.get("MPIRUN", "mpirun")
DEADLINE = 120  # seconds after which a run hangs

# For Open MPI, which has these in the environment; others do without. Tests run as root in containers, and have more
# processes than cores, which then must not wait for each other at full speed.
ALLOWED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
           "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_hwloc_base_binding_policy": "none"}


def sparse(rows, words=400):
    draw = random.Random(2)
    lines = []
    for i in range(rows):
        side = i % 3 == 0
        some = sorted({int(draw.triangular(1, words, words if side else 1)) for _ in range(9)})
        lines.append(f"{'+1' if side else '-1'} " + " ".join(f"{f}:{draw.random():.4f}" for f in some) + "\n")
    return "".join(lines)


class MpiTest(CliTest):
    command = "train"

    def start(self, processes, *words, isa=None):
        return subprocess.Popen([MPIRUN, "-n", str(processes), PROGRAM, self.command, "--threads", "1", *words],
                                cwd=self.folder, env=environment(**ALLOWED, PARTAN_ISA=isa), text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)

    def end(self, run, deadline=DEADLINE):
        try:
            out, err = run.communicate(timeout=deadline)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            self.fail(f"no end after {deadline} s: {' '.join(map(str, run.args))}\n{run.communicate()}")
        return run.returncode, out, err

    def together(self, processes, *words):
        code, out, err = self.end(self.start(processes, *words))
        self.assertEqual(code, 0, f"{words}: {err}")
        return out, err

    def refused(self, processes, *words):
        code, out, err = self.end(self.start(processes, *words))
        self.assertNotEqual(code, 0)
        lines = [line for line in err.splitlines() if line.startswith("partan-mpi")]
        self.assertEqual(len(lines), 1, f"one process speaks: {err}")
        return lines[0]

    def model(self, name):
        """All of it but for times, and what a cache changes."""
        skipped = ("seconds", "cache_hits", "kernel_columns", "kernel_values", "cache_bytes", "merge")
        text = (self.folder / name).read_text()
        return [line for line in text.splitlines() if line.split(" ")[0] not in skipped]

    def assert_same(self, data, *options, processes=(3,), part=None):
        if "--solver" not in options:
            options = ("--solver", "swap", *options)
        self.succeed("train", "-q", *options, data, "one")
        for n in processes:
            self.together(n, "-q", *options, part or data, "several")
            self.assertEqual(self.model("several"), self.model("one"), f"{options}, {n} processes")
        self.succeed("verify", "several", data)


class SameBits(MpiTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(403))

    def test_all_numbers_of_processes(self):
        self.assert_same("data", "--solver", "swap", "--tol", "0.01", processes=(1, 2, 3, 4))

    def test_variants(self):
        for solver in ("fw", "mfw", "partan"):
            self.assert_same("data", "--solver", solver, "--tol", "0.05", processes=(3,))

    def test_samples(self):
        for solver in ("fw", "mfw", "swap", "partan"):
            self.assert_same("data", "--solver", solver, "--sample", "60", "--tol", "0.1", processes=(3,))

    def test_samples_that_stop_as_in_the_paper(self):
        self.assert_same("data", "--solver", "swap", "--sample", "60", "--tol", "0.2", "--stop", "sampled")

    def test_targets_beyond_float32(self):
        self.assert_same("data", "--solver", "swap", "--tol", "1e-8")

    def test_kernels(self):
        for kernel in ("linear", "polynomial", "laplacian"):
            self.assert_same("data", "--solver", "swap", "--kernel", kernel, "--tol", "0.3", "--max-iter", "20000",
                             processes=(3,))

    def test_values_close_to_one(self):
        self.assert_same("data", "--solver", "swap", "--gamma", "1e-6", "--tol", "0.5", processes=(3,))

    def test_other_settings(self):
        self.assert_same("data", "--solver", "partan", "--gamma", "scale", "--class-weight", "balanced", "--init",
                         "random", "--seed", "5", "--tol", "0.1")

    def test_sparse_rows(self):
        self.write("text", sparse(300))
        self.assert_same("text", "--storage", "sparse", "--tol", "0.05")
        self.assert_same("text", "--storage", "sparse", "--sample", "50", "--tol", "0.2", processes=(3,))

    def test_bits(self):
        self.succeed("gen", "onehot", "--rows", "400", "bits")
        self.assert_same("bits", "--tol", "0.05")

    def test_bytes(self):
        draw = random.Random(1)
        rows = (f"{i % 2} " + " ".join(f"{f}:{draw.randrange(1, 256)}" for f in range(1, 20)) for i in range(200))
        self.write("bytes", "\n".join(rows) + "\n")
        self.assert_same("bytes", "--gamma", "1e-5", "--tol", "0.05")

    def test_long_rows(self):
        """The form of the kernel follows from the longest row of all."""
        self.write("long", blobs(200) + "+1 1:300 2:300\n")
        self.assert_same("long", "--solver", "swap", "--gamma", "0.01", "--tol", "0.05")


class DefaultSolver(MpiTest):
    """The same bits as partan, whatever the rows are."""

    def assert_same(self, data, *options, processes=(3,)):
        super().assert_same(data, "--solver", "auto", *options, processes=processes)

    def test_all_numbers_of_processes(self):
        self.succeed("gen", "ringnorm", "--rows", "4000", "data")
        self.assert_same("data", "--cost", "10", "--tol", "0.01", processes=(1, 2, 3, 4))

    def test_is_the_default(self):
        self.write("data", blobs(300))
        self.together(2, "-q", "data", "m")
        self.assertIn("solver auto\n", (self.folder / "m").read_text())

    def test_samples_of_many_rows(self):
        self.succeed("gen", "ringnorm", "--rows", "60000", "data")
        self.assert_same("data", "--cost", "10")

    def test_low_rank(self):
        self.succeed("gen", "ringnorm", "--rows", "4000", "data")
        self.assert_same("data", "--kernel", "linear", "--tol", "0.001")

    def test_targets_beyond_float32(self):
        self.succeed("gen", "ringnorm", "--rows", "3000", "data")
        self.assert_same("data", "--cost", "1000", "--tol", "1e-8")

    def test_storages(self):
        self.succeed("gen", "onehot", "--rows", "3000", "bits")
        self.assert_same("bits", "--tol", "0.01")
        self.write("text", sparse(2000))
        self.assert_same("text", "--storage", "sparse", "--tol", "0.01")

    def test_other_settings(self):
        self.write("data", blobs(1500))
        self.assert_same("data", "--gamma", "scale", "--class-weight", "balanced", "--init", "random", "--seed", "5")
        self.assert_same("data", "--gamma", "1e-6", "--tol", "0.5")
        self.assert_same("data", "--max-iter", "300", "--tol", "1e-6")

    def test_shares_without_rows_and_of_one_class(self):
        self.write("few", "+1 1:1\n-1 1:-1 2:3\n")
        self.assert_same("few", "--gamma", "1", processes=(4,))
        self.write("sorted", "".join(sorted(blobs(1500).splitlines(keepends=True))))
        self.assert_same("sorted", "--tol", "0.01")

    def test_a_time_limit_leaves_a_model_with_its_gap(self):
        self.succeed("gen", "ringnorm", "--rows", "60000", "data")
        _, err = self.together(3, "--cost", "1e5", "--gamma", "1", "--tol", "1e-9", "--time-limit", "1", "data", "m")
        self.assertIn("stopped by --time-limit", err)
        self.assertIn("status TIME_LIMIT", (self.folder / "m").read_text())
        self.succeed("verify", "m", "data")

    def test_checkpoints(self):
        self.succeed("gen", "ringnorm", "--rows", "4000", "data")
        options = ("-q", "--cost", "100", "--tol", "1e-4")
        self.together(3, *options, "--max-iter", "3000", "--checkpoint", "ck", "--checkpoint-every", "0", "data", "m")
        self.together(2, *options, "--resume", "ck", "data", "m2")
        self.succeed("verify", "m2", "data")
        self.succeed("train", *options, "--resume", "ck", "data", "m1")


class EqualRows(MpiTest):
    """Rows that are there several times, here and there, are merged as partan merges them."""

    def copies(self, lines, rows, opposite=lambda line: line):
        """`rows` lines drawn from some, every 40th one changed."""
        draw = random.Random(3)
        drawn = (draw.choice(lines) for _ in range(rows))
        return "".join(opposite(line) if i % 40 == 0 else line for i, line in enumerate(drawn))

    def signed(self, lines, rows):
        def opposite(line):
            label, rest = line.split(" ", maxsplit=1)
            return f"{'1' if label == '-1' else '-1'} {rest}"
        return self.copies(lines, rows, opposite)

    def assert_same(self, data, *options, processes=(3,), part=None):
        super().assert_same(data, "--solver", "auto", *options, processes=processes, part=part)

    def test_all_numbers_of_processes(self):
        self.write("data", self.signed(blobs(900).splitlines(keepends=True), 2500))
        self.assert_same("data", "--tol", "0.001", processes=(1, 2, 3, 4))
        self.assert_same("data", "--tol", "0.001", "--no-merge", processes=(3,))
        self.succeed("train", "-q", "--tol", "0.001", "data", "merged")
        self.succeed("train", "-q", "--tol", "0.001", "--no-merge", "data", "apart")
        self.assertNotEqual(self.model("merged"), self.model("apart"))

    def test_a_process_without_rows(self):
        self.write("part-1", self.signed(blobs(200).splitlines(keepends=True), 700))
        self.write("part-2", "")
        self.write("whole", (self.folder / "part-1").read_text())
        self.assert_same("whole", "--tol", "0.001", part="part-*", processes=(2, 4))
        self.write("few", "+1 1:1\n-1 1:-1 2:3\n+1 1:1\n")
        self.assert_same("few", "--gamma", "1", processes=(4, 5))

    def test_weights_of_rows_and_classes_and_labels_that_are_words(self):
        draw = random.Random(4)
        points = [f"{draw.gauss(i % 2, 1):.1f},{draw.gauss(0, 1):.1f}," for i in range(400)]
        rows = (f"{point}{draw.uniform(0.1, 2):.3f},{('yes', 'no')[i % 2]}\n"
                for _ in range(4) for i, point in enumerate(points))
        self.write("w.csv", "a,b,w,y\n" + "".join(rows))
        options = ("--label-name", "y", "--weight-name", "w", "--tol", "0.001")
        self.assert_same("w.csv", *options, processes=(2, 4))
        self.assert_same("w.csv", *options, "--class-weight", "balanced")
        self.assert_same("w.csv", *options, "--class-weight", "yes=3", "--class-weight", "no=0.7")

    def test_bits_and_sparse_rows(self):
        self.succeed("gen", "onehot", "--rows", "1000", "some")
        self.write("bits", self.signed((self.folder / "some").read_text().splitlines(keepends=True), 3000))
        self.assert_same("bits", "--tol", "0.01")
        self.write("text", self.signed(sparse(1500).splitlines(keepends=True), 4000))
        self.assert_same("text", "--storage", "sparse", "--tol", "0.01", "--cost", "0.1")

    def test_checkpoints_of_merged_rows(self):
        """They name first rows: any number of processes goes on, and partan, merged or not."""
        self.succeed("gen", "ringnorm", "--rows", "2500", "some")
        self.write("data", self.copies((self.folder / "some").read_text().splitlines(keepends=True), 5000))
        options = ("-q", "--cost", "100", "--tol", "1e-4")
        self.succeed("train", *options, "data", "whole")
        self.together(3, *options, "--max-iter", "3000", "--checkpoint", "ck", "--checkpoint-every", "0", "data", "m")
        for n in (1, 2, 4):
            self.together(n, *options, "--resume", "ck", "data", f"m{n}")
            self.succeed("verify", f"m{n}", "data")
        self.succeed("train", *options, "--resume", "ck", "data", "m0")
        self.assertEqual(self.model("m2"), self.model("m0"))
        self.assertEqual(self.model("m4"), self.model("m0"))
        self.together(2, *options, "--no-merge", "--resume", "ck", "data", "apart")
        self.succeed("verify", "apart", "data")
        self.succeed("train", *options, "--checkpoint", "alone", "--checkpoint-every", "0", "--max-iter", "3000", "data",
                     "m")
        self.together(3, *options, "--resume", "alone", "data", "m3")
        self.assertEqual(self.model("m3"), self.model("m0"))

    def real(self, name):
        """A real data set as it is, which processes can read in parts."""
        root = Path(__file__).resolve().parents[3]
        folder = Path(os.environ.get("PARTAN_DATA") or root / "shared" / "data") / name
        if (folder / name).exists():
            self.write(name, (folder / name).read_text())
        elif (folder / f"{name}.xz").exists():
            self.write(name, lzma.open(folder / f"{name}.xz", "rt").read())
        else:
            self.skipTest(f"there is no {name} in the data folder (PARTAN_DATA)")
        return name

    def test_a9a(self):
        self.assert_same(self.real("a9a"), "--cost", "1", "--gamma", "0.0652", "--tol", "0.1", processes=(2,))

    def test_w8a(self):
        self.assert_same(self.real("w8a"), "--cost", "10", "--gamma", "0.0485", processes=(3,))


class Parts(MpiTest):
    def test_files_of_a_pattern(self):
        lines = blobs(300).splitlines(keepends=True)
        self.write("whole", "".join(lines))
        for i, (begin, end) in enumerate(((0, 10), (10, 11), (11, 200), (200, 300))):
            self.write(f"part-{i}", "".join(lines[begin:end]))
        self.assert_same("whole", "--tol", "0.05", part="part-*")

    def test_a_table_with_a_header_and_words(self):
        draw = random.Random(4)
        rows = [f"{draw.gauss(i % 2, 1):.4f},{('yes', 'no')[i % 2]},{draw.gauss(0, 1):.4f}\n" for i in range(150)]
        self.write("t.csv", "a,label,b\n" + "".join(rows))
        self.assert_same("t.csv", "--label-name", "label", "--tol", "0.05")
        self.write("plain.csv", "".join(rows))
        self.assert_same("plain.csv", "--label-column", "2", "--no-header", "--tol", "0.05")

    def test_weights_of_rows(self):
        draw = random.Random(4)
        rows = (f"{i % 2},{draw.gauss(i % 2, 1):.4f},{draw.gauss(0, 1):.4f},{draw.uniform(1, 2):.3f}\n"
                for i in range(150))
        self.write("w.csv", "y,a,b,w\n" + "".join(rows))
        self.assert_same("w.csv", "--label-name", "y", "--weight-name", "w", "--class-weight", "balanced", "--tol",
                         "0.05")

    def test_one_class_in_each_process(self):
        self.write("data", "".join(sorted(blobs(200).splitlines(keepends=True))))
        self.assert_same("data", "--tol", "0.05")

    def test_fewer_rows_than_processes(self):
        self.write("data", "+1 1:1\n-1 1:-1 2:3\n")
        self.assert_same("data", "--tol", "0.05", "--gamma", "1", processes=(4,))

    def test_lines_without_an_end_and_shares_without_rows(self):
        self.write("data", blobs(40).rstrip("\n") + " " * 2000 + "\n\n\n")
        self.assert_same("data", "--tol", "0.05", processes=(4,))

    def test_json(self):
        self.write("data", blobs(100))
        out, _ = self.together(2, "--json", "data", "model")
        found = json.loads(out)
        self.assertEqual((found["rows"], found["processes"], found["solver"]), (100, 2, "auto"))
        self.assertGreater(found["bytes_sent"], 0)
        self.assertGreater(found["collective_calls"], 0)


class Checkpoints(MpiTest):
    def test_resumed_by_others(self):
        """A checkpoint of one number of processes is one for any other, and for partan."""
        self.write("data", blobs(300))
        options = ("--solver", "swap", "--tol", "1e-3")
        self.together(3, "-q", *options, "--max-iter", "40", "--checkpoint", "ck", "--checkpoint-every", "0", "data",
                      "m")
        self.together(2, "-q", *options, "--resume", "ck", "data", "m2")
        self.succeed("verify", "m2", "data")
        done = self.succeed("train", *options, "--resume", "ck", "data", "m1")
        self.assertNotIn("warning", done.stderr)
        message = self.refused(2, *options, "--cost", "3", "--resume", "ck", "data", "m3")
        self.assertIn("the checkpoint is that of a training with other settings", message)

    def test_a_process_that_dies(self):
        self.write("data", blobs(2000))
        options = ("--solver", "fw", "--tol", "1e-6")
        run = self.start(3, "-q", *options, "--checkpoint", "ck", "--checkpoint-every", "0.05", "data", "m")
        begin = time.monotonic()
        while not (self.folder / "ck").exists() and run.poll() is None and time.monotonic() < begin + DEADLINE:
            time.sleep(0.05)
        os.kill(self.processes()[-1], signal.SIGKILL)
        code, _, _ = self.end(run, 60)
        self.assertNotEqual(code, 0)
        self.assertEqual((self.folder / "ck").read_text().splitlines()[-1], "end")
        _, err = self.together(2, "-q", *options, "--resume", "ck", "--max-iter", "1000000", "--time-limit", "1", "data",
                               "m")
        self.assertNotIn("expected", err)

    def processes(self):
        """The program's processes in this test's folder."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                words = (path / "cmdline").read_bytes().split(b"\0")
                here = (path / "cwd").resolve() == self.folder.resolve()
            except OSError:
                continue
            if words[0].decode() == PROGRAM and here:
                found.append(int(path.name))
        self.assertTrue(found, "no process was found")
        return sorted(found)


class Failures(MpiTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(300))

    def test_a_file_that_one_process_cannot_read(self):
        run = subprocess.Popen([MPIRUN, "-n", "2", PROGRAM, "train", "data", "m", ":", "-n", "1", PROGRAM, "train",
                                "nowhere", "m"], cwd=self.folder, env=environment(**ALLOWED), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        code, _, err = self.end(run)
        self.assertNotEqual(code, 0)
        self.assertIn("nowhere: cannot be read: No such file or directory", err)

    def test_a_bad_line_in_one_part(self):
        self.write("bad", blobs(300) + "+1 1:x\n" + blobs(3))
        self.assertRegex(self.refused(3, "bad", "m"), r"bad, from byte \d+ on:\d+:6: found 'x'")

    def test_data_and_settings_that_are_refused(self):
        self.assertIn("nowhere: cannot be read", self.refused(2, "nowhere", "m"))
        self.assertIn("no file matches this pattern", self.refused(2, "no*where", "m"))
        self.write("one", "1 1:1\n1 1:2\n1 1:3\n")
        self.assertIn("found only '1'", self.refused(2, "one", "m"))
        subprocess.run(["gzip", "-k", str(self.folder / "data")], check=True)
        self.assertIn("a compressed file cannot be read in parts", self.refused(2, "data.gz", "m"))
        self.write("empty", "")
        self.assertIn("found no rows", self.refused(2, "empty", "m"))

    def test_instruction_sets_that_differ(self):
        run = subprocess.Popen([MPIRUN, "-n", "1", PROGRAM, "train", "data", "m", ":", "-n", "1", "env",
                                "PARTAN_ISA=reference", PROGRAM, "train", "data", "m"], cwd=self.folder,
                               env=environment(**ALLOWED), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
        code, _, err = self.end(run)
        self.assertNotEqual(code, 0)
        self.assertIn("found processes that compute by different instruction sets", err)

    def test_a_signal_to_one_process_stops_the_default_solver(self):
        self.succeed("gen", "ringnorm", "--rows", "20000", "ring")
        run = self.start(3, "--cost", "1e5", "--gamma", "1", "--tol", "1e-9", "--checkpoint", "ck",
                         "--checkpoint-every", "0", "ring", "m")
        begin = time.monotonic()
        while not (self.folder / "ck").exists() and run.poll() is None and time.monotonic() < begin + DEADLINE:
            time.sleep(0.05)
        os.kill(Checkpoints.processes(self)[-1], signal.SIGTERM)
        code, _, err = self.end(run, 60)
        self.assertEqual(code, 0, err)
        self.assertIn("status INTERRUPTED", (self.folder / "m").read_text())
        self.succeed("verify", "m", "ring")

    def test_usage(self):
        self.assertIn("unknown option", self.refused(2, "--no-such-option", "data", "m"))
        self.write("w", "1\n" * 300)
        self.assertIn("cannot be combined", self.refused(2, "--weights", "w", "--weight-column", "2", "data", "m"))

    def test_a_full_disk(self):
        self.assertIn("/dev/full: cannot be written: No space left", self.refused(2, "data", "/dev/full"))
        self.assertIn("nowhere/m: cannot be written", self.refused(2, "data", "nowhere/m"))

    def test_a_time_limit(self):
        _, err = self.together(3, "--solver", "fw", "--tol", "1e-9", "--time-limit", "0.5", "data", "m")
        self.assertIn("stopped by --time-limit", err)
        self.assertIn("status TIME_LIMIT", (self.folder / "m").read_text())
        self.succeed("verify", "m", "data")

    def test_signals(self):
        """SIGTERM to one process stops all, with a model; Ctrl-C on mpirun ends the run."""
        run = self.start(3, "--solver", "fw", "--tol", "1e-9", "--checkpoint", "ck", "--checkpoint-every", "0", "data",
                         "m")
        begin = time.monotonic()
        while not (self.folder / "ck").exists() and run.poll() is None and time.monotonic() < begin + DEADLINE:
            time.sleep(0.05)
        os.kill(Checkpoints.processes(self)[0], signal.SIGTERM)
        code, _, err = self.end(run, 60)
        self.assertEqual(code, 0, err)
        self.assertIn("status INTERRUPTED", (self.folder / "m").read_text())
        self.succeed("verify", "m", "data")
        run = self.start(3, "--solver", "fw", "--tol", "1e-9", "data", "m")
        time.sleep(2)
        run.send_signal(signal.SIGINT)
        self.end(run, 60)


if __name__ == "__main__":
    unittest.main()
