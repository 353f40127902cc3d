"""Paths over C."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ._arrays import Data
from ._context import Context, library_callback
from ._core import ffi, lib
from ._errors import warn_of_shortfall
from ._model import Model

PATH_TYPE = np.dtype(
    [
        ("C", np.float64),
        ("objective", np.float64),
        ("gap", np.float64),
        ("relative_gap", np.float64),
        ("support_vectors", np.int64),
        ("iterations", np.int64),
        ("seconds", np.float64),
    ]
)


class Path(Sequence[Any]):
    """The points of a path over C: a sequence of fitted estimators.

    Attributes
    ----------
    estimators : list
        One for each C, each with its own certificate.
    table : structured ndarray
        C, objective, gap, relative_gap, support_vectors, iterations and seconds of each.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from partan import SVC
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> path = SVC().path(X, y, Cs=[0.1, 1, 10])
    >>> path.table["C"]
    array([ 0.1,  1. , 10. ])
    >>> bool((path.table["relative_gap"] <= 0.05).all())
    True
    """

    def __init__(self, estimators: list[Any]) -> None:
        self.estimators = estimators
        self.table = np.array([_row(estimator) for estimator in estimators], dtype=PATH_TYPE)

    def __getitem__(self, i: Any) -> Any:
        return self.estimators[i]

    def __len__(self) -> int:
        return len(self.estimators)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators)

    def __repr__(self) -> str:
        return f"Path({len(self)} points)"


def _row(estimator: Any) -> tuple[Any, ...]:
    found = estimator.certificate_
    count = estimator._model.support_count
    return estimator.C, found.objective, found.gap, found.relative_gap, count, found.iterations, found.seconds


class _Points:
    """Takes the models of a path as they come."""

    def __init__(self, context: Context, made: Callable[[Model], Any]) -> None:
        self.context = context
        self.made = made
        self.estimators: list[Any] = []

    def take(self, model: Any) -> None:
        """A model, which now belongs to its estimator."""
        self.estimators.append(self.made(Model(self.context, model)))


def path_of(context: Context, data: Data, settings: Any, Cs: Sequence[float], made: Callable[[Model], Any]) -> Path:
    """Trains the path; `made` makes an estimator of each model."""
    costs = np.ascontiguousarray(Cs, dtype=np.float64)
    if costs.ndim != 1 or len(costs) == 0:
        raise ValueError(f"Cs takes a sequence of numbers, not {Cs!r}")
    points = _Points(context, made)
    user = ffi.new_handle(points)
    try:
        status = context.call(
            lib.partan_path,
            data.handle,
            settings,
            ffi.from_buffer("double[]", costs),
            len(costs),
            lib.partan_on_path_point,
            user,
        )
    finally:
        if context.listener is not None:
            context.listener.close()  # type: ignore[attr-defined]
    context.listener = None
    path = Path(points.estimators)
    if status != lib.PARTAN_OK and len(path):
        warn_of_shortfall(status, float(path.table["relative_gap"].max()), settings.tol, stacklevel=3)
    return path


@library_callback("partan_on_path_point")
def _on_path_point(user: Any, _index: int, model: Any) -> int:
    ffi.from_handle(user).take(model)
    return 0
