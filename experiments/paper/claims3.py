"""Statements about Table 3 and Figure 3: iterations against eps, rates, oscillations."""

import math
import statistics

from . import theory
from .claims import PART, Finding, Statement, by_solver, each, listed
from .published import SOLVERS, TITLES

VARIANTS = SOLVERS[1:]


def steps(side, entry, solver, eps):
    return side.table3(entry, solver, eps)["iterations"]


def decade_factors(side, entry, solver):
    counts = [steps(side, entry, solver, eps) for eps in side.protocol.decades]
    return [b / a for a, b in zip(counts, counts[1:])]


def exponent(side, entry, solver):
    """p where iterations grow as eps^-p over the last decade: 1 for a gap that falls as 1/k, 0 for a linear rate."""
    return math.log10(decade_factors(side, entry, solver)[-1])


def exponents(side, solvers):
    return {e.title: {s: exponent(side, e, s) for s in solvers} for e in side.tight()}


def tenfold(side):
    found = {e.title: decade_factors(side, e, "fw") for e in side.tight()}
    text = "; ".join(f"{title} " + ", ".join(f"{x:.1f}" for x in row) for title, row in found.items())
    means = {title: statistics.geometric_mean(row) for title, row in found.items()}
    return each(means, lambda factor: 8 <= factor <= 12.5, f"FW's factor from one eps to the next: {text}")


def bound_predicts(side):
    """Proposition 2 with the known bound on C_f; the paper has neither C nor C_f, so only ours are judged."""
    if side.name == "paper" or not side.tight():
        return None
    last = side.protocol.decades[-1]
    # C_f <= 4 + 1/C; that of C = 1 is taken for all, which changes the factor by less than 1.3.
    allowed = theory.steps_allowed(theory.curvature(1), float(last) / 2)
    ratios = {e.title: allowed / steps(side, e, "fw", last) for e in side.tight()}
    rate = all(8 <= statistics.geometric_mean(decade_factors(side, e, "fw")) <= 12.5 for e in side.tight())
    numbers = f"steps that Proposition 2 allows at eps = {last}, C_f = 5, / FW's: {listed(ratios, '{:.0f}')}"
    near = all(1 <= ratio <= 10 for ratio in ratios.values())
    but = "" if near else "the rate, not the number"
    return Finding(True if near and rate else PART if rate else False, numbers, but if rate else "")


def tight_gains(side):
    last = side.protocol.decades[-1]
    return {e.title: {s: steps(side, e, "fw", last) / steps(side, e, s, last) for s in VARIANTS} for e in side.tight()}


def order_of_magnitude(side):
    rows = tight_gains(side)
    if not rows:
        return None
    numbers = f"FW's iterations / theirs at eps = {side.protocol.decades[-1]}: {by_solver(rows, '{:.1f}')}"
    if all(min(row.values()) >= 10 for row in rows.values()):
        return Finding(True, numbers)
    short = [f"{TITLES[s]} on {title}" for title, row in rows.items() for s, gain in row.items() if gain < 10]
    one = all(max(row.values()) >= 10 for row in rows.values())
    return Finding(PART if one else False, numbers, f"not {', '.join(short)}")


def unequal(side):
    rows = tight_gains(side)
    factors = {title: max(row.values()) / min(row.values()) for title, row in rows.items()}
    return each(factors, lambda factor: factor >= 1.5, f"best gain / least, of the three: {listed(factors)}")


def overtaken(side):
    first, last = side.protocol.eps, side.protocol.decades[-1]
    sets = side.tight()
    if not sets or first == last:
        return None
    pairs = {
        e.title: tuple(steps(side, e, "mfw", eps) / steps(side, e, "partan", eps) for eps in (first, last))
        for e in sets
    }
    text = "; ".join(f"{title} {a:.2f}, then {b:.2f}" for title, (a, b) in pairs.items())
    leads = all(a >= 1.25 for a, _ in pairs.values())
    passed = [title for title, (_, b) in pairs.items() if b < 1]
    holds = True if leads and len(passed) == len(sets) else PART if passed else False
    but = "" if holds is not PART else f"overtaken on {', '.join(passed)}" + ("" if leads else ", and it led little")
    return Finding(holds, f"MFW's iterations / PARTAN's at {first}, then at {last}: {text}", but)


