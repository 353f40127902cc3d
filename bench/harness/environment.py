"""The virtual environment of the Python peers, made when one of them is first asked for."""

import subprocess
import sys

from .process import Failed

PACKAGES = ("numpy", "scikit-learn", "scikit-learn-intelex")
LIMIT = 900  # seconds for the installation


def run(words, limit):
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{words[0]} took more than {limit} s") from error
    if done.returncode != 0:
        lines = (done.stderr.strip() or done.stdout.strip() or f"exit {done.returncode}").splitlines()
        raise Failed(lines[-1])
    return done.stdout


def python(work, note, packages=PACKAGES, name="venv"):
    """The environment's interpreter. Raises Failed with pip's last words when the packages cannot be installed; the last
    of them may be missing."""
    folder = work / name
    interpreter = folder / "bin" / "python"
    ready = folder / "ready"
    if ready.is_file():
        return interpreter
    note(f"installing {', '.join(packages)} into {folder}")
    run([sys.executable, "-m", "venv", folder], LIMIT)
    # Intel's package only exists for x86-64: without it the plain one is still of use.
    try:
        run([interpreter, "-m", "pip", "install", "--quiet", *packages], LIMIT)
    except Failed:
        run([interpreter, "-m", "pip", "install", "--quiet", *packages[:-1]], LIMIT)
    ready.write_text(run([interpreter, "-m", "pip", "freeze"], 60))
    return interpreter


def version(work, package, name="venv"):
    """As installed; None when it is not."""
    ready = work / name / "ready"
    for line in ready.read_text().splitlines() if ready.is_file() else ():
        found, _, number = line.partition("==")
        if found.lower().replace("_", "-") == package:
            return number
    return None
