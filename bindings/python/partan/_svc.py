"""SVC: classification by support vector machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight

from ._arrays import TextArray
from ._certificate import Verification
from ._context import Context
from ._core import ffi, lib
from ._labels import Labels, text_of
from ._machine import KernelMachine
from ._model import Model
from ._path import Path, path_of
from ._progress import Listener, with_callbacks
from ._settings import choice, real
from ._votes import scores_of_classes

MULTICLASS: dict[str, int] = {"ovo": lib.PARTAN_ONE_VS_ONE, "ovr": lib.PARTAN_ONE_VS_REST}


class SVC(ClassifierMixin, KernelMachine):  # type: ignore[misc]
    """Support vector classification with a certificate.

    Trains an L2-SVM (squared hinge loss) by a Frank-Wolfe method. Training stops when the margin is proven to be within
    `tol` of the best possible one. It is used like :class:`sklearn.svm.SVC`; parameters of the same name have the same
    meaning, except where this is said below.

    Parameters
    ----------
    C : float, default=1.0
        Penalty for errors. The loss is the squared hinge: 1/C is added to the diagonal of the kernel matrix.
    kernel : {"linear", "poly", "rbf", "sigmoid", "laplacian", "precomputed"} or callable, default="rbf"
        A callable gets two arrays of rows and returns the matrix of their kernel values. With "precomputed", X is the
        kernel matrix.
    degree : int, default=3
        Of the polynomial kernel.
    gamma : {"scale", "auto", "distance"} or float, default="scale"
        "scale" is 1 / (n_features * X.var()), "auto" 1 / n_features, "distance" 1 / the mean squared distance of two
        rows, which is the default of the command line.
    coef0 : float, default=0.0
        Constant term of "poly" and "sigmoid".
    tol : float or "auto", default="auto"
        The relative gap at which training stops: 0.05 proves that the margin is within 5 % of the best possible one.
        "auto" is 0.05 or, for at most 100 rows, 1e-9; 0.001 corresponds to the default of :class:`sklearn.svm.SVC`.
    max_iter : int, default=-1
        Limit of the iterations of each machine; -1 for none.
    time_limit : float, default=None
        Seconds after which training stops, with a usable model and its true gap.
    class_weight : dict or "balanced", default=None
        C is multiplied by the weight of a row's class. "balanced" gives all classes the same total weight.
    multiclass : {"ovo", "ovr"}, default="ovo"
        With more than two classes, a machine for each pair of classes, or for each class against the rest.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Whether the decision function of more than two classes has a value for each class, or for each machine.
    solver : {"auto", "fw", "mfw", "swap", "partan"}, default="auto"
        The active-set solver, or a Frank-Wolfe variant: plain, with away steps, with pairwise steps, with parallel
        tangents.
    sample : int, default=None
        Rows that are searched in each iteration (of a Frank-Wolfe variant), at random; None for all.
    cache_size : float, default=None
        Megabytes for kernel columns. None depends on the cost of a kernel value and the free memory.
    n_jobs : int, default=None
        Threads; None and -1 are all processors. Results do not depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed. None is a fixed seed: fits can be repeated.
    warm_start : bool, default=False
        Whether fit continues from the last solution.
    callback : callable, default=None
        Called a few times per second with a :class:`partan.Progress`; a true return value stops training.
    verbose : int, default=0
        1 draws a progress bar, in a terminal or a notebook.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in ascending order.
    gap_, relative_gap_ : float
        The duality gap, the largest of all machines.
    certificate_ : Certificate
        What training proves; :meth:`verify` recomputes it.
    trace_ : structured ndarray
        Iteration, step, objective, gap, relative_gap, lambda, mu, active, kernel_columns and seconds of about 1000
        steps (rounds, for solver="auto") of the training.
    support_, support_vectors_ : ndarray
        The support vectors: their rows in X, and their features (float32; sparse, if X was).
    dual_coef_ : ndarray of shape (n_machines, n_support)
        Their coefficients in the decision function of each machine; 0 for those of other machines.
    intercept_ : ndarray of shape (n_machines,)
        Constants of the decision functions.
    n_iter_ : ndarray of shape (n_machines,)
        Iterations.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from partan import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), SVC(C=10)).fit(X, y)
    >>> model.predict(X[:2])
    array([0, 0])
    >>> bool(model[-1].relative_gap_ <= 0.05)
    True
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        tol: float | str = "auto",
        max_iter: int = -1,
        time_limit: float | None = None,
        class_weight: dict[Any, float] | str | None = None,
        multiclass: str = "ovo",
        decision_function_shape: str = "ovr",
        solver: str = "auto",
        sample: int | None = None,
        cache_size: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        warm_start: bool = False,
        callback: Any = None,
        verbose: int = 0,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.class_weight = class_weight
        self.multiclass = multiclass
        self.decision_function_shape = decision_function_shape
        self.solver = solver
        self.sample = sample
        self.cache_size = cache_size
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.warm_start = warm_start
        self.callback = callback
        self.verbose = verbose

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SVC:
        """Train on X and y.

        Ctrl-C stops training within half a second: fit then returns as usual, with a warning, and the estimator has the
        model so far, with its true gap. A second Ctrl-C raises KeyboardInterrupt.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            float32 and float64 arrays of any order are read in place, and so are CSR matrices of float32.
        y : array of shape (n_samples,)
            Labels: numbers or words.
        sample_weight : array of shape (n_samples,), default=None
            What C is multiplied by for each row. A weight of 2 is the same as having the row twice.

        Returns
        -------
        self
        """
        X, labels, weights = self._input(X, y, sample_weight, reset=True)
        settings, _kept = self._training(X, labels, weights)
        context = Context(self.n_jobs, Listener(self, "SVC"), trace=True)
        data = self._data(context, X, labels, None, weights)
        status = self._train(context, data, settings)
        self._rows = X if callable(self.kernel) else None
        self.classes_ = labels.classes if weights is None else labels.classes_of_weight(weights)
        self._warn_of(status)
        return self

    def decision_function(self, X: Any) -> np.ndarray[Any, Any]:
        """Decision values.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Rows; with kernel="precomputed", their kernel values with the rows of the training data.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_machines)
            For two classes, one value a row, positive for ``classes_[1]``. For more, by `decision_function_shape`, a
            value for each class, the greatest one for the predicted class, or the values of all machines: ``pairs_``
            says which classes they tell apart.
        """
        values = self._decision(X)
        if len(self.classes_) == 2:
            return values[:, 0]
        shape = choice("decision_function_shape", self.decision_function_shape, {"ovr": 0, "ovo": 1})
        return values if shape == 1 else scores_of_classes(values, self._model.pairs, len(self.classes_))

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """The classes of rows.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            As for :meth:`decision_function`.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        values = self._decision(X)
        labels: np.ndarray[Any, Any] = self.classes_[self._model.decide(values)]
        return labels

    @property
    def pairs_(self) -> list[tuple[Any, Any]]:
        """The positive and the negative class of each machine; None stands for all others."""
        pairs = self._fitted().pairs
        return [(self.classes_[a], self.classes_[b] if b >= 0 else None) for a, b in pairs]

    def verify(self, X: Any, y: Any, sample_weight: Any = None) -> Verification:
        """Recompute the certificate from the training data, in double precision.

        Parameters
        ----------
        X, y, sample_weight
            What the model was trained on.

        Returns
        -------
        Verification
            True if everything is as the model states; `reason` says what is not.
        """
        self._fitted()
        X, labels, weights = self._input(X, y, sample_weight, reset=False)
        return self._verify(X, labels, None, weights)

    def path(self, X: Any, y: Any, Cs: Sequence[float], sample_weight: Any = None) -> Path:
        """Train with each of several values of C, each with its own certificate.

        A whole path in ascending order takes little longer than one training.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`fit`.
        Cs : sequence of float
            Values of C.

        Returns
        -------
        Path
            A sequence of fitted estimators, with a table.
        """
        X, labels, weights = self._input(X, y, sample_weight, reset=True)
        settings, _kept = self._training(X, labels, weights)
        context = Context(self.n_jobs, Listener(self, "path"))
        data = self._data(context, X, labels, None, weights)
        classes = labels.classes if weights is None else labels.classes_of_weight(weights)

        def fitted(model: Model) -> SVC:
            estimator = SVC(**{**self.get_params(), "C": model.settings.cost})
            estimator._adopt(model, data.array.is_sparse, classes)
            estimator._rows = X if callable(self.kernel) else None
            estimator.n_features_in_ = self.n_features_in_
            if hasattr(self, "feature_names_in_"):
                estimator.feature_names_in_ = self.feature_names_in_
            return estimator

        return path_of(context, data, settings, Cs, fitted)

    # ---- Inside ----

    def _adopt(self, model: Model, is_sparse: bool, classes: np.ndarray[Any, Any]) -> None:
        """A model that was trained elsewhere."""
        self._keep(model, is_sparse)
        self.classes_ = classes
        self._rows = None

    def _input(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> tuple[Any, Labels, Any]:
        X, y = self._take(X, reset=reset, y=y)
        check_classification_targets(y)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        labels = Labels(y, None if reset else self.classes_)
        counted = labels.classes if weights is None else labels.classes_of_weight(weights)
        if len(counted) < 2:
            found = f"only one class, {counted[0]!r}" if len(counted) else "no class of a weight above 0"
            raise ValueError(f"training needs two classes or more, found {found}")
        return X, labels, weights

    def _training(self, X: Any, labels: Labels, weights: Any) -> tuple[Any, Any]:
        """Settings, and what must live as long as they do."""
        settings = self._settings(X, weights)
        settings.multiclass = choice("multiclass", self.multiclass, MULTICLASS)
        return settings, fill_class_weights(settings, self.class_weight, labels)


def fill_class_weights(settings: Any, class_weight: Any, labels: Labels) -> Any:
    """Weights of classes; returns what must live as long as the settings do."""
    if class_weight is None:
        return None
    if class_weight == "balanced":
        settings.balanced = 1
        return None
    if not isinstance(class_weight, dict):
        raise ValueError(f"class_weight takes a dict, balanced or None, not {class_weight!r}")
    chosen = [(one, class_weight[one]) for one in labels.classes.tolist() if one in class_weight]
    texts = TextArray([text_of(one) for one, _ in chosen])
    entries = ffi.new("partan_class_weight[]", max(1, len(chosen)))
    for i, (_, weight) in enumerate(chosen):
        entries[i].label = texts.pointers[i]
        entries[i].weight = real("class_weight", weight)
    settings.class_weights = entries
    settings.class_weight_count = len(chosen)
    return texts, entries
