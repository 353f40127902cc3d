"""MatrixCompletion: fits, predictions and certificates by plain NumPy."""

import numpy as np
import pytest
from scipy import sparse

from partan import MatrixCompletion


@pytest.fixture(scope="module")
def problem():
    rng = np.random.RandomState(0)
    whole = rng.randn(50, 3) @ rng.randn(3, 30) + 2
    return np.where(rng.rand(50, 30) < 0.5, whole, np.nan), whole


def test_objective_and_norm_are_those_of_the_formulas(problem):
    known, _ = problem
    matrix = MatrixCompletion(radius=30.0, tol=1e-6).fit(known)
    error = np.where(np.isnan(known), 0, matrix.completed() - known)
    assert matrix.certificate_.objective == pytest.approx(np.sum(error**2) / 2, rel=1e-6)
    assert matrix.singular_values_.sum() <= 30 * (1 + 1e-9)
    low_rank = (matrix.row_factors_ * matrix.singular_values_) @ matrix.column_factors_.T
    # The gradient is the error: gap = <G, X> + radius |G|.
    gap = np.sum(error * low_rank) + 30 * np.linalg.norm(error, 2)
    assert matrix.gap_ == pytest.approx(gap, rel=0.1, abs=1e-6 * matrix.certificate_.objective)
    assert matrix.verify(known) and not matrix.verify(np.where(np.isnan(known), known, known + 1e-3))


def test_the_radius_is_chosen_by_entries_held_out(problem):
    known, whole = problem
    matrix = MatrixCompletion(random_state=3)
    filled = matrix.fit_transform(known)
    assert matrix.radius_ == matrix.radii_["radius"][matrix.radii_["rmse"].argmin()]
    unknown = np.isnan(known)
    assert np.array_equal(filled[~unknown], known[~unknown]) and not np.isnan(filled).any()
    assert np.sqrt(np.mean((filled - whole)[unknown] ** 2)) < 0.5 * whole.std()


def test_sparse_matrices_have_their_entries_stored(problem):
    known, _ = problem
    rows, columns = np.nonzero(~np.isnan(known))
    dense = MatrixCompletion(radius=30.0).fit(known)
    for make in (sparse.coo_matrix, sparse.csr_array):
        matrix = make((known[rows, columns], (rows, columns)), shape=known.shape)
        assert np.array_equal(MatrixCompletion(radius=30.0).fit(matrix).completed(), dense.completed())


def test_single_entries_are_those_of_the_whole(problem):
    matrix = MatrixCompletion(radius=30.0).fit(problem[0])
    rows, columns = [0, 3, 3, 49], [1, 2, 2, 29]
    np.testing.assert_allclose(matrix.predict_entries(rows, columns), matrix.completed()[rows, columns], rtol=1e-12)
    beyond = matrix.predict_entries([50], [0])
    assert beyond[0] == pytest.approx(matrix.mean_ + matrix.column_offsets_[0])
    assert matrix.predict_entries([], np.empty(0, dtype=int)).shape == (0,)
    with pytest.raises(ValueError, match="count from 0"):
        matrix.predict_entries([-1], [0])


def test_frames_come_back_as_frames(problem):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(problem[0], columns=[f"item{i}" for i in range(30)])
    filled = MatrixCompletion(radius=30.0).set_output(transform="pandas").fit_transform(frame)
    assert list(filled.columns) == list(frame.columns) and filled.shape == frame.shape


def test_bad_input_is_named(problem):
    for parameters, sentence in (
        ({"radius": -1.0}, "radius"),
        ({"center": "middle"}, "center takes"),
        ({"max_rank": 1.5}, "max_rank takes a whole number"),
    ):
        with pytest.raises((ValueError, TypeError), match=sentence):
            MatrixCompletion(**{"radius": 1.0, **parameters}).fit(problem[0])
    with pytest.raises(ValueError, match="there are no ratings"):
        MatrixCompletion(radius=1.0).fit(np.full((3, 3), np.nan))
