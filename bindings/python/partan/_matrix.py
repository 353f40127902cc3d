"""MatrixCompletion: matrices of which some entries are known."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ._certificate import Verification, certificate_of, verification_of
from ._context import Context, library_callback
from ._core import ffi, lib
from ._errors import warn_of_shortfall
from ._progress import CallbackSupportMixin, Listener, with_callbacks
from ._ratings import Ratings
from ._settings import choice, fill_solver, new_settings, real, whole
from ._stored import Stored

CENTERS: dict[str, int] = {
    "none": lib.PARTAN_CENTRE_NONE,
    "mean": lib.PARTAN_CENTRE_MEAN,
    "rows": lib.PARTAN_CENTRE_ROWS,
    "columns": lib.PARTAN_CENTRE_COLUMNS,
    "both": lib.PARTAN_CENTRE_BOTH,
}

RADIUS_TYPE = np.dtype([("radius", np.float64), ("rmse", np.float64), ("mae", np.float64), ("rank", np.int64)])


class Factors(Stored):
    """A matrix of the library, as factors of its rank."""

    name = "matrix"

    @property
    def result(self) -> Any:
        """partan_matrix_result."""
        return lib.partan_matrix_get_result(self.handle)

    def array(self, function: Any, *shape: int) -> np.ndarray[Any, Any]:
        """A copy of an array that belongs to the matrix."""
        count = int(np.prod(shape))
        if count == 0:
            return np.zeros(shape)
        content = ffi.buffer(function(self.handle), 8 * count)
        values: np.ndarray[Any, Any] = np.frombuffer(content, dtype=np.float64).reshape(shape).copy()
        return values

    def offsets(self, function: Any, count: int) -> np.ndarray[Any, Any]:
        """The offsets of rows or columns."""
        return np.array([function(self.handle, i) for i in range(count)])


class MatrixCompletion(CallbackSupportMixin, OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A matrix of low rank from some of its entries, with a certificate.

    Minimises the squared error at the known entries, less offsets of rows and columns, subject to a bound of the
    nuclear norm.

    Parameters
    ----------
    radius : float, default=None
        The bound. None chooses it by the error at entries held out.
    center : {"both", "rows", "columns", "mean", "none"}, default="both"
        The means that are subtracted first and added to predictions.
    max_rank : int, default=None
        Limit of the rank.
    tol : float, default=1e-3
        The gap at which fitting stops, relative to the objective at 0.
    held_out : float, default=0.1
        The share of entries held out to choose the radius.
    max_iter : int, default=-1
        Limit of the iterations; -1 for none.
    time_limit : float, default=None
        Seconds after which fitting stops (and as many to choose the radius).
    solver : {"auto", "fw", "mfw", "swap", "partan"}, default="auto"
        A method that adds several singular pairs at a time, or a Frank-Wolfe variant.
    n_jobs, random_state, callback, verbose
        As for :class:`SVC`.
    warm_start : bool, default=False
        Whether fit continues from the last solution.

    Attributes
    ----------
    row_factors_, singular_values_, column_factors_ : ndarray
        The matrix, without offsets, is ``row_factors_ * singular_values_ @ column_factors_.T``.
    mean_, row_offsets_, column_offsets_ : float and ndarrays
        The offsets.
    radius_ : float
        The bound.
    radii_ : structured ndarray
        The radii that were tried, with the errors at the entries held out.
    rank_, rmse_ : int and float
        The rank, and the error at the known entries.
    gap_, relative_gap_, certificate_, trace_, n_iter_
        As for :class:`SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from partan import MatrixCompletion
    >>> rng = np.random.RandomState(0)
    >>> X = rng.randn(60, 3) @ rng.randn(3, 40)
    >>> known = np.where(rng.rand(60, 40) < 0.5, X, np.nan)
    >>> filled = MatrixCompletion(tol=1e-4).fit_transform(known)
    >>> bool(np.sqrt(np.mean((filled - X) ** 2)) < 0.1 * X.std())
    True
    """

    def __init__(
        self,
        *,
        radius: float | None = None,
        center: str = "both",
        max_rank: int | None = None,
        tol: float = 1e-3,
        held_out: float = 0.1,
        max_iter: int = -1,
        time_limit: float | None = None,
        solver: str = "auto",
        n_jobs: int | None = None,
        random_state: Any = None,
        warm_start: bool = False,
        callback: Any = None,
        verbose: int = 0,
    ) -> None:
        self.radius = radius
        self.center = center
        self.max_rank = max_rank
        self.tol = tol
        self.held_out = held_out
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.solver = solver
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.warm_start = warm_start
        self.callback = callback
        self.verbose = verbose

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any = None) -> MatrixCompletion:
        """Fit to the known entries of X.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_rows, n_columns)
            Unknown entries are NaN; of a sparse matrix, those that are not stored.
        y : None
            Not used.

        Returns
        -------
        self
        """
        X = self._take(X, reset=True)
        context = Context(self.n_jobs, Listener(self, "MatrixCompletion"), trace=True)
        ratings = Ratings.of_matrix(context, X)
        try:
            status = self._fit(context, ratings)
        finally:
            context.listener.close()  # type: ignore[union-attr]
            context.listener = None
        warn_of_shortfall(status, self.relative_gap_, self.certificate_.target, stacklevel=3)
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> np.ndarray[Any, Any]:
        """Fit to the known entries of X, and return X with its unknown entries filled in.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_rows, n_columns)
            As for :meth:`fit`.
        y : None
            Not used.
        **fit_params : dict
            Not used.

        Returns
        -------
        ndarray of shape (n_rows, n_columns)
            Known entries are as they were.
        """
        self.fit(X, **fit_params)
        known = Ratings.entries_of(self._take(X, reset=False))
        filled = self.completed()
        filled[known[0], known[1]] = known[2]
        return filled

    def completed(self) -> np.ndarray[Any, Any]:
        """The whole matrix, as fitted: known entries are smoothed, too."""
        self._fitted()
        low_rank = (self.row_factors_ * self.singular_values_) @ self.column_factors_.T
        whole_matrix: np.ndarray[Any, Any] = (
            low_rank + self.mean_ + self.row_offsets_[:, np.newaxis] + self.column_offsets_
        )
        return whole_matrix

    def predict_entries(self, rows: Any, columns: Any) -> np.ndarray[Any, Any]:
        """Single entries.

        Parameters
        ----------
        rows, columns : array of int
            Their places, from 0. Those outside the matrix get the offsets that are known for them.

        Returns
        -------
        ndarray
            Values.
        """
        model = self._fitted()
        places = Ratings.places(rows, columns)
        distinct, back = np.unique(places, axis=1, return_inverse=True)
        if distinct.shape[1] == 0:
            return np.empty(0)
        context = Context(self.n_jobs)
        shape = tuple(int(i) + 1 for i in distinct.max(axis=1))
        asked = Ratings(context, shape, distinct[0], distinct[1], None)
        values = np.empty(distinct.shape[1])
        target = ffi.from_buffer("double[]", values)
        context.finish(lib.partan_matrix_predict, model.handle, asked.handle, target, ffi.NULL, ffi.NULL)
        return values[back.ravel()]

    def verify(self, X: Any) -> Verification:
        """Recompute the certificate from the known entries.

        Parameters
        ----------
        X : array or sparse matrix
            What the matrix was fitted to.

        Returns
        -------
        Verification
            True if everything is as the model states.
        """
        model = self._fitted()
        context = Context(self.n_jobs)
        ratings = Ratings.of_matrix(context, self._take(X, reset=False))
        found = ffi.new("partan_matrix_verification *")
        lib.partan_matrix_verification_init_sized(found, ffi.sizeof("partan_matrix_verification"))
        context.finish(lib.partan_matrix_verify, model.handle, ratings.handle, found)
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

    def _take(self, X: Any, reset: bool) -> Any:
        return validate_data(
            self,
            X,
            reset=reset,
            accept_sparse=("csr", "csc", "coo"),
            dtype=np.float64,
            ensure_all_finite="allow-nan",
        )

    def _settings(self) -> tuple[Any, Any]:
        solver = new_settings()
        fill_solver(solver, self)
        settings = ffi.new("partan_matrix_settings *")
        lib.partan_matrix_settings_init_sized(settings, ffi.sizeof("partan_matrix_settings"))
        settings.centre = choice("center", self.center, CENTERS)
        settings.max_rank = whole("max_rank", self.max_rank, none=0, least=0)
        settings.held_out = real("held_out", self.held_out)
        return settings, solver

    def _fit(self, context: Context, ratings: Ratings) -> int:
        settings, solver = self._settings()
        if self.radius is None:
            settings.radius, self.radii_ = _choose(context, ratings, settings, solver)
        else:
            settings.radius = real("radius", self.radius)
        start = getattr(self, "_model", None) if self.warm_start else None
        made = ffi.new("partan_matrix **")
        status = context.call(
            lib.partan_matrix_fit, ratings.handle, solver, settings, start.handle if start else ffi.NULL, made
        )
        self._keep(Factors(context, made[0]))
        self.trace_ = context.trace()
        return status

    def _keep(self, model: Factors) -> None:
        self._model = model
        handle, result = model.handle, model.result
        rows, columns = int(lib.partan_matrix_rows(handle)), int(lib.partan_matrix_columns(handle))
        self.rank_ = int(result.rank)
        self.row_factors_ = model.array(lib.partan_matrix_left, rows, self.rank_)
        self.column_factors_ = model.array(lib.partan_matrix_right, columns, self.rank_)
        self.singular_values_ = model.array(lib.partan_matrix_singular, self.rank_)
        self.mean_ = float(lib.partan_matrix_mean(handle))
        self.row_offsets_ = model.offsets(lib.partan_matrix_row_offset, rows)
        self.column_offsets_ = model.offsets(lib.partan_matrix_column_offset, columns)
        self.radius_ = float(lib.partan_matrix_get_settings(handle).radius)
        self.rmse_ = float(result.rmse)
        self.n_iter_ = max(1, int(result.iterations))
        self.certificate_ = certificate_of(result, lib.partan_matrix_solver_settings(handle).tol)
        self.gap_ = self.certificate_.gap
        self.relative_gap_ = self.certificate_.relative_gap

    def _fitted(self) -> Factors:
        check_is_fitted(self, "_model")
        return self._model

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


