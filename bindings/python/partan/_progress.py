"""The progress bar of verbose=1, and callbacks that scikit-learn hands to estimators."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ._context import Progress

try:  # scikit-learn 1.9 and later
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Without support by scikit-learn, estimators have none either."""

    def with_callbacks(method: Any) -> Any:
        """The method as it is."""
        return method


__all__ = ["CallbackSupportMixin", "Listener", "with_callbacks"]

WIDTH = 24
LONGEST = 100 * 3600.0  # seconds; what is estimated beyond that means nothing


class Listener:
    """Everyone who wants to know how a fit gets on: the bar, the user's callback, scikit-learn's callbacks."""

    def __init__(self, estimator: Any, name: str) -> None:
        self.callback: Callable[[Progress], object] | None = estimator.callback
        if self.callback is not None and not callable(self.callback):
            raise TypeError(f"callback takes a function or None, not {self.callback!r}")
        self.time_limit = estimator.time_limit
        self.bar = Bar(name) if estimator.verbose else None
        self.tasks = Tasks(estimator) if getattr(estimator, "_skl_callbacks", None) else None

    def __call__(self, progress: Progress) -> bool:
        if self.time_limit:
            left = max(0.0, self.time_limit - progress.seconds)
            progress = progress._replace(
                done=max(progress.done, min(1.0, progress.seconds / self.time_limit)),
                seconds_left=left if progress.seconds_left < 0 else min(left, progress.seconds_left),
            )
        if self.bar:
            self.bar.draw(progress)
        stop = self.tasks.reach(progress.done) if self.tasks else False
        return bool(self.callback(progress)) or stop if self.callback else stop

    def close(self) -> None:
        """Ends the line of the bar, and the tasks."""
        if self.bar:
            self.bar.close()
        if self.tasks:
            self.tasks.close()


class Bar:
    """One line that is drawn over again: on standard error, if that is a terminal, or as an output of a notebook."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.line: _Terminal | _Notebook | None = None
        if "ipykernel" in sys.modules:
            self.line = _Notebook()
        elif sys.stderr.isatty():
            self.line = _Terminal()

    def draw(self, progress: Progress) -> None:
        """Shows how far it is."""
        if self.line:
            self.line.show(self.text(progress))

    def text(self, progress: Progress) -> str:
        """What is shown."""
        done = min(1.0, max(0.0, progress.done))
        filled = round(done * WIDTH)
        text = f"{self.name} [{'#' * filled}{'.' * (WIDTH - filled)}] {done:4.0%}"
        if progress.points:
            text += f"  point {progress.point} of {progress.points}"
        if progress.iterations > 0:
            text += f"  gap {progress.relative_gap:.3g} -> {progress.target:g}  {progress.iterations:,} iterations"
        if 0 <= progress.seconds_left < LONGEST:
            text += f"  {duration(progress.seconds_left)} left"
        return text

    def close(self) -> None:
        """Ends the line."""
        if self.line:
            self.line.end()


class _Terminal:
    """Carriage returns; the line is cleared at the end."""

    def __init__(self) -> None:
        self.stream = sys.stderr
        self.length = 0

    def show(self, text: str) -> None:
        """Over what was there."""
        self.stream.write("\r" + text.ljust(self.length))
        self.stream.flush()
        self.length = len(text)

    def end(self) -> None:
        """Clears the line."""
        if self.length:
            self.stream.write("\r" + " " * self.length + "\r")
            self.stream.flush()
            self.length = 0


class _Notebook:
    """One output of its own that is replaced: carriage returns would be stored in the notebook, every one of them, and
    leave an empty line. The last state stays."""

    def __init__(self) -> None:
        self.handle: Any = None

    def show(self, text: str) -> None:
        """In the place of what was there."""
        from IPython.display import DisplayHandle

        content = {"text/plain": text}
        if self.handle is None:
            self.handle = DisplayHandle()  # type: ignore[no-untyped-call]
            self.handle.display(content, raw=True)
        else:
            self.handle.update(content, raw=True)

    def end(self) -> None:
        """Nothing to do."""


def duration(seconds: float) -> str:
    """Seconds as people say them."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.0f} h"


class Tasks:
    """A fit as scikit-learn's callbacks see it: a task of a hundred subtasks, one for each percent."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator
        self.percent = 0
        self.root = estimator._init_callback_context(max_subtasks=100)
        self.root.call_on_fit_task_begin(estimator=estimator)

    def reach(self, done: float) -> bool:
        """Ends the subtasks up to this share; returns whether a callback wants to stop."""
        stop = False
        while self.percent < min(100, int(100 * done)):
            self.percent += 1
            task = self.root.subcontext(task_name="percent")
            task.call_on_fit_task_begin(estimator=self.estimator)
            stop = bool(task.call_on_fit_task_end(estimator=self.estimator)) or stop
        return stop

    def close(self) -> None:
        """Ends the task."""
        self.root.call_on_fit_task_end(estimator=self.estimator)
