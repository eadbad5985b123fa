"""Prints how many rows of an export the poorest task and target has."""
import collections
import json
import sys

rows = [json.loads(line)["row"] for line in sys.stdin if '"row"' in line]
groups = collections.Counter((row["workload"], row["intrinsic"].split("::")[0]) for row in rows)
print("at least", min(groups.values()))
