"""What the paper says follows from its tables, computed from its numbers and from ours, and whether it holds here."""

import dataclasses
import statistics

from . import published
from .published import SOLVERS, TITLES
from .tables import divide, table3_sets, table4_sets

THOSE_THAT_GAIN = ("Web w8a", "USPS-ext", "KDD99-binary")  # by sampling
COMPARABLE = 1.5  # a factor that is called "comparable" or "roughly"


@dataclasses.dataclass
class Claim:
    says: str  # the paper's statement
    holds: object  # True, False, None where there is nothing to judge by, or on which sets, as a text
    paper: str  # its numbers
    here: str  # ours

    @property
    def verdict(self):
        return {True: "holds here", False: "does not hold here", None: "not judged"}.get(self.holds, self.holds)


def on_sets(found, test):
    """Whether a test holds for the numbers of all sets, of none, or of which not."""
    others = [title for title, number in found.items() if not test(number)]
    return f"holds here, except on {', '.join(others)}" if 0 < len(others) < len(found) else not others


def usable(found):
    return bool(found) and not found.get("limited")


def pairs(results, of, field):
    """{set title: FW's number / PARTAN's} of Table 2, where both ended by themselves."""
    found = {}
    for entry in results.sets:
        fw, partan = of(entry, "fw"), of(entry, "partan")
        if usable(fw) and usable(partan):
            found[entry.title] = fw[field] / partan[field]
    return found


def here2(results):
    return lambda entry, solver: results.table2(entry.name, solver)


def paper2(entry, solver):
    return published.table2(entry.name, solver)


def listed(ratios, form="{:.2f}"):
    return ", ".join(f"{title} {form.format(value)}" for title, value in ratios.items())


def speedup(results):
    times, steps = (pairs(results, here2(results), field) for field in ("seconds", "iterations"))
    paper_times, paper_steps = (pairs(results, paper2, field) for field in ("seconds", "iterations"))
    if not times:
        return None
    rows = published.PAPER["table2"].values()
    all_paper = [row["fw"]["iterations"] / row["partan"]["iterations"] for row in rows]
    mean_time, mean_steps = statistics.fmean(times.values()), statistics.fmean(steps.values())
    on_these = f" (on these sets {statistics.fmean(paper_times.values()):.2f})" if paper_times else ""
    return Claim(
        "PARTAN improves on the running times of plain FW by a factor of 2.52 on average, systematically.",
        mean_time >= published.PAPER["speedup_in_time"] / COMPARABLE and all(ratio > 1 for ratio in times.values()),
        f"{published.PAPER['speedup_in_time']} in time{on_these}, {statistics.fmean(all_paper):.2f} in iterations; "
        f"iterations: {listed(paper_steps)}",
        f"{mean_time:.2f} in time, {mean_steps:.2f} in iterations; time: {listed(times)}; iterations: {listed(steps)}",
    )


def step_cost(results):
    def costs(of):
        times, steps = pairs(results, of, "seconds"), pairs(results, of, "iterations")
        return {title: steps[title] / times[title] for title in times}

    here, paper = costs(here2(results)), costs(paper2)
    if not here:
        return None
    return Claim(
        "A PARTAN iteration costs no more than an FW iteration: time falls roughly as iterations do.",
        on_sets(here, lambda ratio: ratio <= COMPARABLE),
        f"time per iteration, PARTAN / FW: {listed(paper)}",
        f"time per iteration, PARTAN / FW: {listed(here)}",
    )


def tenfold(results):
    """FW's iterations from one eps to the next, and those of the others at the last one."""

    def factors(of):
        found = {}
        decades = results.protocol.decades
        for entry in table3_sets(results):
            runs = [of(entry.name, "fw", eps) for eps in decades]
            if all(usable(run) for run in runs):
                found[entry.title] = [b["iterations"] / a["iterations"] for a, b in zip(runs, runs[1:])]
        return found

    def text(found):
        return "; ".join(f"{title} " + ", ".join(f"{x:.1f}" for x in row) for title, row in found.items()) or "-"

    here = factors(results.table3)
    if not here:
        return None
    return Claim(
        "FW needs ten times the iterations for every decade of eps, as the bound O(1/eps) says.",
        all(10 / COMPARABLE <= statistics.geometric_mean(row) <= 10 * COMPARABLE for row in here.values()),
        f"factor from one eps to the next: {text(factors(published.table3))}",
        f"factor from one eps to the next: {text(here)}",
    )


def tight(results):
    """At the strictest eps."""
    last = results.protocol.decades[-1]

    def gains(of):
        found = {}
        for entry in table3_sets(results):
            runs = {solver: of(entry.name, solver, last) for solver in SOLVERS}
            if all(usable(run) for run in runs.values()):
                found[entry.title] = {s: runs["fw"]["iterations"] / runs[s]["iterations"] for s in SOLVERS[1:]}
        return found

    def text(found):
        rows = (f"{t} " + ", ".join(f"{TITLES[s]} {x:.1f}" for s, x in row.items()) for t, row in found.items())
        return "; ".join(rows) or "-"

    here = gains(results.table3)
    if not here:
        return None
    return Claim(
        "At the strictest eps the modified variants gain one order of magnitude or more over FW.",
        all(max(row.values()) >= 10 for row in here.values()),
        f"FW's iterations / theirs at {last}: {text(gains(published.table3))}",
        f"FW's iterations / theirs at {last}: {text(here)}",
    )


