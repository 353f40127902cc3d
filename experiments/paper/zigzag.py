"""The paper's Figures 1 and 2, drawn from real runs of FW and PARTAN on three vertices.

The vertices are points p of the plane and f = |x|^2 / 2 at x = sum a_i p_i, so that the drawing is the feature space
itself: level curves are circles round the origin, which lies below the triangle, and the solution is the point of the
lower edge that is nearest to it. The program is given the kernel that makes K_ij = p_i'p_j."""

import csv
import dataclasses
import tempfile
from pathlib import Path

from harness.process import Failed, measure

from . import plots

VERTICES = ((0.0, 5.0), (-5.0, 1.0), (6.0, 1.0))  # both methods start at the first
LABELS = (1, 1, -1)
COST = 1.0
SOLUTION = (0.0, 1.0)
LEAST = 0.5  # f there
STEPS = 100  # of FW
ROUNDING = 1e-9


@dataclasses.dataclass(frozen=True)
class Step:
    weights: tuple  # after the step
    middle: tuple  # after the FW part of it: alpha~
    vertex: int  # towards which that went
    objective: float  # as the program has it

    def at(self):
        return point(self.weights)


def point(weights):
    return tuple(sum(w * p[axis] for w, p in zip(weights, VERTICES)) for axis in (0, 1))


def inner(p, q):
    return p[0] * q[0] + p[1] * q[1]


# ---- the runs ----


def kernel_rows():
    """The training rows as a precomputed kernel: the program adds 1, the labels and, on the diagonal, 1/C to it."""
    lines = []
    for i, p in enumerate(VERTICES):
        values = [LABELS[i] * LABELS[j] * (inner(p, q) - (i == j) / COST) - 1 for j, q in enumerate(VERTICES)]
        cells = " ".join(f"{j}:{value:g}" for j, value in enumerate([i + 1, *values]))
        lines.append(f"{LABELS[i]} {cells}\n")
    return "".join(lines)


