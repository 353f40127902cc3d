"""The report: what is in it, in which order; written as Markdown (pictures as files beside it) and as one HTML page, with
the results it was made from as JSON."""

import json

from harness import machine

from . import ROOT, agreement, beyond, claims, notes, plots, published, tables, theory, zigzag
from .page import Figure, Grid, Heading, Picture, Verdicts, Words, markdown, page_html
from .protocol import half
from .published import SOLVERS, TITLES
from .runs import duration

TITLE = "The paper's experiments"
OPENING = """partan reproduces the tables and the figures of E. Frandi, R. Ñanculef and J. A. K. Suykens, *A
PARTAN-Accelerated Frank-Wolfe Algorithm for Large-Scale SVM Classification* (IJCNN 2015,
[arXiv:1502.01563](https://arxiv.org/abs/1502.01563)), and sets the published numbers beside its own."""
QUICK_WORDS = "This is the quick version on small subsets: it shows that everything runs, and its numbers mean nothing."

# ---- the summary ----

KINDS = {True: "{} hold here", claims.PART: "{} hold in part", False: "{} do not", None: "{} could not be judged"}


def counted_verdicts(found):
    """How many of the statements hold, in words."""
    kinds = [claim.holds for claim in found]
    told = [words.format(kinds.count(kind)) for kind, words in KINDS.items() if kind in kinds]
    return f"Of {len(found)} statements that the paper makes about its results, {', '.join(told)}."


def counted_agreement(results, found):
    if not found:
        return ""
    inside, total = agreement.in_range(results)
    range_words = (
        f" Of {total} counts that were also taken from {results.protocol.starts} random first vertices, {inside} published "
        "ones lie in the range of these."
    )
    near, close = agreement.within(found, agreement.NEAR), agreement.within(found, agreement.CLOSE)
    return (
        f"Of {len(found)} published counts of iterations and support vectors, {near} are met within 5 % and {close} "
        "within 25 %." + (range_words if total else "")
    )


def summary(results, judged):
    found = agreement.counts(results)
    parts = [Heading("Summary"), Words(f"{counted_agreement(results, found)} {counted_verdicts(judged)}")]
    parts.append(Verdicts(judged, brief=True))
    parts += [Grid(agreement.summary_table(found))] if found else []
    return parts + speedup_figure(results)


def speedup_figure(results):
    pictures = []
    for field, words in (("iterations", "iterations"), ("seconds", "time")):
        svg = plots.bars(f"Gain in {words}", agreement.speedups(results, field), f"{words} of FW / {words} of PARTAN")
        if svg:
            pictures.append(Picture(f"paper-speedup-{field}", f"FW / PARTAN in {words}, here and published", svg))
    caption = (
        "How many times fewer iterations and how many times less time PARTAN needs than FW at "
        f"eps = {results.protocol.eps} (Table 2). The paper's mean in time is {published.PAPER['speedup_in_time']}."
    )
    return [Figure("PARTAN's gain over FW", pictures, caption)] if pictures else []


# ---- how it was run ----

PROTOCOL = """- **Protocol.** rbf kernel; gamma = 2 / mean squared distance of two training rows; C from 2^-5 to 2^5 by one
  70/30 validation split, and the C that fits the published counts; the same C and gamma for all solvers; all start at
  the vertex of the first row.
- **Stop.** D <= eps/2, where D is the duality gap of f = a'Ka/2. The paper writes D <= eps, but its iteration counts
  belong to the gap of a'Ka, which is 2D: at D <= eps/2 they come out here, at D <= eps they are half as many.
- **Randomised runs.** One further sample is drawn when one meets the target, as in the published runs; the away vertex is
  the worst of all active ones.
"""
CIRCUMSTANCES = """- **Machine.** {machines}. {threads} a training; times are CPU times of training alone, without
  reading and prediction.{remark}
- **Program.** {version}, SHA-256 {builds}. Made on {date}; the {runs} runs took {seconds}, added up.
- **Seeds.** Splits and generated data: 1; randomised runs and random first vertices: 1 to {seeds}."""


