"""From the library's status codes to exceptions and warnings."""

from __future__ import annotations

import re
import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from ._core import ffi, lib

# The parameters of estimators that have another name than the library's settings.
_NAMES = {
    "cost": "C",
    "cache": "cache_size",
    "seed": "random_state",
    "max-iter": "max_iter",
    "time-limit": "time_limit",
    "max-rank": "max_rank",
    "lambda": "alpha",
    "intercept": "fit_intercept",
    "centre": "center",
    "outliers": "contamination",
    "probability-folds": "probability_cv",
}

_EXCEPTIONS: dict[int, type[Exception]] = {
    lib.PARTAN_ERROR_MEMORY: MemoryError,
    lib.PARTAN_ERROR_ARGUMENT: ValueError,
    lib.PARTAN_ERROR_IO: OSError,
    lib.PARTAN_ERROR_FORMAT: ValueError,
    lib.PARTAN_ERROR_DATA: ValueError,
    lib.PARTAN_ERROR_NUMERIC: ValueError,
    lib.PARTAN_ERROR_BUILD: NotImplementedError,
}

_REASONS = {
    lib.PARTAN_ITERATION_LIMIT: "stopped by max_iter",
    lib.PARTAN_TIME_LIMIT: "stopped by time_limit",
    lib.PARTAN_INTERRUPTED: "interrupted",
    lib.PARTAN_STALLED: "stopped, because rounding errors leave no step that makes progress",
    lib.PARTAN_UNCONFIRMED: "stopped by the sampled rule",
    lib.PARTAN_RANK_LIMIT: "stopped by max_rank",
}


class InterruptedWarning(ConvergenceWarning):  # type: ignore[misc]
    """A fit was stopped by Ctrl-C or by a callback; the estimator is fitted, with its true gap."""


class LimitWarning(ConvergenceWarning):  # type: ignore[misc]
    """A fit was stopped by a limit before its target; the estimator is fitted, with its true gap."""


def in_words_of_python(sentence: str) -> str:
    """A sentence of the library with the names of parameters instead of settings."""
    sentence = re.sub(r"^data: ", "", sentence)
    words = sentence.split(" ", 1)
    if words[0] in _NAMES:
        words[0] = _NAMES[words[0]]
    return " ".join(words)


def check(status: int, context: Any) -> int:
    """Raises the exception of a failure; other statuses are returned."""
    if status >= 0:
        return status
    sentence = in_words_of_python(ffi.string(lib.partan_error(context)).decode())
    raise _EXCEPTIONS.get(status, RuntimeError)(sentence)


def status_name(status: int) -> str:
    """The name of a status: "OK", "TIME_LIMIT", ..."""
    name: str = ffi.string(lib.partan_status_name(status)).decode()
    return name


def warn_of_shortfall(status: int, relative_gap: float, target: float, stacklevel: int) -> None:
    """Says that a fit ended before its target."""
    if status == lib.PARTAN_OK:
        return
    kind = InterruptedWarning if status == lib.PARTAN_INTERRUPTED else LimitWarning
    warnings.warn(
        f"{_REASONS.get(status, 'stopped early')}: the relative gap is {relative_gap:.4g}, the target was {target:.4g}; "
        "the estimator can be used, and fit goes on from there with warm_start=True",
        kind,
        stacklevel=stacklevel + 1,
    )
