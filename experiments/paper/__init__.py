"""The parts of experiments/run.

published   the paper's numbers (published.json)
sets        its six data sets: what they are made from, and small subsets for --quick
protocol    what a training is: C, gamma, the stop, limits; and the trainings that each table wants
choices     gamma and C: what validation chooses, and what the published counts belong to
runs        runs them one by one: results kept on disk, resumed, progress with the time left
results     what a run came to, and means over runs
tables      Tables 2, 3 and 4 beside the published ones
beyond      what the paper does not have: relative stops, the default solver, when accuracy has settled
claims      what the paper says follows, and whether it does here (claims2 to claims4: of Tables 2 to 4)
agreement   how near the counts are to the published ones
theory      the bounds of Propositions 1 and 2, with a known curvature constant
zigzag      Figures 1 and 2, from runs on three vertices
notes       what there is to say about the numbers
plots       lines and bars, as SVG
page        headings, tables, figures: what a report is made of, as Markdown and as HTML (page.css)
report      everything together, as Markdown and as one HTML page
downloads   fetches the public files and checks their hashes (downloads.json)

Data preparation, processes and the machine's description are shared with the benchmark (bench/harness)."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
