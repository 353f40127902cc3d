"""OutlierDetector: which rows are unlike the others."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import OutlierMixin

from ._certificate import Verification
from ._core import lib
from ._machine import KernelMachine, Posed
from ._progress import with_callbacks
from ._settings import real


class OutlierDetector(OutlierMixin, KernelMachine):  # type: ignore[misc]
    """Outlier detection with a certificate: the smallest ball in feature space around the rows.

    Rows outside of the ball cost the square of their excess (support vector data description). It is used like
    :class:`sklearn.svm.OneClassSVM`, with `contamination` instead of nu.

    Parameters
    ----------
    C : float, default=1.0
        How much rows outside matter. A smaller C lets the centre follow the bulk of the rows; about
        20 / (share of outliers * rows) suits an rbf kernel.
    contamination : float or "auto", default="auto"
        The share of the training rows that is outside, from 0 to 0.5. "auto": the radius of the solution decides.
    kernel, degree, gamma, coef0
        As for :class:`SVC`, but for sigmoid, precomputed and callable kernels.
    tol : float or "auto", default="auto"
        The gap at which training stops, relative to the spread of the rows: "auto" is 0.05 or, for at most 100 rows,
        1e-9.
    max_iter, time_limit, solver, sample, cache_size, n_jobs, random_state, warm_start, callback, verbose
        As for :class:`SVC`.

    Attributes
    ----------
    offset_ : float
        ``decision_function(X) = score_samples(X) - offset_``.
    gap_, relative_gap_, certificate_, trace_, support_, support_vectors_, dual_coef_, intercept_, n_iter_
        As for :class:`SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from partan import OutlierDetector
    >>> X = np.random.RandomState(0).randn(500, 2)
    >>> detector = OutlierDetector(C=0.1, contamination=0.05).fit(X)
    >>> detector.predict([[0, 0], [8, 8]])
    array([ 1, -1])
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        contamination: float | str = "auto",
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
        self.contamination = contamination
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
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> OutlierDetector:
        """Train on X; Ctrl-C stops it as in :meth:`SVC.fit`.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            As for :meth:`SVC.fit`.
        y : None
            Not used.
        sample_weight : array of shape (n_samples,), default=None
            What C is multiplied by for each row.

        Returns
        -------
        self
        """
        self._fit(X, None, sample_weight)
        return self

    @property
    def offset_(self) -> float:
        """The constant between score_samples and decision_function."""
        self._fitted()
        return 0.0

    def decision_function(self, X: Any) -> np.ndarray[Any, Any]:
        """How far inside the ball rows are: its squared radius less the squared distance from its centre.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Negative outside.
        """
        return self._decision(X)[:, 0]

    def score_samples(self, X: Any) -> np.ndarray[Any, Any]:
        """The decision function plus `offset_`.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Smaller for rows that are more unlike the others.
        """
        return self.decision_function(X) + self.offset_

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """1 for rows like the others, -1 for outliers.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            1 or -1.
        """
        values = self._decision(X)
        return np.where(self._model.decide(values) == 1, 1, -1)

    def verify(self, X: Any, y: Any = None, sample_weight: Any = None) -> Verification:
        """Recompute the certificate from the training data, in double precision.

        Parameters
        ----------
        X, sample_weight
            What the model was trained on.
        y : None
            Not used.

        Returns
        -------
        Verification
            True if everything is as the model states.
        """
        return super().verify(X, None, sample_weight)

    def _pose(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> Posed:
        X = self._take(X, reset=reset)
        return Posed(X, weights=self._weights(sample_weight, X))

    def _training(self, posed: Posed) -> tuple[Any, Any]:
        if self._is_precomputed():
            raise ValueError("kernel takes one whose distances are known for new rows, not a matrix or a callable")
        settings, kept = super()._training(posed)
        settings.problem = lib.PARTAN_OUTLIER
        share = 0.0 if self.contamination == "auto" else real("contamination", self.contamination)
        if not 0 <= share <= 0.5:
            raise ValueError(f"contamination takes auto or a number from 0 to 0.5, not {share}")
        settings.outliers = share
        return settings, kept
