"""The machines of scikit-learn, scikit-learn-intelex and partan by the problem that they solve."""

import importlib

CLASSES = {"classification": "SVC", "regression": "SVR", "outlier": "OneClassSVM"}
SCORINGS = {"classification": "accuracy", "regression": "r2", "outlier": "roc_auc"}
# What the benchmark and scikit-learn call the parameters.
NAMES = {"cost": "C", "gamma": "gamma", "epsilon": "epsilon", "nu": "nu"}


def machine_of(kind, problem):
    """The class; scikit-learn-intelex has no OneClassSVM, so that is scikit-learn's for both."""
    plain = kind == "sklearnex" and problem == "outlier"
    module = "sklearn.svm" if plain else {"sklearnex": "sklearnex.svm", "partan": "partan"}.get(kind, "sklearn.svm")
    return getattr(importlib.import_module(module), CLASSES[problem])
