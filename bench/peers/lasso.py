"""One contender of bench/lasso on one design: peers/lasso.py CONTENDER FOLDER OPTIONS, a JSON object.

Prints a JSON line for each task when it is done: the seconds it took, and of every point the objective and the
relative gap, recomputed here in double precision for all contenders alike. Reading and copying the data is not timed;
each contender gets it in the layout it likes best.
"""

import ctypes
import json
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse

warnings.simplefilter("ignore")


class Design:
    """Columns as they are on disk, float32, and the target."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.target = np.load(self.folder / "target.npy")
        self.rows = len(self.target)
        self.sparse = (self.folder / "indptr.npy").exists()
        if self.sparse:
            parts = [np.load(self.folder / f"{part}.npy") for part in ("values", "indices", "indptr")]
            self.columns = scipy.sparse.csc_matrix(tuple(parts), shape=(self.rows, len(parts[2]) - 1))
            self.features = self.columns.shape[1]
        else:
            self.columns = np.load(self.folder / "columns.npy")  # one a row
            self.features = len(self.columns)

    def double(self):
        """In double precision, Fortran order or compressed columns, with 32-bit indices where they do."""
        if self.sparse:
            matrix = self.columns.astype(np.float64)
            matrix.indices = matrix.indices.astype(np.int32)
            matrix.indptr = matrix.indptr.astype(np.int32)
            return matrix
        return self.columns.T.astype(np.float64, order="F")

    def products(self, vectors):
        """X'V / n in double, some columns at a time; returns the largest absolute value for each vector."""
        if self.sparse:
            return np.abs(self.columns.astype(np.float64).T @ vectors).max(axis=0) / self.rows
        largest = np.zeros(vectors.shape[1])
        for start in range(0, self.features, 50000):
            part = self.columns[start : start + 50000].astype(np.float64) @ vectors
            largest = np.maximum(largest, np.abs(part).max(axis=0))
        return largest / self.rows

    def fit(self, which, values):
        if self.sparse:
            return self.columns[:, which].astype(np.float64) @ values
        return values @ self.columns[which].astype(np.float64)

    def judge(self, lambdas, points):
        """Objectives and relative gaps of points, each a pair of features and coefficients."""
        null = self.target @ self.target / (2 * self.rows)
        residuals = np.stack([self.target - self.fit(which, values) for which, values in points], axis=1)
        largest = self.products(residuals)
        squares = (residuals**2).sum(axis=0) / self.rows
        along = self.target @ residuals / self.rows
        norms = np.array([np.abs(values).sum() for _, values in points])
        bounds = np.where(largest > lambdas, lambdas / largest, 1)
        factors = np.clip(along / np.maximum(squares, 1e-300), -bounds, bounds)
        objectives = squares / 2 + lambdas * norms
        gaps = objectives - (factors * along - factors**2 * squares / 2)
        return objectives / null, gaps / null


def sparse_points(coefficients):
    """Of an array with a point in each column."""
    return [(np.flatnonzero(x), x[np.flatnonzero(x)]) for x in coefficients.T]


# ---- contenders: each has solve(lambdas, tol) -> points; `tol` is the relative gap, or what stands for it ------------


