"""What Lasso and LassoCV share: data, settings, and the model of the library."""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ._arrays import Array, Data
from ._certificate import Certificate, Verification, certificate_of, verification_of
from ._context import Context
from ._core import ffi, lib
from ._errors import warn_of_shortfall
from ._progress import CallbackSupportMixin, Listener
from ._settings import fill_solver, flag, new_settings, whole
from ._stored import Stored

TYPES = (np.float64, np.float32)


class LinearModel(Stored):
    """A linear model of the library."""

    name = "lasso"

    @property
    def result(self) -> Any:
        """partan_lasso_result."""
        return lib.partan_lasso_get_result(self.handle)

    @property
    def settings(self) -> Any:
        """partan_lasso_settings."""
        return lib.partan_lasso_get_settings(self.handle)

    @property
    def solver(self) -> Any:
        """partan_settings."""
        return lib.partan_lasso_get_solver(self.handle)

    @property
    def intercept(self) -> float:
        """The constant."""
        return float(lib.partan_lasso_intercept(self.handle))

    @cached_property
    def coefficients(self) -> np.ndarray[Any, Any]:
        """One for each feature."""
        values = np.zeros(int(lib.partan_lasso_features(self.handle)))
        feature, value, name = ffi.new("size_t *"), ffi.new("double *"), ffi.new("char const **")
        for i in range(self.result.nonzeros):
            lib.partan_lasso_coefficient(self.handle, i, feature, value, name)
            values[feature[0]] = value[0]
        return values

    @cached_property
    def certificate(self) -> Certificate:
        """What the fit proves."""
        return certificate_of(self.result, self.solver.tol)

    def predict(self, context: Context, matrix: Any) -> np.ndarray[Any, Any]:
        """The values of rows."""
        array = Array(matrix)
        values = np.empty(array.rows)
        predict = lib.partan_lasso_predict_sparse if array.is_sparse else lib.partan_lasso_predict_dense
        context.finish(predict, self.handle, array.struct, ffi.from_buffer("double[]", values))
        return values


class LinearRegressor(RegressorMixin, CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """The base of Lasso and LassoCV."""

    _model: LinearModel

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """The values of rows.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            ``X @ coef_ + intercept_``.
        """
        model = self._fitted()
        return model.predict(Context(self.n_jobs), self._take(X, reset=False))

    def verify(self, X: Any, y: Any) -> Verification:
        """Recompute the certificate from the training data, in double precision.

        Parameters
        ----------
        X, y
            What the model was fitted to.

        Returns
        -------
        Verification
            True if everything is as the model states.
        """
        model = self._fitted()
        context = Context(self.n_jobs)
        X, y = self._take(X, reset=False, y=y, y_numeric=True)
        data = self._data(context, X, y)
        found = ffi.new("partan_lasso_verification *")
        lib.partan_lasso_verification_init_sized(found, ffi.sizeof("partan_lasso_verification"))
        context.finish(lib.partan_lasso_verify, model.handle, data.handle, found)
        return verification_of(found)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, which the command line and :func:`partan.load` read.

        Parameters
        ----------
        path : str or path-like
            The file.
        """
        self._fitted().write(path)

    # ---- Inside ----

    def _take(self, X: Any, reset: bool, **how: Any) -> Any:
        return validate_data(
            self, X, reset=reset, accept_sparse=("csr", "csc"), dtype=TYPES, ensure_all_finite=False, **how
        )

    def _data(self, context: Context, X: Any, y: np.ndarray[Any, Any]) -> Data:
        return Data(context, X, target=y, names=getattr(self, "feature_names_in_", None))

    def _settings(self) -> tuple[Any, Any]:
        """partan_lasso_settings and partan_settings."""
        solver = new_settings()
        solver.sample = whole("sample", self.sample, none=0, least=0)
        fill_solver(solver, self)
        lasso = ffi.new("partan_lasso_settings *")
        lib.partan_lasso_settings_init_sized(lasso, ffi.sizeof("partan_lasso_settings"))
        lasso.intercept = flag("fit_intercept", self.fit_intercept)
        lasso.standardise = flag("standardize", self.standardize)
        return lasso, solver

    def _fit_with(self, context: Context, data: Data, lasso: Any, solver: Any) -> int:
        """Fits, and closes the listener."""
        made = ffi.new("partan_lasso **")
        try:
            status = context.call(lib.partan_lasso_fit, data.handle, lasso, solver, made)
        finally:
            if isinstance(context.listener, Listener):
                context.listener.close()
        self._keep(LinearModel(context, made[0]))
        self.trace_ = context.trace()
        context.listener = None
        return status

    def _keep(self, model: LinearModel) -> None:
        self._model = model
        self.coef_ = model.coefficients
        self.intercept_ = model.intercept
        self.n_iter_ = max(1, int(model.result.iterations))
        self.certificate_ = model.certificate
        self.gap_ = self.dual_gap_ = model.certificate.gap
        self.relative_gap_ = model.certificate.relative_gap

    def _warn_of(self, status: int) -> None:
        warn_of_shortfall(status, self.relative_gap_, self.certificate_.target, stacklevel=4)

    def _fitted(self) -> LinearModel:
        check_is_fitted(self, "_model")
        return self._model

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
