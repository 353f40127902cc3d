"""Whatever arrays, parameters and files come in, the answer is a result or an exception, never a crash."""

import warnings

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import sparse

import partan

RUNS = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
EXPECTED = (ValueError, TypeError, MemoryError, OverflowError)

anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.lists(st.floats(), max_size=3),
    st.just(object()),
)
matrices = arrays.arrays(
    dtype=st.sampled_from([np.float32, np.float64, np.int16, np.bool_, np.complex64, "O", "U2"]),
    shape=arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6),
)
numbers = arrays.arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=st.floats(-1e3, 1e3))


def tried(work):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return work()
        except EXPECTED as error:
            assert str(error) or isinstance(error, MemoryError)
            return None


@RUNS
@given(X=matrices, y=matrices, weights=st.one_of(st.none(), matrices))
def test_arrays_of_all_kinds(X, y, weights):
    for kind in (partan.SVC, partan.SVR, partan.OutlierDetector, partan.Lasso, partan.MatrixCompletion):
        estimator = kind(max_iter=50)
        extra = {"sample_weight": weights} if hasattr(estimator, "C") else {}
        if tried(lambda: estimator.fit(X, y, **extra)) is not None and hasattr(estimator, "predict"):
            tried(lambda: estimator.predict(y))


@RUNS
@given(X=numbers, seed=st.integers(0, 99), data=st.data())
def test_parameters_of_all_kinds(X, seed, data):
    y = np.random.RandomState(seed).randint(0, 3, len(X))
    for kind in (
        partan.SVC,
        partan.SVR,
        partan.OutlierDetector,
        partan.Lasso,
        partan.LassoCV,
        partan.MatrixCompletion,
    ):
        names = sorted(set(kind._get_param_names()) - {"n_jobs", "verbose"})
        chosen = data.draw(st.dictionaries(st.sampled_from(names), anything, max_size=2))
        estimator = kind(**{"time_limit": 0.2, **chosen})
        tried(lambda: estimator.fit(X, y))


@RUNS
@given(X=numbers, labels=st.data())
def test_what_fits_predicts_finite_numbers(X, labels):
    y = labels.draw(st.lists(st.sampled_from(["a", "b", "ü"]), min_size=len(X), max_size=len(X)))
    svc = tried(lambda: partan.SVC(time_limit=1.0).fit(X, y))
    if svc is not None:
        assert np.isfinite(svc.decision_function(X)).all()
        assert set(svc.predict(X)) <= set(y) and svc.verify(X, y)


@RUNS
@given(
    values=arrays.arrays(np.float32, 6, elements=st.floats(width=32)),
    indices=arrays.arrays(np.int32, 6, elements=st.integers(-2, 9)),
    offsets=arrays.arrays(np.int64, 4, elements=st.integers(-3, 9)),
    order=st.sampled_from([sparse.csr_matrix, sparse.csc_matrix]),
)
def test_sparse_arrays_of_any_content(values, indices, offsets, order):
    """Also such that SciPy would not make: their parts are replaced afterwards."""
    matrix = order(np.eye(3, dtype=np.float32))
    matrix.data, matrix.indices, matrix.indptr = values, indices, offsets
    matrix.has_canonical_format = True
    for work in (
        lambda: partan.SVC().fit(matrix, [0, 1, 0]),
        lambda: partan.SVC().fit(np.eye(3), [0, 1, 0]).predict(matrix),
        lambda: partan.Lasso().fit(matrix, [0.0, 1.0, 2.0]),
    ):
        tried(work)


CONTENT = partan.SVC().fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [0, 1, 1])._model.to_bytes()


@RUNS
@given(place=st.integers(0, len(CONTENT) - 1), replaced=st.integers(0, 20), by=st.binary(max_size=20))
def test_damaged_models(place, replaced, by):
    from partan._model import Model

    content = CONTENT[:place] + by + CONTENT[place + replaced :]
    model = tried(lambda: Model.from_bytes(content))
    if model is not None:
        tried(lambda: (model.classes, model.certificate, model.vectors, model.sparse_vectors, model.coefficients))


@RUNS
@given(rows=matrices, columns=matrices)
def test_entries_of_all_kinds(rows, columns):
    matrix = partan.MatrixCompletion(radius=1.0).fit(np.arange(12.0).reshape(3, 4))
    tried(lambda: matrix.predict_entries(rows, columns))


@RUNS
@given(Cs=anything, gammas=anything, cv=anything, validation=anything, score=anything)
def test_grids_of_all_kinds(Cs, gammas, cv, validation, score):
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10) % 2
    tried(lambda: partan.SVC(time_limit=0.2).path(X, y, Cs))
    tried(
        lambda: partan.tune(
            X, y, Cs=Cs, gammas=gammas, cv=cv, validation=validation, score=score, estimator=partan.SVC(time_limit=0.2)
        )
    )
