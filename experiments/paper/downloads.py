"""Fetches the public files and checks them: by their SHA-256 where it is known, else by their number of rows."""

import bz2
import gzip
import hashlib
import json
import lzma
import urllib.error
import urllib.request
from pathlib import Path

from harness.process import Failed

LIST = Path(__file__).parent / "downloads.json"
OPENERS = {".bz2": bz2.open, ".gz": gzip.open, ".xz": lzma.open}
CHUNK = 1 << 20


def listed(path=LIST):
    return json.loads(Path(path).read_text())


def address(entry, pages):
    return f"{pages[entry['page']]}/{entry['from']}"


def digest_and_rows(path):
    digest, rows = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            rows += chunk.count(b"\n")
    return digest.hexdigest(), rows


def complaint(entry, path):
    """What is wrong with a file; None when nothing is."""
    digest, rows = digest_and_rows(path)
    if "sha256" in entry and digest != entry["sha256"]:
        return f"SHA-256 {digest}, expected {entry['sha256']}"
    if "rows" in entry and rows != entry["rows"]:
        return f"{rows:,} rows, expected {entry['rows']:,}"
    return None


def fetch(url, path, note):
    """Downloads to a file; unpacked by its ending when that is that of a compressed one."""
    packed = path.with_name(path.name + ".download.part")
    try:
        with urllib.request.urlopen(url, timeout=60) as answer, open(packed, "wb") as out:
            size = int(answer.headers.get("Content-Length") or 0)
            done = 0
            while chunk := answer.read(CHUNK):
                out.write(chunk)
                done += len(chunk)
                note(f"{path.name}: {done / 1e6:.0f}" + (f" of {size / 1e6:.0f}" if size else "") + " MB")
        with OPENERS.get(Path(url).suffix, open)(packed, "rb") as source, open(path, "wb") as out:
            while chunk := source.read(CHUNK):
                out.write(chunk)
    except (OSError, EOFError, lzma.LZMAError, urllib.error.URLError) as error:
        path.unlink(missing_ok=True)
        raise Failed(f"{url}: {getattr(error, 'reason', error)}") from error
    finally:
        packed.unlink(missing_ok=True)


def get(entry, pages, folder, note):
    """One file into the folder: "there already", "fetched", or raises Failed. A file that is not what it should be does
    not get into its place."""
    path = folder / entry["file"]
    if path.is_file():
        wrong = complaint(entry, path)
        if wrong:
            raise Failed(f"{path} is there, but has {wrong}")
        return "there already"
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(path.name + ".part")
    url = address(entry, pages)
    fetch(url, aside, note)
    wrong = complaint(entry, aside)
    if wrong:
        raise Failed(f"{url} has {wrong}; it is kept as {aside}")
    aside.replace(path)
    return "fetched"
