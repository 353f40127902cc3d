"""Calls of the library: contexts, callbacks, Ctrl-C."""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from ._core import ffi, lib
from ._errors import check, in_words_of_python

TRACE_TYPE = np.dtype(
    [
        ("iteration", np.int64),
        ("step", "U8"),
        ("objective", np.float64),
        ("gap", np.float64),
        ("relative_gap", np.float64),
        ("lambda", np.float64),
        ("mu", np.float64),
        ("active", np.uint64),
        ("kernel_columns", np.uint64),
        ("seconds", np.float64),
    ]
)


class Progress(NamedTuple):
    """What callbacks are told a few times per second.

    Attributes
    ----------
    phase : str
        What is being done: "train", "path", "tune", ...
    done : float
        Estimated share of it, from 0 to 1; negative if unknown.
    seconds, seconds_left : float
        Since it began, and estimated until it ends; negative if unknown.
    point, points : int
        Of a path or a tuning: the current point, from 1, and how many there are; else 0.
    iterations : int
        Steps so far.
    gap, relative_gap, target : float
        The gap now, and the relative gap at which training stops.
    active : int
        Vertices with positive weight: candidates for support vectors.
    """

    phase: str
    done: float
    seconds: float
    seconds_left: float
    point: int
    points: int
    iterations: int
    gap: float
    relative_gap: float
    target: float
    active: int


class Context:
    """A context of the library for one call, or for a few of one thread.

    Parameters
    ----------
    n_jobs : int or None
        Threads, as scikit-learn counts them, but None means all of them.
    listener : callable, optional
        Called with a Progress; a true return value stops the work.
    trace : bool
        Whether to keep the rows of the trace.
    """

    def __init__(
        self,
        n_jobs: int | None = None,
        listener: Callable[[Progress], object] | None = None,
        trace: bool = False,
    ) -> None:
        self.listener = listener
        self.rows: list[tuple[Any, ...]] = []
        self.messages: list[str] = []
        self.error: BaseException | None = None
        self._self = ffi.new_handle(self)
        options = ffi.new("partan_context_options *")
        lib.partan_context_options_init_sized(options, ffi.sizeof("partan_context_options"))
        options.threads = _threads(n_jobs)
        options.log = lib.partan_on_log
        options.progress = lib.partan_on_progress
        options.trace = lib.partan_on_trace if trace else ffi.NULL
        options.user = self._self
        self.handle = lib.partan_create(options)
        if not self.handle:
            raise MemoryError("there is no memory for a context")

    def __del__(self) -> None:
        handle, self.handle = getattr(self, "handle", None), None
        if handle:
            lib.partan_destroy(handle)

    def call(self, function: Callable[..., int], *arguments: Any) -> int:
        """Calls a function of the library, which stops on Ctrl-C; raises exceptions for failures."""
        with _Listening(self) as listening:
            status: int = function(self.handle, *arguments)
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        # A second Ctrl-C means the program, and so does one that came too late to stop anything.
        if listening.heard > 1 or (listening.heard == 1 and status != lib.PARTAN_INTERRUPTED):
            raise KeyboardInterrupt
        self._warn()
        return check(status, self.handle)

    def finish(self, function: Callable[..., int], *arguments: Any) -> None:
        """The same, for functions that have no result if they are stopped."""
        if self.call(function, *arguments) == lib.PARTAN_INTERRUPTED:
            raise KeyboardInterrupt

    def trace(self) -> np.ndarray[Any, Any]:
        """The rows of the trace so far."""
        return np.array(self.rows, dtype=TRACE_TYPE)

    def _warn(self) -> None:
        messages, self.messages = self.messages, []
        for message in messages:
            warnings.warn(message, UserWarning, stacklevel=6)


class _Listening:
    """Makes Ctrl-C stop a call of the main thread, unless the program has a handler of its own."""

    current: Context | None = None

    def __init__(self, context: Context) -> None:
        self.context = context
        self.heard = 0
        self.active = False

    def __enter__(self) -> _Listening:
        if (
            threading.current_thread() is threading.main_thread()
            and _Listening.current is None
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        ):
            self.active = bool(lib.partan_listen(self.context.handle))
            _Listening.current = self.context if self.active else None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.active:
            self.heard = lib.partan_unlisten()
            _Listening.current = None


def _threads(n_jobs: int | None) -> int:
    if n_jobs is None or n_jobs == -1:
        return 0
    if isinstance(n_jobs, (bool, np.bool_)) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ValueError(f"n_jobs takes a whole number other than 0, or None for all processors, not {n_jobs!r}")
    if n_jobs > 0:
        return int(min(n_jobs, 1 << 20))
    limits = ffi.new("partan_limits *")
    lib.partan_limits_init_sized(limits, ffi.sizeof("partan_limits"))
    lib.partan_limits_find(limits)
    return max(1, int(limits.threads) + 1 + int(n_jobs))


def library_callback(name: str, returns: bool = True) -> Callable[[Callable[..., Any]], Any]:
    """Makes a function the library's callback of this name. Its first argument, `user`, is the handle of a Context, or of
    an object that has one as `context`. Exceptions end the call, and are raised when it has returned."""
    how: dict[str, Any] = {"error": 1} if returns else {}
    decorator: Callable[[Callable[..., Any]], Any] = ffi.def_extern(name=name, onerror=_stop, **how)
    return decorator


def _stop(_kind: type[BaseException], error: BaseException, traceback: TracebackType) -> None:
    """An exception in a callback, or of a signal handler of the program that ran there."""
    owner = ffi.from_handle(traceback.tb_frame.f_locals["user"])
    context: Context = getattr(owner, "context", owner)
    context.error = context.error or error
    lib.partan_interrupt(context.handle)


@library_callback("partan_on_log", returns=False)
def _on_log(user: Any, level: int, message: Any) -> None:
    if level == lib.PARTAN_LOG_WARNING:
        ffi.from_handle(user).messages.append(_advice(ffi.string(message).decode(errors="replace")))


@library_callback("partan_on_progress")
def _on_progress(user: Any, progress: Any) -> int:
    owner: Context = ffi.from_handle(user)
    return 1 if owner.listener and owner.listener(_progress(progress)) else 0


@library_callback("partan_on_trace", returns=False)
def _on_trace(user: Any, row: Any) -> None:
    ffi.from_handle(user).rows.append(
        (
            row.iteration,
            ffi.string(lib.partan_step_type_name(row.type)).decode(),
            row.objective,
            row.gap,
            row.relative_gap,
            getattr(row, "lambda"),
            row.mu,
            row.active,
            row.kernel_columns,
            row.seconds,
        )
    )


def _progress(progress: Any) -> Progress:
    values = {name: getattr(progress, name) for name in Progress._fields if name != "phase"}
    return Progress(phase=ffi.string(progress.phase).decode(), **values)


def _advice(message: str) -> str:
    """Where the library names its option, the class that does the same here."""
    return in_words_of_python(message).replace(
        "scale them with --scale standard or --scale minmax",
        "scale them with sklearn.preprocessing.StandardScaler, for example in a Pipeline",
    )
