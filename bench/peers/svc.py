"""One fit and prediction by scikit-learn's SVC, plain or patched by scikit-learn-intelex, or by partan's; prints a JSON
object.

    python svc.py {sklearn|sklearnex|partan} TRAIN TEST OPTIONS

OPTIONS is JSON: cost, gamma, sparse, shrinking; for partan, also tol. Runs in the benchmark's virtual environment. Times are of fit() and
predict() alone, after a fit on a few rows that wakes threads and loads libraries; reading is scikit-learn's own reader
of LIBSVM text."""

import json
import logging
import os
import sys
import time


class Listener(logging.Handler):
    """Collects which implementation each call used: the patched SVC falls back to the plain one in silence."""

    def __init__(self):
        super().__init__(logging.INFO)
        self.said = []

    def emit(self, record):
        self.said.append(record.getMessage())


def listen():
    listener = Listener()
    for name in ("sklearnex", "onedal"):
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        logger.addHandler(listener)
        logger.propagate = False
    return listener


def timed(call):
    wall, cpu = time.perf_counter(), time.process_time()
    result = call()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def main():
    kind, train, test, options = sys.argv[1:]
    options = json.loads(options)
    listener = listen()
    if kind == "sklearnex":
        from sklearnex.svm import SVC
    elif kind == "partan":
        from partan import SVC
    else:
        from sklearn.svm import SVC
    import numpy as np
    from sklearn.datasets import load_svmlight_file, load_svmlight_files

    number = np.float64 if kind == "sklearn" else np.float32
    # The training file alone is what the other programs' reading time is of.
    (x, _), read, _ = timed(lambda: load_svmlight_file(train, dtype=number))
    x, y, x_test, y_test = load_svmlight_files([train, test], dtype=number)
    if not options["sparse"]:
        x, x_test = (np.ascontiguousarray(part.toarray(), dtype=number) for part in (x, x_test))

    def machine():
        if kind == "partan":
            return SVC(C=options["cost"], gamma=options["gamma"], tol=options["tol"])
        return SVC(C=options["cost"], gamma=options["gamma"], kernel="rbf", shrinking=options["shrinking"])

    few = np.concatenate([np.flatnonzero(y == label)[:32] for label in np.unique(y)])
    machine().fit(x[few], y[few]).predict(x_test[:32])
    listener.said.clear()

    svc, fit, fit_cpu = timed(lambda: machine().fit(x, y))
    labels, predict, predict_cpu = timed(lambda: svc.predict(x_test))
    accelerated = [text for text in listener.said if "accelerated" in text]
    json.dump(
        {
            "read": read,
            "fit": fit,
            "fit_cpu": fit_cpu,
            "predict": predict,
            "predict_cpu": predict_cpu,
            "accuracy": float(np.mean(labels == y_test)),
            "support_vectors": len(svc.support_),
            "training": svc.certificate_.seconds if kind == "partan" else None,  # without what Python adds
            "relative_gap": svc.relative_gap_ if kind == "partan" else None,
            "accelerated": len(accelerated) > 0,
            "threads": len(os.sched_getaffinity(0)),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
