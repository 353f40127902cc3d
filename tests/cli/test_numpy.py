"""NumPy's arrays as data, written here by plain code, and files of other programs."""

import io
import struct
import unittest
import zipfile

from cli import CliTest, blobs


def npy(rows, code="d", descr="<f8"):
    """The bytes of numpy.save for a list of rows, or of numbers."""
    table = isinstance(rows[0], (list, tuple))
    shape = f"({len(rows)}, {len(rows[0])})" if table else f"({len(rows)},)"
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    values = [value for row in rows for value in row] if table else rows
    body = b"".join(struct.pack(descr[0].replace("|", "<") + code, value) for value in values)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + body


def npz(compression=zipfile.ZIP_STORED, **arrays):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in arrays.items():
            archive.writestr(name if "." in name else name + ".npy", content)
    return out.getvalue()


class NumPy(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", blobs(80))
        lines = [line.split() for line in blobs(80).splitlines()]
        self.labels = [float(words[0]) for words in lines]
        self.rows = [[float(pair.split(":")[1]) for pair in words[1:]] for words in lines]
        self.expected = self.json("info", "data")["fingerprint"]

    def put(self, name, content):
        (self.folder / name).write_bytes(content)
        return name

    def test_the_same_data_as_text(self):
        together = [[label, *row] for label, row in zip(self.labels, self.rows)]
        last = [[*row, label] for label, row in zip(self.labels, self.rows)]
        X, y = npy(self.rows), npy([int(v) for v in self.labels], "q", "<i8")
        files = {
            "a.npy": (npy(together), ()), "big.npy": (npy(together, "d", ">f8"), ()),
            "last.npy": (npy(last), ("--label-column", "last")), "b.npz": (npz(X=X, y=y), ()),
            "c.npz": (npz(zipfile.ZIP_DEFLATED, features=X, labels=y), ()),
            "d.npz": (npz(X=X, y=y, X_test=X, y_test=y), ()),
        }
        for name, (content, words) in files.items():
            with self.subTest(name):
                found = self.json("info", *words, self.put(name, content))
                self.assertEqual((found["format"], found["fingerprint"]), ("numpy", self.expected))

    def test_train_and_predict(self):
        self.put("t.npz", npz(X=npy(self.rows), y=npy([b"no!" if v > 0 else b"yes" for v in self.labels], "3s", "|S3")))
        self.put("x.npz", npz(X=npy(self.rows)))
        self.succeed("train", "-q", "t.npz", "m")
        self.succeed("predict", "-q", "t.npz", "m", "labelled")
        self.succeed("predict", "-q", "x.npz", "m", "bare")
        self.assertEqual((self.folder / "labelled").read_text(), (self.folder / "bare").read_text())
        self.assertEqual(set((self.folder / "bare").read_text().split()), {"no!", "yes"})
        self.assertIn("found no labels", self.fail_with(1, "train", "x.npz"))

    def test_what_is_refused(self):
        X = npy(self.rows)
        cases = {
            "cut.npy": (X[:-8], "bytes of elements, expected 80 x 2 of 8 bytes"),
            "object.npy": (X.replace(b"'<f8'", b"'|O' "), "found an array of type '|O'"),
            "two.npz": (npz(a=X, b=X), "several of them with two dimensions and none named X"),
            "text.npz": (npz(**{"read.me": b"text"}), "which is none; expected features X"),
            "few.npz": (npz(X=X, y=npy([1.0])), "found 1 labels for 80 rows"),
            "nan.npz": (npz(X=npy([[1.0, float("nan")]]), y=npy([1.0])), "row 1, column 2: found NaN"),
            "bell.npz": (npz(X=npy([[1.0], [2.0]]), y=npy([b"a", b"\x07"], "1s", "|S1")), "found a label with control"),
            "empty.npz": (npz(X=npy([[1.0], [2.0]]), y=npy([b"a", b""], "1s", "|S1")), "row 2 has no label"),
            "sparse.npz": (npz(data=npy([1.0]), indices=npy([0], "q", "<i8"), indptr=npy([0, 1], "q", "<i8")),
                           "found a sparse matrix of SciPy"),
            "t.parquet": (b"PAR1....", "found a Parquet file, which partan does not read"),
            "t.h5": (b"\x89HDF\r\n\x1a\n", "found an HDF5 file"), "t.feather": (b"ARROW1\0\0", "found an Arrow file"),
        }
        for name, (content, sentence) in cases.items():
            with self.subTest(name):
                self.assertIn(sentence, self.fail_with(1, "train", self.put(name, content)))


if __name__ == "__main__":
    unittest.main()
