"""From the parameters of estimators to the settings of the library."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ._core import ffi, lib


def real(name: str, value: Any, none: float | None = None) -> float:
    """A parameter as a number; None stands for `none` where that is given."""
    if value is None and none is not None:
        return none
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} takes a number, not {value!r}")
    return float(value)


def whole(name: str, value: Any, none: int | None = None, least: int = -(1 << 62)) -> int:
    """A parameter as a whole number."""
    if value is None and none is not None:
        return none
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} takes a whole number, not {value!r}")
    number = int(value)
    if not least <= number < 1 << 62:
        raise ValueError(f"{name} takes a whole number of at least {least}, not {number}")
    return number


def flag(name: str, value: Any) -> int:
    """A parameter as yes or no."""
    if not isinstance(value, (bool, np.bool_, numbers.Integral)):
        raise TypeError(f"{name} takes True or False, not {value!r}")
    return int(bool(value))


def choice(name: str, value: Any, choices: dict[str, int]) -> int:
    """A parameter as one of several words."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} takes {', '.join(choices)}, not {value!r}")
    return choices[value]


SOLVERS: dict[str, int] = {
    "auto": lib.PARTAN_SOLVER_AUTO,
    "fw": lib.PARTAN_SOLVER_FW,
    "mfw": lib.PARTAN_SOLVER_MFW,
    "swap": lib.PARTAN_SOLVER_SWAP,
    "partan": lib.PARTAN_SOLVER_PARTAN,
}


def new_settings() -> Any:
    """partan_settings with all defaults."""
    settings = ffi.new("partan_settings *")
    lib.partan_settings_init_sized(settings, ffi.sizeof("partan_settings"))
    return settings


def seed_of(random_state: Any) -> int:
    """A seed. Fits are the same each time with random_state=None, too: it is the library's seed."""
    if random_state is None:
        return 1
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, (bool, np.bool_)):
        return whole("random_state", random_state, least=0)
    return int(check_random_state(random_state).randint(1 << 31))


def fill_solver(settings: Any, estimator: Any) -> None:
    """What all estimators have: solver, tolerance, limits and seed."""
    settings.solver = choice("solver", estimator.solver, SOLVERS)
    if estimator.tol != "auto":
        settings.tol = real("tol", estimator.tol)
        if settings.tol == 0:  # the library would ask for an absolute tolerance
            raise ValueError("tol takes a number above 0, not 0")
    settings.max_iter = max(0, whole("max_iter", estimator.max_iter, none=0, least=-1))
    settings.time_limit = real("time_limit", estimator.time_limit, none=0.0)
    settings.seed = seed_of(estimator.random_state)
