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


def python(work, note):
    """The environment's interpreter. Raises Failed with pip's last words when the packages cannot be installed."""
    folder = work / "venv"
    interpreter = folder / "bin" / "python"
    ready = folder / "ready"
    if ready.is_file():
        return interpreter
    note(f"installing {', '.join(PACKAGES)} into {folder}")
    run([sys.executable, "-m", "venv", folder], LIMIT)
    # Intel's package only exists for x86-64: without it the plain one is still of use.
    try:
        run([interpreter, "-m", "pip", "install", "--quiet", *PACKAGES], LIMIT)
    except Failed:
        run([interpreter, "-m", "pip", "install", "--quiet", *PACKAGES[:-1]], LIMIT)
    ready.write_text(run([interpreter, "-m", "pip", "freeze"], 60))
    return interpreter


def version(work, package):
    """As installed; None when it is not."""
    ready = work / "venv" / "ready"
    for line in ready.read_text().splitlines() if ready.is_file() else ():
        name, _, number = line.partition("==")
        if name.lower().replace("_", "-") == package:
            return number
    return None
