"""The README's examples do what it says: its commands are run, and what they print is compared with what it shows."""

import re
import shlex
import subprocess
import unittest

from cli import HERE, PARTAN, CliTest, environment

README = HERE.parent.parent / "README.md"

# Commands that need data from elsewhere, depend on the time, or take long.
SKIPPED = ("a9a", "colon-cancer", "ratings", "--time-limit", "--init", "cut ")

# Lines whose numbers depend on the machine: time, threads, and rounding, which differs between instruction sets.
WORDS_ONLY = ("gap", "relative gap", "certificate", "verified", "minimum weight")


def section(title):
    text = README.read_text()
    return re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL).group(1)


def tables(text):
    """Name and content of the files that the reader is asked to save."""
    found = re.findall(r"Save\s+this[^`]*`([^`]+)`(?:.+\n)+\n((?:    .*\n)+)", text)
    return [(name, re.sub(r"^    ", "", block, flags=re.MULTILINE)) for name, block in found]


def commands(text):
    """Every command with the lines shown below it, up to the end of its block."""
    found = []
    for line in text.splitlines():
        if line.startswith("    $ "):
            found.append((line[6:], []))
        elif line.startswith("    ") and found and found[-1][1] is not None:
            found[-1][1].append(line.strip())
        elif line and found and not line.startswith("    "):
            found.append((None, None))  # prose ends a block
    return [(command, shown) for command, shown in found if command]


def parts(line):
    """The words of a line, and its numbers in their places."""
    result = []
    for part in re.split(r"[\s/()]+", line.strip()):
        plain = part.strip("%,;:").replace(",", "")
        try:
            result.append(float(plain))
        except ValueError:
            result.append(part)
    return result


def near(a, b):
    whole = a == int(a) and b == int(b)
    return abs(a - b) <= max(0.01 * max(abs(a), abs(b)), 20 if whole and min(a, b) > 100 else 0)


def same(shown, printed):
    if shown.startswith("solver"):  # iterations, time, threads and instruction set differ
        return shown.split()[:2] == printed.split()[:2]
    a, b = parts(shown), parts(printed)
    exact = not shown.strip().startswith(WORDS_ONLY)
    return len(a) == len(b) and all(
        (not exact or near(x, y)) if isinstance(x, float) and isinstance(y, float) else x == y
        for x, y in zip(a, b)
    )


class Readme(CliTest):
    def compare(self, command, shown, printed):
        """'...' in the README stands for any number of lines."""
        at = 0
        skipping = False
        for line in shown:
            if not line:
                continue
            if line == "...":
                skipping = True
                continue
            while skipping and at < len(printed) and not same(line, printed[at]):
                at += 1
            self.assertLess(at, len(printed), f"{command}: '{line}' is not printed")
            self.assertTrue(same(line, printed[at]), f"{command}\nREADME:  {line}\nprinted: {printed[at]}")
            at += 1
            skipping = False
        if not skipping and shown:
            self.assertEqual(printed[at:], [], f"{command}: more is printed than the README shows")

    def follow(self, title, at_least):
        text = section(title)
        for name, content in tables(text):
            self.write(name, content)
        followed = 0
        for command, shown in commands(text):
            if any(word in command for word in SKIPPED):
                continue
            words = shlex.split(command)
            self.assertEqual(words[0], "partan")
            done = subprocess.run([PARTAN, *words[1:]], cwd=self.folder, env=environment(), text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
            self.assertEqual(done.returncode, 0, f"{command}: {done.stderr}")
            printed = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
            self.compare(command, shown, printed)
            followed += 1
        self.assertGreaterEqual(followed, at_least)

    def test_first_example(self):
        self.follow("A first example", 3)

    def test_tour(self):
        self.follow("A tour", 8)

    def test_without_scaling_there_is_a_warning(self):
        name, content = tables(section("A first example"))[0]
        self.write(name, content)
        self.assertIn("very different ranges", self.succeed("train", name).stderr)


if __name__ == "__main__":
    unittest.main()
