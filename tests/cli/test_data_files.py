"""partan info on data files, and partan split."""

import gzip
import unittest

from cli import CliTest, blobs

NUMBER = (int, float)
SCHEMA = {
    "data": str, "format": str, "rows": int, "features": int, "labelled": int, "classes_count": int, "classes": list,
    "nonzeros": int, "density": NUMBER, "least": NUMBER, "greatest": NUMBER, "narrowest_range": NUMBER,
    "widest_range": NUMBER, "constant_features": int, "empty_rows": int, "repeated_rows": int,
    "contradictory_rows": int, "missing_values": int, "storage": str, "gamma_auto": NUMBER, "gamma_scale": NUMBER,
    "fingerprint": str,
}
TABLE = "class,height,width\nspam,1,2000\nham,3,4\nham,3,4\nspam,0,1\nham,0,1\n"


class Info(CliTest):
    def test_text(self):
        self.write("mail.csv", TABLE)
        done = self.succeed("info", "--features", "mail.csv")
        self.assert_golden("info-data.txt", done.stdout)
        self.assertIn("very different ranges", done.stderr)

    def test_json_is_what_is_in_the_file(self):
        self.write("data", blobs(200) + blobs(10))
        found = self.json("info", "data", "--features")
        self.assert_schema(found, SCHEMA)
        rows = [[float(pair.split(":")[1]) for pair in line.split()[1:]]
                for line in (self.folder / "data").read_text().splitlines()]
        self.assertEqual((found["format"], found["rows"], found["features"]), ("libsvm", 210, 2))
        self.assertEqual(found["classes"], [{"label": -1, "rows": 105}, {"label": 1, "rows": 105}])
        self.assertEqual((found["repeated_rows"], found["contradictory_rows"]), (10, 0))
        for i, feature in enumerate(found["feature_list"]):
            column = [row[i] for row in rows]
            self.assertAlmostEqual(feature["least"], min(column), places=5)
            self.assertAlmostEqual(feature["greatest"], max(column), places=5)
            self.assertAlmostEqual(feature["mean"], sum(column) / 210, places=5)
        mean = [sum(row[i] for row in rows) / 210 for i in range(2)]
        squares = sum((row[i] - mean[i]) ** 2 for row in rows for i in range(2))
        self.assertAlmostEqual(found["gamma_auto"], 1 / (2 * squares / 210), places=5)
        self.succeed("train", "-q", "data", "m")
        self.assertEqual(found["gamma_auto"], self.json("info", "m")["gamma"])
        self.assertEqual(found["fingerprint"], self.json("info", "m")["fingerprint"])

    def test_a_table_that_cannot_be_read_is_described(self):
        self.write("t.csv", 'name,age,sex,survived\nAnn,22,f,1\nBob,,m,0\n"Cy, Jr",NA,m,1\n')
        done = self.succeed("info", "t.csv")
        self.assert_golden("info-unread.txt", done.stdout)
        found = self.json("info", "t.csv")
        self.assertEqual((found["missing_values"], found["rows"], found["error"]),
                         (2, 3, "t.csv:2:8: found 'f', expected a finite number"))
        self.assertEqual([column["name"] for column in found["column_list"]], ["age", "sex"])

    def test_labels_that_are_no_classes(self):
        self.write("r.csv", "".join(f"{i * 0.37},{i}\n" for i in range(30)))
        done = self.succeed("info", "r.csv")
        self.assertIn("labels           30 different, from 0 to 10.73\n", done.stdout)
        self.assertIn("regression", done.stderr)

    def test_failures(self):
        self.fail_with(1, "info", "nowhere")
        self.write("bad", "1 1:x\n")
        self.assertIn("bad:1:", self.fail_with(1, "info", "bad"))


