"""Makes data sets: python3 -m harness.makers MAKER OPTIONS PARTAN FOLDER SOURCE...

A maker writes the files `train` and `test`, LIBSVM text, into FOLDER. OPTIONS is JSON."""

import itertools
import json
import random
import shutil
import struct
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from .sources import open_source, generator_options

TEST_ROWS = 10_000  # of generated sets
SEED = 1


def greatest_index(path):
    with open(path, "rb") as lines:
        return max(int(line.rpartition(b":")[0].rpartition(b" ")[2] or 0) for line in lines)


def name_all_features(folder):
    """Some rows may lack features that others have: a zero in the first training row tells how many there are."""
    train, greatest = folder / "train", greatest_index(folder / "test")
    if greatest > greatest_index(train):
        first, _, rest = train.read_bytes().partition(b"\n")
        train.write_bytes(first.rstrip() + b" %d:0\n" % greatest + rest)


def copy(options, _program, folder, train, test):
    """As they are; with `every`, every so many rows only."""
    for name, source in (("train", train), ("test", test)):
        with open_source(source) as packed, open(folder / name, "wb") as plain:
            if "every" in options:
                plain.writelines(itertools.islice(packed, 0, None, options["every"]))
            else:
                shutil.copyfileobj(packed, plain, 1 << 20)
    if "every" in options:
        name_all_features(folder)


def two_classes(options, _program, folder, train, test):
    """Labels below a number against the others."""
    for name, source in (("train", train), ("test", test)):
        with open_source(source) as lines, open(folder / name, "wb") as out:
            for line in lines:
                if not line.strip():
                    continue
                label, _, rest = line.partition(b" ")
                out.write((b"1 " if float(label) < options["positive_below"] else b"-1 ") + rest)


def scaled(_options, program, folder, train, test):
    """Every feature to [0, 1] over the training rows, by partan scale."""
    scaling = folder / "scaling"
    run(program, "scale", "--quiet", "--save", scaling, train, folder / "train")
    run(program, "scale", "--quiet", "--restore", scaling, test, folder / "test")


def generate(options, program, folder):
    """One run of the generator: the first rows train, those after them test."""
    rows, test_rows = options["rows"], options.get("test_rows", TEST_ROWS)
    run(program, "gen", *generator_options(options, rows + test_rows), folder / "all")
    with open(folder / "all", "rb") as lines:
        for name, count in (("train", rows), ("test", test_rows)):
            with open(folder / name, "wb") as out:
                out.writelines(itertools.islice(lines, count))
    (folder / "all").unlink()


def gaussian(options, _program, folder):
    """Independent normal features; the label is the sign of the mean of the first ten, some of them flipped. Rows are
    all at about the same distance of each other, so that nearly all become support vectors."""
    draw = random.Random(SEED)
    for name, count in (("train", options["rows"]), ("test", options["test_rows"])):
        with open(folder / name, "w") as out:
            for _ in range(count):
                row = [draw.gauss(0, 1) for _ in range(options["features"])]
                label = (sum(row[:10]) > 0) != (draw.random() < options["noise"])
                values = " ".join([f"{i + 1}:{value:.6g}" for i, value in enumerate(row)])
                out.write(f"{'1' if label else '-1'} {values}\n")


