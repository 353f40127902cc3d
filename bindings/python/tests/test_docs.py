"""What the documentation shows is what comes out; hints of types are right."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import partan

ROOT = Path(__file__).resolve().parents[3]
MODULES = sorted(f"partan.{found.name}" for found in pkgutil.iter_modules(partan.__path__) if found.name != "_core")


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


class OtherDigits(doctest.OutputChecker):
    """Gaps and counts depend on the instruction set: digits may be others."""

    def check_output(self, want, got, optionflags):
        return super().check_output(*(re.sub(r"\d+", "0", text) for text in (want, got)), optionflags)


@pytest.mark.parametrize(("page", "least"), [("docs/python.md", 15), ("README.md", 4)])
def test_examples_of_pages(page, least):
    text = "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(text, {}, page, None, 0)
    assert len(examples.examples) >= least
    assert doctest.DocTestRunner(OtherDigits()).run(examples).failed == 0


def test_public_things_are_documented():
    for name in partan.__all__:
        thing = getattr(partan, name)
        assert thing.__doc__, name
        for method, member in vars(thing).items() if isinstance(thing, type) else ():
            if callable(member) and not method.startswith("_"):
                assert member.__doc__, f"{name}.{method}"


def test_types():
    pytest.importorskip("mypy")
    words = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "-p", "partan"]
    done = subprocess.run(
        [*words, "--cache-dir", "build/python/mypy"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_tutorial_runs():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("matplotlib")
    notebook = nbformat.read(ROOT / "docs" / "tutorial.ipynb", as_version=4)
    stored = [[out.get("text") for out in cell.get("outputs", []) if "text" in out] for cell in notebook.cells]
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    again = [[out.get("text") for out in cell.get("outputs", []) if "text" in out] for cell in notebook.cells]
    assert any(stored) and [len(one) for one in again] == [len(one) for one in stored]
