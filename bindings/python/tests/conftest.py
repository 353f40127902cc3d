"""Data that several tests use, and where the command line is."""

import os
import shutil

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_moons


@pytest.fixture(scope="session")
def moons():
    return make_moons(600, noise=0.2, random_state=0)


@pytest.fixture(scope="session")
def blobs():
    """Four classes of ten features."""
    return make_classification(400, 10, n_informative=6, n_classes=4, random_state=1)


@pytest.fixture(scope="session")
def partan_program():
    """The command line, which CTest names in PARTAN."""
    program = os.environ.get("PARTAN") or shutil.which("partan")
    if not program:
        pytest.skip("the command line is not there: PARTAN names it")
    return program


@pytest.fixture
def rng():
    return np.random.RandomState(0)
