"""What a report is made of: headings, words, tables, figures and verdicts, as Markdown and as HTML, and the page."""

import html
import re
from pathlib import Path

from .agreement import CLOSE, NEAR, grade

STYLE = Path(__file__).parent / "page.css"
PAPER = "paper"  # the heading of a column with published numbers, and the first cell of a row with them
SVG_STYLE = re.compile(r"<style>(.*?)</style>\n?", re.S)
LEGEND = (
    f'<p class="legend">Counts beside the published ones: <span class="near">within {100 * NEAR:g} %</span> '
    f'<span class="close">within {100 * CLOSE:g} %</span> <span class="far">farther</span>; the small number '
    "says how far, in per cent.</p>"
)


class Part:
    """A piece of the report. Its headings go into the contents."""

    def headings(self):
        return []


class Heading(Part):
    def __init__(self, text, level=2):
        self.text, self.level = text, level
        self.anchor = ""  # given by the page

    def headings(self):
        return [self]

    def markdown(self, _folder):
        return "#" * self.level + " " + self.text

    def html(self):
        text = re.sub(r"\S+-\d\S*", r'<span class="keep">\g<0></span>', html.escape(self.text))  # no break in 1e-4
        return f'<h{self.level} id="{self.anchor}">{text}</h{self.level}>'


class Words(Part):
    """Paragraphs and lists of simple Markdown."""

    def __init__(self, text):
        self.text = text.strip()

    def markdown(self, _folder):
        return self.text

    def html(self):
        return "\n".join(block_html(block) for block in blocks(self.text))


def blocks(text):
    return re.split(r"\n\s*\n", text.strip())


def parts_of(text):
    """Headings and words of a Markdown text."""
    found = []
    for block in blocks(text):
        level = len(block) - len(block.lstrip("#"))
        found.append(Heading(block[level:].strip(), level) if level else Words(block))
    return found


def inline_html(text):
    text = html.escape(" ".join(text.split()), quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?!\w)", r"<i>\1</i>", text)
    return re.sub(r"\[([^]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', text)


def block_html(block):
    if block.startswith("- "):
        items = re.split(r"\n- ", block[2:])
        return "<ul>" + "".join(f"<li>{inline_html(item)}</li>" for item in items) + "</ul>"
    return f"<p>{inline_html(block)}</p>"


# ---- tables ----


class Grid(Part):
    """A table of harness.report, under a heading of the third level. A name that repeats is shown once."""

    def __init__(self, table):
        self.table = table
        self.heading = Heading(table.title, 3)

    def headings(self):
        return [self.heading]

    def groups(self):
        """[(name, rows)] of neighbours with the same first cell."""
        found = []
        for row in self.table.rows:
            if not found or found[-1][0] != row[0]:
                found.append((row[0], []))
            found[-1][1].append(row)
        return found

    def markdown(self, folder):
        table = self.table
        rule = ["---" if i < table.left else "---:" for i in range(len(table.headings))]
        rows = [row if i == 0 else ["", *row[1:]] for _, group in self.groups() for i, row in enumerate(group)]
        text = "\n".join("| " + " | ".join(cells) + " |" for cells in [table.headings, rule, *rows])
        return "\n\n".join([self.heading.markdown(folder), text, *table.notes])

    def html(self):
        shaded = any(self.compared(i) for i in range(len(self.table.headings)))
        box = f'<div class="box" role="region" tabindex="0" aria-label="{html.escape(self.table.title)}">'
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.table.notes)
        caption = f"<figcaption>{notes}</figcaption>" if notes else ""
        legend = LEGEND if shaded else ""
        return f"{self.heading.html()}<figure>{legend}{box}{self.table_html()}</div>{caption}</figure>"

    def table_html(self):
        """Where names repeat, they stand in rows of their own instead of a first column."""
        groups = self.groups()
        grouped = len(groups) < len(self.table.rows)
        columns = list(range(int(grouped), len(self.table.headings)))
        lines = [f"<thead><tr>{''.join(self.head_html(i) for i in columns)}</tr></thead>"]
        for name, rows in groups:
            lines.append("<tbody>")
            if grouped:
                title = f"<span>{html.escape(name)}</span>"
                lines.append(f'<tr class="group"><th colspan="{len(columns)}" scope="rowgroup">{title}</th></tr>')
            for row in rows:
                kind = ' class="paper"' if PAPER in row[: self.table.left + 1] else ""
                lines.append(f"<tr{kind}>{''.join(self.cell_html(i, row[i]) for i in columns)}</tr>")
            lines.append("</tbody>")
        return "<table>" + "\n".join(lines) + "</table>"

    def compared(self, i):
        """Whether a column has numbers that are set beside published ones."""
        return any(getattr(row[i], "off", None) is not None for row in self.table.rows)

    def kinds(self, i, cell):
        found = ["n"] if i >= self.table.left else ["w"] if len(cell) > 40 else []
        return found + (["paper"] if self.table.headings[i].startswith(PAPER) else [])

    def head_html(self, i):
        text = self.table.headings[i]
        pad = " <small></small>" if self.compared(i) else ""
        return f'<th scope="col" class="{" ".join(self.kinds(i, text))}">{html.escape(text)}{pad}</th>'

    def cell_html(self, i, cell):
        kinds, text = self.kinds(i, cell), html.escape(cell)
        off = getattr(cell, "off", None)
        if off is not None:
            kinds.append(grade(off))
        if self.compared(i):  # in every cell, so that the digits of a column stay in line
            text += f" <small>{'' if off is None else signed(100 * off)}</small>"
        return f'<td class="{" ".join(kinds)}">{text}</td>'


