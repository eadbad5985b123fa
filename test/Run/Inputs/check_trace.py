"""Fails unless the bars of each thread of a trace follow each other within the bar of the function."""

import json
import sys

bars = [event for event in json.load(open(sys.argv[1]))["traceEvents"] if event["ph"] == "X"]
threads = {bar["tid"] for bar in bars}
assert len(threads) == 3, threads
for thread in threads:
    function, *ops = (bar for bar in bars if bar["tid"] == thread)
    assert function["cat"] == "function" and ops, function
    end = 0
    for op in ops:
        assert op["ts"] >= end, op
        end = op["ts"] + op["dur"]
    assert end <= function["ts"] + function["dur"], function