class Partan:
    """The library itself, by its C interface; the command line makes the same call."""

    def __init__(self, design, options):
        self.partan = library = ctypes.CDLL(options["library"])
        library.partan_create.restype = ctypes.c_void_p
        library.partan_error.restype = ctypes.c_char_p
        library.partan_error.argtypes = [ctypes.c_void_p]
        for name in ("partan_lasso_free", "partan_lasso_get_result"):
            getattr(library, name).argtypes = [ctypes.c_void_p]
        library.partan_lasso_get_result.restype = ctypes.POINTER(Result)
        sizes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)]
        library.partan_lasso_coefficient.argtypes = [*sizes, ctypes.POINTER(ctypes.c_double), ctypes.c_void_p]
        self.context = ctypes.c_void_p(library.partan_create(None))
        self.data = ctypes.c_void_p()
        self.check(self.hand_over(design))
        self.lasso = self.made(LassoSettings, "partan_lasso_settings", intercept=0, standardise=0)

    def check(self, status):
        if status < 0:
            raise SystemExit(self.partan.partan_error(self.context).decode())

    def made(self, kind, name, **values):
        """A struct of the library with its defaults, and these values."""
        struct = kind()
        getattr(self.partan, f"{name}_init_sized")(ctypes.byref(struct), ctypes.c_size_t(ctypes.sizeof(struct)))
        for field, value in values.items():
            setattr(struct, field, value)
        return struct

    def hand_over(self, design):
        storage = SPARSE if design.sparse else DENSE
        options = self.made(ArrayOptions, "partan_array_options", storage=storage, labels=design.target.ctypes.data)
        shape = dict(rows=design.rows, features=design.features)
        if design.sparse:
            columns = design.columns
            arrays = dict(zip(("offsets", "indices", "values"), (columns.indptr, columns.indices, columns.data)))
            singular = {"offsets": "offset", "indices": "index", "values": "value"}
            types = {f"{singular[name]}_type": TYPES[array.dtype.name] for name, array in arrays.items()}
            places = {name: array.ctypes.data for name, array in arrays.items()}
            array = self.made(Sparse, "partan_sparse", order=CSC, count=columns.nnz, **shape, **places, **types)
            make = self.partan.partan_data_from_sparse
        else:
            strides = dict(row_stride=1, column_stride=design.rows)
            array = self.made(Dense, "partan_dense", values=design.columns.ctypes.data, **shape, **strides)
            make = self.partan.partan_data_from_dense
        return make(self.context, ctypes.byref(array), ctypes.byref(options), ctypes.byref(self.data))

    def coefficients(self, model):
        count = self.partan.partan_lasso_get_result(model).contents.nonzeros
        which, values = np.zeros(count, dtype=np.int64), np.zeros(count)
        feature, value = ctypes.c_size_t(), ctypes.c_double()
        for i in range(count):
            self.partan.partan_lasso_coefficient(model, i, ctypes.byref(feature), ctypes.byref(value), None)
            which[i], values[i] = feature.value, value.value
        return which, values

    def solve(self, lambdas, tol):
        settings = self.made(Settings, "partan_settings", tol=tol)
        models = []
        callback = CALLBACK(lambda user, index, model: models.append(model) or 0)
        given = lambdas.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(len(lambdas))
        pointers = ctypes.byref(self.lasso), ctypes.byref(settings)
        self.check(self.partan.partan_lasso_path(self.context, self.data, *pointers, *given, callback, None))
        return models

    def finish(self, models):
        points = [self.coefficients(model) for model in models]
        for model in models:
            self.partan.partan_lasso_free(model)
        return points


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)


def fields(text):
    kinds = {"d": ctypes.c_double, "i": ctypes.c_int, "q": ctypes.c_int64, "Q": ctypes.c_uint64, "p": ctypes.c_void_p}
    return [(name, kinds[kind]) for name, kind in (word.split(":") for word in text.split())]


DENSE, SPARSE, CSC = 1, 2, 1
TYPES = {"float32": 0, "float64": 1, "int32": 2, "int64": 3}


class Dense(ctypes.Structure):
    _fields_ = fields("struct_size:Q values:p type:i rows:Q features:Q row_stride:q column_stride:q")


class Sparse(ctypes.Structure):
    _fields_ = fields(
        "struct_size:Q order:i rows:Q features:Q count:Q offsets:p indices:p values:p offset_type:i index_type:i "
        "value_type:i"
    )


class ArrayOptions(ctypes.Structure):
    _fields_ = fields("struct_size:Q storage:i labels:p words:p feature_names:p borrow:i")


class LassoSettings(ctypes.Structure):
    _fields_ = fields("struct_size:Q lambda_:d radius:d intercept:q standardise:q points:q ratio:d folds:q")


class Settings(ctypes.Structure):
    _fields_ = fields(
        "struct_size:Q kernel:i gamma_rule:i gamma:d degree:q coef0:d cost:d solver:i step:i tol:d eps:d sample:q "
        "further:q stop:i init:i seed:Q max_iter:q time_limit:d cache:q merge:q trace_rows:q"
    )


class Result(ctypes.Structure):
    _fields_ = fields(
        "status:i converged:i iterations:q lambda_:d radius:d objective:d gap:d relative_gap:d nonzeros:Q r2:d seconds:d"
    )


class Celer:
    def __init__(self, design, options):
        from celer import celer_path

        del options
        self.path, self.matrix, self.target = celer_path, design.double(), design.target

    def solve(self, lambdas, tol):
        # Its tol is relative to twice the objective without coefficients.
        _, coefficients, self.gaps = self.path(
            self.matrix, self.target, "lasso", alphas=lambdas, tol=tol / 2, max_iter=1000
        )
        return coefficients

    def finish(self, coefficients):
        return sparse_points(coefficients)

    def proven(self):
        """Gaps by a dual point of its own, which may be better than the one that everybody is judged by."""
        return self.gaps / (self.target @ self.target / (2 * len(self.target)))


class Sklearn(Celer):
    proven = None

    def __init__(self, design, options):
        from sklearn.linear_model import lasso_path

        del options
        self.path, self.matrix, self.target = lasso_path, design.double(), design.target

    def solve(self, lambdas, tol):
        return self.path(self.matrix, self.target, alphas=lambdas, tol=tol / 2, max_iter=10**6)[1]


