"""The bounds of the paper's Propositions 1 and 2, with a curvature constant that is known, beside what FW did.

f = a'Ka/2 on the unit simplex has the curvature constant C_f = d^2/2, where d^2 is the largest K_ii + K_jj - 2 K_ij,
the squared distance of two vertices in feature space. This is Clarkson's definition; Jaggi (2013) has twice that, and
half the paper's factors before it (2 and 27/4 instead of 4 and 27/2), so the bounds are the same. Here K_ij = y_i y_j
(k_ij + 1) + [i = j]/C, and for a kernel with k_ii = 1 and 0 <= k_ij <= 1, like rbf, two rows of one class have d^2 =
2 + 2/C - 2 k_ij and two of different classes d^2 = 6 + 2/C + 2 k_ij. The latter is always larger, so

    3 + 1/C + k <= C_f <= 4 + 1/C

for the k of any pair of different classes."""

import math
import random

from harness.report import Table

from .published import SOLVERS
from .tables import count, table3_sets, titled

NEIGHBOURS = 4  # compared with each row, in each of several orders
ORDERS = 2
TITLES = {"primal": "FW, f - f*", "bound1": "bound on f - f*", "bound2": "bound on the best D"}


def curvature(cost, nearest=1.0):
    """C_f where the nearest pair of different classes has this kernel value; with 1, an upper bound."""
    return 3 + 1 / cost + nearest


def proposition1(curve, k):
    """Of f - f* after k >= 1 steps."""
    return 4 * curve / (k + 2)


def proposition2(curve, k):
    """Of the least gap in steps 1 to k >= 2."""
    return 27 * curve / (2 * (k + 2))


def steps_allowed(curve, gap):
    """After so many steps Proposition 2 has brought the best gap to this."""
    return max(2, math.ceil(27 * curve / (2 * gap) - 2))


def bound_curves(cost, last):
    """Both bounds up to so many steps, as points a plot can join."""
    curve = curvature(cost)
    steps = sorted({round(last ** (i / 100)) for i in range(101)})
    return {
        "bound1": [(k, proposition1(curve, k)) for k in steps if k >= 1],
        "bound2": [(k, proposition2(curve, k)) for k in steps if k >= 2],
    }


# ---- from the data: how near the bound on C_f is to C_f itself ----


def read_rows(path):
    """[(label, {feature: value})] of a LIBSVM file."""
    rows = []
    for line in path.read_text().splitlines():
        label, *cells = line.split()
        pairs = (cell.split(":") for cell in cells)
        rows.append((float(label), {int(j): float(value) for j, value in pairs}))
    return rows


def squared_distance(x, y):
    total = sum((value - y.get(j, 0.0)) ** 2 for j, value in x.items())
    return total + sum(value**2 for j, value in y.items() if j not in x)


def nearest_distance(rows):
    """The squared distance of a near pair of different classes: exact where two rows are equal, else the least among
    neighbours along random directions."""
    by_class = {}
    for label, row in rows:
        by_class.setdefault(label, set()).add(tuple(row.items()))
    if len(by_class) == 2 and set.intersection(*by_class.values()):
        return 0.0
    least, draw = math.inf, random.Random(1)
    for _ in range(ORDERS):
        direction = {j: draw.gauss(0, 1) for j in sorted({j for _, row in rows for j in row})}
        order = sorted(rows, key=lambda row: sum(value * direction[j] for j, value in row[1].items()))
        for i in range(1, NEIGHBOURS + 1):
            pairs = ((a[1], b[1]) for a, b in zip(order, order[i:]) if a[0] != b[0])
            least = min(least, min((squared_distance(x, y) for x, y in pairs), default=math.inf))
    return least


# ---- beside the runs ----


def last_run(results, name):
    """What FW's tightest run of Table 3 says of itself; None where it has not been run."""
    job = results.protocol.table3(name, results.main(name), "fw", results.protocol.decades[-1])
    return (results.runner.result(job) or {}).get("train")


def primal_gaps(results, name):
    """FW's f - f*, or more: f* is at least the greatest f - D of all runs."""
    points = {solver: results.trace(name, solver, ("iteration", "objective", "gap")) for solver in SOLVERS}
    least = max((f - gap for rows in points.values() for _, f, gap in rows), default=0.0)
    return [(k, f - least) for k, f, _ in points["fw"]]


def curves(results, name):
    """FW's primal gap and both bounds, to be drawn beside the gaps; {} where there is no run."""
    train = last_run(results, name)
    points = primal_gaps(results, name) if train else []
    if not points:
        return {}
    return {"primal": points, **bound_curves(train["cost"], points[-1][0])}


def table(results):
    headings = ["set", "C", "gamma", "nearest k", "C_f at least", "at most", "D", "steps allowed", "FW's", "ratio"]
    found = Table("Proposition 2 beside the runs of FW", headings, left=1)
    for entry in table3_sets(results):
        train = last_run(results, entry.name)
        if not train:
            continue
        nearest = math.exp(-train["gamma"] * nearest_distance(read_rows(results.runner.files[entry.name]["train"])))
        curve = curvature(train["cost"])
        for eps in results.protocol.decades:
            run = results.table3(entry.name, "fw", eps)
            if not run or run["limited"]:
                continue
            allowed = steps_allowed(curve, float(eps) / 2)
            found.add(
                *(titled(entry.name), f"{train['cost']:g}", f"{train['gamma']:.4g}", f"{nearest:.3f}"),
                *(f"{curvature(train['cost'], nearest):.3f}", f"{curve:.3f}", f"{float(eps) / 2:g}"),
                *(count(allowed), count(run["iterations"]), f"{allowed / run['iterations']:.0f}"),
            )
    found.notes.append(NOTE)
    return found


NOTE = (
    "C_f is half the largest squared distance of two vertices in feature space, K_ii + K_jj - 2 K_ij. For rbf and two "
    "rows of different classes that distance is 6 + 2/C + 2k, more than for any two of one class, so C_f <= 4 + 1/C; "
    "the nearest pair of different classes that was found, with kernel value k, shows that C_f >= 3 + 1/C + k. The "
    "paper's factors 4 and 27/2 belong to this definition of C_f, which is Clarkson's; Jaggi's is twice as large and "
    "comes with half of them, so that the bounds are the same. Steps allowed: after so many, Proposition 2 promises "
    "that one of them had a gap of at most D."
)
