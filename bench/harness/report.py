"""Tables for the terminal and in Markdown, and the record in JSON."""

import json


class Table:
    """Rows of text under headings; the first `left` columns are words, the others numbers."""

    def __init__(self, title, headings, left=2, notes=()):
        self.title = title
        self.headings = list(headings)
        self.left = left
        self.notes = list(notes)
        self.rows = []

    def add(self, *cells):
        # A text that knows more than its letters stays what it is.
        self.rows.append([c if isinstance(c, str) else str(c) for c in cells])

    def text(self):
        lines = [self.headings, *self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.headings))]

        def line(cells):
            padded = [c.ljust(w) if i < self.left else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths))]
            return "  ".join(padded).rstrip()

        rule = "  ".join("-" * width for width in widths)
        body = "\n".join([self.title, "", line(self.headings), rule, *map(line, self.rows)])
        return body + ("\n\n" + "\n".join(self.notes) if self.notes else "")

    def markdown(self):
        rule = ["---" if i < self.left else "---:" for i in range(len(self.headings))]
        lines = ["| " + " | ".join(cells) + " |" for cells in (self.headings, rule, *self.rows)]
        notes = "\n".join(f"- {note}" for note in self.notes)
        return f"## {self.title}\n\n" + "\n".join(lines) + (f"\n\n{notes}" if notes else "")


def number(value, form="{:.3g}"):
    return "-" if value is None else form.format(value)


def seconds(value):
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.3f}"


def ranged(spread, form=seconds):
    """The median and, of several runs, the range: 1.23 (1.20-1.31)."""
    if not spread:
        return "-"
    text = form(spread["median"])
    if spread.get("count", 2) > 1 and spread["least"] != spread["most"]:
        text += f" ({form(spread['least'])}-{form(spread['most'])})"
    return text


def times(ratio, at_least=False):
    """A ratio in words of a table: 12.3 (11.9-12.6), or >12.3 where the peer did not end."""
    if not ratio:
        return "-"
    form = "{:.1f}" if ratio["median"] < 100 else "{:.0f}"
    if at_least:
        return ">" + form.format(ratio["median"])
    text = form.format(ratio["median"])
    if ratio["least"] != ratio["most"]:
        text += f" ({form.format(ratio['least'])}-{form.format(ratio['most'])})"
    return text


def megabytes(value):
    return "-" if value is None else f"{value / 1e6:.0f}"


def percent(value, digits=2):
    return "-" if value is None else f"{100 * value:.{digits}f} %"


def write(folder, name, record, tables):
    """Both files, each aside first, so that an interrupted run leaves whole ones."""
    folder.mkdir(parents=True, exist_ok=True)
    head = [f"# {record['title']}", ""]
    head += [f"- {line}" for line in record["about"]]
    parts = ["\n".join(head), *(table.markdown() for table in tables)]
    for suffix, text in ((".json", json.dumps(record, indent=1)), (".md", "\n\n".join(parts))):
        aside = folder / f"{name}{suffix}.part"
        aside.write_text(text + "\n")
        aside.replace(folder / f"{name}{suffix}")
