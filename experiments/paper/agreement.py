"""How near the counts found here are to the published ones: iterations and support vectors of Tables 2, 3 and 4."""

import dataclasses

from harness.report import Table

from . import published
from .published import SOLVERS, TITLES

NEAR, CLOSE = 0.05, 0.25  # shares of the published count
HALF_DIGIT = 0.005  # at most, of a number printed with three digits
FIELDS = {"iterations": "iterations", "support_vectors": "SVs"}


@dataclasses.dataclass(frozen=True)
class Count:
    table: str
    set: str  # its title
    solver: str
    field: str
    ours: float
    published: float

    @property
    def off(self):
        return deviation(self.ours, self.published)


class Compared(str):
    """The text of a cell that knows how far its number is from the published one, as a share of that."""

    off = None


def deviation(ours, paper):
    return ours / paper - 1


def grade(off):
    """In which of three classes a deviation is."""
    return "near" if abs(off) <= NEAR else "close" if abs(off) <= CLOSE else "far"


def comparable(ours, paper, field):
    """Both have the number, and no time limit cut ours short."""
    return bool(ours.get(field) and paper.get(field) and not ours.get("limited"))


def compared(text, ours, paper, field):
    """A cell's text with its deviation, for the fields that are counted."""
    cell = Compared(text)
    if field in FIELDS and comparable(ours, paper, field):
        cell.off = deviation(ours[field], paper[field])
    return cell


def counts(results):
    """Every count that both have. Table 3 repeats Table 2 at its eps, which is not counted twice."""
    found = []
    for entry in results.sets:
        for solver in SOLVERS:
            places = [("Table 2", results.table2(entry.name, solver), published.table2(entry.name, solver))]
            for eps in results.protocol.decades:
                paper = published.table3(entry.name, solver, eps)
                if paper and eps != results.protocol.eps:
                    places.append(("Table 3", results.table3(entry.name, solver, eps), paper))
            places.append(("Table 4", results.table4(entry.name, solver), published.table4(entry.name, solver)))
            for table, ours, paper in places:
                fields = [field for field in FIELDS if comparable(ours, paper, field)]
                found += [Count(table, entry.title, solver, field, ours[field], paper[field]) for field in fields]
    return sorted(found, key=lambda each: each.table)


def published_at(name, solver, eps):
    """Table 2's numbers at its eps, Table 3's at others."""
    return published.table2(name, solver) if eps == "1e-4" else published.table3(name, solver, eps)


def explained(paper, least, most):
    """Whether a published count, of three digits, lies in a range."""
    return bool(paper) and least <= paper * (1 + HALF_DIGIT) and paper * (1 - HALF_DIGIT) <= most


def in_range(results):
    """(how many published counts of Tables 2 and 3 lie in the range that random first vertices give here, of how many)"""
    inside = total = 0
    stops = [(e, s, eps) for e in results.sets for s in SOLVERS for eps in results.protocol.decades]
    for entry, solver, eps in stops:
        found, paper = results.starts(entry.name, solver, eps), published_at(entry.name, solver, eps)
        for field in FIELDS if found else ():
            if field in paper:
                total += 1
                inside += explained(paper[field], *found[field])
    return inside, total


def within(found, share):
    return sum(abs(each.off) <= share for each in found)


def summary_table(found):
    """How many of the counts agree, by table, by solver and by set."""
    headings = ["", "", "counts", "within 5 %", "within 25 %", "farther"]
    table = Table("Counts beside the published ones", headings, left=2)

    def add(kind, name_of):
        for name in dict.fromkeys(map(name_of, found)):
            some = [each for each in found if name_of(each) == name]
            near, close = within(some, NEAR), within(some, CLOSE)
            table.add(kind, name, len(some), near, close, len(some) - close)

    add("all", lambda each: "Tables 2 to 4")
    add("by table", lambda each: f"{each.table}, {FIELDS[each.field]}")
    add("by solver", lambda each: TITLES[each.solver])
    add("by set", lambda each: each.set)
    table.notes.append(
        "Iterations and support vectors, wherever the paper has them and no time limit ended the run here. Table 3 has "
        "iterations alone, and those that repeat Table 2 are not counted again. Within 25 % includes within 5 %."
    )
    return table


def speedups(results, field):
    """[(set title, ours, published)]: FW's number over PARTAN's in Table 2; None where one of them is missing."""

    def ratio(fw, partan):
        good = fw.get(field) and partan.get(field) and not fw.get("limited") and not partan.get("limited")
        return fw[field] / partan[field] if good else None

    found = []
    for entry in results.sets:
        ours = ratio(*(results.table2(entry.name, solver) for solver in ("fw", "partan")))
        paper = ratio(*(published.table2(entry.name, solver) for solver in ("fw", "partan")))
        found.append((entry.title, ours, paper))
    return found
