"""All of scikit-learn's checks of estimators."""

import warnings

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import partan

ESTIMATORS = [
    partan.SVC(),
    partan.SVC(kernel="linear", multiclass="ovr", class_weight="balanced"),
    partan.SVR(),
    partan.OutlierDetector(),
    partan.Lasso(),
    partan.Lasso(radius=1.0, solver="partan", tol=1e-3),
    partan.LassoCV(alphas=10),
    partan.MatrixCompletion(),
]


@parametrize_with_checks(ESTIMATORS)
def test_estimators_are_scikit_learns(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def test_every_estimator_is_checked():
    kinds = {type(estimator).__name__ for estimator in ESTIMATORS}
    public = {name for name in partan.__all__ if hasattr(getattr(partan, name), "fit")}
    assert public == kinds


@pytest.mark.parametrize("name", sorted({type(estimator).__name__ for estimator in ESTIMATORS}))
def test_parameters_are_documented(name):
    kind = getattr(partan, name)
    for parameter in kind._get_param_names():
        assert parameter in kind.__doc__, f"{name}: {parameter}"
