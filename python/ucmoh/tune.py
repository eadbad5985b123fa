"""Tunes a model with measurements on many machines of one kind, with Ray.

    scripts/setup-cluster.sh                       # Ray, into .venv-cluster
    .venv-cluster/bin/ray start --head             # here; on the others: ray start --address=HERE
    .venv-cluster/bin/python -m ucmoh.tune model.mlir --records=mine.sqlite --output=choices.jsonl --address=auto

ucmoh-tune plans rounds, machines measure one each, and what they found moves the next plan. In the end this machine
lets the fastest choices meet the model's picks once more, alone and in the model. What follows `--` goes to ucmoh-tune.
Started again with the same records it goes on.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from ucmoh import cluster
from ucmoh import shard as shards
from ucmoh.cluster import ray
from ucmoh.progress import Progress
from ucmoh.shard_store import ShardStore

UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}
ROUNDS_AHEAD = 2  # for each machine, until the next plan: more are planned knowing less
LEAST_END = 10  # seconds in which the fastest choices meet the picks again


class Rounds(cluster.Scheduler):
    """Rounds for machines that are like this one; the kinds of others are in `kinds`, by their id in Ray."""

    def __init__(self, todo, store, progress, options, kinds):
        super().__init__(todo, store, progress, options)
        self.kinds = kinds

    def kind(self, node):
        """Asked once of each machine; None if it does not tell."""
        if node not in self.kinds:
            task = self.on(node, shards.machine_of, 0)
            try:
                self.kinds[node] = ray.get(task.remote(self.options.collector, self.options.measure))
            except ray.exceptions.RayError as error:
                print(f"a machine is left out: {error}", file=sys.stderr)
                self.kinds[node] = None
            if self.kinds[node] not in (None, self.kinds.get(self.here())):
                print("a machine is left out: it is of another kind, so that its times say nothing of this one; "
                      "if it is the same, give --target=host@FILE with a machine's description that all have",
                      file=sys.stderr)
        return self.kinds[node]

    @staticmethod
    def here():
        return ray.get_runtime_context().get_node_id()

    def nodes(self):
        alive = super().nodes()
        mine = self.kind(self.here())
        if mine is None:
            raise ConnectionError("the collector does not run on this machine")
        return [node for node in alive if self.kind(node["NodeID"]) == mine]


class Tuning:
    """Plans and measures in turns."""

    def __init__(self, options):
        self.options, self.start = options, time.monotonic()
        self.store = ShardStore(options.records, options.merger)
        self.kinds, self.useless = {}, set()  # rounds that brought no row
        self.trials = 0

    def seconds_left(self):
        return self.options.seconds - (time.monotonic() - self.start)

    def tune(self, *more):
        options, ours = self.options, {option.split("=")[0] for option in more}
        passed = [option for option in options.passed if option.split("=")[0] not in ours]
        subprocess.run([options.tuner, options.model, f"--records={options.records}", f"--target={options.target}",
                        f"--gate={options.gate}", *passed, *more], check=True)

    def plan(self, count):
        """The next rounds, but for those that brought no row before."""
        options = ([] if self.options.trials is None else [f"--trials={self.options.trials - self.trials}"])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rounds.jsonl"
            self.tune(f"--plan={count + len(self.useless)}", f"--output={file}", *options)
            lines = file.read_bytes().splitlines(keepends=True)
        rounds = [shards.Shard(line, tuple(self.options.measure)) for line in lines]
        self.useless.update(round.name for round in rounds if self.store.has(round.name))
        return [round for round in rounds if round.name not in self.useless]

    def is_over(self):
        used_up = self.options.trials is not None and self.trials >= self.options.trials
        return used_up or self.seconds_left() <= 0

    def step(self):
        """Whether there was anything to measure."""
        scheduler = Rounds([], self.store, Progress(0, 0), self.options, self.kinds)
        slots = len(list(scheduler.free_slots(scheduler.nodes())))
        rounds = self.plan(ROUNDS_AHEAD * slots)
        scheduler.waiting.extend(rounds)
        scheduler.progress.total = len(rounds)
        try:
            scheduler.run()
        finally:
            scheduler.close()
        self.useless.update(scheduler.failures)
        self.trials += sum(round.tasks.count(b"#ucmoh.choice") for round in rounds)
        return bool(rounds)

    def run(self):
        """Searches; Ctrl-C ends that, and what was measured is made use of."""
        try:
            while not self.is_over() and self.step():
                pass
        except KeyboardInterrupt:
            print("stopped; the same command goes on from here", file=sys.stderr)
        self.tune(f"--output={self.options.output}", "--least-gain=1e9",
                  f"--budget={max(self.seconds_left(), 0) + LEAST_END:.0f}s")


def seconds(text):
    """The seconds in "30s", "5m" or "1h", as ucmoh-tune reads them."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if not found or float(found[1]) == 0:
        raise argparse.ArgumentTypeError(f"a positive time such as 30s, 5m or 1h is wanted, not '{text}'")
    return float(found[1]) * UNITS[found[2]]


def positive(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a positive number is wanted, not '{text}'")
    return int(text)


def parse(arguments):
    """Reads the arguments. Those behind `--` are the tuner's."""
    parser = cluster.new_parser("tune", __doc__, "MODEL --output=FILE --records=DB")
    add = parser.add_argument
    add("model", type=pathlib.Path, help="MLIR, as ucmoh-tune reads it")
    add("--output", required=True, type=pathlib.Path, help="file for the choices")
    add("--records", required=True, type=pathlib.Path, help="database that gets all measurements")
    add("--budget", dest="seconds", type=seconds, default=60, help="time for the search, as in 30s, 5m or 1h (60s)")
    add("--trials", type=positive, help="candidates to measure at most")
    add("--target", default="host", help="as of the pass")
    add("--gate", choices=["true", "false"], default="true", help="samples wait for quiet moments")
    add("--tuner", default="ucmoh-tune", help="a program that this machine has")
    options = cluster.parse_with_places(parser, arguments, "round")
    options.measure = ["--run=tune", "--refinements=0", "--max-flops=1e18", f"--target={options.target}",
                       f"--gate={options.gate}"]
    return options


def main(arguments):
    options = parse(arguments)
    try:
        tuning = Tuning(options)
        tuning.plan(1)  # says what is wrong with the model before Ray starts
        ray.init(address=options.address, num_cpus=options.cpus, log_to_driver=False)
        try:
            tuning.run()
        finally:
            ray.shutdown()
    except subprocess.CalledProcessError as error:
        return error.returncode  # the tuner said why
    except (OSError, ConnectionError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