def split(options, _program, folder, source):
    """One row in four, drawn with a seed, is for testing; with other seeds for further splits: test.1, train.1, ..."""
    with open_source(source) as lines:
        all_rows = [line for line in lines if line.strip()]
    for at in range(options["splits"]):
        rows, end = list(all_rows), f".{at}" if at else ""
        random.Random(SEED + at).shuffle(rows)
        (folder / f"test{end}").write_bytes(b"".join(rows[: len(rows) // 4]))
        (folder / f"train{end}").write_bytes(b"".join(rows[len(rows) // 4 :]))


def cloud(options, _program, folder):
    """Standard normal rows with label 1; a share of the rows, with label -1, is uniform on a cube instead."""
    draw, reach = random.Random(SEED), options["reach"]
    for name, count in (("train", options["rows"]), ("test", options["test_rows"])):
        with open(folder / name, "w") as out:
            for _ in range(count):
                outlier = draw.random() < options["share"]
                row = [draw.uniform(-reach, reach) if outlier else draw.gauss(0, 1) for _ in range(options["features"])]
                values = " ".join([f"{i + 1}:{value:.6g}" for i, value in enumerate(row)])
                out.write(f"{'-1' if outlier else '1'} {values}\n")


# ---- KDD Cup 1999 ----------------------------------------------------------------------------------------------------

KDD_COLUMNS = 41
KDD_WORDS = (1, 2, 3)  # protocol, service and flag are words; the other 38 columns are numbers
KDD_TRAIN = 395_216  # of 494,021


def kdd99(options, _program, folder, source):
    """Numeric columns to [0, 1] over the whole file, attack 1 against normal -1, rows in an order drawn with a seed.
    With `every`, of every so many rows only."""
    every = options.get("every", 1)
    numeric = [column for column in range(KDD_COLUMNS) if column not in KDD_WORDS]
    seen = [{} for _ in numeric]  # column's texts; there are few different ones
    rows = []
    with open_source(source) as lines:
        for line in itertools.islice(lines, 0, None, every):
            fields = line.decode("ascii").rstrip("\n.").split(",")
            if len(fields) != KDD_COLUMNS + 1:
                raise SystemExit(f"line {len(rows) + 1}: {len(fields)} fields, expected {KDD_COLUMNS + 1}")
            for texts, column in zip(seen, numeric):
                texts[fields[column]] = None
            rows.append(line)
    for index, texts in enumerate(seen):
        values = {text: float(text) for text in texts}
        low, high = min(values.values()), max(values.values())
        for text, value in values.items():
            share = (value - low) / (high - low) if high > low else 0.0
            texts[text] = f" {index + 1}:{shortest_float32(share)}" if share else ""
    random.Random(SEED).shuffle(rows)
    with open(folder / "train", "w") as train, open(folder / "test", "w") as test:
        for number, line in enumerate(rows):
            fields = line.decode("ascii").rstrip("\n.").split(",")
            tokens = "".join([texts[fields[column]] for texts, column in zip(seen, numeric)])
            label = "-1" if fields[-1] == "normal" else "1"
            (train if number < KDD_TRAIN // every else test).write(f"{label}{tokens}\n")


# ---- USPS-ext --------------------------------------------------------------------------------------------------------

USPS_SIDE = 16
USPS_CANVAS = 26
USPS_LABELS = {b"1": "1", b"2": "-1"}  # digit + 1: zeros against ones


def usps_ext(options, _program, folder, train, test):
    """Zeros and ones, each 16 x 16 image at all 11 x 11 places of a 26 x 26 canvas; pixels from [-1, 1] to [0, 1], so
    that the background is 0. With `every`, of every so many images and at every so many places only."""
    places = range(0, USPS_CANVAS - USPS_SIDE + 1, options.get("step", 1))
    for name, source in (("train", train), ("test", test)):
        with open_source(source) as lines, open(folder / name, "w") as out:
            digits = [line for line in lines if line.split(b" ", 1)[0] in USPS_LABELS]
            for line in digits[:: options.get("every", 1)]:
                label, pixels = usps_image(line)
                for down in places:
                    for right in places:
                        first = down * USPS_CANVAS + right + 1
                        out.write(label + "".join([f" {first + i}:{value}" for i, value in pixels]) + "\n")


def usps_image(line):
    """The label, and the pixels that are not background as (offset on the canvas, text)."""
    label, *tokens = line.split()
    pixels = []
    for token in tokens:
        index, value = token.split(b":")
        y, x = divmod(int(index) - 1, USPS_SIDE)
        share = (float(value) + 1) / 2
        if share:
            pixels.append((y * USPS_CANVAS + x, f"{share:.6g}"))
    return USPS_LABELS[label], pixels


# ---- MNIST -----------------------------------------------------------------------------------------------------------


def mnist(options, _program, folder, train_images, train_labels, test_images, test_labels):
    """Pixels / 255; digits below 5 are 1 and the others -1, or with `digits` the labels are the digits."""
    labelled = [str(digit) if options.get("digits") else "1" if digit < 5 else "-1" for digit in range(10)]
    values = [shortest_float32(k / 255.0) for k in range(256)]
    for name, images, labels in (("train", train_images, train_labels), ("test", test_images, test_labels)):
        with open_source(images) as pixels, open_source(labels) as digits, open(folder / name, "w") as out:
            kind, count, height, width = struct.unpack(">IIII", pixels.read(16))
            label_kind, label_count = struct.unpack(">II", digits.read(8))
            if (kind, label_kind) != (2051, 2049) or count != label_count:
                raise SystemExit(f"{images} and {labels} are not a pair of MNIST files")
            tokens = [[f" {i + 1}:{v}" for v in values] for i in range(height * width)]
            for digit in digits.read(count):
                row = pixels.read(height * width)
                out.write(labelled[digit])
                out.write("".join([tokens[i][k] for i, k in enumerate(row) if k]))
                out.write("\n")


# ---- numbers and programs --------------------------------------------------------------------------------------------


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def shortest_float32(value):
    """The shortest decimal text that reads as (float)value, whether it is rounded once or by way of a double."""
    target = float32(value)
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if float32(float(text)) == target and nearer(Fraction(text), target):
            return text
    return f"{target:.9g}"


def nearer(exact, target):
    """Whether a number is well inside the interval that rounds to a float32: not within 2^-20 of its ends."""
    bits = struct.unpack("I", struct.pack("f", target))[0]
    around = [struct.unpack("f", struct.pack("I", bits + step))[0] for step in (-1, 1) if bits + step >= 0]
    middle = Fraction(target)
    ends = [(middle + Fraction(other)) / 2 for other in around]
    return all(abs(exact - middle) < abs(end - middle) * (1 - Fraction(1, 1 << 20)) for end in ends)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip())


ALL = (copy, two_classes, scaled, generate, gaussian, split, cloud, kdd99, usps_ext, mnist)
MAKERS = {maker.__name__: maker for maker in ALL}


def main():
    maker, options, program, folder, *sources = sys.argv[1:]
    MAKERS[maker](json.loads(options), program, Path(folder), *sources)


if __name__ == "__main__":
    main()
