"""Lasso and LassoCV beside scikit-learn's, and their certificates by plain NumPy."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model
from sklearn.datasets import make_regression

import partan
from partan import Lasso, LassoCV


@pytest.fixture(scope="module")
def problem():
    X, y = make_regression(120, 40, n_informative=6, noise=5, random_state=0)
    return X.astype(np.float32).astype(np.float64), y


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_coefficients_are_those_of_scikit_learn(problem, fit_intercept):
    X, y = problem
    own = Lasso(alpha=2.0, tol=1e-10, fit_intercept=fit_intercept).fit(X, y)
    other = linear_model.Lasso(alpha=2.0, tol=1e-10, fit_intercept=fit_intercept).fit(X, y)
    np.testing.assert_allclose(own.coef_, other.coef_, rtol=1e-4, atol=1e-4)
    assert own.intercept_ == pytest.approx(other.intercept_, abs=1e-3)
    np.testing.assert_allclose(own.predict(X), X @ own.coef_ + own.intercept_, rtol=1e-6, atol=1e-6)


def test_the_gap_is_that_of_the_formula(problem):
    X, y = problem
    lasso = Lasso(alpha=2.0, tol=1e-3).fit(X, y)
    centred, target = X - X.mean(axis=0), y - y.mean()
    residual = target - centred @ lasso.coef_
    primal = residual @ residual / (2 * len(y)) + 2.0 * np.abs(lasso.coef_).sum()
    scale = min(1.0, 2.0 * len(y) / np.abs(centred.T @ residual).max())
    dual = (target @ target - np.sum((target - scale * residual) ** 2)) / (2 * len(y))
    assert lasso.certificate_.objective == pytest.approx(primal, rel=1e-6)
    assert 0 <= lasso.gap_ and primal - lasso.gap_ <= primal
    assert lasso.gap_ == pytest.approx(primal - dual, rel=1e-2, abs=1e-6 * primal)
    assert lasso.relative_gap_ <= 1e-3
    assert lasso.verify(X, y) and not lasso.verify(X, y + 1e-3 * np.arange(len(y)))


def test_the_bound_is_kept_by_every_solver(problem):
    X, y = problem
    best = Lasso(radius=50.0, tol=1e-8).fit(X, y)
    assert np.abs(best.coef_).sum() == pytest.approx(50, rel=1e-6)
    for solver in ("fw", "mfw", "swap", "partan"):
        lasso = Lasso(radius=50.0, solver=solver, tol=1e-2).fit(X, y)
        assert np.abs(lasso.coef_).sum() <= 50 * (1 + 1e-9) and lasso.verify(X, y)
        assert lasso.certificate_.objective >= best.certificate_.objective * (1 - 1e-6)
        assert len(lasso.trace_) > 1


def test_sparse_and_dense_rows_agree(problem):
    X, y = problem
    X = np.where(np.abs(X) > 1, X, 0)
    dense = Lasso(alpha=2.0, tol=1e-10).fit(X, y)
    for make in (sparse.csr_matrix, sparse.csc_array):
        lasso = Lasso(alpha=2.0, tol=1e-10).fit(make(X), y)
        np.testing.assert_allclose(lasso.coef_, dense.coef_, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(lasso.predict(make(X)), dense.predict(X), rtol=1e-5, atol=1e-4)


def test_cross_validation_chooses_as_its_table_says(problem):
    X, y = problem
    best = LassoCV(alphas=30, cv=4).fit(X, y)
    assert best.alpha_ == best.alphas_[best.mse_.argmin()] and len(best.alphas_) == 30
    wide = LassoCV(alphas=30, cv=4, selection="1se").fit(X, y)
    within = best.mse_ <= best.mse_.min() + best.mse_std_[best.mse_.argmin()]
    assert wide.alpha_ == best.alphas_[within].max() >= best.alpha_
    np.testing.assert_allclose(best.coef_, Lasso(alpha=best.alpha_).fit(X, y).coef_, rtol=1e-3, atol=1e-3)
    other = linear_model.LassoCV(cv=4).fit(X, y)
    assert best.score(X, y) == pytest.approx(other.score(X, y), abs=0.02)


def test_bad_parameters_are_named(problem):
    for parameters, sentence in (
        ({"alpha": -1.0}, "alpha"),
        ({"radius": "1"}, "radius takes a number"),
        ({"solver": "fw"}, "radius"),
        ({"fit_intercept": "no"}, "fit_intercept takes True or False"),
    ):
        with pytest.raises((ValueError, TypeError), match=sentence):
            Lasso(**parameters).fit(*problem)
    with pytest.raises(ValueError, match="cv takes"):
        LassoCV(cv=1).fit(*problem)


def test_a_limit_warns(problem):
    with pytest.warns(partan.LimitWarning, match="stopped by max_iter"):
        Lasso(radius=50.0, solver="fw", max_iter=3).fit(*problem)
