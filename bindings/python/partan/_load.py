"""Model files as estimators."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ._context import Context
from ._core import ffi, lib
from ._kernels import kernel_name
from ._lasso import Lasso
from ._linear import LinearModel
from ._matrix import CENTERS, Factors, MatrixCompletion
from ._model import Model
from ._outliers import OutlierDetector
from ._settings import SOLVERS
from ._svc import MULTICLASS, SVC
from ._svr import SVR


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model file as a fitted estimator.

    Parameters
    ----------
    path : str or path-like
        A file of :meth:`SVC.save` and its siblings or of the command line, of any kind of model, or a LIBSVM model.

    Returns
    -------
    SVC, SVR, OutlierDetector, Lasso or MatrixCompletion
        Fitted, with the parameters of the training. It predicts the same bits as the command line.

    Examples
    --------
    >>> import partan, os, tempfile
    >>> svc = partan.SVC(gamma=1.0).fit([[0], [1], [3], [4]], ["a", "a", "b", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     svc.save(os.path.join(folder, "svc.model"))
    ...     again = partan.load(os.path.join(folder, "svc.model"))
    >>> again.predict([[0.5], [3.5]])
    array(['a', 'b'], dtype='<U1')
    """
    context = Context(n_jobs=1)
    read = ffi.new("partan_model_file **")
    context.finish(lib.partan_model_file_read, os.fsencode(path), read)
    try:
        kind = ffi.new("partan_kind *")
        context.finish(lib.partan_model_file_kind, read[0], kind)
        if kind[0] == lib.PARTAN_KIND_LASSO:
            return _lasso(LinearModel.from_file(context, read[0]))
        if kind[0] == lib.PARTAN_KIND_MATRIX:
            return _matrix(Factors.from_file(context, read[0]))
        return _machine(Model.from_file(context, read[0]))
    finally:
        lib.partan_model_file_free(read[0])


def _name(number: int, names: dict[str, int]) -> str:
    return next(name for name, value in names.items() if value == number)


def _solver(settings: Any) -> dict[str, Any]:
    """Parameters that all estimators have."""
    return {
        "solver": _name(settings.solver, SOLVERS),
        "tol": settings.tol,
        "max_iter": settings.max_iter or -1,
        "time_limit": settings.time_limit or None,
        "random_state": settings.seed,
    }


def _machine(model: Model) -> Any:
    settings = model.settings
    shared = {
        "C": settings.cost,
        "kernel": kernel_name(settings.kernel),
        "gamma": settings.gamma,
        "degree": settings.degree,
        "coef0": settings.coef0,
        "sample": settings.sample or None,
        "cache_size": None if settings.cache_bytes < 0 else settings.cache_bytes / (1 << 20),
        **_solver(settings),
    }
    estimator: Any
    if settings.problem == lib.PARTAN_REGRESSION:
        estimator = SVR(epsilon=settings.epsilon, **shared)
    elif settings.problem == lib.PARTAN_OUTLIER:
        estimator = OutlierDetector(contamination=settings.outliers or "auto", **shared)
    else:
        calibrated = bool(lib.partan_model_has_probability(model.handle))
        estimator = SVC(multiclass=_name(settings.multiclass, MULTICLASS), probability=calibrated, **shared)
    estimator._keep(model, False)
    estimator._rows = None
    if isinstance(estimator, SVC):
        estimator.classes_ = model.classes
    rows = int(lib.partan_model_rows(model.handle))
    estimator.n_features_in_ = rows if estimator.kernel == "precomputed" else model.features
    if model.feature_names:
        estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
    return estimator


def _lasso(model: LinearModel) -> Lasso:
    settings, solver = model.settings, model.solver
    estimator = Lasso(
        alpha=getattr(model.result, "lambda"),
        radius=settings.radius or None,
        fit_intercept=bool(settings.intercept),
        standardize=bool(settings.standardise),
        sample=solver.sample or None,
        **_solver(solver),
    )
    estimator._keep(model)
    estimator.n_features_in_ = len(estimator.coef_)
    return estimator


def _matrix(model: Factors) -> MatrixCompletion:
    settings = lib.partan_matrix_get_settings(model.handle)
    estimator = MatrixCompletion(
        radius=settings.radius,
        center=_name(settings.centre, CENTERS),
        max_rank=settings.max_rank or None,
        held_out=settings.held_out,
        **_solver(lib.partan_matrix_solver_settings(model.handle)),
    )
    estimator._keep(model)
    estimator.n_features_in_ = len(estimator.column_offsets_)
    return estimator