class Skglm(Sklearn):
    """Its tolerance bounds a violation of optimality, not a gap: the harness tries several."""

    def __init__(self, design, options):
        from skglm import Lasso

        del options
        self.make, self.matrix, self.target = Lasso, design.double(), design.target

    def solve(self, lambdas, tol):
        model = self.make(alpha=1.0, tol=tol, fit_intercept=False, max_iter=1000, warm_start=True)
        return model.path(self.matrix, self.target, lambdas)[1]


class Glmnet:
    """R's glmnet, in a process of its own that reads the design once; its thresh is tried as skglm's tolerance is."""

    def __init__(self, design, options):
        del options
        self.folder, self.features = design.folder, design.features
        design.target.tofile(self.folder / "target.bin")
        if design.sparse:
            for part in ("indptr", "indices"):
                np.load(self.folder / f"{part}.npy").astype(np.int32).tofile(self.folder / f"{part}.bin")
            np.load(self.folder / "values.npy").astype(np.float64).tofile(self.folder / "values.bin")
        else:
            design.columns.astype(np.float64).tofile(self.folder / "columns.bin")
        words = ["Rscript", Path(__file__).with_name("glmnet.R"), self.folder, design.rows, design.features]
        words.append("sparse" if design.sparse else "dense")
        self.process = subprocess.Popen(
            [str(w) for w in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if self.process.stdout.readline().strip() != "ready":
            raise SystemExit("Rscript with glmnet does not run")
        self.seconds = None

    def solve(self, lambdas, tol):
        lambdas.tofile(self.folder / "lambdas.bin")
        print(len(lambdas), tol, file=self.process.stdin, flush=True)
        self.seconds = float(self.process.stdout.readline())
        return len(lambdas)

    def finish(self, count):
        where = np.fromfile(self.folder / "found_index.bin", dtype=np.int32)
        offsets = np.fromfile(self.folder / "found_offsets.bin", dtype=np.int32)
        values = np.fromfile(self.folder / "found_values.bin")
        return [
            (where[offsets[i] : offsets[i + 1]].astype(np.int64), values[offsets[i] : offsets[i + 1]])
            for i in range(count)
        ]


CONTENDERS = {"partan": Partan, "celer": Celer, "sklearn": Sklearn, "skglm": Skglm, "glmnet": Glmnet}
BY_TRIAL = ("skglm", "glmnet")


def grid(design):
    """glmnet's rule: 100 values, evenly spaced in the logarithm."""
    largest = design.products(design.target[:, None])[0]
    ratio = 1e-2 if design.rows < design.features else 1e-4
    return largest * ratio ** (np.arange(100) / 99)


def measure(contender, lambdas, tol, options):
    """The best of some runs, and the points of the last."""
    best, spent, runs = np.inf, 0, 0
    while runs < options["repeat"] and (runs == 0 or spent + best < options["budget"]):
        start = time.perf_counter()
        found = contender.solve(lambdas, tol)
        seconds = time.perf_counter() - start
        if getattr(contender, "seconds", None) is not None:
            seconds = contender.seconds
        best, spent, runs = min(best, seconds), spent + seconds, runs + 1
        points = contender.finish(found)
    return best, runs, points


def run_task(name, contender, design, lambdas, tol, options):
    tolerances = [tol]
    if name in BY_TRIAL:
        tolerances = [10.0**-k for k in range(3 if name == "skglm" else 5, 15)]
    for tolerance in tolerances:
        seconds, runs, points = measure(contender, lambdas, tolerance, options)
        objectives, gaps = design.judge(lambdas, points)
        if getattr(contender, "proven", None):
            gaps = np.minimum(gaps, contender.proven())
        if gaps.max() <= tol * (1 + 1e-6):
            break
    return {
        "seconds": seconds,
        "runs": runs,
        "gap": float(gaps.max()),
        "objectives": objectives.tolist(),
        "nonzeros": len(points[-1][0]),
        "tolerance": tolerance,
        "reached": bool(gaps.max() <= tol * (1 + 1e-6)),
    }


def main(name, folder, options):
    design = Design(folder)
    lambdas = grid(design)
    contender = CONTENDERS[name](design, options)
    if name == "skglm":
        contender.solve(lambdas[:2], 1e-2)  # it compiles itself at its first use
    print(json.dumps({"ready": True, "rows": design.rows, "features": design.features}), flush=True)
    for what in ("point", "path"):
        chosen = lambdas if what == "path" else lambdas[:1] / 20
        for tol in options["tols"]:
            found = run_task(name, contender, design, np.ascontiguousarray(chosen), tol, options)
            print(json.dumps({"what": what, "tol": tol, **found}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