def numbered(records, field, form=str):
    """What the runs were made by, and how many by each where these are several."""
    found = [record[field] for record in records]
    kinds = sorted(set(found), key=found.count, reverse=True)
    counts = [f" ({found.count(kind)} runs)" if len(kinds) > 1 else "" for kind in kinds]
    return "; ".join(form(kind) + told for kind, told in zip(kinds, counts))


def circumstances(results, found):
    records = list(results.runner.known.values())
    text = CIRCUMSTANCES.format(
        machines=numbered(records, "machine"),
        threads=f"{found['threads']} thread" + ("s" if found["threads"] > 1 else ""),
        remark=f" {found['remark']}" if found["remark"] else "",
        version=found["version"],
        builds=numbered(records, "build", lambda build: build[:16]),
        date=found["machine"]["time"][:10],
        runs=len(records),
        seconds=duration(sum(record["wall"] for record in records)),
        seeds=results.protocol.seeds,
    )
    return [Heading("How it was run"), Words(PROTOCOL + text)]


# ---- figures ----


def figure3(results):
    """As printed, with linear iterations, and with both axes logarithmic and the bounds."""
    straight, both = [], []
    titles = {**TITLES, **theory.TITLES}
    for entry in tables.table3_sets(results):
        gaps = {solver: results.trace(entry.name, solver) for solver in SOLVERS}
        linear = plots.plot(entry.title, gaps, titles, "iterations", "duality gap D", log_x=False)
        bounded = {**gaps, **theory.curves(results, entry.name)}
        log = plots.plot(entry.title, bounded, titles, "iterations", "duality gap D, f - f*", below=True)
        if linear:
            words = f"gap against iterations on {entry.title}"
            straight.append(Picture(f"paper-gap-linear-{entry.name}", f"Duality {words}", linear))
            both.append(Picture(f"paper-gap-{entry.name}", f"Duality {words}, both logarithmic", log))
    if not straight:
        return []
    last = results.protocol.decades[-1]
    caption = f"Every run goes on to D <= {half(last)} (eps = {last})."
    return [
        Figure("Figure 3: duality gap against iterations", straight, f"{caption} Axes as in the paper."),
        Figure("Figure 3 with both axes logarithmic, and the theory", both, f"{caption} {BOUNDS_WORDS}"),
    ]


BOUNDS_WORDS = """Dotted: Proposition 1, f - f* <= 4 C_f/(k + 2), for the thin line, FW's f - f* (with the best lower
bound of all runs for f*). Dashed: Proposition 2, 27 C_f/(2 (k + 2)), for the least D up to step k of FW. C_f = 4 + 1/C,
an upper bound of the curvature constant for the rbf kernel; the table below has where it comes from. At a logarithmic
scale a rate of 1/k is a straight line of slope -1, which FW follows and the others leave."""


def zigzag_figures(program):
    """The paper's Figures 1 and 2 from runs of the program."""
    fw, partan = zigzag.run(program, "fw"), zigzag.run(program, "partan")
    first = [Picture("paper-partan-step", "One step of PARTAN on three vertices", zigzag.figure1(partan))]
    second = [
        Picture("paper-zigzag-fw", "The path of FW on three vertices", zigzag.figure2a(fw)),
        Picture("paper-zigzag-partan", "The path of PARTAN over that of FW", zigzag.figure2b(fw, partan)),
    ]
    left = len(partan) - 1
    return [
        Heading("Zigzag and parallel tangent"),
        Words(ZIGZAG_WORDS),
        Figure("Figure 1: the directions of a PARTAN step", first, STEP_WORDS),
        Figure(
            "Figure 2: the zigzag of FW, and PARTAN on the same vertices",
            second,
            "Left: FW turns from one vertex of the lower edge to the other (dotted: where its steps head), and its "
            "steps become shorter and shorter. Right: the same path, in grey, and PARTAN's, in blue, which leaves the "
            f"sawtooth along the line from x_0 through α̃ (dashed) and is at the solution x* after {left} steps. FW's "
            f"f - f* is {zigzag.excess(fw, left):.2g} after {left} steps, {zigzag.excess(fw, 30):.2g} after 30 and "
            f"{zigzag.excess(fw, zigzag.STEPS):.2g} after {zigzag.STEPS}.",
        ),
    ]


