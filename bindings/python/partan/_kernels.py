"""The kernel of an estimator: its name, a callable or "precomputed"; and gamma."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ._core import lib
from ._settings import choice, real, whole

KERNELS: dict[str, int] = {
    "linear": lib.PARTAN_KERNEL_LINEAR,
    "poly": lib.PARTAN_KERNEL_POLYNOMIAL,
    "rbf": lib.PARTAN_KERNEL_RBF,
    "sigmoid": lib.PARTAN_KERNEL_SIGMOID,
    "laplacian": lib.PARTAN_KERNEL_LAPLACIAN,
    "precomputed": lib.PARTAN_KERNEL_PRECOMPUTED,
}


def kernel_name(number: int) -> str:
    """The name of a kernel as the parameter has it."""
    return next(name for name, value in KERNELS.items() if value == number)


def fill_kernel(settings: Any, estimator: Any, matrix: Any, weights: np.ndarray[Any, Any] | None) -> None:
    """Kernel and its parameters. The rules for gamma count a row of weight 2 twice."""
    if callable(estimator.kernel):
        settings.kernel = lib.PARTAN_KERNEL_PRECOMPUTED
        return
    settings.kernel = choice("kernel", estimator.kernel, KERNELS)
    settings.degree = whole("degree", estimator.degree, least=0)
    settings.coef0 = real("coef0", estimator.coef0)
    gamma = estimator.gamma
    if not isinstance(gamma, str):
        settings.gamma_rule, settings.gamma = lib.PARTAN_GAMMA_VALUE, real("gamma", gamma)
    elif gamma == "auto":
        settings.gamma_rule, settings.gamma = lib.PARTAN_GAMMA_VALUE, 1 / matrix.shape[1]
    elif gamma not in ("scale", "distance"):
        raise ValueError(f"gamma takes a number, scale, auto or distance, not {gamma!r}")
    elif weights is None:
        settings.gamma_rule = lib.PARTAN_GAMMA_SCALE if gamma == "scale" else lib.PARTAN_GAMMA_AUTO
    else:
        settings.gamma_rule, settings.gamma = lib.PARTAN_GAMMA_VALUE, weighted_gamma(gamma, matrix, weights)


def weighted_gamma(rule: str, matrix: Any, weights: np.ndarray[Any, Any]) -> float:
    """The library's rules, with weights: 1 / (features x variance), or 1 / mean squared distance of two rows."""
    total, features = weights.sum(), matrix.shape[1]
    squares = matrix.multiply(matrix) if sparse.issparse(matrix) else np.square(matrix, dtype=np.float64)
    mean_square = float(np.sum(weights @ squares) / total)
    means = np.asarray(weights @ matrix, dtype=np.float64) / total
    if rule == "scale":
        spread = mean_square - float(means.sum()) ** 2 / features
    else:
        spread = 2 * (mean_square - float(means @ means))
    return 1 / spread if spread > 1e-12 * mean_square else 1.0


def kernel_matrix(kernel: Any, rows: Any, columns: Any) -> np.ndarray[Any, Any]:
    """What a callable kernel gives, checked."""
    values = np.asarray(kernel(rows, columns))
    expected = (rows.shape[0], columns.shape[0])
    if values.shape != expected:
        raise ValueError(f"the kernel returned an array of shape {values.shape}, expected {expected}")
    return values if values.dtype == np.float32 else np.asarray(values, dtype=np.float64)
