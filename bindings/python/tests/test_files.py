"""Model files are those of the command line: either reads what the other wrote, and predicts the same bits."""

import subprocess

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

import partan


def run(program, *words, folder):
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def files(moons, tmp_path):
    """The same rows as text and as arrays."""
    X, y = moons[0].astype(np.float32), moons[1]
    with open(tmp_path / "rows.csv", "w", encoding="utf-8") as text:
        for row, label in zip(X, y, strict=True):
            text.write(f"{label},{row[0]!s},{row[1]!s}\n")
    return X, y, tmp_path


def test_a_model_of_python_predicts_the_same_bits_on_the_command_line(files, partan_program):
    X, y, folder = files
    svc = partan.SVC(C=3).fit(X, y)
    svc.save(folder / "svc.model")
    text = run(partan_program, "predict", "--decision", "rows.csv", "svc.model", "-", folder=folder)
    lines = [line.split() for line in text.splitlines()[: len(X)]]
    assert [int(line[0]) for line in lines] == list(svc.predict(X))
    assert [float(line[1]) for line in lines] == list(svc.decision_function(X))
    assert "verified" in run(partan_program, "verify", "svc.model", "rows.csv", folder=folder)


def test_a_model_of_the_command_line_predicts_the_same_bits_in_python(files, partan_program):
    X, y, folder = files
    run(partan_program, "train", "--cost", "3", "--gamma", "scale", "rows.csv", "cli.model", folder=folder)
    loaded = partan.load(folder / "cli.model")
    own = partan.SVC(C=3).fit(X, y)
    assert np.array_equal(loaded.decision_function(X), own.decision_function(X))
    assert loaded.verify(X, y) and loaded.certificate_.relative_gap == own.relative_gap_
    assert loaded.get_params()["C"] == 3 and list(loaded.classes_) == [0, 1]


@pytest.mark.parametrize("multiclass", ["ovo", "ovr"])
def test_models_of_words_and_many_classes_come_back_exactly(blobs, tmp_path, multiclass):
    X, y = blobs
    words = np.array(["12", "New York", "Zürich", "a\\b"])[y]
    svc = partan.SVC(multiclass=multiclass, kernel="poly", coef0=1, degree=2).fit(X, words)
    svc.save(tmp_path / "m")
    again = partan.load(tmp_path / "m")
    assert np.array_equal(again.predict(X), svc.predict(X))
    assert np.array_equal(again.decision_function(X), svc.decision_function(X))
    assert list(again.classes_) == list(svc.classes_) and again.verify(X, words)
    assert again.multiclass == multiclass and again.kernel == "poly"
    again.save(tmp_path / "n")
    assert (tmp_path / "n").read_bytes() == (tmp_path / "m").read_bytes()


def test_names_of_features_are_kept(moons, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(moons[0], columns=["width", "height"])
    partan.SVC().fit(frame, moons[1]).save(tmp_path / "m")
    again = partan.load(tmp_path / "m")
    assert list(again.feature_names_in_) == ["width", "height"]
    with pytest.raises(ValueError, match="feature names"):
        again.predict(frame[["height", "width"]])


def test_libsvm_models_are_written_and_read(moons, tmp_path):
    X, y = moons
    svc = partan.SVC().fit(X, y)
    svc.save(tmp_path / "libsvm.model", format="libsvm")
    assert (tmp_path / "libsvm.model").read_text().startswith("svm_type c_svc")
    again = partan.load(tmp_path / "libsvm.model")
    assert (again.predict(X) == svc.predict(X)).mean() > 0.99


def test_lasso_models_are_shared(partan_program, tmp_path, rng):
    X = rng.randn(80, 6).astype(np.float32)
    y = X @ [1, 0, 0, -2, 0, 0.5] + 0.1 * rng.randn(80)
    dump_svmlight_file(X, y, str(tmp_path / "rows.svm"), zero_based=False)
    lasso = partan.Lasso(alpha=0.05).fit(X, y)
    lasso.save(tmp_path / "lasso.model")
    again = partan.load(tmp_path / "lasso.model")
    assert np.array_equal(again.predict(X), lasso.predict(X)) and again.alpha == 0.05
    text = run(partan_program, "predict", "rows.svm", "lasso.model", "-", folder=tmp_path)
    values = np.array([float(line.split()[0]) for line in text.splitlines()[:80]])
    np.testing.assert_array_equal(values, lasso.predict(X))


def test_matrices_are_shared(partan_program, tmp_path, rng):
    X = np.where(rng.rand(30, 20) < 0.6, rng.randn(30, 2) @ rng.randn(2, 20), np.nan)
    matrix = partan.MatrixCompletion(radius=20.0).fit(X)
    matrix.save(tmp_path / "matrix.model")
    again = partan.load(tmp_path / "matrix.model")
    assert np.array_equal(again.completed(), matrix.completed())
    (tmp_path / "asked").write_text("1 1\n3 20\n")
    text = run(partan_program, "predict", "asked", "matrix.model", "-", folder=tmp_path)
    asked = [float(line.split()[-1]) for line in text.splitlines()[:2]]
    assert asked == list(again.predict_entries([0, 2], [0, 19]))


def test_what_is_no_model_is_named(tmp_path):
    (tmp_path / "no.model").write_text("hello\n")
    with pytest.raises(ValueError, match=r"no\.model"):
        partan.load(tmp_path / "no.model")
    with pytest.raises(OSError, match=r"absent\.model"):
        partan.load(tmp_path / "absent.model")
    with pytest.raises(OSError, match="absent"):
        partan.SVC().fit([[0], [1]], [0, 1]).save(tmp_path / "absent" / "m")
