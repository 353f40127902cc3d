"""The report: one list of sections, written as Markdown (plots as files beside it) and as one HTML page."""

import html
import re
from pathlib import Path

from harness import machine

from . import ROOT, beyond, claims, plots, tables
from .protocol import half
from .published import PAPER, TITLES
from .runs import duration

NOTES = Path(__file__).parent.parent / "notes.md"
STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;font-size:13px;display:block;overflow-x:auto}
th,td{padding:.15rem .55rem;border-bottom:1px solid #ddd;white-space:nowrap}
th{text-align:left;border-bottom:2px solid #888}td.n,th.n{text-align:right}
td.w{white-space:normal;min-width:14rem}.note{font-size:13px;color:#555}.yes{color:#06703a}.no{color:#b02a00}
figure{display:inline-block;margin:.5rem}code{font-size:13px}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th,td{border-color:#444}.note{color:#aaa}
.yes{color:#5dc98d}.no{color:#ff8a65}}
"""


class Heading:
    def __init__(self, text, level=2):
        self.text, self.level = text, level

    def markdown(self, _folder):
        return "#" * self.level + " " + self.text

    def html(self):
        return f"<h{self.level}>{html.escape(self.text)}</h{self.level}>"


class Words:
    """Paragraphs and lists of simple Markdown."""

    def __init__(self, text):
        self.text = text.strip()

    def markdown(self, _folder):
        return self.text

    def html(self):
        return "\n".join(block_html(block) for block in re.split(r"\n\s*\n", self.text))


def inline_html(text):
    text = html.escape(" ".join(text.split()), quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    return re.sub(r"\[([^]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', text)


def block_html(block):
    if block.startswith("#"):
        level = len(block) - len(block.lstrip("#"))
        return f"<h{level}>{inline_html(block.lstrip('# '))}</h{level}>"
    if block.startswith("- "):
        items = re.split(r"\n- ", block[2:])
        return "<ul>" + "".join(f"<li>{inline_html(item)}</li>" for item in items) + "</ul>"
    return f"<p>{inline_html(block)}</p>"


class Grid:
    """A table of harness.report, under a heading of the third level. A name that repeats is shown once."""

    def __init__(self, table):
        self.table = table

    def rows(self):
        last = None
        for row in self.table.rows:
            repeated = row[0] == last
            last = row[0]
            yield (["", *row[1:]] if repeated else row), not repeated

    def markdown(self, _folder):
        table = self.table
        rule = ["---" if i < table.left else "---:" for i in range(len(table.headings))]
        lines = [table.headings, rule, *(row for row, _ in self.rows())]
        text = "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
        return "\n\n".join([f"### {table.title}", text, *table.notes])

    def html(self):
        table = self.table

        def cells(row, tag):
            return "".join(f'<{tag} class="{kind(i, cell)}">{html.escape(cell)}</{tag}>' for i, cell in enumerate(row))

        def kind(i, cell):
            return "n" if i >= table.left else "w" if len(cell) > 40 else ""

        body = "".join(f"<tr>{cells(row, 'td')}</tr>\n" for row, _ in self.rows())
        notes = "".join(f'<p class="note">{html.escape(note)}</p>' for note in table.notes)
        head = f"<tr>{cells(table.headings, 'th')}</tr>\n"
        return f"<h3>{html.escape(table.title)}</h3><table>{head}{body}</table>{notes}"


class Picture:
    def __init__(self, name, title, svg):
        self.name, self.title, self.svg = name, title, svg

    def markdown(self, folder):
        (folder / "images").mkdir(parents=True, exist_ok=True)
        (folder / "images" / f"{self.name}.svg").write_text(self.svg)
        return f"![{self.title}](images/{self.name}.svg)"

    def html(self):
        return f"<figure>{self.svg}</figure>"


class Verdicts:
    def __init__(self, found):
        self.found = found

    def markdown(self, _folder):
        form = "- **{0.verdict}.** {0.says}\n  - paper: {0.paper}\n  - here: {0.here}"
        return "\n".join(form.format(claim) for claim in self.found)

    def html(self):
        rows = []
        for claim in self.found:
            kind = {True: "yes", False: "no"}.get(claim.holds, "")
            rows.append(
                f'<li><b class="{kind}">{claim.verdict}.</b> {html.escape(claim.says)}'
                f'<br><span class="note">paper: {html.escape(claim.paper)}<br>'
                f"here: {html.escape(claim.here)}</span></li>"
            )
        return f"<ul>{''.join(rows)}</ul>"


# ---- what is in it ----


QUICK_WORDS = "This is the quick version on small subsets: it shows that everything runs, and its numbers mean nothing."
INTRODUCTION = """The tables and the figure of the paper, made again by partan, with the published numbers beside them.
The paper is {source} {quick}

- **Protocol.** rbf kernel; gamma = 1 / mean squared distance of two training rows; C by one 70/30 validation split; the
  same C and gamma for all solvers; all start at the vertex of the first row.
- **Stop.** D <= eps/2, where D is the duality gap of f = a'Ka/2. The paper writes D <= eps, but its iteration counts
  belong to the gap of a'Ka, which is 2D: at D <= eps/2 they come out here, at D <= eps they are half as many.
- **Machine.** {machine}. {threads} a training; times are of training alone, without reading and prediction. The runs of
  Tables 2 and 3 came one at a time, the others {jobs} at a time.{remark}
- **Program.** {version}, SHA-256 {build}. Made on {date}; the runs took {seconds}, added up.
- **Seeds.** Splits and generated data: 1; randomised runs: 1 to {seeds}."""


def introduction(results, found):
    return Words(
        INTRODUCTION.format(
            quick=QUICK_WORDS if found["quick"] else "",
            source=PAPER["source"],
            machine=machine.sentence(found["machine"]),
            threads=f"{found['threads']} thread" + ("s" if found["threads"] > 1 else ""),
            jobs=found["jobs"],
            remark=f" {found['remark']}" if found["remark"] else "",
            version=found["version"],
            build=found["build"][:16],
            date=found["machine"]["time"][:10],
            seconds=duration(sum(record["wall"] for record in results.runner.known.values())),
            seeds=results.protocol.seeds,
        )
    )


def figure3(results):
    pictures = []
    for entry in tables.table3_sets(results):
        curves = {solver: results.trace(entry.name, solver) for solver in ("fw", "mfw", "swap", "partan")}
        svg = plots.plot(entry.title, curves, TITLES, "iterations", "duality gap D")
        if svg:
            pictures.append(Picture(f"paper-gap-{entry.name}", f"Duality gap against iterations on {entry.title}", svg))
    return pictures


def settling_pictures(results):
    pictures = []
    for entry in results.sets:
        curves = beyond.settling_curves(results, entry.name)
        svg = plots.plot(entry.title, curves, TITLES, "D/2f", "test accuracy, %", log_y=False, marks=True)
        if svg:
            pictures.append(Picture(f"paper-settled-{entry.name}", f"Accuracy against D/2f on {entry.title}", svg))
    return pictures


def sections(results, files, about):
    """What there is to show: parts that were not run leave no trace."""
    found = [Heading("Data and C"), Grid(tables.sets_table(results, files)), Grid(tables.tuning_table(results))]
    found.append(Heading("The paper's tables"))
    found.append(Grid(tables.table2(results)))
    if any(results.table3(e.name, "fw", results.protocol.decades[0]) for e in tables.table3_sets(results)):
        found.append(Grid(tables.table3(results)))
    pictures = figure3(results)
    if pictures:
        last = results.protocol.decades[-1]
        found += [Heading("Figure 3: duality gap against iterations", 3), *pictures]
        found.append(Words(f"Every run goes on to D <= {half(last)} (eps = {last}). Both axes are logarithmic."))
    if tables.table4_sets(results):
        found += [Grid(tables.table4(results)), Grid(tables.confirmed_table(results))]
    found += [Heading("What follows from them"), Verdicts(claims.judge(results))]
    found += beyond_sections(results)
    if NOTES.is_file() and not about["quick"]:
        found.append(Words(NOTES.read_text()))
    # Last, when all results that the report shows have been read.
    return [Heading("The paper's experiments", 1), introduction(results, about), *found]


def beyond_sections(results):
    grids = [beyond.relative_table(results, tol) for tol in results.protocol.tols]
    grids += [beyond.speed_table(results), beyond.settled_table(results)]
    found = [Grid(grid) for grid in grids if grid.rows]
    found += settling_pictures(results)
    found = [Heading("Beyond the paper"), *found] if found else []
    fit = beyond.fit_table(results)
    return found + ([Grid(fit)] if fit.rows else [])


def write(results, files, about, folder, name):
    """Both forms; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = sections(results, files, about)
    markdown = "\n\n".join(part.markdown(folder) for part in parts) + "\n"
    body = "\n".join(part.html() for part in parts)
    page = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>The paper's experiments</title><style>{STYLE}</style><body>\n{body}\n</body></html>\n"
    )
    paths = []
    for suffix, text in ((".md", markdown), (".html", page)):
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