class _Points:
    """Takes the radii that are tried as they come."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.rows: list[tuple[Any, ...]] = []

    def take(self, point: Any) -> None:
        """A radius."""
        self.rows.append((point.radius, point.held_rmse, point.held_mae, point.result.rank))


def _choose(context: Context, ratings: Ratings, settings: Any, solver: Any) -> tuple[float, np.ndarray[Any, Any]]:
    points = _Points(context)
    user = ffi.new_handle(points)
    best = ffi.new("partan_matrix_point *")
    lib.partan_matrix_point_init_sized(best, ffi.sizeof("partan_matrix_point"))
    status = context.call(
        lib.partan_matrix_choose, ratings.handle, solver, settings, lib.partan_on_matrix_point, user, best
    )
    context.rows.clear()  # of the trace: the fit that follows is what counts
    if status == lib.PARTAN_INTERRUPTED and not points.rows:
        raise KeyboardInterrupt
    if not points.rows:
        raise TimeoutError("time_limit was reached before any radius was tried, and there is nothing to choose from")
    return float(best.radius), np.array(points.rows, dtype=RADIUS_TYPE)


@library_callback("partan_on_matrix_point")
def _on_matrix_point(user: Any, point: Any) -> int:
    ffi.from_handle(user).take(point)
    return 0