ZIGZAG_WORDS = """The paper sketches why FW is slow near a solution and what a parallel tangent does about it. Here are
real runs of the program on three rows. Their vertices are points of the plane and f = |x|²/2, so that its level curves
are circles. Their centre is below the triangle; the solution is the point of the lower edge that is nearest to it."""
STEP_WORDS = """The second step (k = 1). FW's part of it goes from α(k) towards the vertex u(k) as far as f falls, to
α̃. A second line search goes on from there along the line from α(k-1) through α̃ (dashed), to α(k+1), where it meets
the edge of the triangle."""


def settling_figure(results):
    pictures = []
    for entry in results.sets:
        curves = beyond.settling_curves(results, entry.name)
        svg = plots.plot(entry.title, curves, TITLES, "D/2f", "test accuracy, %", log_y=False, marks=True)
        if svg:
            pictures.append(Picture(f"paper-settled-{entry.name}", f"Accuracy against D/2f on {entry.title}", svg))
    caption = "Test accuracy of models that stopped at different relative gaps D/2f, the tightest on the left."
    return [Figure("Test accuracy against the relative gap", pictures, caption)] if pictures else []


# ---- all of it ----


def sections(results, files, about_run):
    """What there is to show: parts that were not run leave no trace."""
    judged = claims.judge(results)
    first = summary(results, judged)
    rest = [Heading("Data and C"), Grid(tables.sets_table(results, files)), Grid(tables.tuning_table(results))]
    rest.append(Grid(tables.choices_table(results)))
    rest += table_sections(results) + theory_sections(results) + zigzag_figures(results.runner.program)
    rest += [Heading("What follows from the tables"), Verdicts(judged)]
    rest += beyond_sections(results)
    words = notes.paragraphs(results) if not about_run["quick"] else []
    rest += [Heading("Where the published numbers are met, and where not"), *map(Words, words)] if words else []
    opening = OPENING + (f"\n\n{QUICK_WORDS}" if about_run["quick"] else "")
    # Only now have all results that the report shows been read, and the circumstances can tell their time.
    return [Heading(TITLE, 1), Words(opening), *first, *circumstances(results, about_run), *rest]


def table_sections(results):
    found = [Heading("The paper's tables"), Grid(tables.table2(results))]
    if any(results.table3(e.name, "fw", results.protocol.decades[0]) for e in tables.table3_sets(results)):
        found.append(Grid(tables.table3(results)))
    starts = tables.starts_table(results)
    found += [Grid(starts)] if starts.rows else []
    if tables.table4_sets(results):
        found += [Grid(tables.table4(results)), Grid(tables.confirmed_table(results))]
    return found


def theory_sections(results):
    figures = figure3(results)
    if not figures:
        return []
    table = theory.table(results)
    return [Heading("Convergence"), *figures, *([Grid(table)] if table.rows else [])]


def beyond_sections(results):
    grids = [beyond.relative_table(results, tol) for tol in results.protocol.tols]
    grids += [beyond.speed_table(results), beyond.settled_table(results)]
    found = [Grid(grid) for grid in grids if grid.rows]
    found += settling_figure(results)
    fit = beyond.fit_table(results)
    found += [Grid(fit)] if fit.rows else []
    return [Heading("Beyond the paper"), *found] if found else []


def write(results, files, about_run, folder, name):
    """Both forms; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = sections(results, files, about_run)
    paths = []
    results_json = json.dumps(results.table(), indent=0) + "\n"
    forms = ((".md", markdown(parts, folder)), (".html", page_html(TITLE, parts)), (".json", results_json))
    for suffix, text in forms:
        path = folder / (name + suffix)
        aside = path.with_name(path.name + ".part")
        aside.write_text(text)
        aside.replace(path)
        paths.append(path)
    return paths


def about(runner, options, version):
    return {
        "machine": machine.describe(ROOT),
        "build": runner.build,
        "version": version,
        "threads": options.threads,
        "jobs": options.jobs,
        "remark": options.remark,
        "quick": options.quick,
    }
