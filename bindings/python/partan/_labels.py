"""Labels: the classes of an estimator, as numbers or words of the library."""

from __future__ import annotations

from typing import Any

import numpy as np


class Labels:
    """The labels of rows: `classes`, sorted as the library sorts them, and the `numbers` of the rows' classes."""

    def __init__(self, y: np.ndarray[Any, Any], classes: np.ndarray[Any, Any] | None = None) -> None:
        if classes is None:
            self.classes, self.numbers = np.unique(y, return_inverse=True)
        else:
            self.classes = classes
            self.numbers = np.searchsorted(classes, y)
            known = self.numbers < len(classes)
            known[known] = classes[self.numbers[known]] == y[known]
            if not known.all():
                raise ValueError(f"found the label {y[~known][0]!r}, expected one of {list(classes)}")
        self.are_words = self.classes.dtype.kind not in "biuf"

    def texts(self) -> list[str]:
        """The classes as words. The order of code points is also that of UTF-8's bytes."""
        texts = [str(one) for one in self.classes]
        if "" in texts:
            raise ValueError("found an empty label, expected words or numbers")
        return texts

    def values(self) -> np.ndarray[Any, Any]:
        """The labels of the rows as numbers."""
        values = self.classes.astype(np.float64)
        if len(np.unique(values)) < len(values):
            raise ValueError("found labels that are equal as float64, expected numbers below 2**53")
        return np.ascontiguousarray(values[self.numbers])

    def classes_of_weight(self, weights: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The classes that have rows of a weight above 0; others do not count."""
        return self.classes[np.bincount(self.numbers, weights, minlength=len(self.classes)) > 0]


def classes_from_texts(texts: list[str], numbers: list[float], are_words: bool) -> np.ndarray[Any, Any]:
    """The classes of a model file: words, whole numbers, or numbers."""
    if are_words:
        return np.array(texts)
    values = np.array(numbers)
    whole = values.astype(np.int64)
    return whole if np.array_equal(whole, values) else values


def text_of(label: Any) -> str:
    """A label as the library writes it."""
    if isinstance(label, (bool, np.bool_, int, np.integer)):
        return str(int(label))
    if isinstance(label, (float, np.floating)):
        return str(int(label)) if float(label).is_integer() else repr(float(label))
    return str(label)
