#!/usr/bin/env python3
"""Soft-impute and ALS, plainly written with numpy, for bench/matrix.

    matrix.py soft-impute|als TRAIN TEST ROWS COLUMNS SEED     one JSON object on standard output
    matrix.py truth TRAIN TEST SIZE RANK ENTRIES SEED          writes TRAIN and TEST

TRAIN and TEST hold lines of row, column and value, counted from 1. Both methods work on values less the same offsets as
partan's (mean, rows, columns), choose their parameter by a tenth of TRAIN that is held out, and are fitted again to all of
TRAIN with it.

soft-impute: X <- the singular value soft-thresholding of X with its known entries replaced (Mazumder, Hastie and
Tibshirani 2010), warm-started along lambdas 1.25 apart until the error has grown twice in a row, with Nesterov's extrapolation.
als: alternating least squares with a ridge on factors of a fixed rank; rank and ridge from a grid.
truth: entries of a random square matrix of low rank, and 10,000 others for TEST; its nuclear norm, and the root mean square
of the latter.
"""

import json
import sys
import time

import numpy

RATIO = 1.25
PATIENCE = 2


class Entries:
    """Known entries, centred by offsets found on themselves or on others."""

    def __init__(self, table, offsets=None, shape=None):
        self.i, self.j = table[:, 0].astype(int), table[:, 1].astype(int)
        self.raw = table[:, 2]
        self.offsets = offsets or self.find(shape)
        mean, rows, columns = self.offsets
        self.b = self.raw - mean - rows[self.i] - columns[self.j]

    def find(self, shape):
        mean = self.raw.mean()
        left = self.raw - mean
        rows = self.means(left, self.i, shape[0])
        left = left - rows[self.i]
        return mean, rows, self.means(left, self.j, shape[1])

    @staticmethod
    def means(values, index, size):
        count = numpy.bincount(index, minlength=size)
        return numpy.bincount(index, values, minlength=size) / numpy.maximum(count, 1)


def errors(entries, left, right):
    r = numpy.einsum("kr,kr->k", left[entries.i], right[entries.j]) - entries.b
    return float(numpy.sqrt((r**2).mean())), float(numpy.abs(r).mean())


# ---- soft-impute -----------------------------------------------------------------------------------------------------


def shrink(y, lam):
    """Singular values less lambda, by the Gram matrix of the smaller side; factors and nuclear norm."""
    wide = y.shape[0] < y.shape[1]
    m = y.T if wide else y
    values, vectors = numpy.linalg.eigh(m.T @ m)
    s = numpy.sqrt(numpy.maximum(values, 0))
    keep = s > lam
    v = vectors[:, keep]
    left = m @ (v * ((s[keep] - lam) / s[keep]))
    return (v, left) if wide else (left, v)


def soft_impute(entries, shape, lam, start, tol=1e-4, most=500):
    left, right = start
    x = left @ right.T
    last, t = x, 1.0
    for _ in range(most):
        after = (1 + numpy.sqrt(1 + 4 * t * t)) / 2
        y = x + (t - 1) / after * (x - last)
        y[entries.i, entries.j] = entries.b
        left, right = shrink(y, lam)
        last, x, t = x, left @ right.T, after
        if numpy.linalg.norm(x - last) <= tol * max(numpy.linalg.norm(x), 1e-12):
            break
    return left, right


def run_soft_impute(train, part, held, shape):
    y = numpy.zeros(shape)
    y[part.i, part.j] = part.b
    lam = numpy.linalg.norm(y, 2) / RATIO
    start = numpy.zeros((shape[0], 1)), numpy.zeros((shape[1], 1))
    best, last, worse = (numpy.inf, lam), numpy.inf, 0
    while worse < PATIENCE and lam > 1e-6:
        start = soft_impute(part, shape, lam, start)
        error = errors(held, *start)[0]
        best = min(best, (error, lam))
        worse = worse + 1 if error > last else 0
        last, lam = error, lam / RATIO
    lam = best[1]
    return soft_impute(train, shape, lam, start), {"lambda": lam}


# ---- ALS -------------------------------------------------------------------------------------------------------------


