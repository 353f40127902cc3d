"""What a fit proves, and what recomputing it gives."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._core import ffi
from ._errors import status_name


class Certificate(NamedTuple):
    """The proof of a fit's quality, as it is stored in the model.

    Attributes
    ----------
    status : str
        "OK" if the target was met, else what stopped the fit: "TIME_LIMIT", "INTERRUPTED", ...
    converged : bool
        Whether the gap met the target.
    objective, gap, relative_gap : float
        For support vector machines, a relative gap of 0.05 proves that the margin is within 5 % of the best possible
        one.
    is_bound : bool
        True if the fit was stopped before its gap could be computed: the gaps are then upper bounds.
    target : float
        The relative gap that was asked for.
    iterations : int
        Steps of the solver.
    seconds : float
        The time that it took.
    """

    status: str
    converged: bool
    objective: float
    gap: float
    relative_gap: float
    is_bound: bool
    target: float
    iterations: int
    seconds: float


class Verification(NamedTuple):
    """A certificate recomputed from the data.

    Attributes
    ----------
    matches : bool
        Whether everything is as stated in the model.
    reason : str
        Why it does not match; "" when it does.
    objective, gap, relative_gap : float
        Recomputed in double precision by code that the solver does not use.
    """

    matches: bool
    reason: str
    objective: float
    gap: float
    relative_gap: float

    def __bool__(self) -> bool:
        return self.matches


def certificate_of(result: Any, target: float) -> Certificate:
    """From the result of any kind of model."""
    return Certificate(
        status=status_name(result.status),
        converged=bool(result.converged),
        objective=result.objective,
        gap=result.gap,
        relative_gap=result.relative_gap,
        is_bound=bool(getattr(result, "gap_is_bound", 0)),
        target=target,
        iterations=int(result.iterations),
        seconds=result.seconds,
    )


def verification_of(found: Any) -> Verification:
    """From the verification of any kind of model."""
    return Verification(
        matches=bool(found.matches),
        reason=ffi.string(found.reason).decode(),
        objective=found.objective,
        gap=found.gap,
        relative_gap=found.relative_gap,
    )
