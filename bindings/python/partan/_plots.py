"""Pictures, drawn by matplotlib, which is optional."""

from __future__ import annotations

from typing import Any

import numpy as np


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return plt.subplots(layout="constrained")[1]


def plot_trace(estimator: Any, *, x: str = "iteration", y: str = "relative_gap", ax: Any = None, **line: Any) -> Any:
    """Plot the course of a training.

    Parameters
    ----------
    estimator : fitted estimator
        With a `trace_`.
    x : {"iteration", "seconds"}, default="iteration"
        The horizontal axis.
    y : {"relative_gap", "gap", "objective", "active"}, default="relative_gap"
        The vertical axis.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a figure.
    **line : dict
        Properties of the line: label, color, ...

    Returns
    -------
    matplotlib Axes
    """
    trace = estimator.trace_
    ax = _axes(ax)
    shown = (trace[x] > 0) & (trace[y] > 0)  # what logarithmic axes can show
    ax.loglog(trace[x][shown], trace[y][shown], **line)
    if y == "relative_gap":
        ax.axhline(estimator.certificate_.target, color="0.7", linestyle="--", linewidth=1)
    ax.set_xlabel(x)
    ax.set_ylabel(y.replace("_", " "))
    if "label" in line:
        ax.legend()
    return ax


def plot_path(path: Any, *, y: str = "support_vectors", X: Any = None, labels: Any = None, ax: Any = None) -> Any:
    """Plot a path over C.

    Parameters
    ----------
    path : Path
        What :meth:`SVC.path` returned.
    y : str, default="support_vectors"
        A column of its table; not used if X is given.
    X, labels : arrays, default=None
        Test data: the accuracy is plotted.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a figure.

    Returns
    -------
    matplotlib Axes
    """
    ax = _axes(ax)
    values = path.table[y] if X is None else [estimator.score(X, labels) for estimator in path]
    ax.semilogx(path.table["C"], values, marker="o")
    ax.set_xlabel("C")
    ax.set_ylabel("accuracy" if X is not None else y.replace("_", " "))
    return ax


def plot_decision(estimator: Any, X: Any, y: Any, *, resolution: int = 200, ax: Any = None) -> Any:
    """Plot the regions of an estimator of two features, with rows and support vectors.

    Parameters
    ----------
    estimator : fitted SVC
        Of two features.
    X, y : arrays
        Rows to show.
    resolution : int, default=200
        Points of the grid in each direction.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a figure.

    Returns
    -------
    matplotlib Axes
    """
    X = np.asarray(X)
    if X.ndim != 2 or X.shape[1] != 2:
        raise ValueError(f"regions are drawn in the plane: found an array of shape {X.shape}, expected two features")
    ax = _axes(ax)
    margin = 0.05 * (X.max(axis=0) - X.min(axis=0))
    least, most = X.min(axis=0) - margin, X.max(axis=0) + margin
    across, up = (np.linspace(least[i], most[i], resolution) for i in range(2))
    grid = np.stack(np.meshgrid(across, up), axis=-1)
    found = np.searchsorted(estimator.classes_, estimator.predict(grid.reshape(-1, 2)))
    numbers = np.searchsorted(estimator.classes_, y)
    count = len(estimator.classes_)
    ax.contourf(
        across, up, found.reshape(resolution, resolution), levels=np.arange(count + 1) - 0.5, alpha=0.3, cmap="viridis"
    )
    ax.scatter(X[:, 0], X[:, 1], c=numbers, cmap="viridis", vmin=0, vmax=count - 1, s=12)
    vectors = estimator.support_vectors_
    ax.scatter(vectors[:, 0], vectors[:, 1], s=40, facecolors="none", edgecolors="0.3", linewidths=0.6)
    return ax


def plot_tuning(tuning: Any, *, ax: Any = None) -> Any:
    """Plot the scores of a tuning: a line over C for one gamma, else a heat map over C and gamma.

    Parameters
    ----------
    tuning : Tuning
        What :func:`tune` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a figure.

    Returns
    -------
    matplotlib Axes
    """
    ax = _axes(ax)
    table = tuning.table_
    Cs, gammas = np.unique(table["C"]), np.unique(table["gamma"])
    ax.set_xlabel("C")
    ax.set_xscale("log")
    if len(gammas) == 1:
        order = np.argsort(table["C"])
        ax.errorbar(table["C"][order], table["score"][order], yerr=table["deviation"][order], marker="o", capsize=3)
        ax.set_ylabel("score")
        return ax
    scores = np.full((len(gammas), len(Cs)), np.nan)
    scores[np.searchsorted(gammas, table["gamma"]), np.searchsorted(Cs, table["C"])] = table["score"]
    picture = ax.pcolormesh(Cs, gammas, scores, shading="nearest")
    ax.figure.colorbar(picture, ax=ax, label="score")
    best = tuning.best_params_
    ax.plot(best["C"], best["gamma"], marker="o", markerfacecolor="none", color="red")
    ax.set_yscale("log")
    ax.set_ylabel("gamma")
    return ax
