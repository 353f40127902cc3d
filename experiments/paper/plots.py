"""Plots as SVG: lines over logarithmic axes, small enough to stand inside a page, readable in light and dark."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 420, 300
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 28, 44
COLOURS = {"fw": "#888888", "mfw": "#d55e00", "swap": "#009e73", "partan": "#0072b2", "auto": "#cc79a7"}
DASHES = {"fw": "", "mfw": "6 3", "swap": "2 2", "partan": "", "auto": "8 3 2 3"}
MOST_POINTS = 400  # of a line: more are not seen


class Axis:
    """From numbers to pixels, linear in them or in their logarithm."""

    def __init__(self, values, low, high, log):
        self.log = log
        values = [self.scaled(value) for value in values]
        self.least, self.most = min(values), max(values)
        if self.most - self.least < 1e-9:
            self.least, self.most = self.least - 1, self.most + 1
        self.low, self.high = low, high

    def scaled(self, value):
        return math.log10(value) if self.log else value

    def at(self, value):
        share = (self.scaled(value) - self.least) / (self.most - self.least)
        return self.low + share * (self.high - self.low)

    def ticks(self):
        if self.log:
            first, last = math.ceil(self.least - 1e-9), math.floor(self.most + 1e-9)
            step = max(1, (last - first) // 6 + ((last - first) % 6 > 0))
            return [10.0**power for power in range(first, last + 1, step)]
        step = 10 ** math.floor(math.log10(self.most - self.least))
        while (self.most - self.least) / step < 3:
            step /= 2
        first = math.ceil(self.least / step)
        return [step * i for i in range(first, math.floor(self.most / step) + 1)]

    def text(self, value):
        if not self.log:
            return f"{value:g}"
        power = round(math.log10(value))
        return f"{value:g}" if -2 <= power <= 3 else f"1e{power}"


def thinned(points):
    """Every so many points, with the least and greatest of those between: oscillations stay visible."""
    group = len(points) // (MOST_POINTS // 2) + 1
    if group < 3:
        return points
    kept = []
    for i in range(0, len(points), group):
        some = points[i : i + group]
        kept += sorted({min(some, key=lambda p: p[1]), max(some, key=lambda p: p[1])})
    return kept if kept[-1] == points[-1] else kept + [points[-1]]


def frame(title, x, y, x_title, y_title):
    centre, middle = (LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2
    lines = [f'<text x="{centre}" y="17" text-anchor="middle" font-weight="bold">{escape(title)}</text>']
    for value in x.ticks():
        at = x.at(value)
        lines.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" class="grid"/>')
        lines.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{x.text(value)}</text>')
    for value in y.ticks():
        at = y.at(value)
        lines.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" class="grid"/>')
        lines.append(f'<text x="{LEFT - 5}" y="{at + 4:.1f}" text-anchor="end">{y.text(value)}</text>')
    lines.append(f'<text x="{centre}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x_title)}</text>')
    lines.append(
        f'<text x="13" y="{middle}" text-anchor="middle" transform="rotate(-90 13 {middle})">{escape(y_title)}</text>'
    )
    return lines


def stroke(name, width):
    dash = f' stroke-dasharray="{DASHES[name]}"' if DASHES[name] else ""
    return f'stroke="{COLOURS[name]}" stroke-width="{width}"{dash}'


def circle(x, y, name):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{COLOURS[name]}"/>'


def legend(names, titles):
    lines = []
    for i, name in enumerate(names):
        y = TOP + 13 + 14 * i
        left = WIDTH - RIGHT - 82
        lines.append(f'<line x1="{left}" x2="{left + 24}" y1="{y}" y2="{y}" {stroke(name, 2)}/>')
        lines.append(f'<text x="{left + 29}" y="{y + 4}">{escape(titles[name])}</text>')
    return lines


def plot(title, curves, titles, x_title, y_title, log_y=True, marks=False):
    """One picture of {solver: [(x, y)]}, x logarithmic; "" when there is nothing to show."""
    curves = {name: [(x, y) for x, y in points if x > 0 and (y > 0 or not log_y)] for name, points in curves.items()}
    curves = {name: points for name, points in curves.items() if len(points) > 1}
    if not curves:
        return ""
    every = [point for points in curves.values() for point in points]
    x = Axis([p[0] for p in every], LEFT, WIDTH - RIGHT, True)
    y = Axis([p[1] for p in every], HEIGHT - BOTTOM, TOP, log_y)
    lines = frame(title, x, y, x_title, y_title)
    for name, points in curves.items():
        path = "M" + "L".join(f"{x.at(a):.1f},{y.at(b):.1f}" for a, b in thinned(points))
        lines.append(f'<path d="{path}" fill="none" {stroke(name, 1.5)}/>')
        if marks:
            lines += [circle(x.at(a), y.at(b), name) for a, b in points]
    style = (
        "<style>text{font:11px sans-serif;fill:#444}.grid{stroke:#bbb;stroke-width:.5}"
        "@media(prefers-color-scheme:dark){text{fill:#bbb}.grid{stroke:#555}}</style>"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
    return "\n".join([head, style, *lines, *legend(curves, titles), "</svg>"]) + "\n"
