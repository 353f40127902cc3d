"""What the paper says of its results, statement by statement, and whether it holds here.

Each statement has a criterion, written down before any number was looked at, that is applied to the published numbers
and to ours alike. It holds, holds in part (where some sets say yes and others no, or a weaker form of it holds), or does
not. Runs that a time limit ended are not judged, and a set counts on both sides or on none."""

import dataclasses
import statistics

from . import published
from .published import SOLVERS, TITLES

PART = "in part"
WORDS = {True: "holds here", PART: "holds in part", False: "does not hold here", None: "not judged"}


@dataclasses.dataclass
class Finding:
    """What one side's numbers say of a statement."""

    holds: object  # True, PART or False; None where there is nothing to judge by
    numbers: str
    but: str = ""  # where it does not hold


@dataclasses.dataclass
class Claim:
    """A statement with both findings."""

    says: str
    criterion: str
    published: Finding
    found: Finding

    @property
    def holds(self):
        return self.found.holds

    @property
    def verdict(self):
        return WORDS[self.found.holds] + (f" ({self.found.but})" if self.found.but else "")

    @property
    def paper(self):
        told = {True: "holds", PART: "holds in part", False: "does not hold"}.get(self.published.holds)
        return self.published.numbers + (f" (by the same criterion: {told})" if told else "")

    @property
    def here(self):
        return self.found.numbers


@dataclasses.dataclass(frozen=True)
class Statement:
    says: str
    criterion: str
    find: object  # a function from a Side to a Finding, or None where it has no numbers for it


@dataclasses.dataclass
class Side:
    """The numbers of one side. Tables give {} where there is no number, or a time limit ended the run."""

    name: str
    every: list  # sets, generated stand-ins included
    protocol: object
    table2: object  # (entry, solver) -> numbers
    table3: object  # (entry, solver, eps)
    table4: object  # (entry, solver)
    trace: object  # (entry, solver) -> [(iteration, gap)] of the strictest run
    rows: object  # entry -> training rows

    @property
    def sets(self):
        """The paper's own: a stand-in is only looked at where a statement names its set."""
        return [entry for entry in self.every if not entry.stands_for]

    def named(self, name):
        """The set of the paper of that name, or what stands for it; None where it was not run."""
        return next((e for e in self.every if name in (e.name, e.stands_for)), None)

    def complete(self, table, *more):
        """The sets for which all four solvers have numbers."""
        return [e for e in self.sets if all(table(e, solver, *more) for solver in SOLVERS)]

    def tight(self):
        """The sets that have all of Table 3."""
        stops = self.protocol.decades
        return [e for e in self.sets if all(self.table3(e, s, eps) for s in SOLVERS for eps in stops)]


def usable(found):
    return found if found and not found.get("limited") else {}


def sides(results):
    """(the paper's, ours), with the same sets."""

    def ours2(entry, solver):
        return usable(results.table2(entry.name, solver))

    def paper_name(entry):
        return entry.stands_for or entry.name

    sets = [e for e in results.sets if published.table1(paper_name(e))]
    rows = {e.name: published.table1(paper_name(e))["train"] for e in sets}
    common = {"every": sets, "protocol": results.protocol, "rows": lambda e: rows[e.name]}

    def both(ours, paper):
        """Numbers of the one side where the other has them too."""
        return (lambda *key: ours(*key) if paper(*key) else {}), (lambda *key: paper(*key) if ours(*key) else {})

    here2, there2 = both(ours2, lambda e, s: published.table2(paper_name(e), s))
    here3, there3 = both(
        lambda e, s, eps: usable(results.table3(e.name, s, eps)), lambda e, s, eps: published.table3(e.name, s, eps)
    )
    here4, there4 = both(lambda e, s: usable(results.table4(e.name, s)), lambda e, s: published.table4(e.name, s))
    paper = Side("paper", table2=there2, table3=there3, table4=there4, trace=lambda e, s: [], **common)
    here = Side("here", table2=here2, table3=here3, table4=here4, trace=lambda e, s: results.trace(e.name, s), **common)
    return paper, here


# ---- findings ----


def listed(values, form="{:.2f}"):
    return ", ".join(f"{title} {form.format(value)}" for title, value in values.items())


def each(values, test, numbers, also=True):
    """Holds where all values pass; in part where some do, or where something else that must hold too does not."""
    failed = [title for title, value in values.items() if not test(value)]
    if not values:
        return None
    if len(failed) == len(values):
        return Finding(False, numbers)
    if failed:
        return Finding(PART, numbers, f"not on {', '.join(failed)}")
    return Finding(True if also else PART, numbers)


def table2_ratios(side, field, solver="partan"):
    """{set: FW's number / the solver's}."""
    found = {}
    for entry in side.sets:
        fw, other = side.table2(entry, "fw"), side.table2(entry, solver)
        if fw and other:
            found[entry.title] = fw[field] / other[field]
    return found


def mean(values):
    return statistics.fmean(values.values() if isinstance(values, dict) else values)


def by_solver(rows, form="{:.2f}"):
    """{set: {solver: value}} as a text."""
    cells = (f"{t}: " + ", ".join(f"{TITLES[s]} {form.format(x)}" for s, x in row.items()) for t, row in rows.items())
    return "; ".join(cells)


# ---- all of them ----


def judge(results):
    # pylint: disable=import-outside-toplevel
    from . import claims2, claims3, claims4

    paper, here = sides(results)
    found = []
    for statement in (*claims2.ALL, *claims3.ALL, *claims4.ALL):
        ours = statement.find(here)
        if ours:
            theirs = statement.find(paper) or Finding(None, "no numbers")
            found.append(Claim(statement.says, statement.criterion, theirs, ours))
    return found
