"""Designs for the Lasso: real ones from PARTAN_DATA and generated ones, as NumPy files in the work folder.

Run as a program, with an interpreter that has NumPy and SciPy, it makes one: lasso_sets.py NAME FOLDER [SOURCE].

Columns have mean 0 and variance 1 (sparse ones: mean square 1), the target has mean 0, and everything is rounded to
float32 once: all contenders solve the same problem, without an intercept and without standardising again.
"""

import bz2
import gzip
import json
import lzma
import sys
from pathlib import Path

REAL = ("colon-cancer", "leu", "riboflavin")
ROWS = 200  # of dense designs
SPARSE_ROWS = 1000
DENSITY = 0.01
SIZES = {"1e4": 10**4, "1e5": 10**5, "1e6": 10**6}
CORRELATIONS = ("0", "0.5", "0.95")
RELEVANT = 50  # features with a coefficient
VERSION = 1  # raise it when what is made changes


def generated(kind):
    return [f"{kind}-{size}-{rho}" for size in SIZES for rho in CORRELATIONS]


ALL = (*REAL, *generated("dense"), *generated("sparse"))
QUICK = ("colon-cancer", "dense-1e4-0.5", "sparse-1e4-0")


def describe(name):
    if name in REAL:
        return "real"
    kind, size, rho = name.split("-")
    rows = ROWS if kind == "dense" else SPARSE_ROWS
    share = "" if kind == "dense" else f", {DENSITY:.0%} nonzeros"
    return f"{rows} x {size}, neighbouring columns correlated {rho}{share}"


def made(folder):
    record = folder / "made.json"
    return record.is_file() and json.loads(record.read_text()).get("version") == VERSION


# ---- making, with NumPy ----------------------------------------------------------------------------------------------


def read_real(path):
    import numpy as np

    opener = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}.get(path.suffix, open)
    with opener(path, "rt") as file:
        lines = [line.split() for line in file if line.strip()]
    target = np.array([float(words[0]) for words in lines])
    features = max(int(word.partition(":")[0]) for words in lines for word in words[1:])
    values = np.zeros((len(lines), features))
    for row, words in enumerate(lines):
        for word in words[1:]:
            index, _, value = word.partition(":")
            values[row, int(index) - 1] = float(value)
    return values.T, target


def dense(features, rho):
    """Columns as rows of the array: an autoregressive sequence of standard normal ones."""
    import numpy as np

    draw = np.random.default_rng(features + int(100 * rho))
    values = draw.standard_normal((features, ROWS), dtype=np.float32)
    if rho > 0:
        keep, fresh = np.float32(rho), np.float32((1 - rho * rho) ** 0.5)
        for column in range(1, features):
            values[column] = keep * values[column - 1] + fresh * values[column]
    return values


def sparse(features, rho):
    """Each nonzero of a column is kept in the next with probability rho; the others are drawn anew."""
    import numpy as np

    draw = np.random.default_rng(7 * features + int(100 * rho))
    count = int(SPARSE_ROWS * DENSITY)
    rows = draw.integers(0, SPARSE_ROWS, (features, count), dtype=np.int32)
    values = draw.standard_normal((features, count), dtype=np.float32)
    if rho > 0:
        kept = draw.random((features, count), dtype=np.float32) < rho
        for column in range(1, features):
            rows[column] = np.where(kept[column], rows[column - 1], rows[column])
            values[column] = np.where(kept[column], values[column - 1], values[column])
    return rows, values


def target_of(product, seed):
    """y = Xw + noise, a signal to noise ratio of 3; `product` is Xw."""
    import numpy as np

    draw = np.random.default_rng(seed)
    target = product + draw.standard_normal(len(product)) * product.std() / 3
    return target - target.mean()


def weights(features, seed):
    import numpy as np

    draw = np.random.default_rng(seed)
    which = draw.choice(features, RELEVANT, replace=False)
    return which, draw.standard_normal(RELEVANT)


def make_dense(name, folder, source):
    import numpy as np

    if name in REAL:
        values, target = read_real(source)
        deviation = values.std(axis=1, keepdims=True)
        values = (values - values.mean(axis=1, keepdims=True)) / np.where(deviation > 0, deviation, 1)
        target = target - target.mean()
    else:
        _, size, rho = name.split("-")
        values = dense(SIZES[size], float(rho))
        for start in range(0, len(values), 10000):
            part = values[start : start + 10000].astype(np.float64)
            part -= part.mean(axis=1, keepdims=True)
            values[start : start + 10000] = part / part.std(axis=1, keepdims=True)
        which, w = weights(len(values), 1)
        target = target_of(w @ values[which].astype(np.float64), 2)
    np.save(folder / "columns.npy", np.ascontiguousarray(values, dtype=np.float32))
    np.save(folder / "target.npy", target)


def make_sparse(name, folder):
    import numpy as np
    import scipy.sparse

    _, size, rho = name.split("-")
    rows, values = sparse(SIZES[size], float(rho))
    features, count = rows.shape
    columns = np.repeat(np.arange(features), count)
    matrix = scipy.sparse.coo_matrix((values.ravel(), (rows.ravel(), columns)), (SPARSE_ROWS, features)).tocsc()
    matrix.sum_duplicates()
    squares = np.asarray(matrix.multiply(matrix).sum(axis=0)).ravel() / SPARSE_ROWS
    matrix = (matrix @ scipy.sparse.diags(1 / np.sqrt(np.where(squares > 0, squares, 1)))).astype(np.float32).tocsc()
    matrix.sort_indices()
    which, w = weights(features, 1)
    np.save(folder / "target.npy", target_of(matrix[:, which].astype(np.float64) @ w, 2))
    np.save(folder / "indptr.npy", matrix.indptr.astype(np.int64))
    np.save(folder / "indices.npy", matrix.indices.astype(np.int32))
    np.save(folder / "values.npy", matrix.data)


def main(name, folder, source=None):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if name.startswith("sparse"):
        make_sparse(name, folder)
    else:
        make_dense(name, folder, Path(source) if source else None)
    (folder / "made.json").write_text(json.dumps({"version": VERSION, "name": name}))


if __name__ == "__main__":
    main(*sys.argv[1:])
