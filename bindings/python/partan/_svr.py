"""SVR: regression by support vector machines."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from ._core import lib
from ._machine import KernelMachine, Posed
from ._progress import with_callbacks
from ._settings import real


class SVR(RegressorMixin, KernelMachine):  # type: ignore[misc]
    """Support vector regression with a certificate.

    Errors up to `epsilon` do not count; beyond it, their squares do (:class:`sklearn.svm.SVR` counts the errors
    themselves). With epsilon=0 this is kernel ridge regression with a penalty of 1/C.

    Parameters
    ----------
    C : float, default=1.0
        Penalty for errors.
    epsilon : float, default=0.1
        Errors up to this do not count.
    kernel, degree, gamma, coef0
        As for :class:`SVC`.
    tol : float or "auto", default="auto"
        The relative gap at which training stops: 0.05 proves that the objective is at most 5 % above the least
        possible one. "auto" is 0.05 or, for at most 100 rows, 1e-9.
    max_iter, time_limit, solver, sample, cache_size, n_jobs, random_state, warm_start, callback, verbose
        As for :class:`SVC`.

    Attributes
    ----------
    gap_, relative_gap_, certificate_, trace_, support_, support_vectors_, dual_coef_, intercept_, n_iter_
        As for :class:`SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from partan import SVR
    >>> X = np.linspace(0, 6, 80).reshape(-1, 1)
    >>> svr = SVR(C=100, gamma=1.0, epsilon=0.01).fit(X, np.sin(X[:, 0]))
    >>> svr.predict([[1.5]]).round(1)
    array([1.])
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        epsilon: float = 0.1,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        tol: float | str = "auto",
        max_iter: int = -1,
        time_limit: float | None = None,
        solver: str = "auto",
        sample: int | None = None,
        cache_size: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        warm_start: bool = False,
        callback: Any = None,
        verbose: int = 0,
    ) -> None:
        self.C = C
        self.epsilon = epsilon
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.solver = solver
        self.sample = sample
        self.cache_size = cache_size
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.warm_start = warm_start
        self.callback = callback
        self.verbose = verbose

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SVR:
        """Train on X and y; Ctrl-C stops it as in :meth:`SVC.fit`.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            As for :meth:`SVC.fit`.
        y : array of shape (n_samples,)
            Numbers.
        sample_weight : array of shape (n_samples,), default=None
            What C is multiplied by for each row.

        Returns
        -------
        self
        """
        self._fit(X, y, sample_weight)
        return self

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """The numbers of rows.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers.
        """
        return self._decision(X)[:, 0]

    def _pose(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> Posed:
        X, y = self._take(X, reset=reset, y=y, y_numeric=True)
        return Posed(X, target=y, weights=self._weights(sample_weight, X))

    def _training(self, posed: Posed) -> tuple[Any, Any]:
        settings, kept = super()._training(posed)
        settings.problem = lib.PARTAN_REGRESSION
        settings.epsilon = real("epsilon", self.epsilon)
        return settings, kept
