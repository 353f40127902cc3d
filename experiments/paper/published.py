"""The paper's numbers."""

import json
from pathlib import Path

PAPER = json.loads((Path(__file__).parent / "published.json").read_text(encoding="utf-8"))
SOLVERS = ("fw", "mfw", "swap", "partan")
TITLES = {"fw": "FW", "mfw": "MFW", "swap": "SWAP", "partan": "PARTAN", "auto": "auto"}


def table1(name):
    """{"train", "test", "features"}; {} for a set that the paper does not have."""
    return PAPER["table1"].get(name, {})


def table2(name, solver):
    """{"accuracy" in per cent, "seconds", "iterations", "support_vectors"}; {} where the paper has none."""
    return PAPER["table2"].get(name, {}).get(solver, {})


def table3(name, solver, eps):
    """{"seconds", "iterations"}; eps is a text, "1e-4"."""
    return PAPER["table3"].get(name, {}).get(solver, {}).get(eps, {})


def table4(name, solver):
    return PAPER["table4"].get(name, {}).get(solver, {})
