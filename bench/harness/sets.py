"""The data sets: what they are made from, C and gamma (of the rbf kernel, the same for all programs), the goals.

A new data set is one entry of the table, and a maker in makers.py if its files need more than unpacking."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Goal:
    """Ratios to svm-train's training time, and to svm-predict's prediction."""

    must: float  # at partan's default tolerance
    aim: float
    tight: float  # at --tol 0.001
    predict: float


@dataclasses.dataclass(frozen=True)
class Set:
    name: str
    what: str
    maker: str  # a function of makers.py
    sources: tuple  # files under PARTAN_DATA, plain or compressed
    cost: float
    gamma: float
    goal: Goal = None
    libsvm: tuple = ()  # further options of svm-train
    shrinking: bool = True  # of scikit-learn's SVC
    sparse: bool = False  # what the Python peers are given: dense float32, or sparse where dense cannot be
    slow_sklearn: bool = False  # scikit-learn's own SVC needs many minutes
    options: dict = dataclasses.field(default_factory=dict)  # for the maker


def generated(name, what, cost, gamma, options, rows=20_000):
    return Set(name, what, "generate", (), cost, gamma, options={"rows": rows, **options})


def noisy(name, rows):
    """A checkerboard with 30 % of the labels flipped: half of the rows and more become support vectors."""
    for features, gamma in ((2, 20), (8, 1.5), (20, 0.6)):
        among = f", {features - 2} of them without meaning" if features > 2 else ""
        yield generated(
            f"{name}{features}",
            f"{rows:,} rows of a checkerboard, 30 % of the labels flipped, {features} features{among}",
            cost=10,
            gamma=gamma,
            options={"kind": "checkerboard", "noise": 0.3, "features": features},
            rows=rows,
        )


TABLE = (
    Set(
        "a9a",
        "census, 123 features, all 0 or 1",
        "copy",
        ("a9a/a9a", "a9a/a9a.t"),
        cost=1,
        gamma=0.0652,
        goal=Goal(must=60, aim=150, tight=25, predict=100),
    ),
    Set(
        "w8a",
        "web pages, 300 features, all 0 or 1, 3 % positive",
        "copy",
        ("w8a/w8a", "w8a/w8a.t"),
        cost=10,
        gamma=0.0485,
        goal=Goal(must=70, aim=180, tight=25, predict=100),
    ),
    Set(
        "ijcnn1",
        "22 features, 10 % positive",
        "copy",
        ("ijcnn1/ijcnn1", "ijcnn1/ijcnn1.t"),
        cost=10,
        gamma=2,
        goal=Goal(must=9, aim=20, tight=4, predict=30),
    ),
    Set(
        "kdd99",
        "network connections, 38 numeric columns scaled to [0, 1], normal against attack",
        "kdd99",
        ("kdd99/kddcup.data_10_percent",),
        cost=10,
        gamma=0.2336,
        goal=Goal(must=20, aim=50, tight=8, predict=30),
        libsvm=("-h", "0"),  # with its default shrinking it was not done after 25 minutes
        shrinking=False,
        slow_sklearn=True,
    ),
    Set(
        "mnist",
        "28 x 28 pixels / 255, digits below 5 against the rest",
        "mnist",
        (
            "mnist/train-images-idx3-ubyte",
            "mnist/train-labels-idx1-ubyte",
            "mnist/t10k-images-idx3-ubyte",
            "mnist/t10k-labels-idx1-ubyte",
        ),
        cost=10,
        gamma=0.02,
        goal=Goal(must=60, aim=200, tight=30, predict=30),
        slow_sklearn=True,
    ),
    Set(
        "reuters21578",
        "news, 8,315 words, sparse",
        "copy",
        ("reuters21578/reuters.trn", "reuters21578/reuters.tst"),
        cost=1,
        gamma=1,
        goal=Goal(must=25, aim=80, tight=10, predict=30),
        sparse=True,
    ),
    Set(
        "usps",
        "16 x 16 pixels, digits below 5 against the rest",
        "two_classes",
        ("usps/usps.esl", "usps/usps.esl.t"),
        cost=10,
        gamma=0.0078125,
        options={"positive_below": 6},  # labels are digits plus 1
    ),
    Set(
        "letter",
        "16 features of letters' images, A to M against the rest",
        "two_classes",
        ("letter/letter.scale", "letter/letter.scale.t"),
        cost=10,
        gamma=1,
        options={"positive_below": 14},
    ),
    Set(
        "svmguide1",
        "4 features, scaled to [0, 1]",
        "scaled",
        ("svmguide1/svmguide1", "svmguide1/svmguide1.t"),
        cost=2,
        gamma=8,
    ),
    *noisy("noisy", 20_000),
    *noisy("large", 50_000),
    Set(
        "gauss500",
        "500 normal features, 2,000 rows, nearly all of them support vectors",
        "gaussian",
        (),
        cost=10,
        gamma=0.002,
        options={"rows": 2_000, "test_rows": 2_000, "features": 500, "noise": 0.1},
    ),
    Set(
        "text",
        "5,000 documents of 50,000 words, sparse",
        "generate",
        (),
        cost=10,
        gamma=1,
        sparse=True,
        options={"kind": "text", "rows": 5_000, "test_rows": 2_000, "features": 50_000},
    ),
    generated(
        "ringnorm",
        "Breiman's ringnorm with 10 % of the labels flipped, 20 features",
        cost=1,
        gamma=0.05,
        options={"kind": "ringnorm", "noise": 0.1},
    ),
    generated(
        "board",
        "checkerboard without noise: for a quick look",
        cost=10,
        gamma=20,
        rows=2_000,
        options={"kind": "checkerboard"},
    ),
)

SETS = {entry.name: entry for entry in TABLE}
QUICK = ("svmguide1", "board")
DEFAULT = tuple(name for name in SETS if name != "board")
