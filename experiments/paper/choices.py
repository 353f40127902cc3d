"""gamma and C of a set: what validation chooses, and what the published counts belong to."""

import math

from . import published
from .protocol import Choice

FITTED = ("fw", "partan")
FAR = 0.25  # counts that are off by more at gamma = 2 / mean are looked for at other gammas too
GIVEN = "given"
VALIDATION = "validation"
COUNTS = "the published counts"
BOTH = f"{VALIDATION} and {COUNTS}"


def off_by(name, found):
    """The mean factor between the counts of FW and PARTAN and the published ones, less 1; None where one is missing."""
    logs = []
    for solver, here in zip(FITTED, found):
        paper = published.table2(name, solver)
        if not here or not paper or here["limited"]:
            return None
        logs += [abs(math.log(here[field] / paper[field])) for field in ("iterations", "support_vectors")]
    return math.expm1(sum(logs) / len(logs))


def fits(results, name):
    """[(off by, gamma, C)] of the pairs tried, in the order they were tried."""
    protocol, width = results.protocol, results.width(name)
    found = []
    for gamma in protocol.fit_gammas(name, width) if width else ():
        for cost in protocol.fit_costs(name):
            runs = [results.fit(name, gamma, cost, solver) for solver in FITTED]
            off = off_by(name, runs)
            found += [(off, gamma, cost)] if off is not None else []
    return found


def validated(results, name):
    """The least C of those with the best validation accuracy; None without any."""
    found = results.tuning(name)
    return max(sorted(found), key=found.get) if found else None


def fitted(results, name, gamma):
    """The pair nearest in counts: of the C at gamma = 2 / mean, or of all pairs where none of these is near."""
    found = fits(results, name)
    usual = [each for each in found if each[1] == gamma]
    best = min(usual, default=None)
    if found and (not best or best[0] > FAR):
        best = min(found)
    return best


def choose(results, entry):
    """The choices of a set, the one whose runs stand beside the paper's first; [] where nothing can be known yet."""
    width = results.width(entry.name)
    if not width:
        return []
    gamma = results.protocol.fit_gammas(entry.name, width)[0]
    if entry.cost is not None:
        return [Choice(gamma, entry.cost, GIVEN)]
    valid, best = validated(results, entry.name), fitted(results, entry.name, gamma)
    if best and valid is not None and best[1:] == (gamma, valid):
        return [Choice(gamma, valid, BOTH)]
    found = [Choice(best[1], best[2], COUNTS)] if best else []
    return found + ([Choice(gamma, valid, VALIDATION)] if valid is not None else [])
