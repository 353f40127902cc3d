"""SVC among the tools of scikit-learn, joblib, pandas and polars."""

import copy
import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from partan import SVC


@pytest.fixture
def iris():
    frame = load_iris(as_frame=True)
    words = frame.target.map(dict(enumerate(frame.target_names)))
    return frame.data, words


def test_pipelines_take_frames_with_words_as_labels(iris):
    X, y = iris
    pipeline = make_pipeline(StandardScaler(), SVC()).set_output(transform="pandas").fit(X, y)
    assert set(pipeline.predict(X)) == {"setosa", "versicolor", "virginica"}
    assert list(pipeline[-1].feature_names_in_) == list(X.columns)
    assert pipeline.score(X, y) > 0.95


def test_frames_are_matched_by_their_names(iris):
    X, y = iris
    svc = SVC().fit(X, y)
    with pytest.raises(ValueError, match="feature names"):
        svc.predict(X[X.columns[::-1]])
    with pytest.warns(UserWarning, match="feature names"):
        svc.predict(X.to_numpy())


def test_polars_frames_give_the_same_bits(iris):
    polars = pytest.importorskip("polars")
    X, y = iris
    expected = SVC().fit(X, y)
    frame = polars.DataFrame({name: X[name].to_numpy() for name in X.columns})
    svc = SVC().fit(frame, polars.Series(y.tolist()))
    assert np.array_equal(svc.dual_coef_, expected.dual_coef_)
    assert list(svc.predict(frame)) == list(expected.predict(X))


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_searches_run_in_processes_and_threads(iris, backend):
    X, y = iris
    grid = {"svc__C": [0.1, 1, 10], "svc__gamma": ["scale", 0.5]}
    search = GridSearchCV(make_pipeline(StandardScaler(), SVC()), grid, n_jobs=2, cv=3)
    with joblib.parallel_backend(backend):
        search.fit(X, y)
    alone = GridSearchCV(make_pipeline(StandardScaler(), SVC()), grid, cv=3).fit(X, y)
    assert np.array_equal(search.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])
    assert search.best_score_ > 0.9


def test_probabilities_by_calibration(moons):
    X, y = moons
    calibrated = CalibratedClassifierCV(SVC(), cv=3).fit(X, y)
    probability = calibrated.predict_proba(X)
    assert probability.shape == (len(X), 2) and np.allclose(probability.sum(axis=1), 1)


def test_clones_forget_and_copies_remember(moons):
    X, y = moons
    svc = SVC(C=3, class_weight={0: 2.0}).fit(X, y)
    fresh = clone(svc)
    assert not hasattr(fresh, "classes_") and fresh.get_params() == svc.get_params()
    for again in (pickle.loads(pickle.dumps(svc)), copy.deepcopy(svc), copy.copy(svc)):
        assert np.array_equal(again.decision_function(X), svc.decision_function(X))
        assert again.certificate_ == svc.certificate_ and np.array_equal(again.trace_, svc.trace_)
        assert again.verify(X, y)
    again.fit(X[:100], y[:100])
    assert len(again.support_) < len(svc.support_)


def test_joblib_stores_and_maps(moons, tmp_path):
    X, y = moons
    svc = SVC().fit(X, y)
    joblib.dump(svc, tmp_path / "svc.joblib")
    again = joblib.load(tmp_path / "svc.joblib", mmap_mode="r")
    assert np.array_equal(again.decision_function(X), svc.decision_function(X))


def test_callable_kernels_can_be_searched(moons):
    X, y = moons
    scores = cross_val_score(SVC(kernel=_product), X, y, cv=3)
    assert scores.mean() > 0.8


def test_precomputed_kernels_are_cut_along_both_axes(moons):
    X, y = moons
    assert cross_val_score(SVC(kernel="precomputed"), X @ X.T, y, cv=3).mean() > 0.8


def _product(a, b):
    return a @ b.T


def test_labels_of_many_kinds(moons):
    X, y = moons
    for labels in (y.astype(bool), y.astype(float) - 2, y * 5 - 3, np.array(["ja", "nein"], dtype=object)[y]):
        svc = SVC().fit(X, labels)
        assert svc.classes_.dtype == np.unique(labels).dtype
        assert (svc.predict(X) == labels).mean() > 0.9
