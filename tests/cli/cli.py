"""What the tests of the command line share: running it, data to run it on, and golden files.

PARTAN names the program. PARTAN_GOLDEN=update rewrites the golden files instead of comparing with them.
"""

import json
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PARTAN = os.environ.get("PARTAN", str(HERE.parent.parent / "build" / "partan"))


def environment(**changes):
    """Ours, without what would change the output; None removes a variable."""
    result = {k: v for k, v in os.environ.items() if k not in ("PARTAN_ISA", "NO_COLOR", "COLUMNS", "OMP_NUM_THREADS",
                                                        "OMP_THREAD_LIMIT")}
    for name, value in changes.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = value
    return result


def blobs(rows, seed=1, labels=("+1", "-1"), spread=1.0):
    """LIBSVM lines of two overlapping clouds in the plane."""
    draw = random.Random(seed)
    lines = []
    for i in range(rows):
        side = i % 2
        x, y = draw.gauss(side, spread), draw.gauss(-side, spread)
        lines.append(f"{labels[side]} 1:{x:.6f} 2:{y:.6f}\n")
    return "".join(lines)


class CliTest(unittest.TestCase):
    """Every test runs in its own empty folder."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="partan-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def files(self):
        return sorted(p.name for p in self.folder.iterdir())

    def run_partan(self, *words, stdin=None, env=None, stdout=subprocess.PIPE, timeout=120):
        return subprocess.run([PARTAN, *words], cwd=self.folder, input=stdin, env=env or environment(), text=True,
                              stdout=stdout, stderr=subprocess.PIPE, timeout=timeout,
                              **({} if stdin is not None else {"stdin": subprocess.DEVNULL}))

    def succeed(self, *words, **how):
        done = self.run_partan(*words, **how)
        self.assertEqual(done.returncode, 0, f"partan {' '.join(words)}: {done.stderr}")
        return done

    def fail_with(self, code, *words, **how):
        done = self.run_partan(*words, **how)
        self.assertEqual(done.returncode, code, f"partan {' '.join(words)}: {done.stderr}")
        self.assertEqual(done.stdout, "", "a failure prints nothing on standard output")
        self.assertTrue(done.stderr.startswith("partan"), done.stderr)
        return done.stderr

    def json(self, *words, **how):
        done = self.succeed(*words, "--json", **how)
        self.assertEqual(done.stdout.count("\n"), 1, "one object, one line")
        return json.loads(done.stdout, parse_constant=self.no_constant)

    def no_constant(self, name):
        self.fail(f"{name} is not JSON")

    def assert_golden(self, name, text):
        path = HERE / "golden" / name
        if os.environ.get("PARTAN_GOLDEN") == "update":
            path.write_text(text)
        self.assertEqual(text, path.read_text(), f"{path.name}: PARTAN_GOLDEN=update rewrites it")

    def assert_schema(self, found, schema):
        """schema: key -> type, tuple of types, or a dict for an object; all keys are required, more are allowed."""
        for key, kind in schema.items():
            self.assertIn(key, found)
            if isinstance(kind, dict):
                self.assert_schema(found[key], kind)
            else:
                value = found[key]
                wanted = kind if isinstance(kind, tuple) else (kind,)
                if bool not in wanted:
                    self.assertNotIsInstance(value, bool, key)
                self.assertIsInstance(value, wanted, key)
