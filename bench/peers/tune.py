"""Parameters of scikit-learn-intelex's SVC or SVR, or scikit-learn's OneClassSVM, by cross-validation; prints a
JSON object.

    python tune.py PROBLEM DATA OPTIONS

OPTIONS is JSON: grid (lists of cost, gamma, epsilon, nu), folds, and repeats of the division into them. Runs in the benchmark's virtual environment."""

import json
import sys

from machines import NAMES, SCORINGS, machine_of

sys.dont_write_bytecode = True


def main():
    problem, data, options = sys.argv[1:]
    options = json.loads(options)
    import numpy as np
    from sklearn.datasets import load_svmlight_file
    from sklearn.model_selection import GridSearchCV, RepeatedKFold, RepeatedStratifiedKFold

    x, y = load_svmlight_file(data)
    grid = {NAMES[name]: values for name, values in options["grid"].items()}
    divide = RepeatedStratifiedKFold if problem == "classification" else RepeatedKFold
    folds = divide(n_splits=options["folds"], n_repeats=options["repeats"], random_state=1)
    search = GridSearchCV(machine_of("sklearnex", problem)(), grid, scoring=SCORINGS[problem], cv=folds, refit=False)
    search.fit(np.asarray(x.toarray(), dtype=np.float32), y)
    best = {name: search.best_params_[NAMES[name]] for name in options["grid"]}
    json.dump({"best": best, "score": float(search.best_score_)}, sys.stdout)


if __name__ == "__main__":
    main()
