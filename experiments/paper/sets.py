"""The data sets of the paper's Table 1, and how each is made here.

Files are found, unpacked and made by bench/harness/sources.py and makers.py, which the benchmark uses too."""

import dataclasses

from harness import sources
from harness.process import Failed


@dataclasses.dataclass(frozen=True)
class Set:
    name: str
    title: str  # as the paper has it
    what: str  # how it is made here
    maker: str  # a function of bench/harness/makers.py
    files: tuple = ()  # under the data folder, plain or compressed
    options: dict = dataclasses.field(default_factory=dict)  # of the maker
    small: dict = dataclasses.field(default_factory=dict)  # the same for --quick
    stands_for: str = ""  # the set of the paper that this one takes the place of when its files are missing
    label: str = ""  # what every table must say beside its name
    cost: float = None  # C where validation does not choose it
    parts: tuple = ()  # those of protocol.PARTS to run, where not all


@dataclasses.dataclass(frozen=True)
class Source:
    """What bench/harness/sources.py wants to know."""

    name: str
    maker: str
    sources: tuple
    options: dict


RCV1 = {"kind": "text", "rows": 677_399, "test_rows": 20_242, "features": 47_236}
TABLE = (
    Set("a9a", "Adult a9a", "as it is", "copy", ("a9a/a9a", "a9a/a9a.t"), small={"every": 40}),
    Set("w8a", "Web w8a", "as it is", "copy", ("w8a/w8a", "w8a/w8a.t"), small={"every": 50}),
    Set("ijcnn1", "IJCNN1", "as it is", "copy", ("ijcnn1/ijcnn1", "ijcnn1/ijcnn1.t"), small={"every": 50}),
    Set(
        "usps-ext",
        "USPS-ext",
        "reconstructed: the zeros and ones of USPS at all 11 x 11 places of a 26 x 26 canvas, background 0",
        "usps_ext",
        ("usps/usps.esl", "usps/usps.esl.t"),
        small={"every": 40, "step": 4},
        label="reconstructed",
    ),
    Set(
        "kdd99",
        "KDD99-binary",
        "normal against attack, 38 numeric columns scaled to [0, 1] over the whole file, seeded 80/20 split",
        "kdd99",
        ("kdd99/kddcup.data_10_percent",),
        small={"every": 400},
    ),
    Set(
        "rcv1",
        "RCV1-binary",
        "trained on LIBSVM's test file and tested on its training file, as the sizes in Table 1 say",
        "copy",
        ("rcv1/rcv1_test.binary", "rcv1/rcv1_train.binary"),
        small={"every": 600},
        cost=1,
        parts=("table2",),
    ),
    Set(
        "rcv1-like",
        "RCV1-like",
        "generated text of the same shape (partan gen text), where RCV1 itself is not at hand",
        "generate",
        options=RCV1,
        small={**RCV1, "rows": 1_000, "test_rows": 500, "features": 5_000},
        stands_for="rcv1",
        label="generated stand-in",
        cost=1,
        parts=("table2",),
    ),
    Set(
        "board",
        "checkerboard",
        "generated, not in the paper: for trying things out without data",
        "generate",
        options={"kind": "checkerboard", "rows": 20_000},
        small={"kind": "checkerboard", "rows": 1_000, "test_rows": 500},
        label="not in the paper",
    ),
)
SETS = {entry.name: entry for entry in TABLE}
PAPER_SETS = ("a9a", "w8a", "ijcnn1", "usps-ext", "kdd99", "rcv1")
TIGHT_SETS = ("a9a", "w8a", "ijcnn1")  # of Table 3 and Figure 3


def choose(names, data):
    """The sets to run, in the order of Table 1: those asked for, or all of the paper's with stand-ins. Returns them and
    sentences about what is missing."""
    wanted = names or list(PAPER_SETS)
    for name in wanted:
        if name not in SETS:
            raise Failed(f"'{name}' is no data set; there are: {', '.join(SETS)}")
    found, said = [], []
    for name in wanted:
        entry = SETS[name]
        missing = [file for file in entry.files if not sources.locate(data, file)]
        if not missing:
            found.append(entry)
            continue
        instead = next((other for other in TABLE if other.stands_for == name), None)
        consequence = f"{instead.name} instead" if instead else "left out"
        said.append(f"{name}: {', '.join(missing)} is not in {data}; {consequence}")
        if instead:
            found.append(instead)
    if len(found) == 1 and found[0].stands_for and not names:
        found.insert(0, SETS["board"])
    return found, said


def prepare(entry, quick, data, work, program, note):
    """{"train", "test": paths, "sha256", "bytes"}; made once and kept."""
    options = entry.small if quick else entry.options
    source = Source(entry.name + ("-quick" if quick else ""), entry.maker, entry.files, options)
    return sources.prepared(source, data, work, program, note)