class Sides:
    """Entries by rows and by columns, in runs."""

    def __init__(self, entries, shape):
        self.sides = []
        for line, other, size in ((entries.i, entries.j, shape[0]), (entries.j, entries.i, shape[1])):
            order = numpy.argsort(line, kind="stable")
            starts = numpy.searchsorted(line[order], numpy.arange(size + 1))
            self.sides.append((starts, other[order], entries.b[order]))


def solve_side(side, fixed, lam, size):
    starts, other, values = side
    rank = fixed.shape[1]
    out = numpy.zeros((size, rank))
    ridge = lam * numpy.eye(rank)
    for line in range(size):
        run = slice(starts[line], starts[line + 1])
        f = fixed[other[run]]
        if len(f):
            out[line] = numpy.linalg.solve(f.T @ f + ridge, f.T @ values[run])
    return out


def als(entries, shape, rank, lam, seed, tol=1e-3, most=50):
    sides = Sides(entries, shape).sides
    draw = numpy.random.default_rng(seed)
    right = draw.normal(size=(shape[1], rank)) / numpy.sqrt(rank)
    left, last = None, numpy.inf
    for _ in range(most):
        left = solve_side(sides[0], right, lam, shape[0])
        right = solve_side(sides[1], left, lam, shape[1])
        error = errors(entries, left, right)[0]
        if last - error <= tol * error:
            break
        last = error
    return left, right


def run_als(train, part, held, shape, seed):
    scale = len(part.b) / shape[0]
    best = (numpy.inf, 0, 0)
    for rank in (2, 5, 10, 20):
        last = numpy.inf
        for share in (10, 3, 1, 0.3, 0.1, 0.03):
            error = errors(held, *als(part, shape, rank, share * scale, seed))[0]
            best = min(best, (error, rank, share * scale))
            if error > last:
                break
            last = error
    return als(train, shape, best[1], best[2], seed), {"rank": best[1], "ridge": best[2]}


# ---- Matrices of low rank --------------------------------------------------------------------------------------------


def write_truth(paths, size, rank, entries, seed, others=10000):
    draw = numpy.random.default_rng(seed)
    left, right = draw.normal(size=(size, rank)), draw.normal(size=(size, rank))
    core = numpy.linalg.qr(left)[1] @ numpy.linalg.qr(right)[1].T
    places = draw.permutation(size * size)[: entries + others]
    i, j = places // size, places % size
    values = numpy.einsum("kr,kr->k", left[i], right[j])
    for path, part in zip(paths, (slice(0, entries), slice(entries, None))):
        with open(path, "w", encoding="utf-8") as out:
            for row, column, value in zip(i[part] + 1, j[part] + 1, values[part]):
                out.write(f"{row} {column} {float(value)!r}\n")
    norm = numpy.linalg.svd(core, compute_uv=False).sum()
    return {"norm": float(norm), "size": float(numpy.sqrt((values[entries:] ** 2).mean()))}


def main():
    if sys.argv[1] == "truth":
        print(json.dumps(write_truth(sys.argv[2:4], *(int(word) for word in sys.argv[4:]))))
        return
    method, train_path, test_path = sys.argv[1:4]
    shape = int(sys.argv[4]), int(sys.argv[5])
    seed = int(sys.argv[6])
    tables = [numpy.loadtxt(path) - numpy.array([1, 1, 0]) for path in (train_path, test_path)]
    start, cpu = time.monotonic(), time.process_time()
    train = Entries(tables[0], shape=shape)
    order = numpy.random.default_rng(seed).permutation(len(tables[0]))
    part = Entries(tables[0][order[len(order) // 10 :]], shape=shape)
    held = Entries(tables[0][order[: len(order) // 10]], part.offsets)
    if method == "soft-impute":
        (left, right), chosen = run_soft_impute(train, part, held, shape)
    else:
        (left, right), chosen = run_als(train, part, held, shape, seed)
    seconds, cpu = time.monotonic() - start, time.process_time() - cpu
    rmse, mae = errors(Entries(tables[1], train.offsets), left, right)
    print(json.dumps({"seconds": seconds, "cpu": cpu, "rmse": rmse, "mae": mae, "rank": int(left.shape[1]), **chosen}))


if __name__ == "__main__":
    main()
