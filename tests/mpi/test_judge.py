"""partan-mpi predict and verify: what partan says and writes, to the last byte, for any number of processes; and what goes
wrong, with deadlines."""

import json
import os
import random
import signal
import subprocess
import time
import unittest

import test_mpi
from test_mpi import ALLOWED, MPIRUN, PROGRAM, blobs, environment, sparse

OWN = ("threads", "time", "peak_memory_bytes")  # of a run, not of what it found


def classes(rows, count, seed=1):
    draw = random.Random(seed)
    lines = []
    for i in range(rows):
        of = i % count
        lines.append(f"{of + 1} 1:{draw.gauss(of % 3, 0.7):.5f} 2:{draw.gauss(of // 3, 0.7):.5f}\n")
    return "".join(lines)


class Predict(test_mpi.MpiTest):
    command = "predict"

    def assert_same(self, model, data, *options, processes=(3,), part=None, output="rows", files=()):
        """Report, JSON and all files are those of partan."""
        outputs = [output] if output else []
        first = self.succeed("predict", *options, data, model, *outputs)
        numbers = json.loads(self.succeed("predict", "--json", data, model).stdout)
        expected = [(self.folder / name).read_bytes() for name in (*outputs, *files)]
        for n in processes:
            for name in (*outputs, *files):
                (self.folder / name).unlink()
            out, err = self.together(n, *options, part or data, model, *outputs)
            self.assertEqual(out, first.stdout, f"{options}, {n} processes")
            self.assertEqual(err.replace("partan-mpi", "partan"), first.stderr)
            found = [(self.folder / name).read_bytes() for name in (*outputs, *files)]
            self.assertEqual(found, expected, f"{options}, {n} processes")
            told = json.loads(self.together(n, "--json", part or data, model)[0])
            for key in OWN:
                self.assertEqual(key in told, key in numbers)
            self.assertEqual({k: v for k, v in told.items() if k not in OWN},
                             {k: v for k, v in numbers.items() if k not in OWN}, f"{n} processes")

    def train(self, data, *options):
        self.succeed("train", "-q", *options, data, "model")

    def gen(self, name, rows, *options):
        self.succeed("gen", name, "--rows", str(rows), "train")
        self.succeed("gen", name, "--rows", str(rows // 2 + 1), "--seed", "2", "test")
        self.train("train", *options)


class Models(Predict):
    """Every kind of model, and the storages and kernels that prediction has ways of its own for."""

    def test_two_classes(self):
        self.gen("ringnorm", 4000, "--cost", "10")
        self.assert_same("model", "test", processes=(1, 2, 3, 4))
        self.assert_same("model", "test", "--decision", "--plot", "curves.svg", processes=(3,), files=("curves.svg",))
        self.assert_same("model", "test", "--decision", "--quiet", processes=(4,))

    def test_many_classes(self):
        self.write("train", classes(900, 5))
        self.write("test", classes(501, 5, 2))
        for how in ("ovo", "ovr"):
            self.train("train", "--multiclass", how, "--cost", "3")
            self.assert_same("model", "test", "--decision", processes=(2, 3))

    def test_probabilities(self):
        self.write("train", blobs(400))
        self.write("test", blobs(301, 2))
        self.train("train", "--probability")
        for output in ("p", "p.csv", "p.jsonl"):
            self.assert_same("model", "test", "--probability", "--reliability", "bins.csv", output=output,
                             files=("bins.csv",))
        self.assert_same("model", "test", "--reliability", "bins.svg", output=None, files=("bins.svg",))
        self.write("train", classes(600, 4))
        self.write("test", classes(301, 4, 2))
        self.train("train", "--probability")
        self.assert_same("model", "test", "--probability", "--reliability", "bins.csv", output="p.csv",
                         files=("bins.csv",))

    def test_numbers(self):
        self.gen("friedman", 1500, "--problem", "regression", "--gamma", "0.2")
        self.assert_same("model", "test", processes=(2, 3, 4))
        # Coefficients so large that what is predicted is computed again, by a tolerance that all rows make
        self.gen("friedman", 1500, "--problem", "regression", "--gamma", "1e-5", "--cost", "1e6")
        self.assert_same("model", "test", processes=(3,))

    def test_outliers(self):
        self.write("train", blobs(500, spread=0.5))
        self.write("test", blobs(301, 2))
        self.train("train", "--problem", "outlier", "--gamma", "0.5")
        self.assert_same("model", "test", "--decision")
        self.train("train", "--problem", "outlier", "--kernel", "linear")
        self.assert_same("model", "test", "--decision")

    def test_kernels(self):
        self.write("train", blobs(400))
        self.write("test", blobs(201, 2))
        for kernel in ("linear", "polynomial", "laplacian"):
            self.train("train", "--kernel", kernel, "--tol", "0.5", "--max-iter", "5000")
            self.assert_same("model", "test", "--decision")
        vectors = "".join(f"{0.01 if i < 20 else -0.01} {line.split(' ', 1)[1]}"
                          for i, line in enumerate(sorted(blobs(400).splitlines(keepends=True))[180:220]))
        self.write("model", "svm_type c_svc\nkernel_type sigmoid\ngamma 0.1\ncoef0 0\nnr_class 2\ntotal_sv 40\nrho 0\n"
                   "label 1 -1\nnr_sv 20 20\nSV\n" + vectors)
        self.assert_same("model", "test", "--decision")

    def test_storages(self):
        self.gen("onehot", 1500)
        self.assert_same("model", "test", "--decision")
        self.write("train", sparse(800))
        self.write("test", sparse(301))
        for storage in ("sparse", "dense"):
            self.train("train", "--storage", storage)
            self.assert_same("model", "test", "--decision", "--storage", storage)
        draw = random.Random(1)
        rows = [f"{i % 2} " + " ".join(f"{f}:{draw.randrange(1, 256)}" for f in range(1, 20)) + "\n" for i in range(400)]
        self.write("train", "".join(rows[:250]))
        self.write("test", "".join(rows[250:]))
        self.train("train", "--gamma", "1e-5")
        self.assert_same("model", "test", "--decision")

    def test_text_of_a_million_words(self):
        draw = random.Random(3)
        rows = [f"{i % 2} " + " ".join(f"{f}:1.5" for f in sorted(draw.sample(range(1, 1500000), 6))) + "\n"
                for i in range(300)]
        self.write("train", "".join(rows))
        self.write("test", "".join(row[0] + row[1:] for row in rows[40:]))
        for kernel in ("rbf", "linear"):
            self.train("train", "--kernel", kernel)
            self.assert_same("model", "test", "--decision")

    def test_long_rows(self):
        """The form of the kernel follows from the longest row of all."""
        self.gen("ringnorm", 1000)
        lines = (self.folder / "test").read_text()
        self.write("test", lines + "+1 1:300 2:300\n")
        self.assert_same("model", "test", "--decision", processes=(2, 3))

    def test_scaled_data(self):
        draw = random.Random(5)
        rows = [f"{i % 2} 1:{draw.gauss(i % 2, 1):.3f} 3:{draw.randrange(9)} 4:1000\n" for i in range(600)]
        self.write("train", "".join(rows[:400]))
        self.write("test", "".join(rows[400:]))
        for scale in ("minmax", "standard"):
            self.train("train", "--scale", scale)
            self.assert_same("model", "test", "--decision", processes=(2, 4))

    def test_libsvm_models(self):
        self.write("train", blobs(300))
        self.write("test", blobs(101, 2))
        self.train("train", "--model-format", "libsvm")
        self.assert_same("model", "test", "--decision")

    def test_precomputed_kernels(self):
        draw = random.Random(2)
        points = [(draw.gauss(i % 2, 1), draw.gauss(0, 1)) for i in range(90)]
        rows = [f"{i % 2} 0:{i + 1} " + " ".join(f"{j + 1}:{x[0] * y[0] + x[1] * y[1] + 3:.6f}"
                                                   for j, y in enumerate(points)) + "\n" for i, x in enumerate(points)]
        self.write("kernel", "".join(rows))
        self.train("kernel", "--kernel", "precomputed")
        self.assert_same("model", "kernel", "--decision")

    def test_shrunken_models(self):
        self.gen("ringnorm", 2000)
        self.succeed("compress", "-q", "--max-sv", "20", "model", "train", "small")
        self.assert_same("small", "test", "--decision")


class Data(Predict):
    def test_tables(self):
        draw = random.Random(4)
        rows = [(f"{draw.gauss(i % 2, 1):.4f}", ("yes", "no")[i % 2], f"{draw.gauss(0, 1):.4f}") for i in range(300)]
        self.write("train.csv", "a,label,b\n" + "".join(",".join(row) + "\n" for row in rows[:200]))
        self.train("train.csv", "--label-name", "label", "--scale", "standard")
        self.write("other.csv", "b,a,label\n" + "".join(f"{b},{a},{y}\n" for a, y, b in rows[200:]))
        self.assert_same("model", "other.csv", "--decision", processes=(2, 3))
        self.write("none.csv", "b,a\n" + "".join(f"{b},{a}\n" for a, y, b in rows[200:]))
        self.assert_same("model", "none.csv", processes=(3,))
        self.write("few.csv", "a,label,b\n" + "".join(f"{a},{y if i % 3 else ''},{b}\n"
                                                     for i, (a, y, b) in enumerate(rows[200:])))
        self.assert_same("model", "few.csv", processes=(3,))
        self.write("others.csv", "a,label,b\n" + "".join(f"{a},{y if i % 3 else 'perhaps'},{b}\n"
                                                        for i, (a, y, b) in enumerate(rows[200:])))
        self.assert_same("model", "others.csv", processes=(3,))

    def test_tables_that_begin_with_comments(self):
        rows = blobs(120, 2).replace("+1 1:", "yes,").replace("-1 1:", "no,").replace(" 2:", ",")
        self.write("train.csv", "# what it is\n\n#" + "-" * 300 + "\ny,a,b\n" + rows)
        self.train("train.csv")
        self.assert_same("model", "train.csv", "--decision", processes=(2, 3, 4))
        self.write("long.csv", ("#" + "-" * 70 + "\n") * 100 + "y,a,b\n" + rows)  # of which the first part has no more
        self.assert_same("model", "long.csv", "--decision", processes=(2, 3))
        self.write("plain.csv", "# no names\n" + rows)
        self.train("plain.csv", "--label-column", "1")
        self.assert_same("model", "plain.csv", "--decision", processes=(3,))

    def test_parts_of_comments_and_a_header(self):
        self.write("train.csv", "label,a,b\n" + "".join(f"{i % 2},{i * i % 7},{i % 5}\n" for i in range(60)))
        self.train("train.csv")
        self.write("few.csv", "label,a,b\n1,2,3\n")
        self.assert_same("model", "few.csv", processes=(2, 4))
        self.write("train", blobs(100))
        self.train("train")
        self.write("remarks", blobs(10) + "# and nothing more\n" * 100)
        self.assert_same("model", "remarks", processes=(3,))

    def test_files_of_a_pattern(self):
        lines = blobs(300, 2).splitlines(keepends=True)
        self.write("train", blobs(300))
        self.train("train")
        self.write("whole", "".join(lines))
        for i, (begin, end) in enumerate(((0, 10), (10, 11), (11, 200), (200, 300))):
            self.write(f"part-{i}", "".join(lines[begin:end]))
        self.assert_same("model", "whole", part="part-*", processes=(1, 3))

    def test_processes_without_rows(self):
        self.write("train", blobs(300))
        for options in ((), ("--problem", "regression"), ("--scale", "standard"), ("--probability",)):
            self.train("train", *options)
            self.write("few", "+1 1:1\n-1 1:-1 2:3\n")
            self.assert_same("model", "few", processes=(4,))

    def test_ties_among_decision_values(self):
        """Rows of equal value enter the curves together, wherever they are."""
        self.write("train", blobs(200))
        self.train("train")
        self.write("test", "".join(f"{('+1', '-1')[i % 3 == 0]} 1:{i % 4}\n" for i in range(400)))
        self.assert_same("model", "test", "--plot", "p.svg", processes=(2, 3), files=("p.svg",))

    def test_more_rows_than_travel_at_a_time(self):
        self.succeed("gen", "ringnorm", "--rows", "500", "train")
        self.train("train")
        self.succeed("gen", "ringnorm", "--rows", "40000", "--seed", "3", "test")
        self.assert_same("model", "test", "--decision", processes=(3,))

    def test_standard_output(self):
        self.write("train", blobs(200))
        self.train("train")
        expected = self.succeed("predict", "train", "model", "-")
        out, err = self.together(3, "train", "model", "-")
        self.assertEqual((out, err), (expected.stdout, expected.stderr))


class Verify(test_mpi.MpiTest):
    command = "verify"

    def assert_same(self, *words, processes=(3,), code=0):
        done = self.run_partan("verify", *words)
        self.assertEqual(done.returncode, code, done.stderr)
        numbers = json.loads(self.run_partan("verify", "--json", *words).stdout)
        for n in processes:
            found, out, err = self.end(self.start(n, *words))
            self.assertEqual((found, out), (code, done.stdout), f"{n} processes: {err}")
            said = [line for line in err.splitlines() if line.startswith("partan")]
            self.assertEqual([line.replace("partan-mpi", "partan") for line in said], done.stderr.splitlines())
            _, out, _ = self.end(self.start(n, "--json", *words))
            told = json.loads(out)
            self.assertEqual({**told, "time": 0}, {**numbers, "time": 0})

    def test_models_of_two_classes(self):
        self.succeed("gen", "ringnorm", "--rows", "3000", "data")
        self.succeed("train", "-q", "--cost", "10", "data", "m")
        self.assert_same("m", "data", processes=(1, 2, 3, 4))
        self.assert_same("data", "m")  # in either order
        for options in (("--kernel", "linear"), ("--scale", "standard"), ("--class-weight", "balanced"), ("--max-sv", "20"),
                        ("--time-limit", "0.001", "--tol", "1e-6")):
            self.succeed("train", "-q", *options, "data", "m")
            self.assert_same("m", "data")

    def test_sparse_rows_and_bits(self):
        self.write("text", sparse(300))
        self.succeed("train", "-q", "text", "m")
        self.assert_same("m", "text")
        self.succeed("gen", "onehot", "--rows", "1000", "bits")
        self.succeed("train", "-q", "bits", "m")
        self.assert_same("m", "bits")

    def test_weights(self):
        draw = random.Random(4)
        rows = [f"{('no', 'yes')[i % 2]},{draw.gauss(i % 2, 1):.4f},{draw.choice((0, 1, 2.5))}\n" for i in range(200)]
        # The last rows, which are one process's, have neither weight nor a known label
        self.write("w.csv", "y,a,w\n" + "".join(rows) + "perhaps,1,0\n" * 150)
        self.succeed("train", "-q", "--weight-name", "w", "w.csv", "m")
        self.assert_same("m", "w.csv", processes=(2, 3))
        self.write("data", blobs(300))
        self.write("weights", "".join(f"{i % 4}\n" for i in range(300)))
        self.succeed("train", "-q", "--weights", "weights", "data", "m")
        self.assert_same("--weights", "weights", "m", "data")
        self.assert_same("m", "data", code=1)

    def test_what_does_not_hold(self):
        self.write("data", blobs(400))
        self.write("other", blobs(400, 2))
        self.write("fewer", blobs(100))
        self.write("longer", blobs(400) + "+1 1:0.1 2:0.1\n")
        self.succeed("train", "-q", "data", "m")
        for data in ("other", "fewer", "longer"):
            self.assert_same("m", data, code=1, processes=(2, 4))
        lines = (self.folder / "m").read_text().splitlines(keepends=True)
        for key, factor in (("gap", 2), ("objective", 1.01), ("bias", 1.1)):
            changed = [f"{key} {float(line.split()[1]) * factor!r}\n" if line.startswith(key + " ") else line
                       for line in lines]
            self.assertNotEqual(changed, lines)
            self.write("changed", "".join(changed))
            self.assert_same("changed", "data", code=1)

    def test_models_that_are_refused(self):
        self.write("data", blobs(200))
        self.succeed("lasso", "-q", "--lambda", "0.1", "data", "m")
        self.assertIn("several processes can work with models of partan train only", self.refused(2, "m", "data"))


class Failures(Predict):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(300))
        self.train("data")

    def apart(self, *commands):
        """Processes with different arguments."""
        words = [MPIRUN]
        for command in commands:
            words += [*([":"] if len(words) > 1 else []), "-n", "1", PROGRAM, *command]
        return subprocess.Popen(words, cwd=self.folder, env=environment(**ALLOWED), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)

    def assert_one_message(self, run, expected):
        code, _, err = self.end(run, 60)
        self.assertNotEqual(code, 0)
        lines = [line for line in err.splitlines() if line.startswith("partan-mpi")]
        self.assertEqual(len(lines), 1, err)
        self.assertIn(expected, lines[0])
        self.assertNotIn("rows", self.files())

    def test_a_model_that_one_process_misses(self):
        for command in ("predict", "verify"):
            good = (command, *(("data", "model") if command == "predict" else ("model", "data")))
            bad = (command, *(("data", "nowhere") if command == "predict" else ("nowhere", "data")))
            self.assert_one_message(self.apart(good, bad, good), "process 2 of 3: nowhere: cannot be read")
            self.assert_one_message(self.apart(bad, good, good), "nowhere: cannot be read")

    def test_a_row_that_one_process_cannot_read(self):
        self.write("bad", blobs(300) + "+1 1:x\n" + blobs(3))
        self.assert_one_message(self.start(3, "bad", "model", "rows"), "found 'x'")
        self.write("wide", blobs(300) + "+1 7:1\n")
        expected = self.fail_with(1, "predict", "wide", "model").splitlines()[0].split(": ", 1)[1]
        self.assert_one_message(self.start(3, "wide", "model", "rows"), expected)
        self.assert_one_message(self.start(3, "nowhere", "model", "rows"), "nowhere: cannot be read")

    def test_a_row_that_one_process_cannot_predict(self):
        self.succeed("train", "-q", "--kernel", "polynomial", "--degree", "9", "--max-iter", "100", "data", "model")
        self.write("huge", blobs(300) + "+1 1:3e38 2:3e38\n")
        self.assert_one_message(self.start(3, "huge", "model", "rows"), "is not finite")

    def test_labels_of_other_classes(self):
        self.write("others", "".join(f"{'AB'[i > 250]} 1:1\n" for i in range(300)))
        expected = self.fail_with(1, "predict", "others", "model").splitlines()[0].split(": ", 1)[1]
        self.assert_one_message(self.start(3, "others", "model", "rows"), expected)

    def test_a_full_disk(self):
        """While the others' rows come, too."""
        self.succeed("gen", "ringnorm", "--rows", "40000", "many")
        self.succeed("gen", "ringnorm", "--rows", "500", "few")
        self.train("few")
        self.assert_one_message(self.start(3, "many", "model", "/dev/full"), "/dev/full: cannot be written: No space")
        self.assert_one_message(self.start(3, "many", "model", "nowhere/rows"), "nowhere/rows: cannot be written")
        self.assert_one_message(self.start(3, "--plot", "/dev/full", "many", "model"), "/dev/full: cannot be written")

    def test_an_output_that_is_an_input(self):
        self.assert_one_message(self.start(3, "data", "model", "data"), "would be overwritten")
        self.assert_one_message(self.start(3, "data", "model", "model"), "would be overwritten")

    def test_signals(self):
        """SIGTERM to one process ends all; so does Ctrl-C on mpirun. The slowest instructions leave time for them."""
        self.succeed("gen", "ringnorm", "--rows", "8000", "many")
        self.succeed("train", "-q", "--gamma", "1", "many", "model")
        self.write("all", "".join([(self.folder / "many").read_text()] * 10))
        run = self.start(3, "all", "model", "rows", isa="reference")
        self.wait_for_processes(run)
        os.kill(test_mpi.Checkpoints.processes(self)[-1], signal.SIGTERM)
        self.assert_one_message(run, "interrupted")
        run = self.start(3, "all", "model", "rows", isa="reference")
        self.wait_for_processes(run)
        run.send_signal(signal.SIGINT)
        code, _, _ = self.end(run, 60)
        self.assertNotEqual(code, 0)
        self.assertNotIn("rows", self.files())

    def wait_for_processes(self, run):
        """Until all have gone so far as to read."""
        begin = time.monotonic()
        while run.poll() is None and time.monotonic() < begin + 60:
            time.sleep(0.1)
            if len(self.handling()) == 3:
                return

    def handling(self):
        """The program's processes that catch SIGTERM."""
        found = []
        for folder in os.listdir("/proc"):
            try:
                with open(f"/proc/{folder}/status") as file:
                    status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
                with open(f"/proc/{folder}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                here = os.path.realpath(f"/proc/{folder}/cwd") == str(self.folder.resolve())
            except OSError:
                continue
            if here and words[0].decode() == PROGRAM and int(status["SigCgt"], 16) >> (signal.SIGTERM - 1) & 1:
                found.append(folder)
        return found


if __name__ == "__main__":
    unittest.main()