class Split(CliTest):
    def parts(self):
        return [(self.folder / name).read_text() for name in ("a", "b")]

    def test_lines_are_copied_as_they_are(self):
        rows = [f"{'yes' if i % 3 else 'no'}, {i:07.3f} ,\"{i}\"\r\n" for i in range(40)]
        head = "# made by hand\r\n\r\nclass,x,y\r\n"
        text = head + "".join(rows[:20]) + "# between\n" + "".join(rows[20:])
        (self.folder / "data.csv").write_bytes(text.encode())
        found = self.json("split", "data.csv", "a", "b")
        self.assertEqual([part["rows"] for part in found["parts"]], [30, 10])
        parts = [(self.folder / name).read_bytes().decode() for name in ("a", "b")]
        kept = []
        for part, count in zip(parts, (30, 10)):
            self.assertTrue(part.startswith(head))
            lines = part[len(head):].splitlines(True)
            self.assertEqual(len(lines), count)
            self.assertEqual(lines, [row for row in rows if row in lines], "the order of the file")
            kept += lines
        self.assertEqual(sorted(kept), sorted(rows))
        shares = [sum(line.startswith("no") for line in part[len(head):].splitlines()) for part in parts]
        self.assertIn(shares, ([10, 4], [11, 3]))

    def test_the_seed_decides_and_the_library_splits_alike(self):
        self.write("data", blobs(100))
        self.succeed("split", "-q", "data", "a", "b")
        first = self.parts()
        self.succeed("split", "-q", "data", "a", "b")
        self.assertEqual(self.parts(), first)
        self.succeed("split", "-q", "--seed", "2", "data", "a", "b")
        self.assertNotEqual(self.parts(), first)
        self.succeed("split", "-q", "--share", "0.3", "data", "a", "b")
        self.succeed("train", "-q", "--cost", "1", "--gamma", "1", "a", "m")
        self.assertEqual(self.json("predict", "b", "m")["correct"],
                         self.json("tune", "--cost", "1", "--gamma", "1", "data")["best"]["correct"])

    def test_without_strata_and_without_labels(self):
        self.write("data", "1 1:0\n" * 30 + "2 1:1\n" * 10)
        self.succeed("split", "-q", "--share", "0.5", "data", "a", "b")
        self.assertEqual([part.count("2 1:1") for part in self.parts()], [5, 5])
        counts = set()
        for seed in range(6):
            self.succeed("split", "-q", "--no-stratify", "--seed", str(seed), "--share", "0.5", "data", "a", "b")
            counts.add(self.parts()[0].count("2 1:1"))
        self.assertGreater(len(counts), 1)
        self.write("bare.csv", "".join(f"{i},2\n" for i in range(8)))
        self.succeed("split", "-q", "--label-column", "none", "bare.csv", "a", "b")
        self.assertEqual([part.count("\n") for part in self.parts()], [6, 2])

    def test_compressed_data_and_standard_input(self):
        text = blobs(20).rstrip("\n")
        (self.folder / "data.gz").write_bytes(gzip.compress(text.encode()))
        self.succeed("split", "-q", "data.gz", "a", "b")
        first = self.parts()
        self.assertEqual(sorted("".join(first).splitlines()), sorted(text.splitlines()))
        self.succeed("split", "-q", "-", "a", "b", stdin=text)
        self.assertEqual(self.parts(), first)

    def test_what_is_refused(self):
        self.write("data", blobs(20))
        self.assertIn("is an input", self.fail_with(2, "split", "data", "data", "b"))
        self.assertIn("without .gz", self.fail_with(2, "split", "data", "a.gz", "b"))
        self.fail_with(2, "split", "--share", "1", "data", "a", "b")
        self.fail_with(2, "split", "data", "-", "b")
        self.write("one", "1 1:1\n")
        self.assertIn("too few", self.fail_with(1, "split", "one", "a", "b"))
        self.assertEqual(self.files(), ["data", "one"])


class LabelColumn(CliTest):
    def test_words_in_the_last_column_are_suggested_as_labels(self):
        self.write("iris.csv", "a,b,kind\n5.1,3.5,setosa\n4.9,3.0,virginica\n5,3,setosa\n")
        said = self.fail_with(1, "train", "iris.csv")
        self.assertIn("use --label-column last", said)
        self.succeed("train", "-q", "--label-column", "last", "iris.csv")
        self.write("two.csv", "a,b,c,kind\n5.1,x,3.5,setosa\n4.9,y,3.0,virginica\n")
        self.assertNotIn("--label-column last", self.fail_with(1, "train", "two.csv"))


if __name__ == "__main__":
    unittest.main()
