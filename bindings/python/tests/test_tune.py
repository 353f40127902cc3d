"""The choice of C and gamma, and plots."""

import numpy as np
import pytest

import partan


@pytest.fixture(scope="module")
def tuning(moons):
    return partan.tune(*moons, Cs=[0.1, 1, 10], gammas=[0.1, 1.0], random_state=2)


def test_the_best_point_of_the_table_is_fitted_to_all_rows(moons, tuning):
    X, y = moons
    assert len(tuning.table_) == 6
    best = tuning.table_[tuning.table_["score"].argmax()]
    assert tuning.best_score_ == best["score"] and tuning.best_params_ == {"C": best["C"], "gamma": best["gamma"]}
    svc = tuning.best_estimator_
    assert svc.C == best["C"] and svc.gamma == best["gamma"] and svc.verify(X, y)
    assert "best_params_" in repr(tuning)


def test_folds_have_a_deviation(moons):
    found = partan.tune(*moons, Cs=[0.1, 10], cv=3, score="roc_auc", estimator=partan.SVC(gamma=1.0))
    assert (found.table_["deviation"] > 0).all() and (found.table_["gamma"] == 1).all()
    assert found.best_score_ == found.table_["score"].max() > 0.9


def test_bad_grids_are_named(moons):
    for parameters, sentence in (
        ({"Cs": []}, "Cs takes a sequence"),
        ({"Cs": [-1.0]}, "C"),
        ({"cv": 1}, "cv takes"),
        ({"score": "r2"}, "score takes accuracy"),
        ({"validation": 2.0}, "share"),
    ):
        with pytest.raises((ValueError, TypeError), match=sentence):
            partan.tune(*moons, **parameters)


def test_plots(moons, tuning, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = moons
    svc = partan.SVC(solver="fw", tol=0.1).fit(X, y)
    path = svc.path(X, y, Cs=[0.1, 1])
    axes = [
        partan.plot_trace(svc, label="fw"),
        partan.plot_path(path),
        partan.plot_path(path, X=X, labels=y),
        partan.plot_decision(svc, X, y, resolution=30),
        partan.plot_tuning(tuning),
        partan.plot_tuning(partan.tune(X, y, Cs=[0.1, 1], cv=3)),
    ]
    line = axes[0].lines[0].get_ydata()
    assert np.isin(line, svc.trace_["relative_gap"]).all() and len(line) > 2
    assert list(axes[1].lines[0].get_ydata()) == [len(one.support_) for one in path]
    for number, ax in enumerate(axes):
        ax.figure.savefig(tmp_path / f"{number}.png")
    with pytest.raises(ValueError, match="two features"):
        partan.plot_decision(svc, np.c_[X, X], y)
