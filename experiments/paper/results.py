"""What runs came to: the numbers of one run, and means over several, under the names that the tables use."""

import statistics

from .runs import met_limit

TABLE_FIELDS = ("accuracy", "seconds", "iterations", "support_vectors")


def outcome(record):
    """The numbers of a training's record; {} where there is none. Accuracy is in per cent, as in the paper."""
    if not record:
        return {}
    train = record["train"]
    return {
        "accuracy": 100 * record["predict"]["accuracy"],
        "seconds": record.get("stop_seconds", train["time"]["train"]),
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
    """Means of what several runs came to; {} when there are none."""
    outcomes = [each for each in outcomes if each]
    if not outcomes:
        return {}
    fields = [field for field in outcomes[0] if field != "limited"]
    found = {field: statistics.fmean(each[field] for each in outcomes) for field in fields}
    return {**found, "limited": any(each["limited"] for each in outcomes), "runs": len(outcomes)}


class Results:
    """Outcomes by what was trained."""

    def __init__(self, runner, protocol, sets, costs):
        self.runner = runner
        self.protocol = protocol
        self.sets = sets  # those that were run, in order
        self.costs = costs  # set name -> C

    def of(self, job):
        return outcome(self.runner.result(job))

    def tuning(self, name):
        """The record of the choice of C; None where C was given."""
        return self.runner.result(self.protocol.tuning(name))

    def table2(self, name, solver):
        return self.of(self.protocol.table2(name, self.costs[name], solver))

    def table3(self, name, solver, eps):
        return self.of(self.protocol.table3(name, self.costs[name], solver, eps))

    def table4(self, name, solver):
        return mean([self.of(job) for job in self.protocol.table4(name, self.costs[name], solver)])

    def table4_whole(self, name, solver):
        return mean([self.of(job) for job in self.protocol.table4_whole(name, self.costs[name], solver)])

    def table4_confirmed(self, name, solver):
        return mean([self.of(job) for job in self.protocol.table4_confirmed(name, self.costs[name], solver)])

    def relative(self, name, solver, tol):
        return self.of(self.protocol.relative(name, self.costs[name], solver, tol))

    def fit(self, name, gamma, cost, solver):
        return self.of(self.protocol.fit(name, gamma, cost, solver))

    def trace(self, name, solver, columns=("iteration", "gap")):
        """Columns of the trace of the tightest run of Table 3, as a list of rows of numbers."""
        job = self.protocol.table3(name, self.costs[name], solver, self.protocol.decades[-1])
        path = self.runner.path(job, ".csv")
        if not self.runner.result(job) or not path.is_file():
            return []
        head, *rows = path.read_text().splitlines()
        places = [head.split(",").index(column) for column in columns]
        return [tuple(float(cells[place]) for place in places) for cells in (row.split(",") for row in rows)]
