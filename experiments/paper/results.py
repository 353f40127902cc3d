"""What runs came to: the numbers of one run, means and spreads over several, under the names that the tables use."""

import statistics

from .runs import met_limit

TABLE_FIELDS = ("accuracy", "seconds", "iterations", "support_vectors")


def cpu_share(record):
    """The share of a core that a run of one thread had: less than 1 where other programs took the core away."""
    return min(1.0, record["cpu"] / record["wall"]) if record["threads"] == 1 and record["wall"] > 0 else 1.0


def outcome(record):
    """The numbers of a training's record; {} where there is none. Accuracy is in per cent and time is CPU time, both as
    in the paper."""
    if not record:
        return {}
    train = record["train"]
    return {
        "accuracy": 100 * record["predict"]["accuracy"],
        "seconds": cpu_share(record) * record.get("stop_seconds", train["time"]["train"]),
        "iterations": train["iterations"],
        "support_vectors": train["support_vectors"],
        "gap": train["gap"],
        "relative_gap": train["relative_gap"],
        "objective": train["objective"],
        "kernel_values": train["kernel_values"],
        "gamma": train["gamma"],
        "limited": met_limit(record),
    }


def mean(outcomes):
    """Means of what several runs came to, and their standard deviations under "deviation"; {} when there are none."""
    outcomes = [each for each in outcomes if each]
    if not outcomes:
        return {}
    columns = {field: [each[field] for each in outcomes] for field in outcomes[0] if field != "limited"}
    found = {field: statistics.fmean(column) for field, column in columns.items()}
    if len(outcomes) > 1:
        found["deviation"] = {field: statistics.stdev(column) for field, column in columns.items()}
    return {**found, "limited": any(each["limited"] for each in outcomes), "runs": len(outcomes)}


def spread(outcomes):
    """{field: (least, most)} of runs that no time limit ended; {} where there are fewer than two."""
    outcomes = [each for each in outcomes if each and not each["limited"]]
    if len(outcomes) < 2:
        return {}
    return {field: (min(each[field] for each in outcomes), max(each[field] for each in outcomes))
            for field in TABLE_FIELDS}  # fmt: skip


class Results:
    """Outcomes by what was trained, at the gamma and C whose runs stand beside the paper's unless another is named."""

    def __init__(self, runner, protocol, sets, choices):
        self.runner = runner
        self.protocol = protocol
        self.sets = sets  # those that were run, in order
        self.choices = choices  # set name -> [Choice], the one beside the paper first

    def of(self, job):
        return outcome(self.runner.result(job))

    def main(self, name):
        return self.choices[name][0]

    def width(self, name):
        """1 / mean squared distance of two training rows."""
        record = self.runner.result(self.protocol.width(name))
        return record["train"]["gamma"] if record else None

    def tuning(self, name):
        """{C: validation accuracy} of the trainings that reached their stop; {} where C was given."""
        found = {}
        width = self.width(name)
        for job in self.protocol.tunings(name, self.protocol.fit_gammas(name, width)[0]) if width else ():
            record = self.runner.result(job)
            points = record["tune"]["points"] if record else ()
            found.update({p["cost"]: p["validation_accuracy"] for p in points if p["converged"]})
        return found

    def table2(self, name, solver, choice=None):
        return self.of(self.protocol.table2(name, choice or self.main(name), solver))

    def table3(self, name, solver, eps):
        return self.of(self.protocol.table3(name, self.main(name), solver, eps))

    def starts(self, name, solver, eps):
        """The spread over random first vertices; {} where not all of them were run."""
        found = [self.of(job) for job in self.protocol.started(name, self.main(name), solver, eps)]
        return spread(found) if all(found) else {}

    def table4(self, name, solver):
        return mean([self.of(job) for job in self.protocol.table4(name, self.main(name), solver)])

    def table4_confirmed(self, name, solver):
        return mean([self.of(job) for job in self.protocol.table4_confirmed(name, self.main(name), solver)])

    def relative(self, name, solver, tol):
        return self.of(self.protocol.relative(name, self.main(name), solver, tol))

    def fit(self, name, gamma, cost, solver):
        return self.of(self.protocol.fit(name, gamma, cost, solver))

    def table(self):
        """{what was trained: its outcome} of all runs that were looked at: what the report was made from."""
        found = {}
        for job, record in self.runner.known.items():
            if "predict" in record:
                found[job.label()] = {**outcome(record), "command": " ".join(record["command"])}
            else:
                points = record.get("tune", {}).get("points", [{}])
                value = points[0].get("validation_accuracy", record.get("train", {}).get("gamma"))
                found[job.label()] = {"value": value, "command": " ".join(record["command"])}
        return dict(sorted(found.items()))

    def trace(self, name, solver, columns=("iteration", "gap")):
        """Those columns of the trace of the tightest run of Table 3."""
        job = self.protocol.table3(name, self.main(name), solver, self.protocol.decades[-1])
        path = self.runner.trace(job)
        if not path or not path.is_file():
            return []
        head, *rows = path.read_text().splitlines()
        places = [head.split(",").index(column) for column in columns]
        cells = (row.split(",") for row in rows)
        return [tuple(float(cell[place]) for place in places) for cell in cells]