def signed(value):
    return f"{round(value):+d}" if round(value) else "0"


# ---- figures ----


class Picture:
    def __init__(self, name, title, svg):
        self.name, self.title, self.svg = name, title, svg

    def markdown(self, folder):
        (folder / "images").mkdir(parents=True, exist_ok=True)
        (folder / "images" / f"{self.name}.svg").write_text(self.svg)
        return f"![{self.title}](images/{self.name}.svg)"


class Figure(Part):
    """Pictures side by side under a heading of the third level, with a caption."""

    def __init__(self, title, pictures, caption):
        self.heading = Heading(title, 3)
        self.pictures = pictures
        self.caption = caption

    def headings(self):
        return [self.heading]

    def markdown(self, folder):
        pictures = "\n".join(picture.markdown(folder) for picture in self.pictures)
        return "\n\n".join([self.heading.markdown(folder), pictures, self.caption])

    def html(self):
        drawn = "".join(SVG_STYLE.sub("", picture.svg) for picture in self.pictures)
        caption = f"<figcaption>{block_html(self.caption)}</figcaption>"
        return f'{self.heading.html()}<figure><div class="pictures">{drawn}</div>{caption}</figure>'


# ---- verdicts ----


class Verdicts(Part):
    """The paper's statements and whether they hold here; in brief without the numbers."""

    def __init__(self, found, brief=False):
        self.found, self.brief = found, brief

    def markdown(self, _folder):
        form = "- **{0.verdict}.** {0.says}" + (
            "" if self.brief else "\n  - criterion: {0.criterion}\n  - paper: {0.paper}\n  - here: {0.here}"
        )
        return "\n".join(form.format(claim) for claim in self.found)

    def html(self):
        return f'<ul class="verdicts">{"".join(self.item_html(claim) for claim in self.found)}</ul>'

    def item_html(self, claim):
        kind = {True: "yes", False: "no", None: "open"}.get(claim.holds, "partly")
        text = f'<li class="{kind}"><b>{html.escape(claim.verdict)}.</b> {html.escape(claim.says)}'
        if not self.brief:
            numbers = (("criterion", claim.criterion), ("paper", claim.paper), ("here", claim.here))
            rows = "".join(f"<dt>{name}</dt><dd>{html.escape(numbers)}</dd>" for name, numbers in numbers)
            text += f"<dl>{rows}</dl>"
        return text + "</li>"


# ---- the page ----


def slug(text):
    """An anchor, as GitHub makes it of a heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def give_anchors(parts):
    """Every heading its own."""
    used = set()
    for heading in (heading for part in parts for heading in part.headings()):
        base = slug(heading.text)
        names = (base if i == 0 else f"{base}-{i}" for i in range(len(used) + 1))
        heading.anchor = next(name for name in names if name not in used)
        used.add(heading.anchor)


def contents_html(parts):
    lines = []
    for heading in (heading for part in parts for heading in part.headings() if heading.level in (2, 3)):
        link = f'<a href="#{heading.anchor}">{html.escape(heading.text)}</a>'
        lines.append(f'<li class="level{heading.level}">{link}</li>')
    return f'<nav aria-label="Contents"><ul>{"".join(lines)}</ul></nav>'


def page_html(title, parts):
    give_anchors(parts)
    pictures = [picture for part in parts for picture in getattr(part, "pictures", [])]
    styles = dict.fromkeys(style for picture in pictures for style in SVG_STYLE.findall(picture.svg))
    body = "\n".join(part.html() for part in parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{html.escape(title)}</title>\n<style>\n{STYLE.read_text()}{''.join(styles)}</style></head>\n"
        f"<body>\n{contents_html(parts)}\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def markdown(parts, folder):
    return "\n\n".join(part.markdown(folder) for part in parts) + "\n"
