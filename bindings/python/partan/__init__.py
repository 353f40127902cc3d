"""Kernel machines on large data by Frank-Wolfe methods, with a certificate: scikit-learn estimators."""

from ._certificate import Certificate, Verification
from ._context import Progress
from ._core import ffi as _ffi
from ._core import lib as _lib
from ._errors import InterruptedWarning, LimitWarning
from ._path import Path
from ._svc import SVC

__version__: str = _ffi.string(_lib.partan_version()).decode()

__all__ = [
    "SVC",
    "Certificate",
    "InterruptedWarning",
    "LimitWarning",
    "Path",
    "Progress",
    "Verification",
]