def overtaken(results):
    first, last = results.protocol.eps, results.protocol.decades[-1]
    if first == last:
        return None

    def compare(of):
        found = {}
        for entry in table3_sets(results):
            runs = [of(entry.name, solver, eps) for eps in (first, last) for solver in ("partan", "mfw")]
            if all(usable(run) for run in runs):
                steps = [run["iterations"] for run in runs]
                found[entry.title] = (steps[1] / steps[0], steps[3] / steps[2])
        return found

    def text(found):
        return "; ".join(f"{t} {a:.1f}, then {b:.2f}" for t, (a, b) in found.items()) or "-"

    here = compare(results.table3)
    if not here:
        return None
    return Claim(
        f"PARTAN leads at eps = {first}, but MFW overtakes it when more accuracy is asked for (on two of three sets).",
        all(a > 1 for a, _ in here.values()) and sum(b < 1 for _, b in here.values()) >= (2 * len(here)) // 3,
        f"MFW's iterations / PARTAN's at {first}, then at {last}: {text(compare(published.table3))}",
        f"MFW's iterations / PARTAN's at {first}, then at {last}: {text(here)}",
    )


def winners(results):
    def text(of, field):
        rows = []
        for entry in results.sets:
            runs = {solver: of(entry, solver) for solver in SOLVERS}
            runs = {solver: run for solver, run in runs.items() if usable(run)}
            if len(runs) == len(SOLVERS):
                rows.append((entry.title, min(runs, key=lambda solver: runs[solver][field])))
        return rows

    here = {field: text(here2(results), field) for field in ("seconds", "iterations")}
    paper = {field: text(paper2, field) for field in ("seconds", "iterations")}
    if not here["seconds"]:
        return None

    def told(rows):
        return ", ".join(f"{title} {TITLES[solver]}" for title, solver in rows)

    return Claim(
        "At eps = 1e-4 PARTAN is the fastest of the four on every set.",
        all(solver == "partan" for _, solver in here["seconds"]),
        f"by time: {told(paper['seconds'])}; by iterations: {told(paper['iterations'])}",
        f"by time: {told(here['seconds'])}; by iterations: {told(here['iterations'])}",
    )


def smaller(results):
    here = pairs(results, here2(results), "support_vectors")
    if not here:
        return None
    return Claim(
        "PARTAN often finds a smaller set of support vectors.",
        sum(ratio > 1.05 for ratio in here.values()) > len(here) / 2,
        f"SVs, FW / PARTAN: {listed(pairs(results, paper2, 'support_vectors'))}",
        f"SVs, FW / PARTAN: {listed(here)}",
    )


def sparsity(results):
    """The gain against the share of FW's steps that bring a new vertex: the lower and the upper half compared."""

    def split(of):
        gains = pairs(results, of, "iterations")
        entries = [entry for entry in results.sets if entry.title in gains]
        runs = {entry.title: of(entry, "fw") for entry in entries}
        return sorted((run["support_vectors"] / run["iterations"], gains[title], title) for title, run in runs.items())

    here, paper = split(here2(results)), split(paper2)
    if len(here) < 4:
        return None
    middle = len(here) // 2

    def text(rows):
        return ", ".join(f"{title} {share:.0%}: {gain:.2f}" for share, gain, title in rows)

    few, many = (statistics.fmean(gain for _, gain, _ in part) for part in (here[:middle], here[-middle:]))
    return Claim(
        "PARTAN's gain is greater where the solution is sparse, and small where nearly every step adds a vertex.",
        few > many,
        f"share of FW's steps that end as SVs: gain in iterations: {text(paper)}",
        f"share of FW's steps that end as SVs: gain in iterations: {text(here)}",
    )


def sampling(results):
    def gains(full, random):
        found = {}
        for entry in table4_sets(results):
            a, b = full(entry.name, "partan"), random(entry.name, "partan")
            gain = divide(a.get("seconds"), b.get("seconds"))
            if gain:
                found[entry.title] = gain
        return found

    here, paper = gains(results.table2, results.table4), gains(published.table2, published.table4)
    if not here:
        return None
    judged = [title for title in here if title in THOSE_THAT_GAIN]
    return Claim(
        "Sampling pays off most on w8a, USPS-ext and KDD99, and not on a9a and IJCNN1.",
        all(here[title] > 1 for title in judged) if judged else None,
        f"PARTAN's time, deterministic / randomised: {listed(paper)}",
        f"PARTAN's time, deterministic / randomised: {listed(here)}",
    )


def early_stop(results):
    target = float(results.protocol.eps) / 2
    found = {}
    for entry in table4_sets(results):
        runs = [results.table4(entry.name, solver) for solver in SOLVERS]
        found[entry.title] = statistics.fmean(run["gap"] / target for run in runs if run)
    if not found:
        return None
    lost = {}
    for entry in table4_sets(results):
        full, random = results.table2(entry.name, "partan"), results.table4(entry.name, "partan")
        if full and random:
            lost[entry.title] = full["accuracy"] - random["accuracy"]
    return Claim(
        "The sampled stop is premature, but that does not necessarily cost test accuracy.",
        all(ratio > 1 for ratio in found.values()) and any(loss < 0.5 for loss in lost.values()),
        "-",
        f"true gap at the stop / target: {listed(found)}; PARTAN's loss of accuracy, points: {listed(lost)}",
    )


ALL = (speedup, step_cost, winners, tenfold, tight, overtaken, smaller, sparsity, sampling, early_stop)


def judge(results):
    return [claim for claim in (each(results) for each in ALL) if claim]
