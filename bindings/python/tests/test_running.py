"""Long fits: Ctrl-C, limits, callbacks, progress, threads and forks."""

import os
import pty
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from sklearn.datasets import make_moons

import partan
from partan import SVC, Progress, _progress

# Takes minutes if nobody stops it.
LONG = """
import signal, sys, warnings
import numpy as np
import partan
X = np.random.RandomState(0).randn(6000, 10)
y = np.random.RandomState(1).randint(0, 2, 6000)
svc = partan.SVC(C=1e6, gamma=0.01, tol=1e-12, solver="fw"{parameters})
"""


def long_fit(parameters=""):
    X = np.random.RandomState(0).randn(6000, 10)
    y = np.random.RandomState(1).randint(0, 2, 6000)
    return SVC(C=1e6, gamma=0.01, tol=1e-12, solver="fw", **(parameters or {})), X, y


def interrupted(script):
    """Runs a script until it says "now", interrupts it, and returns what it printed then and its exit status."""
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=_hear_signals,
    ) as process:
        try:
            assert process.stdout.readline() == "now\n"
            time.sleep(0.7)
            process.send_signal(signal.SIGINT)
            return process.communicate(timeout=60)[0], process.returncode
        finally:
            process.kill()


def _hear_signals():
    """Tests may run in the background of a shell, where SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_leaves_a_fitted_estimator_with_a_warning():
    script = LONG.format(parameters="") + (
        "print('now', flush=True)\n"
        "with warnings.catch_warnings(record=True) as found:\n"
        "    warnings.simplefilter('always')\n"
        "    svc.fit(X, y)\n"
        "print([w.category.__name__ for w in found], svc.certificate_.status, svc.predict(X[:3]).shape)\n"
        "print(bool(svc.verify(X, y)), signal.getsignal(signal.SIGINT) is signal.default_int_handler)\n"
    )
    output, code = interrupted(script)
    assert "['InterruptedWarning'] INTERRUPTED (3,)" in output, output
    assert "True True" in output and code == 0


@pytest.mark.parametrize(
    "work",
    [
        "SVC(kernel='linear', tol=1e-9).fit(X, y)",
        "SVC(kernel='poly', gamma=0.1, tol=1e-9).fit(X, y)",
        "SVC(gamma=0.1, tol=1e-9).fit(S, y)",
        "SVR(gamma=0.1, tol=1e-9).fit(X, y)",
        "OutlierDetector(C=1e-4, tol=1e-9).fit(X)",
        "fitted.predict(X)",
        "fitted.verify(X, y)",
    ],
)
def test_ctrl_c_ends_all_kinds_of_work_on_many_rows(work):
    """Fits leave an estimator, other work ends by an exception. Predictions may have ended before; the deadline is that
    of interrupted()."""
    script = (
        "import numpy as np, warnings\n"
        "from scipy import sparse\n"
        "from partan import *\n"
        "warnings.simplefilter('ignore')\n"
        "X = np.random.RandomState(0).randn(300000, 20)\n"
        "y = np.random.RandomState(1).randint(0, 2, 300000)\n"
        f"S = sparse.csc_matrix(X) if '(S' in {work!r} else None\n"
        f"fitted = SVC(gamma=0.1, max_iter=30).fit(X, y) if 'fitted' in {work!r} else None\n"
        "print('now', flush=True)\n"
        "try:\n"
        f"    found = {work}\n"
        "    print(found.certificate_.status if hasattr(found, 'certificate_') else 'early')\n"
        "except KeyboardInterrupt:\n"
        "    print('exception')\n"
    )
    expected = ("exception", "early") if work.startswith("fitted") else ("INTERRUPTED",)
    assert interrupted(script)[0].strip() in expected


def test_a_second_ctrl_c_raises():
    def callback(_progress):
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        svc, X, y = long_fit({"callback": callback})
        with pytest.raises(KeyboardInterrupt):
            svc.fit(X, y)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_handler_of_the_program_is_left_alone():
    script = LONG.format(parameters="") + (
        "class Enough(Exception): pass\n"
        "def own(*_): raise Enough\n"
        "signal.signal(signal.SIGINT, own)\n"
        "print('now', flush=True)\n"
        "try:\n"
        "    svc.fit(X, y)\n"
        "except Enough:\n"
        "    print('own')\n"
    )
    assert "own" in interrupted(script)[0]


def test_a_time_limit_warns_and_leaves_a_usable_estimator():
    svc, X, y = long_fit({"time_limit": 0.3})
    with pytest.warns(partan.LimitWarning, match="stopped by time_limit: the relative gap is"):
        svc.fit(X, y)
    assert svc.certificate_.status == "TIME_LIMIT" and svc.predict(X).shape == (6000,)
    assert svc.relative_gap_ > 1e-12 and not svc.certificate_.converged


def test_warnings_name_the_line_of_the_caller():
    svc, X, y = long_fit({"max_iter": 10})
    with pytest.warns(partan.LimitWarning) as found:
        svc.fit(X, y)
    assert found[0].filename == __file__


def test_callbacks_see_progress_and_stop():
    seen = []

    def callback(progress):
        seen.append(progress)
        return len(seen) >= 3

    svc, X, y = long_fit({"callback": callback})
    with pytest.warns(partan.InterruptedWarning, match="interrupted"):
        svc.fit(X, y)
    assert len(seen) == 3 and seen[-1].phase == "train" and seen[-1].iterations > 0
    assert seen[-1].seconds >= seen[0].seconds and seen[-1].target == 1e-12


def test_exceptions_of_callbacks_are_raised():
    class Oops(Exception):
        pass

    def callback(_progress):
        raise Oops

    svc, X, y = long_fit({"callback": callback})
    with pytest.raises(Oops):
        svc.fit(X, y)
    assert not hasattr(svc, "classes_")


def test_estimators_can_be_fitted_inside_callbacks():
    inner = []

    def callback(_progress):
        inner.append(SVC().fit(*make_moons(50, random_state=0)).score(*make_moons(50, random_state=0)))
        return True

    svc, X, y = long_fit({"callback": callback})
    with pytest.warns(partan.InterruptedWarning):
        svc.fit(X, y)
    assert inner[0] > 0.8


def test_the_interpreter_runs_on_during_a_fit():
    svc, X, y = long_fit({"time_limit": 0.5})
    thread = threading.Thread(target=_quietly, args=(svc, X, y))
    thread.start()
    ticks = 0
    while thread.is_alive():
        ticks += 1
        time.sleep(0.005)
    assert ticks > 10 and hasattr(svc, "classes_")


def _quietly(svc, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        svc.fit(X, y)


def test_fits_and_predictions_in_several_threads_at_once(moons):
    X, y = moons
    expected = SVC().fit(X, y)
    found = {}

    def work(number):
        svc = SVC(n_jobs=2).fit(X, y)
        found[number] = svc.dual_coef_, expected.decision_function(X), svc._model.to_bytes()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    for coefficients, decision, _ in found.values():
        assert np.array_equal(coefficients, expected.dual_coef_)
        assert np.array_equal(decision, expected.decision_function(X))


def test_a_child_after_fork_uses_and_makes_estimators(moons):
    X, y = moons
    svc = SVC(n_jobs=2).fit(X, y)
    expected = svc.decision_function(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of forks in programs with threads
        child = os.fork()
    if child == 0:
        try:
            same = np.array_equal(svc.decision_function(X), expected)
            again = SVC(n_jobs=2).fit(X, y)
            os._exit(0 if same and np.array_equal(again.dual_coef_, svc.dual_coef_) else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert np.array_equal(svc.decision_function(X), expected)


@pytest.mark.parametrize("n_jobs", [1, 2, -1, -2, None])
def test_results_do_not_depend_on_the_number_of_threads(moons, n_jobs):
    X, y = moons
    assert np.array_equal(SVC(n_jobs=n_jobs).fit(X, y).dual_coef_, SVC(n_jobs=1).fit(X, y).dual_coef_)


def run_on_a_terminal(script):
    """Standard error is a terminal."""
    outside, inside = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", script], stderr=inside, stdout=subprocess.PIPE) as process:
        os.close(inside)
        text = b""
        while True:
            try:
                part = os.read(outside, 4096)
            except OSError:
                break
            if not part:
                break
            text += part
        process.wait(timeout=60)
    os.close(outside)
    return text.decode()


def test_verbose_draws_a_bar_on_a_terminal_and_nothing_elsewhere(capfd):
    script = LONG.format(parameters=", verbose=1, time_limit=0.8") + "warnings.simplefilter('ignore')\nsvc.fit(X, y)\n"
    drawn = run_on_a_terminal(script)
    assert "\rSVC [" in drawn and "iterations" in drawn and drawn.endswith("\r")
    svc, X, y = long_fit({"verbose": 1, "time_limit": 0.3})
    _quietly(svc, X, y)
    assert capfd.readouterr().err == ""


def test_verbose_is_one_output_of_a_notebook():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    script = LONG.format(parameters=", verbose=1, time_limit=0.8") + "warnings.simplefilter('ignore')\nsvc.fit(X, y);"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(script)])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    drawn = [output for output in notebook.cells[0].outputs if output.output_type != "execute_result"]
    assert [output.output_type for output in drawn] == ["display_data"], drawn
    shown = drawn[0].data["text/plain"]
    assert shown.startswith("SVC [###") and shown.endswith(" s left") and "\r" not in shown


def test_the_time_left_is_said_as_people_do():
    bar = _progress.Bar("SVC")
    told = Progress("train", 0.5, 10.0, 30.0, 0, 0, 7, 1.0, 0.5, 0.05, 3)
    assert bar.text(told).endswith("7 iterations  30 s left")
    assert bar.text(told._replace(seconds_left=600.0)).endswith("  10 min left")
    assert bar.text(told._replace(seconds_left=36000.0)).endswith("  10 h left")
    assert bar.text(told._replace(seconds_left=1e12)).endswith("iterations")
    assert bar.text(told._replace(seconds_left=-1.0)).endswith("iterations")


def test_callbacks_of_scikit_learn():
    pytest.importorskip("sklearn.callback")

    class Recorder:
        def __init__(self):
            self.events = []

        def setup(self, estimator, context):
            self.events.append("setup")

        def on_fit_task_begin(self, estimator, context):
            self.events.append(f"begin {context.task_name}")

        def on_fit_task_end(self, estimator, context):
            self.events.append(f"end {context.task_name}")

        def teardown(self, estimator, context):
            self.events.append("teardown")

    recorder = Recorder()
    svc, X, y = long_fit({"time_limit": 0.6})
    svc.set_callbacks(recorder)
    _quietly(svc, X, y)
    assert recorder.events[:2] == ["setup", "begin fit"] and recorder.events[-2:] == ["end fit", "teardown"]
    assert recorder.events.count("begin percent") == recorder.events.count("end percent") > 0
