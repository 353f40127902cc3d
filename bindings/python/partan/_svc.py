"""SVC: classification by support vector machines."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from ._arrays import TextArray
from ._context import Context
from ._core import ffi, lib
from ._labels import Labels, text_of
from ._machine import KernelMachine, Posed
from ._progress import with_callbacks
from ._settings import choice, flag, real, whole
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
    probability : bool, default=False
        Whether to calibrate probabilities of the classes, on folds that are held out in turn: :meth:`predict_proba` is
        then there, and the most probable class is predicted.
    probability_cv : int, default=5
        How many folds.
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
        probability: bool = False,
        probability_cv: int = 5,
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
        self.probability = probability
        self.probability_cv = probability_cv
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
        self._fit(X, y, sample_weight)
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

    @available_if(lambda self: self.probability or self._calibrated())  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> np.ndarray[Any, Any]:
        """The probabilities of the classes, with probability=True.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            As for :meth:`decision_function`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``. The prediction is the most probable class.
        """
        values = np.ascontiguousarray(self._decision(X))
        found = np.empty((len(values), len(self.classes_)))
        Context(self.n_jobs).finish(
            lib.partan_probabilities,
            self._model.handle,
            ffi.from_buffer("double[]", values),
            len(values),
            ffi.from_buffer("double[]", found),
        )
        return found

    @available_if(lambda self: self.probability or self._calibrated())  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> np.ndarray[Any, Any]:
        """The logarithms of :meth:`predict_proba`.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            As for :meth:`decision_function`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        logarithms: np.ndarray[Any, Any] = np.log(self.predict_proba(X))
        return logarithms

    # ---- Inside ----

    def _calibrated(self) -> bool:
        """Whether it is a model with probabilities, which may have been loaded."""
        return hasattr(self, "_model") and bool(lib.partan_model_has_probability(self._model.handle))

    def _pose(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> Posed:
        X, y = self._take(X, reset=reset, y=y)
        check_classification_targets(y)
        weights = self._weights(sample_weight, X)
        labels = Labels(y, None if reset else self.classes_)
        counted = labels.classes if weights is None else labels.classes_of_weight(weights)
        if len(counted) < 2:
            found = f"only one class, {counted.tolist()[0]!r}" if len(counted) else "no class of a weight above 0"
            raise ValueError(f"training needs two classes or more, found {found}")
        return Posed(X, labels=labels, weights=weights)

    def _know(self, posed: Posed) -> None:
        super()._know(posed)
        assert posed.labels is not None
        labels, weights = posed.labels, posed.weights
        self.classes_ = labels.classes if weights is None else labels.classes_of_weight(weights)

    def _training(self, posed: Posed) -> tuple[Any, Any]:
        settings, _ = super()._training(posed)
        settings.multiclass = choice("multiclass", self.multiclass, MULTICLASS)
        settings.probability = flag("probability", self.probability)
        settings.probability_folds = whole("probability_cv", self.probability_cv, least=2)
        assert posed.labels is not None
        return settings, fill_class_weights(settings, self.class_weight, posed.labels)


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