def traced(program, solver):
    """The rows of the trace of a run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "rows").write_text(kernel_rows())
        words = ["train", "--quiet", "--kernel", "precomputed", "--cost", COST, "--solver", solver, "--tol", 0]
        words += ["--eps", 1e-9, "--max-iter", STEPS, "--trace", folder / "trace.csv", "--trace-rows", 0]
        measure([program, *words, folder / "rows", folder / "model"])
        return list(csv.DictReader((folder / "trace.csv").read_text().splitlines()))


def replayed(rows):
    """The iterates of a trace. It has the step sizes but not the weights: these follow, and f must agree."""
    weights, before, steps = (1.0, 0.0, 0.0), None, []
    for row in rows:
        size, extra = float(row["lambda"]), float(row["mu"])
        vertex = min(range(3), key=lambda i: inner(point(weights), VERTICES[i]))
        middle = tuple((1 - size) * w + size * (i == vertex) for i, w in enumerate(weights))
        after = tuple(w + extra * (w - b) for w, b in zip(middle, before)) if extra else middle
        if row["step"] != "start":
            before = weights
        weights = after
        steps.append(Step(weights, middle, vertex, float(row["objective"])))
        computed = inner(steps[-1].at(), steps[-1].at()) / 2
        if abs(computed - steps[-1].objective) > ROUNDING:
            raise Failed(f"three vertices: f = {row['objective']} in the trace, {computed} by its steps")
    return steps


def run(program, solver):
    return replayed(traced(program, solver))


# ---- the drawing ----

STYLE = """<style>
.triangle{fill:#8881;stroke:#777;stroke-width:1}.level{fill:none;stroke:#999;stroke-width:.6;opacity:.7}
.toward{stroke:#999;stroke-width:1;stroke-dasharray:1 3;fill:none}.tangent{stroke:#d55e00;stroke-dasharray:6 3}
.pale{stroke:#888;stroke-width:1}.node{fill:#333}.best{fill:#d55e00}
@media(prefers-color-scheme:dark){.node{fill:#eee}}
</style>"""
SHIFT = {"(": -5, "*": -4}  # pixels down: an index in brackets and the star stand above the line, numbers below


class View:
    """A part of the plane, in pixels."""

    def __init__(self, left, right, bottom, top, width=420):
        self.scale = width / (right - left)
        self.left, self.top = left, top
        self.width, self.height = width, round((top - bottom) * self.scale)

    def at(self, p):
        return (p[0] - self.left) * self.scale, (self.top - p[1]) * self.scale

    def path(self, points, kind):
        return plots.path([self.at(p) for p in points], kind)

    def node(self, p, kind="node", size=3):
        x, y = self.at(p)
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" class="{kind}"/>'

    def label(self, p, letter, index, right, up):
        """A letter with its index, so many pixels from its point."""
        x, y = self.at(p)
        small = f'<tspan dy="{SHIFT.get(index[0], 3)}" font-size="9">{index}</tspan>' if index else ""
        return f'<text x="{x + right:.1f}" y="{y - up:.1f}" text-anchor="middle">{letter}{small}</text>'

    def ground(self, name, apart):
        """The triangle and level curves of f, clipped to it."""
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.at, VERTICES))
        x, y = self.at((0, 0))
        radii = [1 + apart * i for i in range(1, int(5 / apart) + 1)]
        circles = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{self.scale * r:.1f}" class="level"/>' for r in radii]
        return [
            STYLE,
            f'<clipPath id="{name}"><polygon points="{corners}"/></clipPath>',
            f'<polygon points="{corners}" class="triangle"/>',
            f'<g clip-path="url(#{name})">{"".join(circles)}</g>',
        ]

    def solution(self, right=0, up=-16):
        return [self.node(SOLUTION, "best", 4), self.label(SOLUTION, "x", "*", right, up)]

    def drawn(self, title, lines):
        return plots.svg(title, self.width, self.height, lines)


def whole():
    return View(-5.6, 6.8, 0.2, 5.5)


def figure1(partan):
    """The second step of PARTAN, the first that has a parallel tangent."""
    view = whole()
    before, current, after = partan[0].at(), partan[1].at(), partan[2].at()
    middle, vertex = point(partan[2].middle), VERTICES[partan[2].vertex]
    lines = view.ground("clip-one", 0.75)
    lines += [view.path([middle, vertex], "toward"), view.path([before, middle], "tangent")]
    lines += [view.path([before, current], "pale"), view.path([current, middle, after], "partan")]
    lines += [view.node(p) for p in (before, current, middle, after, vertex)]
    lines += view.solution(-4)
    lines.append(view.label(before, "α", "(k-1)", 22, -2))
    lines.append(view.label(current, "α", "(k)", -18, 2))
    lines.append(view.label(middle, "α̃", "", 12, 6))
    lines.append(view.label(after, "α", "(k+1)", 10, -18))
    lines.append(view.label(vertex, "u", "(k)", 4, -18))
    return view.drawn("One step of PARTAN", lines)


def figure2a(fw, steps=30):
    view = whole()
    points = [step.at() for step in fw[: steps + 1]]
    lines = view.ground("clip-all", 0.75)
    lines += [view.path([p, VERTICES[step.vertex]], "toward") for p, step in zip(points[1:5], fw[1:5])]
    lines += [view.path(points, "fw"), *(view.node(p, size=2) for p in points), *view.solution()]
    for k, (right, up) in enumerate(((14, -2), (-12, 4), (12, 4))):
        lines.append(view.label(points[k], "x", str(k), right, up))
    return view.drawn(f"FW, {steps} steps", lines)


def figure2b(fw, partan, steps=30):
    view = View(-3.3, 2.1, 0.55, 3.4)
    points = [step.at() for step in partan]
    lines = view.ground("clip-near", 0.25)
    lines += [view.path([step.at() for step in fw[: steps + 1]], "pale")]
    lines += [view.path([points[0], point(partan[2].middle)], "tangent")]
    # From x_1 on: that PARTAN went to alpha~ on the way is part of its step.
    lines += [view.path([points[0], points[1], point(partan[2].middle), *points[2:]], "partan")]
    lines += [view.node(step.at(), size=2) for step in fw[1 : steps + 1]]
    lines += [view.node(p) for p in points[1:]] + view.solution()
    lines.append(view.label(points[1], "x", "1", -12, 4))
    lines.append(view.label(point(partan[2].middle), "α̃", "", 13, 6))
    lines.append(view.label(points[2], "x", "2", 6, -16))
    return view.drawn("PARTAN over FW, near the solution", lines)


def excess(steps, k):
    """f - f* after k steps, or after the last one where there were fewer."""
    return max(0.0, steps[min(k, len(steps) - 1)].objective - LEAST)
