"""What the paper does not have: stops at a relative gap, the default solver, the gap at which accuracy has settled."""

import math

from harness.report import Table

from . import choices
from .protocol import ALL_SOLVERS
from .published import SOLVERS, TITLES, table2
from .tables import ROWS, percent, seconds, shown, titled


def relative_table(results, tol):
    table = Table(f"Stop at D/2f <= {tol}", ["set", "", *(TITLES[solver] for solver in ALL_SOLVERS)], left=2)
    for entry in results.sets:
        found = [results.relative(entry.name, solver, tol) for solver in ALL_SOLVERS]
        if not any(found):
            continue
        for field, title in ROWS:
            table.add(titled(entry.name), title, *(shown(each, field) for each in found))
        if any(each.get("limited") for each in found):
            reached = (f"{each['relative_gap']:.3g}" if each else "-" for each in found)
            table.add(titled(entry.name), "D/2f reached", *reached)
    table.notes.append(
        f"At most {results.protocol.short} s each; > : not reached in that time; - : not tried, as a looser stop was "
        "not reached."
    )
    return table


# ---- when accuracy has settled ----


def noise(accuracy, rows):
    """One standard error of an accuracy in per cent on so many test rows."""
    share = min(max(accuracy / 100, 1 / rows), 1 - 1 / rows)
    return 100 * math.sqrt(share * (1 - share) / rows)


def settled(results, name, solver):
    """The loosest stop from which on the accuracy stays within one standard error of that at the tightest one reached:
    (tol, accuracy there, final tol, final accuracy, error); None without runs."""
    found = [(tol, results.relative(name, solver, tol)) for tol in results.protocol.settling]
    found = [(tol, each) for tol, each in found if each and not each["limited"]]
    if not found:
        return None
    last_tol, last = found[-1]
    job = results.protocol.relative(name, results.main(name), solver, last_tol)
    error = noise(last["accuracy"], results.runner.result(job)["predict"]["rows"])
    first = len(found) - 1
    while first > 0 and abs(found[first - 1][1]["accuracy"] - last["accuracy"]) <= error:
        first -= 1
    return found[first][0], found[first][1]["accuracy"], last_tol, last["accuracy"], error


def settled_table(results):
    headings = ("set", "solver", "settled at D/2f", "accuracy there", "final D/2f", "accuracy there", "standard error")
    table = Table("Where test accuracy has settled", headings, left=2)
    for entry in results.sets:
        for solver in ("partan", "auto"):
            row = settled(results, entry.name, solver)
            if row:
                tol, accuracy, last, final, error = row
                table.add(
                    *(titled(entry.name), TITLES[solver], tol, percent(accuracy), last, percent(final), percent(error))
                )
    tried = ", ".join(results.protocol.settling)
    table.notes.append(
        "The loosest D/2f from which on the test accuracy stays within one standard error of that at the tightest gap "
        f"reached. Tried: {tried}."
    )
    return table


def settling_curves(results, name):
    """{solver: [(relative gap, accuracy)]} of all stops that were tried."""
    curves = {}
    for solver in ("partan", "auto"):
        found = [results.relative(name, solver, tol) for tol in results.protocol.settling]
        curves[solver] = sorted((each["relative_gap"], each["accuracy"]) for each in found if each)
    return curves


# ---- which C and gamma the published counts belong to ----

FIT_FIELDS = ("iterations", "support_vectors", "accuracy", "seconds")


def fit_table(results):
    headings = ["set", "gamma", "C"]
    for solver in ("FW", "PARTAN"):
        headings += [f"{solver} iterations", "SVs", "accuracy, %", "time, s"]
    table = Table("The published counts at other C and gamma", [*headings, "off by"], left=1)
    for entry in results.sets:
        pairs = choices.fits(results, entry.name)
        for off, gamma, cost in pairs:
            found = [results.fit(entry.name, gamma, cost, solver) for solver in choices.FITTED]
            cells = [shown(each, field) for each in found for field in FIT_FIELDS]
            table.add(titled(entry.name), f"{float(gamma):.4g}", f"{cost:g}", *cells, f"{off:.0%}")
        if pairs:
            cells = [shown(table2(entry.name, s), field) for s in choices.FITTED for field in FIT_FIELDS]
            table.add(titled(entry.name), "paper", "", *cells, "")
    table.notes.append(
        "FW and PARTAN at the stop of Table 2. off by: the mean factor between the four counts here and the published "
        "ones, less 1. The first gamma of a set is 2 / mean, the second 1 / mean."
    )
    return table


def speed_table(results):
    """The default solver's time against the fastest variant's, at each relative stop."""
    headings = ["set", "D/2f", "fastest variant", "its time, s", "auto, s", "ratio"]
    table = Table("The default solver beside the best of the four", headings, left=3)
    for entry in results.sets:
        for tol in results.protocol.tols:
            runs = {solver: results.relative(entry.name, solver, tol) for solver in SOLVERS}
            runs = {solver: found for solver, found in runs.items() if found and not found["limited"]}
            auto = results.relative(entry.name, "auto", tol)
            if not auto or auto["limited"]:
                continue
            best = min(runs, key=lambda solver: runs[solver]["seconds"], default=None)
            time = runs[best]["seconds"] if best else results.protocol.short
            late = "" if best else ">"
            table.add(
                *(titled(entry.name), tol, TITLES[best] if best else "none", late + seconds(time)),
                *(seconds(auto["seconds"]), f"{late}{time / auto['seconds']:.1f}"),
            )
    return table
