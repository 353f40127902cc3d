"""What docs/results.md is about: sets with many classes, numbers to predict, and outliers, with the parameters that
suit each program.

partan's losses are squares and the peers' are not, so the same C means different things: `ours` and `theirs` were
chosen for each, by `bench/run --tune`, which searches `grid` and `their_grid` by cross-validation on the training rows.
A new task is one entry of the table, and a maker in makers.py if its files need more than unpacking."""

import dataclasses

CLASSES, REGRESSION, OUTLIER = "classification", "regression", "outlier"


@dataclasses.dataclass(frozen=True)
class Task:
    name: str
    what: str
    problem: str
    maker: str  # a function of makers.py
    sources: tuple  # files under PARTAN_DATA, plain or compressed
    ours: dict  # options of partan train
    theirs: dict  # the same names, and nu
    grid: dict = None  # what --tune tries; None: the parameters are given
    their_grid: dict = None  # None: the same
    options: dict = dataclasses.field(default_factory=dict)  # for the maker
    predict_rows: int = None  # test rows for svm-predict, where all would take minutes
    train_ratio: float = 1  # times faster than svm-train that training must be

    @property
    def splits(self):
        """Into training and test rows, of a set with few of them: the score is the mean over all."""
        return (self.options or {}).get("splits", 1)

    @property
    def many(self):
        return self.problem == CLASSES and self.name not in TWO


TWO = ("svmguide1",)  # tasks with two classes
SPLITS = 20  # of sets whose few test rows would leave a score to chance
MANY_PREDICT = 20  # times faster than svm-predict, where there are many classes

TABLE = (
    Task(
        "letter26",
        "16 features of letters' images, 26 classes",
        CLASSES,
        "copy",
        ("letter/letter.scale", "letter/letter.scale.t"),
        ours={"cost": 100, "gamma": 2},
        theirs={"cost": 10, "gamma": 1},
        grid={"cost": (1, 10, 100), "gamma": (0.5, 1, 2, 4)},
    ),
    Task(
        "mnist10",
        "28 x 28 pixels / 255, 10 digits; parameters as the goal says",
        CLASSES,
        "mnist",
        (
            "mnist/train-images-idx3-ubyte",
            "mnist/train-labels-idx1-ubyte",
            "mnist/t10k-images-idx3-ubyte",
            "mnist/t10k-labels-idx1-ubyte",
        ),
        ours={"cost": 10, "gamma": 0.02},
        theirs={"cost": 10, "gamma": 0.02},
        options={"digits": True},
        predict_rows=1_000,
        train_ratio=15,
    ),
    Task(
        "usps10",
        "16 x 16 pixels, 10 digits",
        CLASSES,
        "copy",
        ("usps/usps.esl", "usps/usps.esl.t"),
        ours={"cost": 10, "gamma": 0.0078},
        theirs={"cost": 10, "gamma": 0.0078},
        grid={"cost": (1, 10, 100, 1000), "gamma": (0.002, 0.0039, 0.0078, 0.0156)},
    ),
    Task(
        "svmguide1",
        "4 features scaled to [0, 1], two classes",
        CLASSES,
        "scaled",
        ("svmguide1/svmguide1", "svmguide1/svmguide1.t"),
        ours={"cost": 256, "gamma": 1},
        theirs={"cost": 16, "gamma": 4},
        grid={"cost": (1, 4, 16, 64, 256), "gamma": (0.5, 1, 2, 4, 8, 16, 32)},
    ),
    Task(
        "abalone",
        "age of shellfish, 8 features",
        REGRESSION,
        "split",
        ("abalone/abalone",),
        ours={"cost": 10, "gamma": 0.5, "epsilon": 0.1},
        theirs={"cost": 100, "gamma": 0.5, "epsilon": 2},
        grid={"cost": (1, 10, 100, 1000), "gamma": (0.1, 0.2, 0.5, 1), "epsilon": (0.1, 1, 2)},
        options={"splits": SPLITS},
    ),
    Task(
        "housing",
        "prices of houses, 13 features",
        REGRESSION,
        "split",
        ("housing/housing_scale",),
        ours={"cost": 100, "gamma": 0.1, "epsilon": 0.1},
        theirs={"cost": 1000, "gamma": 0.1, "epsilon": 2},
        grid={"cost": (10, 100, 1000, 10_000), "gamma": (0.02, 0.05, 0.1, 0.2), "epsilon": (0.02, 0.1, 0.5, 1, 2)},
        options={"splits": SPLITS},
    ),
    Task(
        "friedman",
        "Friedman's function with noise, 20,000 rows, 10 features, 5 of them without meaning",
        REGRESSION,
        "generate",
        (),
        ours={"cost": 100, "gamma": 0.5, "epsilon": 0.1},
        theirs={"cost": 100, "gamma": 0.5, "epsilon": 0.5},
        grid={"cost": (1, 10, 100), "gamma": (0.1, 0.2, 0.5, 1), "epsilon": (0.1, 0.5)},
        options={"kind": "friedman", "rows": 20_000},
    ),
    Task(
        "cloud",
        "20,000 normal rows with 8 features, 5 % of them uniform on [-4, 4]^8 instead",
        OUTLIER,
        "cloud",
        (),
        ours={"cost": 0.005, "gamma": 0.05, "outliers": 0.05},
        theirs={"nu": 0.05, "gamma": 0.02},
        grid={"cost": (0.005, 0.02, 0.1), "gamma": (0.02, 0.05, 0.2)},
        their_grid={"nu": (0.02, 0.05, 0.1), "gamma": (0.02, 0.05, 0.2)},
        options={"rows": 20_000, "test_rows": 10_000, "features": 8, "share": 0.05, "reach": 4},
    ),
)

TASKS = {task.name: task for task in TABLE}
QUICK = ("svmguide1",)
