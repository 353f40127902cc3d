"""Runs of peers that take minutes are kept, and used again as long as program, parameters and data are the same: so a
run of the benchmark that was interrupted, or is repeated for another version of partan, need not wait for them."""

import json

LONG = 60  # seconds


class Kept:
    """A peer whose long runs are kept in a folder; one file each, which can be deleted to measure anew."""

    peer = True

    def __init__(self, contender, folder):
        self.contender = contender
        self.name = contender.name
        self.folder = folder

    def version(self):
        return self.contender.version()

    def key(self, entry, files):
        key = {"program": self.version(), "problem": entry.problem, "parameters": entry.theirs, "data": files["sha256"]}
        return json.loads(json.dumps(key))

    def train(self, entry, files, limit, predict=True):
        path, key = self.folder / f"{entry.name}.{self.name}.json", self.key(entry, files)
        if path.is_file():
            kept = json.loads(path.read_text())
            if kept["key"] == key:
                return {**kept["record"], "kept": True}
        record = self.contender.train(entry, files, limit, predict)
        if record["wall"] > LONG and not record["timed_out"]:
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"key": key, "record": record}, indent=1) + "\n")
        return record