def swing(side, entry, solver):
    """How much the gap oscillates: the median change between neighbouring rows of the trace, in decades, over the second
    half of the rows. These are spaced so closely that the trend between two of them is far smaller."""
    points = [(k, gap) for k, gap in side.trace(entry, solver) if gap > 0]
    late = points[len(points) // 2 :]
    changes = [abs(math.log10(b[1] / a[1])) for a, b in zip(late, late[1:])]
    return statistics.median(changes) if changes else None


def swings(side):
    found = {}
    for entry in side.tight():
        row = {solver: swing(side, entry, solver) for solver in SOLVERS}
        if all(row.values()):
            found[entry.title] = row
    return found


def mfw_is_best_and_calm(side):
    rows = tight_gains(side)
    calm = swings(side)
    if not rows or (side.name == "here" and not calm):
        return None
    best = {title: row["mfw"] >= 0.8 * max(row.values()) for title, row in rows.items()}
    quiet = {title: row["mfw"] <= min(row.values()) * 1.0001 for title, row in calm.items()}
    numbers = f"gains over FW: {by_solver(rows, '{:.1f}')}"
    numbers += f"; oscillation, in decades: {by_solver(calm, '{:.3f}')}" if calm else ""
    both = {title: best[title] and quiet.get(title, True) for title in rows}
    return each(both, bool, numbers)


def swap_is_mixed(side):
    rows, calm = tight_gains(side), swings(side)
    if len(rows) < 3 or (side.name == "here" and not calm):
        return None
    w8a = side.named("w8a").title
    ahead = {title: row["swap"] / row["mfw"] for title, row in rows.items()}
    wild = all(row["swap"] > row["mfw"] for row in calm.values())
    parts = [ahead[title] > 1 if title != w8a else ahead[title] < 1 / 1.5 for title in rows] + [wild]
    numbers = f"MFW's iterations / SWAP's: {listed(ahead)}"
    numbers += f"; oscillation, in decades: {by_solver(calm, '{:.3f}')}" if calm else ""
    failed = [title for title, ok in zip(rows, parts) if not ok] + ([] if wild else ["oscillation"])
    holds = True if all(parts) else PART if any(parts) else False
    return Finding(holds, numbers, f"not {', '.join(failed)}" if failed and holds is PART else "")


def partan_like_fw(side):
    rates = exponents(side, ("fw", "partan"))
    gains = tight_gains(side)
    numbers = f"p, where iterations grow as eps^-p over the last decade: {by_solver(rates)}"
    alike = {t: abs(r["fw"] - r["partan"]) <= 0.15 and gains[t]["partan"] > 1 for t, r in rates.items()}
    return each(alike, bool, numbers)


def faster_rates(side):
    rates = exponents(side, SOLVERS)
    if not rates:
        return None
    numbers = f"p, where iterations grow as eps^-p over the last decade: {by_solver(rates)}"
    slow = [f"{TITLES[s]} on {t}" for t, row in rates.items() for s in VARIANTS if row[s] > row["fw"] - 0.15]
    total = len(rates) * len(VARIANTS)
    holds = True if not slow else PART if len(slow) < total else False
    return Finding(holds, numbers, f"not {', '.join(slow)}" if holds is PART else "")


def accuracy_settles(side):
    if side.name == "paper":
        return None
    last = side.protocol.decades[-2:]
    found = {}
    for entry in side.tight():
        runs = [[side.table3(entry, s, eps)["accuracy"] for eps in last] for s in SOLVERS]
        found[entry.title] = max(abs(a - b) for a, b in runs)
    numbers = f"largest change of test accuracy from eps = {last[0]} to {last[1]}, points: {listed(found)}"
    return each(found, lambda change: change <= 0.25, numbers)


def not_monotone(side):
    if side.name == "paper":
        return None
    found = {}
    for entry in side.tight():
        gaps = {s: [gap for _, gap in side.trace(entry, s)] for s in SOLVERS}
        rises = {s: sum(b > a for a, b in zip(row, row[1:])) / max(1, len(row) - 1) for s, row in gaps.items()}
        found[entry.title] = {s: 100 * share for s, share in rises.items()}
    least = {title: min(row.values()) for title, row in found.items()}
    return each(least, lambda share: share > 0, f"rows of the trace where D rises, %: {by_solver(found, '{:.0f}')}")


ALL = (
    Statement("FW's iterations increase 10-fold every time eps decreases by one order of magnitude.",
              "The mean factor (geometric) is between 8 and 12.5 on every set.", tenfold),
    Statement(
        "The bound of Proposition 2 gives in practice a good indication of the number of iterations of FW.",
        "FW's growth is tenfold as above, and it needs no less than a tenth of the steps that the bound allows; in part: "
        "only the growth.",
        bound_predicts,
    ),
    Statement("With the strictest eps the modified variants gain one order of magnitude or more over FW.",
              "All three need at most a tenth of FW's iterations on every set; in part: one of the three does.",
              order_of_magnitude),
    Statement("The three variants do not always provide the same improvement.",
              "The best gain of the three is at least 1.5 times the least, on every set.", unequal),
    Statement(
        "PARTAN starts out with a substantial advantage at eps = 1e-4, but is outperformed by MFW when a more accurate "
        "solution is sought.",
        "PARTAN needs at least a fifth fewer iterations than MFW at the one, and more at the strictest, on every set; in "
        "part: more on some.",
        overtaken,
    ),
    Statement(
        "Figure 3: MFW exhibits the best primal-dual convergence rate, with very small oscillations of the gap.",
        "On every set MFW's gain over FW is within a fifth of the best, and its gap oscillates least of the four.",
        mfw_is_best_and_calm,
    ),
    Statement(
        "Figure 3: SWAP performs even better on two of the sets, with larger oscillations, but substantially worse on "
        "w8a.",
        "SWAP needs fewer iterations than MFW on a9a and IJCNN1, more than 1.5 times as many on w8a, and its gap "
        "oscillates more on all; in part: some of these.",
        swap_is_mixed,
    ),
    Statement(
        "Figure 3: PARTAN behaves like FW, with a better convergence factor.",
        "Over the last decade, PARTAN's exponent is within 0.15 of FW's, and it needs fewer iterations, on every set.",
        partan_like_fw,
    ),
    Statement(
        "The variants display a faster convergence rate in practice, measured by the duality gap.",
        "Over the last decade, the exponent of all three is at least 0.15 below FW's on every set; in part: of some.",
        faster_rates,
    ),
    Statement("Test accuracy is relatively insensitive to eps after a certain threshold.",
              "Over the last decade it changes by at most 0.25 points, for every solver and set.", accuracy_settles),
    Statement("The duality gap is not a monotonically decreasing quantity.",
              "It rises between some rows of the trace of every solver, on every set.", not_monotone),
)  # fmt: skip
