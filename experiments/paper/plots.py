"""Plots as SVG: lines over linear or logarithmic axes, and bars. Small enough to stand inside a page, readable in light
and dark."""

import math
from xml.sax.saxutils import escape, quoteattr

WIDTH, HEIGHT = 420, 300
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 28, 44
MOST_POINTS = 400  # of a line: more are not seen
LETTER = 6.0  # pixels, on average

# Colours that the colour-blind tell apart (Okabe and Ito); dashes tell the lines apart without colour.
STYLE = """<style>
svg text{font:11px sans-serif;fill:#444}svg .title{font-weight:bold}
.grid{stroke:#bbb;stroke-width:.5}
.line{fill:none;stroke-width:1.5}
.fw{stroke:#333}.mfw{stroke:#d55e00;stroke-dasharray:6 3}.swap{stroke:#009e73;stroke-dasharray:2 2}
.partan{stroke:#0072b2}.auto{stroke:#cc79a7;stroke-dasharray:8 3 2 3}
.primal{stroke:#333;stroke-width:.8}
.bound1{stroke:#888;stroke-dasharray:1 3}.bound2{stroke:#888;stroke-dasharray:5 3}
.dot{stroke-dasharray:none;stroke-width:5;stroke-linecap:round}
.ours{fill:#0072b2}.paper{fill:#ccc;stroke:#777;stroke-width:.7}
@media(prefers-color-scheme:dark){
svg text{fill:#bbb}.grid{stroke:#555}.fw,.primal{stroke:#eee}.partan{stroke:#56b4e9}
.ours{fill:#56b4e9}.paper{fill:#555;stroke:#999}}
</style>"""


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
            return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
        power = round(math.log10(value))
        return f"{value:g}" if -2 <= power <= 3 else f"1e{power}"


def svg(title, width, height, lines):
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label={quoteattr(title)}>'
    )
    return "\n".join([head, STYLE, *lines, "</svg>"]) + "\n"


def text(x, y, words, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def line(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def path(points, kind):
    return f'<path d="M{"L".join(f"{x:.1f},{y:.1f}" for x, y in points)}" class="line {kind}"/>'


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
    lines = [text(centre, 17, title, "middle", ' class="title"')]
    for value in x.ticks():
        at = x.at(value)
        lines.append(line(at, TOP, at, HEIGHT - BOTTOM, "grid"))
        words = x.text(value)
        inside = min(at, WIDTH - LETTER * len(words) / 2)  # a long number at the right end is not cut off
        lines.append(text(inside, HEIGHT - BOTTOM + 15, words, "middle"))
    for value in y.ticks():
        at = y.at(value)
        lines.append(line(LEFT, at, WIDTH - RIGHT, at, "grid"))
        lines.append(text(LEFT - 5, at + 4, y.text(value), "end"))
    lines.append(text(centre, HEIGHT - 10, x_title, "middle"))
    lines.append(text(13, middle, y_title, "middle", f' transform="rotate(-90 13 {middle})"'))
    return lines


def legend(names, titles, below):
    """At the upper right or, below, at the lower left: where curves that fall leave room."""
    lines = []
    left = LEFT + 8 if below else WIDTH - RIGHT - 36 - LETTER * max(len(titles[name]) for name in names)
    top = HEIGHT - BOTTOM + 5 - 14 * len(names) if below else TOP + 13
    for i, name in enumerate(names):
        y = top + 14 * i
        lines.append(line(left, y, left + 24, y, f"line {name}"))
        lines.append(text(left + 29, y + 4, titles[name]))
    return lines


def plot(title, curves, titles, x_title, y_title, log_x=True, log_y=True, **more):
    """One picture of {kind of line: [(x, y)]}; "" when there is nothing to show. More: marks (a dot at every point) and
    below (the legend at the lower left)."""

    def fits(x, y):
        return (x > 0 or not log_x) and (y > 0 or not log_y)

    curves = {name: [point for point in points if fits(*point)] for name, points in curves.items()}
    curves = {name: points for name, points in curves.items() if len(points) > 1}
    if not curves:
        return ""
    every = [point for points in curves.values() for point in points]
    x = Axis([p[0] for p in every], LEFT, WIDTH - RIGHT, log_x)
    y = Axis([p[1] for p in every], HEIGHT - BOTTOM, TOP, log_y)
    lines = frame(title, x, y, x_title, y_title)
    for name, points in curves.items():
        lines.append(path([(x.at(a), y.at(b)) for a, b in thinned(points)], name))
        if more.get("marks"):
            lines += [line(x.at(a), y.at(b), x.at(a), y.at(b), f"{name} dot") for a, b in points]
    return svg(title, WIDTH, HEIGHT, [*lines, *legend(curves, titles, more.get("below"))])


# ---- bars ----

ROOM, BAR = 40, 13  # pixels a group of two bars takes, and one of them


def bars(title, groups, axis_title):
    """Two bars a group, ours over the published one, from [(name, ours, published)]; either number may be None."""
    groups = [group for group in groups if group[1] or group[2]]
    if not groups:
        return ""
    left = 20 + LETTER * max(len(name) for name, _, _ in groups)
    height = TOP + ROOM * len(groups) + BOTTOM + 16
    x = Axis([0, 1, *(value for group in groups for value in group[1:] if value)], left, WIDTH - 46, False)
    lines = [text(WIDTH / 2, 17, title, "middle", ' class="title"')]
    lines += bar_frame(x, TOP, TOP + ROOM * len(groups), axis_title)
    for i, (name, ours, published) in enumerate(groups):
        top = TOP + ROOM * i + (ROOM - 2 * BAR) / 2
        lines.append(text(left - 6, top + BAR + 4, name, "end"))
        lines += bar(x, top, ours, "ours") + bar(x, top + BAR, published, "paper")
    y = height - 15
    lines += [rectangle(left, y, 24, "ours"), text(left + 30, y + 9, "here")]
    lines += [rectangle(left + 80, y, 24, "paper"), text(left + 110, y + 9, "published")]
    return svg(title, WIDTH, height, lines)


def bar_frame(x, top, bottom, axis_title):
    lines = []
    for value in x.ticks():
        lines.append(line(x.at(value), top, x.at(value), bottom, "grid"))
        lines.append(text(x.at(value), bottom + 14, x.text(value), "middle"))
    return [*lines, text((x.low + x.high) / 2, bottom + 30, axis_title, "middle")]


def bar(x, top, value, kind):
    if not value:
        return [text(x.at(0) + 5, top + 10, "none")]
    return [rectangle(x.at(0), top, x.at(value) - x.at(0), kind), text(x.at(value) + 5, top + 10, f"{value:.2f}")]


def rectangle(x, y, width, kind):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{BAR - 2}" class="{kind}"/>'
