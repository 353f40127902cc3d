"""Arrays of all layouts give the same bits, without copies where that is promised."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from partan import SVC
from partan._arrays import Data
from partan._context import Context


def layouts(X):
    """The same numbers in many ways."""
    wide = np.zeros((2 * len(X), 3 * X.shape[1]), dtype=X.dtype)
    wide[::2, ::3] = X
    frozen = X.copy()
    frozen.setflags(write=False)
    packed = np.zeros(X.size * X.itemsize + 1, dtype=np.uint8)
    unaligned = packed[1:].view(X.dtype).reshape(X.shape)
    unaligned[:] = X
    return {
        "C order": np.ascontiguousarray(X),
        "Fortran order": np.asfortranarray(X),
        "strided": wide[::2, ::3],
        "backwards": X[::-1].copy()[::-1],
        "read-only": frozen,
        "not aligned": unaligned,
        "other byte order": X.astype(X.dtype.newbyteorder()),
        "list": X.tolist(),
    }


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_all_dense_layouts_give_the_same_bits(moons, dtype):
    X, y = moons[0].astype(dtype), moons[1]
    expected = SVC().fit(X, y)
    for name, array in layouts(X).items():
        svc = SVC().fit(array, y)
        assert np.array_equal(svc.dual_coef_, expected.dual_coef_), name
        assert np.array_equal(svc.decision_function(array), expected.decision_function(X)), name


@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("indices", [np.int32, np.int64])
def test_all_sparse_layouts_give_the_same_bits(rng, make, dtype, indices):
    dense = np.where(rng.rand(120, 60) < 0.05, rng.randn(120, 60), 0).astype(dtype)
    y = rng.randint(0, 2, 120)
    expected = SVC(gamma=0.1).fit(sparse.csr_matrix(dense), y)
    matrix = make(dense)
    matrix.indices, matrix.indptr = matrix.indices.astype(indices), matrix.indptr.astype(indices)
    svc = SVC(gamma=0.1).fit(matrix, y)
    assert np.array_equal(svc.dual_coef_, expected.dual_coef_)
    assert np.array_equal(svc.decision_function(matrix), expected.decision_function(sparse.csr_matrix(dense)))
    assert sparse.issparse(svc.support_vectors_)
    np.testing.assert_array_equal(svc.support_vectors_.toarray(), dense[svc.support_].astype(np.float32))


def test_input_is_not_changed_by_sorting_or_summing(rng):
    data = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    indices, offsets = np.array([2, 0, 1, 1, 0, 2]), np.array([0, 2, 4, 5, 6])
    matrix = sparse.csr_matrix((data.copy(), indices.copy(), offsets), shape=(4, 3))
    y = np.array([0, 1, 0, 1])
    svc = SVC(gamma=0.1).fit(matrix, y)
    assert np.array_equal(matrix.data, data) and np.array_equal(matrix.indices, indices)
    expected = SVC(gamma=0.1).fit(sparse.csr_matrix(matrix.toarray()), y)
    assert np.array_equal(svc.dual_coef_, expected.dual_coef_)


def test_other_types_of_numbers_are_converted(moons):
    X, y = (10 * moons[0]).round(), moons[1]
    expected = SVC().fit(X, y).dual_coef_
    for kind in (np.int8, np.int64, np.float16):
        assert np.array_equal(SVC().fit(X.astype(kind), y).dual_coef_, expected)


def test_compressed_rows_of_float32_are_borrowed(rng):
    matrix = sparse.random(1000, 500, 0.01, format="csr", dtype=np.float32, random_state=rng)
    assert Data(Context(1), matrix).is_borrowed
    assert not Data(Context(1), matrix.astype(np.float64)).is_borrowed
    assert not Data(Context(1), matrix.toarray()).is_borrowed


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dense_arrays_are_not_copied_by_python(rng, order, dtype):
    X = np.asarray(rng.randn(20000, 50), dtype=dtype, order=order)
    y = (X[:, 0] > 0).astype(int)
    svc = SVC(max_iter=10, kernel="linear")
    tracemalloc.start()
    with pytest.warns(UserWarning, match="stopped by max_iter"):
        svc.fit(X, y)
    svc.predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes / 2, f"{peak} bytes beside the {X.nbytes} of X"


def test_sparse_arrays_are_not_copied_by_python(rng):
    X = sparse.random(20000, 2000, 0.02, format="csr", dtype=np.float32, random_state=rng)
    y = rng.randint(0, 2, X.shape[0])
    size = X.data.nbytes + X.indices.nbytes
    X.has_canonical_format  # noqa: B018 - looks through all indices once, and remembers
    svc = SVC(max_iter=10, kernel="linear")
    tracemalloc.start()
    with pytest.warns(UserWarning, match="stopped by max_iter"):
        svc.fit(X, y)
    svc.predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < size / 2, f"{peak} bytes beside the {size} of X"
