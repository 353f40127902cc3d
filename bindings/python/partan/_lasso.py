"""Lasso and LassoCV."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._context import Context, library_callback
from ._core import ffi, lib
from ._linear import LinearRegressor
from ._progress import Listener, with_callbacks
from ._settings import choice, real, whole


class Lasso(LinearRegressor):
    """Linear regression with an l1 penalty or bound, with a certificate.

    Minimises ``1 / (2 n) |y - Xw - b|^2 + alpha |w|_1``, as :class:`sklearn.linear_model.Lasso` does, or
    ``1/2 |y - Xw - b|^2`` subject to ``|w|_1 <= radius``.

    Parameters
    ----------
    alpha : float, default=1.0
        The penalty.
    radius : float, default=None
        The bound. If it is given, `alpha` is not used.
    fit_intercept : bool, default=True
        Whether to fit b.
    standardize : bool, default=False
        Whether the penalty of a coefficient is multiplied by the standard deviation of its feature, as in glmnet.
    tol : float, default=1e-6
        The gap at which fitting stops, relative to the objective at w = 0.
    max_iter : int, default=-1
        Limit of the iterations; -1 for none.
    time_limit : float, default=None
        Seconds after which fitting stops.
    solver : {"auto", "fw", "mfw", "swap", "partan"}, default="auto"
        A working-set method, or a Frank-Wolfe variant, which needs `radius`.
    sample : int, default=None
        Features that are searched in each iteration of a variant, at random; None for all.
    n_jobs : int, default=None
        Threads; None and -1 are all processors. Results do not depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed. None is a fixed seed.
    callback : callable, default=None
        Called a few times per second with a :class:`partan.Progress`; a true return value stops fitting.
    verbose : int, default=0
        1 draws a progress bar.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        w.
    intercept_ : float
        b.
    gap_, dual_gap_, relative_gap_ : float
        An upper bound of the distance to the optimal objective, and what `tol` bounds.
    certificate_ : Certificate
        What the fit proves; :meth:`verify` recomputes it.
    trace_ : structured ndarray
        The steps of a Frank-Wolfe variant.
    n_iter_ : int
        Iterations.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from partan import Lasso
    >>> X, y = load_diabetes(return_X_y=True)
    >>> lasso = Lasso(alpha=1.0).fit(X, y)
    >>> lasso.coef_.round(1)
    array([  0. ,   0. , 367.7,   6.3,   0. ,   0. ,   0. ,   0. , 307.6,
             0. ])
    >>> bool(lasso.verify(X, y))
    True
    """

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        radius: float | None = None,
        fit_intercept: bool = True,
        standardize: bool = False,
        tol: float = 1e-6,
        max_iter: int = -1,
        time_limit: float | None = None,
        solver: str = "auto",
        sample: int | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        callback: Any = None,
        verbose: int = 0,
    ) -> None:
        self.alpha = alpha
        self.radius = radius
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.tol = tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.solver = solver
        self.sample = sample
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.callback = callback
        self.verbose = verbose

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any) -> Lasso:
        """Fit to X and y.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            float32 and float64 arrays of any order are read in place.
        y : array of shape (n_samples,)
            Numbers.

        Returns
        -------
        self
        """
        X, y = self._take(X, reset=True, y=y, y_numeric=True)
        lasso, solver = self._settings()
        if self.radius is None:
            setattr(lasso, "lambda", real("alpha", self.alpha))
        else:
            lasso.radius = real("radius", self.radius)
        context = Context(self.n_jobs, Listener(self, "Lasso"), trace=True)
        self._warn_of(self._fit_with(context, self._data(context, X, y), lasso, solver))
        return self


class LassoCV(LinearRegressor):
    """Lasso with alpha chosen by cross-validation.

    Parameters
    ----------
    alphas : int, default=100
        How many values of alpha are tried, log-spaced from the smallest with all coefficients 0.
    eps : float, default=None
        The smallest alpha / the largest; None is 1e-2 with more features than rows, else 1e-4.
    cv : int, default=5
        Folds, drawn at random with `random_state`.
    selection : {"min", "1se"}, default="min"
        The alpha of the smallest error, or the largest one whose error is within one standard error of that.
    fit_intercept, standardize, tol, max_iter, time_limit, n_jobs, random_state, callback, verbose
        As for :class:`Lasso`.

    Attributes
    ----------
    alpha_ : float
        The choice.
    alphas_, mse_, mse_std_ : ndarray
        What was tried, descending; the mean squared errors of held-out rows and their standard errors.
    coef_, intercept_, gap_, dual_gap_, relative_gap_, certificate_, n_iter_
        Of the fit to all rows, as in :class:`Lasso`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from partan import LassoCV
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = LassoCV().fit(X, y)
    >>> len(model.alphas_)
    100
    """

    solver = "auto"
    sample = None

    def __init__(
        self,
        *,
        alphas: int = 100,
        eps: float | None = None,
        cv: int = 5,
        selection: str = "min",
        fit_intercept: bool = True,
        standardize: bool = False,
        tol: float = 1e-6,
        max_iter: int = -1,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        callback: Any = None,
        verbose: int = 0,
    ) -> None:
        self.alphas = alphas
        self.eps = eps
        self.cv = cv
        self.selection = selection
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.tol = tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.callback = callback
        self.verbose = verbose

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any) -> LassoCV:
        """Choose alpha, and fit to X and y.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            As for :class:`Lasso`.
        y : array of shape (n_samples,)
            Numbers.

        Returns
        -------
        self
        """
        X, y = self._take(X, reset=True, y=y, y_numeric=True, ensure_min_samples=2)
        lasso, solver = self._settings()
        lasso.points = whole("alphas", self.alphas, least=1)
        lasso.ratio = real("eps", self.eps, none=0.0)
        lasso.folds = min(whole("cv", self.cv, least=2), len(y))
        one_error = choice("selection", self.selection, {"min": 0, "1se": 1})
        context = Context(self.n_jobs, Listener(self, "LassoCV"), trace=True)
        data = self._data(context, X, y)
        points, found = _cross_validate(context, data, lasso, solver)
        self.alphas_, self.mse_, self.mse_std_ = (np.array(column) for column in zip(*points, strict=True))
        self.alpha_ = float(self.alphas_[found.one_standard_error if one_error else found.best])
        setattr(lasso, "lambda", self.alpha_)
        self._warn_of(self._fit_with(context, data, lasso, solver))
        return self


class _Points:
    """Takes the points of a cross-validation as they come."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.points: list[tuple[float, float, float]] = []

    def take(self, point: Any) -> None:
        """A point."""
        self.points.append((getattr(point, "lambda"), point.error, point.standard_error))


def _cross_validate(context: Context, data: Any, lasso: Any, solver: Any) -> tuple[list[Any], Any]:
    points = _Points(context)
    user = ffi.new_handle(points)
    found = ffi.new("partan_lasso_cv_result *")
    lib.partan_lasso_cv_result_init_sized(found, ffi.sizeof("partan_lasso_cv_result"))
    status = context.call(
        lib.partan_lasso_cv, data.handle, lasso, solver, lib.partan_on_lasso_cv_point, user, found
    )
    if status == lib.PARTAN_INTERRUPTED:
        raise KeyboardInterrupt
    if not points.points:
        raise TimeoutError("time_limit was reached before all folds were done, and there is nothing to choose from")
    return points.points, found


@library_callback("partan_on_lasso_cv_point", returns=False)
def _on_lasso_cv_point(user: Any, _index: int, point: Any) -> None:
    ffi.from_handle(user).take(point)
