"""What estimators of support vector machines share: parameters to settings, data, training, what is known afterwards."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ._arrays import Data
from ._certificate import Certificate, Verification, verification_of
from ._context import Context
from ._core import ffi, lib
from ._errors import warn_of_shortfall
from ._kernels import fill_kernel, kernel_matrix
from ._labels import Labels
from ._model import Model
from ._path import Path, path_of
from ._progress import CallbackSupportMixin, Listener
from ._settings import fill_solver, new_settings, real, whole

TYPES = (np.float64, np.float32)

# Of so few rows the optimum takes a few milliseconds. It does not depend on the order of the rows, nor on whether a row
# comes twice or with weight 2; what any other tolerance gives does.
SMALL = 100
SMALL_TOL = 1e-9


class Posed(NamedTuple):
    """What is to be learnt: rows with labels of classes, with numbers, or alone; and their weights."""

    X: Any
    labels: Labels | None = None
    target: np.ndarray[Any, Any] | None = None
    weights: np.ndarray[Any, Any] | None = None


class KernelMachine(CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """The base of SVC and its siblings, which say what they learn in _pose, and with which settings in _training."""

    _model: Model
    _rows: Any

    def _pose(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> Posed:
        raise NotImplementedError

    def _training(self, posed: Posed) -> tuple[Any, Any]:
        """Settings, and what must live as long as they do."""
        return self._settings(posed.X, posed.weights), None

    def _know(self, posed: Posed) -> None:
        """What an estimator keeps of what it learnt from, beside the model."""
        self._rows = posed.X if callable(self.kernel) else None

    # ---- Input ----

    def _take(self, X: Any, reset: bool, **how: Any) -> Any:
        """X as an array that the library can use in place; it looks for NaN and infinities itself."""
        return validate_data(
            self,
            X,
            reset=reset,
            accept_sparse=("csr", "csc"),
            dtype=TYPES,
            ensure_all_finite=False,
            **how,
        )

    @staticmethod
    def _weights(sample_weight: Any, X: Any) -> np.ndarray[Any, Any] | None:
        """The weights of rows, checked; None if there are none."""
        if sample_weight is None:
            return None
        weights: np.ndarray[Any, Any] = _check_sample_weight(sample_weight, X, dtype=np.float64)
        return weights

    def _data(self, context: Context, posed: Posed) -> Data:
        precomputed = self._is_precomputed()
        X = posed.X
        if callable(self.kernel):
            X = kernel_matrix(self.kernel, X, X)
        elif precomputed and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"a precomputed kernel matrix for training has as many columns as rows, not {X.shape[0]} x {X.shape[1]}"
            )
        names = None if precomputed else getattr(self, "feature_names_in_", None)
        return Data(context, X, posed.labels, posed.target, posed.weights, names, precomputed)

    def _is_precomputed(self) -> bool:
        return callable(self.kernel) or self.kernel == "precomputed"

    def _settings(self, X: Any, weights: np.ndarray[Any, Any] | None) -> Any:
        settings = new_settings()
        fill_solver(settings, self)
        if self.tol == "auto" and self.solver == "auto" and X.shape[0] <= SMALL:
            settings.tol = SMALL_TOL
        fill_kernel(settings, self, X, weights)
        settings.cost = real("C", self.C)
        settings.sample = whole("sample", self.sample, none=0, least=0)
        cache = real("cache_size", self.cache_size, none=-1.0)
        if self.cache_size is not None and not cache >= 0:
            raise ValueError(f"cache_size takes a number of at least 0 or None, not {self.cache_size!r}")
        settings.cache_bytes = -1 if cache < 0 else int(min(cache, 1e12) * (1 << 20))
        return settings

    # ---- Training ----

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        posed = self._pose(X, y, sample_weight, reset=True)
        settings, _kept = self._training(posed)
        listener = Listener(self, type(self).__name__)
        context = Context(self.n_jobs, listener, trace=True)
        start = getattr(self, "_model", None) if self.warm_start else None
        made = ffi.new("partan_model **")
        try:
            data = self._data(context, posed)
            status = context.call(
                lib.partan_train, data.handle, settings, start.handle if start else ffi.NULL, made
            )
        finally:
            listener.close()
        context.listener = None  # which may hold the estimator
        self._keep(Model(context, made[0]), data.array.is_sparse)
        self.trace_ = context.trace()
        self._know(posed)
        self._warn_of(status)

    def path(self, X: Any, y: Any, Cs: Sequence[float], sample_weight: Any = None) -> Path:
        """Train with each of several values of C, each with its own certificate.

        A whole path in ascending order takes little longer than one training.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`fit`.
        Cs : sequence of float
            Values of C.

        Returns
        -------
        Path
            A sequence of fitted estimators, with a table.
        """
        posed = self._pose(X, y, sample_weight, reset=True)
        settings, _kept = self._training(posed)
        context = Context(self.n_jobs, Listener(self, "path"))
        data = self._data(context, posed)

        def fitted(model: Model) -> KernelMachine:
            estimator = type(self)(**{**self.get_params(), "C": model.settings.cost})
            estimator._keep(model, data.array.is_sparse)
            estimator._know(posed)
            estimator.n_features_in_ = self.n_features_in_
            if hasattr(self, "feature_names_in_"):
                estimator.feature_names_in_ = self.feature_names_in_
            return estimator

        return path_of(context, data, settings, Cs, fitted)

    def _warn_of(self, status: int) -> None:
        warn_of_shortfall(status, self.relative_gap_, self.certificate_.target, stacklevel=5)

    def _keep(self, model: Model, is_sparse: bool) -> None:
        self._model = model
        self._sparse = is_sparse
        certificate = model.certificate
        self.certificate_: Certificate = certificate
        self.gap_: float = certificate.gap
        self.relative_gap_: float = certificate.relative_gap
        self.n_iter_ = model.iterations

    # ---- After training ----

    @property
    def support_(self) -> np.ndarray[Any, Any]:
        """The rows of the training data that are support vectors."""
        return self._fitted().support

    @property
    def support_vectors_(self) -> Any:
        """The support vectors; sparse, if the training data was. Empty for kernel matrices."""
        model = self._fitted()
        if self._is_precomputed():
            return np.empty((0, 0), dtype=np.float32)
        return model.sparse_vectors if self._sparse else model.vectors

    @property
    def dual_coef_(self) -> np.ndarray[Any, Any]:
        """The coefficients of the support vectors in the decision function, a row for each machine."""
        return self._fitted().coefficients

    @property
    def intercept_(self) -> np.ndarray[Any, Any]:
        """The constants of the decision function, one for each machine."""
        return self._fitted().intercepts

    def _fitted(self) -> Model:
        check_is_fitted(self, "_model")
        return self._model

    def _decision(self, X: Any) -> np.ndarray[Any, Any]:
        model = self._fitted()
        X = self._take(X, reset=False)
        if callable(self.kernel):
            X = self._support_columns(kernel_matrix(self.kernel, X, self._rows[model.support]))
        return model.decision(Context(self.n_jobs), X)

    def _support_columns(self, values: np.ndarray[Any, Any]) -> Any:
        """Rows of a kernel matrix of which only the support vectors' columns are known."""
        rows, count = values.shape
        support = self._model.support
        offsets = np.arange(rows + 1, dtype=np.int64) * count
        indices = np.tile(support.astype(np.int32), rows)
        shape = (rows, self._rows.shape[0])
        return sparse.csr_matrix((values.ravel(), indices, offsets), shape=shape)

    def _verify(self, posed: Posed) -> Verification:
        model = self._fitted()
        context = Context(self.n_jobs)
        data = self._data(context, posed)
        found = ffi.new("partan_verification *")
        lib.partan_verification_init_sized(found, ffi.sizeof("partan_verification"))
        context.finish(lib.partan_verify, model.handle, data.handle, found)
        return verification_of(found)

    def verify(self, X: Any, y: Any, sample_weight: Any = None) -> Verification:
        """Recompute the certificate from the training data, in double precision.

        Parameters
        ----------
        X, y, sample_weight
            What the model was trained on.

        Returns
        -------
        Verification
            True if everything is as the model states; `reason` says what is not.
        """
        self._fitted()
        return self._verify(self._pose(X, y, sample_weight, reset=False))

    def save(self, path: str | os.PathLike[str], format: str = "native") -> None:  # pylint: disable=redefined-builtin
        """Write the model to a file, which the command line and :func:`partan.load` read.

        Parameters
        ----------
        path : str or path-like
            The file.
        format : {"native", "libsvm"}, default="native"
            The project's own format, which keeps everything exactly, or LIBSVM's.
        """
        self._fitted().write(path, format)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not callable(self.kernel)
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
