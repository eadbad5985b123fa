"""Measures on many machines at once, with Ray: what ucmoh-collect does, for shards of the tasks.

    scripts/setup-cluster.sh                       # Ray, into .venv-cluster
    .venv-cluster/bin/ray start --head             # here; on the others: ray start --address=HERE
    .venv-cluster/bin/python -m ucmoh.cluster tasks.jsonl --db=all.sqlite --address=auto -- --run=2

What follows `--` goes to the collector, which all machines need under the same path. Started again
with the same arguments it goes on: finished shards are kept beside the database, half-measured ones
on their machines.
"""
import argparse
import collections
import pathlib
import subprocess
import sys
import time

try:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
except ImportError:
    sys.exit("error: this Python has no Ray; run scripts/setup-cluster.sh and use "
             ".venv-cluster/bin/python")

from ucmoh import shard as shards
from ucmoh.progress import Progress
from ucmoh.shard_store import ShardStore

Slot = collections.namedtuple("Slot", "node core")  # core: None for the whole machine


# A machine that died stays dead: when it comes back, it has another id.
DEATHS = (ray.exceptions.NodeDiedError, ray.exceptions.LocalRayletDiedError,
          ray.exceptions.TaskUnschedulableError)


class Scheduler:
    """Gives each free core (or machine) a shard, until none is left."""

    def __init__(self, todo, store, progress, options):
        self.waiting, self.store, self.options = collections.deque(todo), store, options
        self.running = {}  # the reference of a result: (shard, slot)
        self.home = {}  # by a shard's name: the machine that has a part of it
        self.dead = set()  # machines; Ray reports some of them as alive for a while
        self.attempts, self.failures = collections.Counter(), {}
        self.progress = progress
        for module in (sys.modules[__name__], shards):  # the other machines need no copy of it
            ray.cloudpickle.register_pickle_by_value(module)

    def nodes(self):
        """Asked again each time: machines come and go."""
        alive = [node for node in ray.nodes() if node["Alive"] and node["NodeID"] not in self.dead]
        if ray.get_runtime_context().get_node_id() not in {node["NodeID"] for node in alive}:
            raise ConnectionError("Ray died on this machine; the same command goes on from here")
        return alive

    def free_slots(self, nodes):
        taken = {slot for _, slot in self.running.values()}
        for node in nodes:
            cores = int(node["Resources"].get("CPU", 0))
            numbers = range(cores) if self.options.place == "core" else [None][:cores]
            slots = (Slot(node["NodeID"], core) for core in numbers)
            yield from (slot for slot in slots if slot not in taken)

    def pick(self, node, alive):
        """A shard that is not at home on another machine that lives."""
        for shard in self.waiting:
            if self.home.get(shard.name, node) == node or self.home[shard.name] not in alive:
                self.waiting.remove(shard)
                return shard
        return None

    @staticmethod
    def on(node, function, cpus):
        strategy = NodeAffinitySchedulingStrategy(node, soft=False)
        return ray.remote(function).options(num_cpus=cpus, max_retries=0,
                                            scheduling_strategy=strategy)

    def start(self):
        nodes = self.nodes()
        alive = {node["NodeID"] for node in nodes}
        for slot in self.free_slots(nodes):
            if (shard := self.pick(slot.node, alive)) is None:
                continue
            self.home[shard.name] = slot.node
            self.attempts[shard.name] += 1
            task = self.on(slot.node, shards.measure, 1)
            self.running[task.remote(shard, self.options.collector, slot.core)] = shard, slot

    def finish(self, reference):
        shard, slot = self.running.pop(reference)
        try:
            content = ray.get(reference)
        except ray.exceptions.RayError as error:  # the worker died, or the collector failed
            self.retry(shard, slot.node, error)
            return
        self.store.add(shard.name, content)
        self.progress.done += 1

    def retry(self, shard, node, error):
        print(f"shard {shard.name}: {error}", file=sys.stderr)
        if isinstance(error, DEATHS):
            self.dead.add(node)
            self.attempts[shard.name] -= 1
        if self.attempts[shard.name] < self.options.attempts:
            self.progress.retried += 1
            self.waiting.append(shard)
        else:
            self.failures[shard.name] = error

    def run(self):
        while self.waiting or self.running:
            self.start()
            ready, _ = ray.wait(list(self.running), timeout=10) if self.running else ([], None)
            for reference in ready:
                self.finish(reference)
            self.progress.print(len(self.running))
            if not self.running and self.waiting and not ready:
                time.sleep(1)  # no machine is alive at the moment

    def close(self):
        """Ends what still runs. What was measured stays on its machine until it is merged."""
        for reference in self.running:
            ray.cancel(reference, force=True)
        merged = self.store.merged()
        references = [self.on(node["NodeID"], shards.forget, 0).remote(merged)
                      for node in self.nodes()]
        ray.wait(references, num_returns=len(references), timeout=30)


def new_parser(program, description, usage):
    return argparse.ArgumentParser(prog=f"python -m ucmoh.{program}", description=description,
                                   usage=f"%(prog)s {usage} [OPTIONS] [-- PASSED]",
                                   formatter_class=argparse.RawDescriptionHelpFormatter)


def parse_with_places(parser, arguments, unit):
    """Options of the parser and of where each `unit` of the work runs; what stands behind `--` is `passed`."""
    add = parser.add_argument
    add("--place", choices=["core", "machine"], default="machine",
        help=f"one {unit} at a time on each machine, or pinned to each core")
    add("--attempts", type=int, default=3, help=f"for each {unit}")
    add("--address", help="address of a Ray cluster, or 'auto'; without, this machine alone works")
    add("--cpus", type=int, help="without --address: how many cores to use")
    add("--collector", default="ucmoh-collect", help="a program that all machines have")
    add("--merger", default="ucmoh-records", help="a program that this machine has")
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:end])
    options.passed = arguments[end + 1:]
    return options


def parse(arguments):
    """Reads the arguments. Those behind `--` are the collector's."""
    parser = new_parser("cluster", __doc__, "TASKS --db=DB")
    add = parser.add_argument
    add("tasks", type=pathlib.Path, help="JSON lines, as the collector reads them")
    add("--db", required=True, type=pathlib.Path, help="database that gets all rows")
    add("--shards", type=int, default=100, help="into how many parts the tasks are cut")
    return parse_with_places(parser, arguments, "shard")


def collect(options):
    """The failures by shard."""
    parts = shards.split(options.tasks.read_bytes(), options.shards, options.passed)
    store = ShardStore(options.db, options.merger)
    todo = [shard for shard in parts if not store.has(shard.name)]
    progress = Progress(len(parts), len(parts) - len(todo))
    ray.init(address=options.address, num_cpus=options.cpus, log_to_driver=False)
    scheduler = Scheduler(todo, store, progress, options)
    try:
        scheduler.run()
    finally:
        scheduler.close()
        ray.shutdown()
    return scheduler.failures


def main(arguments):
    options = parse(arguments)
    try:
        failures = collect(options)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        return 130
    except (OSError, ConnectionError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for name in failures:
        print(f"error: shard {name} failed {options.attempts} times; the same command tries again",
              file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
