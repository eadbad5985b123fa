"""The fastest recorded choices of each task, out of exports of measurements."""
from ucmoh import dataset


class Recorded:
    """Reads `paths`; one machine's measurements, the one that the benchmark runs on."""

    def __init__(self, paths):
        self.rows = {}
        for row in (row for path in paths for row in dataset.read(path)):
            if row.error is None and "task" in row.workload.tags:
                key = row.workload.tags["task"], row.workload.tags["types"]
                self.rows.setdefault(key, []).append((row.median, row.choice))

    def __contains__(self, key):
        return key in self.rows

    def count(self, key):
        """How many measurements of (task, types) there are."""
        return len(self.rows[key])

    def best(self, key, count):
        """The choices with the least medians of (task, types), `count` of them at most."""
        return [choice for _, choice in sorted(self.rows[key])[:count]]
