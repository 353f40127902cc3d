"""The choice of C and gamma."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from ._context import Context, library_callback
from ._core import ffi, lib
from ._errors import warn_of_shortfall
from ._machine import KernelMachine
from ._progress import Listener
from ._settings import choice, real, seed_of, whole
from ._svc import SVC
from ._svr import SVR

SCORES: dict[str, int] = {
    "accuracy": lib.PARTAN_SCORE_ACCURACY,
    "balanced_accuracy": lib.PARTAN_SCORE_BALANCED,
    "f1": lib.PARTAN_SCORE_F1,
    "roc_auc": lib.PARTAN_SCORE_AUC,
    "neg_log_loss": lib.PARTAN_SCORE_LOG_LOSS,
}
REGRESSION_SCORES: dict[str, int] = {
    "r2": lib.PARTAN_SCORE_R2,
    "neg_mean_squared_error": lib.PARTAN_SCORE_MSE,
    "neg_mean_absolute_error": lib.PARTAN_SCORE_MAE,
}

TUNING_TYPE = np.dtype(
    [
        ("C", np.float64),
        ("gamma", np.float64),
        ("epsilon", np.float64),
        ("score", np.float64),
        ("deviation", np.float64),
        ("support_vectors", np.int64),
        ("relative_gap", np.float64),
        ("seconds", np.float64),
    ]
)


class Tuning:
    """The outcome of :func:`tune`.

    Attributes
    ----------
    best_estimator_ : SVC or SVR
        Fitted to all rows with the best parameters.
    best_params_ : dict
        C, gamma and, of an SVR, epsilon.
    best_score_ : float
        Their score on held-out rows.
    table_ : structured ndarray
        C, gamma, epsilon (of an SVR), score, deviation (over the folds), support_vectors, relative_gap and seconds of every point.
    """

    def __init__(self, best: KernelMachine, params: dict[str, float], score: float, table: np.ndarray[Any, Any]) -> None:
        self.best_estimator_ = best
        self.best_params_ = params
        self.best_score_ = score
        self.table_ = table

    def __repr__(self) -> str:
        return f"Tuning(best_params_={self.best_params_}, best_score_={self.best_score_:.4g})"


def tune(
    X: Any,
    y: Any,
    *,
    estimator: SVC | SVR | None = None,
    Cs: Sequence[float] | None = None,
    gammas: Sequence[float] | None = None,
    epsilons: Sequence[float] | None = None,
    cv: int | None = None,
    validation: float = 0.3,
    score: str | None = None,
    random_state: Any = None,
    sample_weight: Any = None,
) -> Tuning:
    """Choose C and gamma by the score on held-out rows, and train with the best of them.

    The values of C for one gamma are one path, which takes little longer than one training.

    Parameters
    ----------
    X, y, sample_weight
        As for :meth:`SVC.fit`.
    estimator : SVC or SVR, default=None
        All other parameters; None: an SVC with the defaults.
    Cs : sequence of float, default=None
        Values of C; None: 7 from 0.1 to 100.
    gammas : sequence of float, default=None
        Values of gamma; None: the estimator's.
    epsilons : sequence of float, default=None
        Values of epsilon of an SVR; None: the estimator's.
    cv : int, default=None
        Folds; None holds out one part of the rows instead.
    validation : float, default=0.3
        The share of that part.
    score : str, default=None
        What is maximised: "accuracy" (the default), "balanced_accuracy", "f1", "roc_auc" or "neg_log_loss" for an SVC;
        "r2" (the default), "neg_mean_squared_error" or "neg_mean_absolute_error" for an SVR.
    random_state : int, RandomState instance or None, default=None
        Seed of the split.

    Returns
    -------
    Tuning
        The best estimator, and a table of all points.

    Examples
    --------
    >>> import partan
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(400, noise=0.2, random_state=0)
    >>> tuning = partan.tune(X, y, gammas=[0.5, 1, 2])
    >>> len(tuning.table_)
    21
    >>> tuning.best_estimator_.predict(X[:3])
    array([0, 1, 1])
    """
    base: KernelMachine = clone(estimator) if estimator is not None else SVC()
    is_regression = isinstance(base, SVR)
    posed = base._pose(X, y, sample_weight, reset=True)
    settings, _kept = base._training(posed)
    context = Context(base.n_jobs, Listener(base, "tune"))
    data = base._data(context, posed)
    options = ffi.new("partan_tune_options *")
    lib.partan_tune_options_init_sized(options, ffi.sizeof("partan_tune_options"))
    costs = _grid("Cs", np.logspace(-1, 2, 7) if Cs is None else Cs)
    options.costs, options.cost_count = ffi.from_buffer("double[]", costs), len(costs)
    if gammas is not None:
        tried = _grid("gammas", gammas)
        options.gammas, options.gamma_count = ffi.from_buffer("double[]", tried), len(tried)
    if epsilons is not None:
        if not is_regression:
            raise ValueError("epsilons are for SVR")
        widths = _grid("epsilons", epsilons)
        options.epsilons, options.epsilon_count = ffi.from_buffer("double[]", widths), len(widths)
    options.folds = 0 if cv is None else whole("cv", cv, least=2)
    options.validation = real("validation", validation)
    options.score = choice("score", score or ("r2" if is_regression else "accuracy"), _scores(is_regression))
    options.seed = seed_of(random_state)
    points = _run(context, data, settings, options)
    params = {"C": points.best.cost, "gamma": points.best.gamma}
    if is_regression:
        params["epsilon"] = points.best.epsilon
    best = base.set_params(**{name: params[name] for name in params if name != "gamma" or _uses_gamma(settings)})
    best.fit(X, y, sample_weight=sample_weight)
    return Tuning(best, params, points.best.score, np.array(points.rows, dtype=TUNING_TYPE))


def _scores(is_regression: bool) -> dict[str, int]:
    return REGRESSION_SCORES if is_regression else SCORES


def _uses_gamma(settings: Any) -> bool:
    return bool(lib.partan_kernel_uses(settings.kernel, b"gamma"))


def _grid(name: str, values: Any) -> np.ndarray[Any, Any]:
    grid = np.ascontiguousarray(values, dtype=np.float64)
    if grid.ndim != 1 or len(grid) == 0:
        raise ValueError(f"{name} takes a sequence of numbers, not {values!r}")
    return grid


class _Points:
    """Takes the points as they come."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.rows: list[tuple[Any, ...]] = []
        self.best: Any = None

    def take(self, point: Any) -> None:
        """A point."""
        result = point.result
        self.rows.append(
            (
                point.cost,
                point.gamma,
                point.epsilon,
                point.score,
                point.deviation,
                result.support_vectors,
                result.relative_gap,
                result.seconds,
            )
        )


def _run(context: Context, data: Any, settings: Any, options: Any) -> _Points:
    points = _Points(context)
    user = ffi.new_handle(points)
    points.best = ffi.new("partan_tune_point *")
    lib.partan_tune_point_init_sized(points.best, ffi.sizeof("partan_tune_point"))
    try:
        status = context.call(
            lib.partan_tune, data.handle, settings, options, lib.partan_on_tune_point, user, points.best
        )
    finally:
        if context.listener is not None:
            context.listener.close()  # type: ignore[attr-defined]
    if not points.rows:
        if status == lib.PARTAN_INTERRUPTED:
            raise KeyboardInterrupt
        raise TimeoutError("time_limit was reached before any point was done, and there is nothing to choose from")
    gaps = [row[6] for row in points.rows]
    warn_of_shortfall(status, max(gaps), settings.tol, stacklevel=3)
    return points


@library_callback("partan_on_tune_point")
def _on_tune_point(user: Any, point: Any) -> int:
    ffi.from_handle(user).take(point)
    return 0
