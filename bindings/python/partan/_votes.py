"""A score for each class from the decision values of machines."""

from __future__ import annotations

from typing import Any

import numpy as np


def scores_of_classes(
    values: np.ndarray[Any, Any], pairs: list[tuple[int, int]], classes: int
) -> np.ndarray[Any, Any]:
    """One score for each row and class; the greatest is that of the class which the library decides for.

    One against the rest: the machines' values. Pairs: the number of votes, and a fraction below 1/2 that orders equal
    numbers by the sum of the values for a class, as :class:`sklearn.svm.SVC` has it.
    """
    if all(negative < 0 for _, negative in pairs):
        scores = np.empty((len(values), classes))
        scores[:, [positive for positive, _ in pairs]] = values
        return scores
    votes = np.zeros((len(values), classes))
    sums = np.zeros((len(values), classes))
    for machine, (positive, negative) in enumerate(pairs):
        value = values[:, machine]
        votes[:, positive] += value > 0
        votes[:, negative] += value <= 0
        sums[:, positive] += value
        sums[:, negative] -= value
    scored: np.ndarray[Any, Any] = votes + sums / (3 * (np.abs(sums) + 1))
    return scored
