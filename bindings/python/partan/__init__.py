"""Kernel machines on large data by Frank-Wolfe methods, with a certificate: scikit-learn estimators."""

from ._certificate import Certificate, Verification
from ._context import Progress
from ._core import ffi as _ffi
from ._core import lib as _lib
from ._errors import InterruptedWarning, LimitWarning
from ._lasso import Lasso, LassoCV
from ._load import load
from ._matrix import MatrixCompletion
from ._outliers import OutlierDetector
from ._path import Path
from ._plots import plot_decision, plot_path, plot_trace, plot_tuning
from ._svc import SVC
from ._svr import SVR
from ._tune import Tuning, tune

__version__: str = _ffi.string(_lib.partan_version()).decode()

__all__ = [
    "SVC",
    "SVR",
    "Certificate",
    "InterruptedWarning",
    "Lasso",
    "LassoCV",
    "LimitWarning",
    "MatrixCompletion",
    "OutlierDetector",
    "Path",
    "Progress",
    "Tuning",
    "Verification",
    "load",
    "plot_decision",
    "plot_path",
    "plot_trace",
    "plot_tuning",
    "tune",
]
