"""SVR, OutlierDetector and probabilities: claims recomputed by plain NumPy, beside scikit-learn's."""

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import log_loss
from sklearn.metrics.pairwise import rbf_kernel

import partan
from partan import SVC, SVR, OutlierDetector


@pytest.fixture(scope="module")
def waves():
    rng = np.random.RandomState(0)
    X = rng.uniform(-3, 3, (300, 2)).astype(np.float32).astype(np.float64)
    return X, np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * rng.randn(300)


def test_objective_and_gap_of_a_regression(waves):
    X, y = waves
    svr = SVR(C=5, gamma=0.5, epsilon=0.05).fit(X, y)
    K = rbf_kernel(X, gamma=0.5) + 1
    b = np.zeros(len(X))
    b[svr.support_] = svr.dual_coef_[0]
    target = y - y.mean()
    dual = b @ K @ b / 2 + b @ b / 10 - b @ target + 0.05 * np.abs(b).sum()
    excess = np.maximum(0, np.abs(target - K @ b) - 0.05)
    primal = b @ K @ b / 2 + 5 / 2 * excess @ excess
    assert svr.certificate_.objective == pytest.approx(dual, rel=1e-4)
    assert svr.gap_ == pytest.approx(primal + dual, rel=1e-2, abs=1e-6 * abs(dual))
    np.testing.assert_allclose(svr.predict(X), K @ b + y.mean(), rtol=1e-4, atol=1e-4)
    assert svr.verify(X, y) and not svr.verify(X, y + 0.01 * np.arange(len(y)))
    assert svr.relative_gap_ <= 0.05


def test_without_epsilon_a_regression_is_kernel_ridge(waves):
    X, y = waves
    svr = SVR(C=5, gamma=0.5, epsilon=0.0, tol=1e-9).fit(X, y)
    ridge = KernelRidge(alpha=1 / 5, kernel=lambda a, b: np.exp(-0.5 * np.sum((a - b) ** 2)) + 1).fit(X, y - y.mean())
    np.testing.assert_allclose(svr.predict(X), ridge.predict(X) + y.mean(), rtol=1e-4, atol=1e-4)


def test_a_regression_in_files_paths_and_tuning(waves, tmp_path):
    X, y = waves
    svr = SVR(C=10, epsilon=0.05).fit(X, y)
    svr.save(tmp_path / "svr.model")
    again = partan.load(tmp_path / "svr.model")
    assert isinstance(again, SVR) and again.epsilon == 0.05 and np.array_equal(again.predict(X), svr.predict(X))
    assert [point.C for point in svr.path(X, y, Cs=[1, 10])] == [1, 10]
    tuning = partan.tune(X, y, estimator=SVR(), Cs=[0.1, 10], gammas=[0.1, 1], epsilons=[0.01, 0.5])
    assert len(tuning.table_) == 8 and set(tuning.best_params_) == {"C", "gamma", "epsilon"}
    assert tuning.best_estimator_.score(X, y) > 0.95 and tuning.best_score_ == tuning.table_["score"].max()
    with pytest.raises(ValueError, match="epsilons are for SVR"):
        partan.tune(X, y > 0, epsilons=[0.1])


def test_the_ball_of_an_outlier_detection(rng):
    X = rng.randn(400, 2).astype(np.float32).astype(np.float64)
    detector = OutlierDetector(C=0.1, gamma=0.3).fit(X)
    K = rbf_kernel(X, gamma=0.3)
    a = np.zeros(len(X))
    a[detector.support_] = detector.dual_coef_[0]
    a /= a.sum()
    assert (a >= 0).all()
    distance = 1 - 2 * K @ a + a @ K @ a
    decision = detector.decision_function(X)
    spread = (decision + distance).max() - (decision + distance).min()
    assert spread < 1e-5  # all are the squared radius less the squared distance
    gradient = K @ a + a / 0.1 - np.diag(K) / 2
    assert detector.gap_ == pytest.approx(a @ gradient - gradient.min(), rel=1e-2, abs=1e-7)
    assert detector.verify(X) and not detector.verify(X + 0.1)


def test_the_share_of_outliers_is_as_asked_for(rng, tmp_path):
    X = rng.randn(400, 2)
    detector = OutlierDetector(C=0.1, contamination=0.1).fit(X)
    assert (detector.predict(X) == -1).mean() == pytest.approx(0.1, abs=0.01)
    assert list(detector.predict([[0, 0], [9, 9]])) == [1, -1]
    assert np.array_equal(detector.fit_predict(X), detector.predict(X))
    detector.save(tmp_path / "m")
    again = partan.load(tmp_path / "m")
    assert isinstance(again, OutlierDetector) and np.array_equal(again.predict(X), detector.predict(X))
    for wrong in ({"contamination": 0.9}, {"kernel": "precomputed"}, {"contamination": "low"}):
        with pytest.raises((ValueError, TypeError), match="contamination|kernel"):
            OutlierDetector(**wrong).fit(X)


def test_probabilities(moons, tmp_path):
    X, y = moons
    svc = SVC(probability=True).fit(X, y)
    found = svc.predict_proba(X)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (svc.classes_[found.argmax(axis=1)] == svc.predict(X)).all()
    order = np.argsort(svc.decision_function(X))
    assert (np.diff(found[order, 1]) >= 0).all()
    other = CalibratedClassifierCV(SVC(), cv=5, ensemble=False).fit(X, y)
    assert log_loss(y, found) == pytest.approx(log_loss(y, other.predict_proba(X)), rel=0.2)
    np.testing.assert_allclose(svc.predict_log_proba(X), np.log(found))
    svc.save(tmp_path / "m")
    assert np.array_equal(partan.load(tmp_path / "m").predict_proba(X), found)
    assert not hasattr(SVC(), "predict_proba")


def test_probabilities_of_many_classes(blobs):
    X, y = blobs
    svc = SVC(C=10, probability=True, probability_cv=3).fit(X, y)
    found = svc.predict_proba(X)
    assert found.shape == (len(X), 4)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (svc.classes_[found.argmax(axis=1)] == svc.predict(X)).mean() == 1
