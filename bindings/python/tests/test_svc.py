"""SVC: what it claims, recomputed by plain NumPy."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import laplacian_kernel, linear_kernel, polynomial_kernel, rbf_kernel

import partan
from partan import SVC

KERNELS = {
    "linear": lambda a, b: linear_kernel(a, b),
    "poly": lambda a, b: polynomial_kernel(a, b, degree=3, gamma=0.5, coef0=1),
    "rbf": lambda a, b: rbf_kernel(a, b, gamma=0.5),
    "laplacian": lambda a, b: laplacian_kernel(a, b, gamma=0.5),
}


def single(X):
    """As the library stores data."""
    return np.asarray(X, dtype=np.float32).astype(np.float64)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("solver", ["auto", "partan"])
def test_gap_and_decision_values_are_those_of_the_formulas(moons, kernel, solver):
    X, y = moons
    svc = SVC(C=2, kernel=kernel, gamma=0.5, coef0=1, solver=solver).fit(X, y)
    K = KERNELS[kernel](single(X), single(X[svc.support_]))
    decision = K @ svc.dual_coef_[0] + svc.intercept_[0]
    np.testing.assert_allclose(svc.decision_function(X), decision, rtol=1e-4, atol=1e-4)
    # Weights of the simplex are the coefficients over their sum; g = K a with the bias and 1/C in K.
    sign = np.where(y == 1, 1.0, -1.0)
    weights = np.zeros(len(X))
    weights[svc.support_] = svc.dual_coef_[0] * sign[svc.support_]
    weights /= weights.sum()
    assert (weights >= 0).all()
    signed = sign[:, None] * sign[svc.support_] * (K + 1)
    gradient = signed @ weights[svc.support_] + weights / 2
    twice = weights @ gradient
    assert svc.certificate_.objective == pytest.approx(twice / 2, rel=1e-4)
    assert svc.relative_gap_ == pytest.approx(1 - gradient.min() / twice, rel=1e-2, abs=1e-5)
    assert svc.relative_gap_ <= 0.05
    assert svc.gap_ == pytest.approx(svc.relative_gap_ * twice, rel=1e-3)


def test_verify_recomputes_the_certificate_and_notices_other_data(moons):
    X, y = moons
    svc = SVC().fit(X, y)
    found = svc.verify(X, y)
    assert found and found.relative_gap == pytest.approx(svc.relative_gap_, rel=1e-3)
    other = X.copy()
    other[svc.support_[0], 0] += 0.5
    wrong = svc.verify(other, y)
    assert not wrong and wrong.reason
    assert not svc.verify(X, 1 - y)


def test_rows_and_columns_of_the_trace(moons):
    svc = SVC(solver="fw", tol=0.1).fit(*moons)
    trace = svc.trace_
    assert trace.dtype.names[:3] == ("iteration", "step", "objective")
    assert trace["step"][0] == "start" and (np.diff(trace["iteration"]) > 0).all()
    assert trace["objective"][-1] < trace["objective"][0]
    assert trace["iteration"][-1] == svc.n_iter_[0]


@pytest.mark.parametrize("multiclass", ["ovo", "ovr"])
def test_many_classes(blobs, multiclass):
    X, y = blobs
    words = np.array(["ant", "bee", "cow", "dog"])[y]
    svc = SVC(C=10, multiclass=multiclass).fit(X, words)
    assert svc.score(X, words) > 0.9 and list(svc.classes_) == ["ant", "bee", "cow", "dog"]
    machines = 6 if multiclass == "ovo" else 4
    assert svc.dual_coef_.shape == (machines, len(svc.support_)) and len(svc.pairs_) == machines
    K = rbf_kernel(single(X), single(X[svc.support_]), gamma=1 / (10 * single(X).var()))
    expected = K @ svc.dual_coef_.T + svc.intercept_
    svc.set_params(decision_function_shape="ovo")
    np.testing.assert_allclose(svc.decision_function(X), expected, rtol=1e-3, atol=1e-3)
    svc.set_params(decision_function_shape="ovr")
    scores = svc.decision_function(X)
    assert scores.shape == (len(X), 4)
    assert (svc.classes_[scores.argmax(axis=1)] == svc.predict(X)).all()
    assert svc.verify(X, words)


def test_precomputed_and_callable_kernels_are_the_same_machine(moons):
    X, y = moons
    K = rbf_kernel(X, gamma=0.7)
    a = SVC(kernel="precomputed", tol=1e-6).fit(K, y)
    b = SVC(kernel=lambda u, v: rbf_kernel(u, v, gamma=0.7), tol=1e-6).fit(X, y)
    c = SVC(gamma=0.7, tol=1e-6).fit(X, y)
    new = make_moons(50, noise=0.2, random_state=1)[0]
    expected = c.decision_function(new)
    np.testing.assert_allclose(a.decision_function(rbf_kernel(new, X, gamma=0.7)), expected, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(b.decision_function(new), expected, rtol=1e-3, atol=1e-4)
    assert a.verify(K, y) and b.verify(X, y)


def test_weights_of_rows_count_as_repetitions(moons, rng):
    X, y = moons
    weights = rng.randint(0, 4, len(X))
    a = SVC(tol=1e-9).fit(X, y, sample_weight=weights)
    b = SVC(tol=1e-9).fit(X.repeat(weights, axis=0), y.repeat(weights))
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), atol=1e-5)
    assert a.verify(X, y, weights) and not a.verify(X, y)


@pytest.mark.parametrize("gamma", ["scale", "distance"])
@pytest.mark.parametrize("sparse", [False, True])
def test_gamma_of_weighted_rows(moons, gamma, sparse, rng):
    from scipy.sparse import csr_matrix

    X, y = moons
    weights = rng.randint(0, 3, len(X))
    matrix = csr_matrix(X) if sparse else X
    a = SVC(gamma=gamma).fit(matrix, y, sample_weight=weights)
    b = SVC(gamma=gamma).fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert a._model.settings.gamma == pytest.approx(b._model.settings.gamma, rel=1e-6)


def test_weights_of_classes(moons):
    X, y = moons
    rows = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:30]]
    X, y = X[rows], np.array(["no", "yes"])[y[rows]]
    plain = SVC(C=0.1).fit(X, y)
    heavy = SVC(C=0.1, class_weight={"yes": 10}).fit(X, y)
    balanced = SVC(C=0.1, class_weight="balanced").fit(X, y)
    assert (heavy.predict(X) == "yes").sum() > (plain.predict(X) == "yes").sum()
    share = len(y) / (2 * np.array([(y == "no").sum(), 30]))
    same = SVC(C=0.1, class_weight=dict(zip(["no", "yes"], share, strict=True))).fit(X, y)
    np.testing.assert_allclose(balanced.decision_function(X), same.decision_function(X))


def test_a_warm_start_goes_on(moons):
    X, y = moons
    svc = SVC(C=100, tol=1e-4, max_iter=50, warm_start=True)
    with pytest.warns(partan.LimitWarning, match="stopped by max_iter"):
        svc.fit(X, y)
    first = svc.relative_gap_
    cold = SVC(C=100, tol=1e-4).fit(X, y)
    svc.set_params(max_iter=-1).fit(X, y)
    assert svc.relative_gap_ <= 1e-4 < first
    assert svc.trace_["objective"][0] < 0.1 * cold.trace_["objective"][0]


def test_a_path_has_a_certificate_for_each_point(moons):
    X, y = moons
    path = SVC(tol=0.01).path(X, y, Cs=[0.1, 1, 10])
    assert len(path) == 3 and [svc.C for svc in path] == [0.1, 1, 10]
    for svc in path:
        assert svc.verify(X, y)
        alone = SVC(C=svc.C, tol=0.01).fit(X, y)
        assert (svc.predict(X) == alone.predict(X)).mean() > 0.98
    assert (path.table["relative_gap"] <= 0.01).all()


def test_features_of_very_different_ranges_are_warned_of(moons):
    X, y = moons
    far = np.c_[X, 1e5 * X[:, 0]]
    with pytest.warns(UserWarning, match="StandardScaler") as found:
        SVC().fit(far, y)
    assert len(found) == 1 and "--" not in str(found[0].message)


def test_small_data_is_solved_whatever_the_order(moons, rng):
    X, y = moons[0][:80], moons[1][:80]
    order = rng.permutation(80)
    a, b = SVC().fit(X, y), SVC().fit(X[order], y[order])
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), atol=1e-5)
    assert SVC(tol=0.05).fit(X, y).certificate_.target == 0.05


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"C": -1}, "C takes a number from"),
        ({"C": "1"}, "C takes a number, not '1'"),
        ({"gamma": "wide"}, "gamma takes a number, scale, auto or distance"),
        ({"kernel": "cubic"}, "kernel takes linear"),
        ({"solver": "smo"}, "solver takes auto"),
        ({"tol": 2.0}, "tol takes a number from 0 to 1"),
        ({"max_iter": 1.5}, "max_iter takes a whole number"),
        ({"n_jobs": 0}, "n_jobs takes"),
        ({"class_weight": "even"}, "class_weight takes"),
        ({"class_weight": {0: -1.0}}, "class"),
        ({"multiclass": "all"}, "multiclass takes"),
        ({"time_limit": -1}, "time_limit takes"),
        ({"callback": 3}, "callback takes"),
        ({"random_state": -1}, "random_state takes"),
    ],
)
def test_bad_parameters_are_named(moons, parameters, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        SVC(**parameters).fit(*moons)


def test_bad_data_is_named(moons):
    X, y = moons
    wrong = X.copy()
    wrong[2, 1] = np.nan
    with pytest.raises(ValueError, match="row 3, feature 2: found NaN, expected a finite number"):
        SVC().fit(wrong, y)
    wrong[2, 1] = 1e300
    with pytest.raises(ValueError, match="expected a number that float32 can hold"):
        SVC().fit(wrong, y)
    with pytest.raises(ValueError, match="two classes or more, found only one class"):
        SVC().fit(X, np.ones(len(X)))
    with pytest.raises(ValueError, match="as many columns as rows"):
        SVC(kernel="precomputed").fit(X, y)
    with pytest.raises(NotFittedError):
        SVC().predict(X)
    with pytest.raises(ValueError, match="an empty label"):
        SVC().fit(X, np.where(y == 1, "", "x"))
    with pytest.raises(ValueError, match="the kernel returned an array of shape"):
        SVC(kernel=lambda a, b: np.ones(3)).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "labels", "sentence"),
    [
        ({"tol": 0}, [0, 1], "tol takes a number above 0, not 0"),
        ({"cache_size": -5}, [0, 1], "cache_size takes a number of at least 0 or None, not -5"),
        ({"cache_size": float("nan")}, [0, 1], "cache_size takes a number of at least 0 or None, not nan"),
        ({}, np.zeros(2), r"found only one class, 0\.0$"),
    ],
)
def test_refusals_are_in_the_words_of_python(parameters, labels, sentence):
    with pytest.raises(ValueError, match=sentence):
        SVC(**parameters).fit([[0.0], [1.0]], labels)
