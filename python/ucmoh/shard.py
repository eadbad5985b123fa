"""A shard: some tasks for one run of the collector. What runs on its machine is here, too."""
import dataclasses
import fcntl
import hashlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile


@dataclasses.dataclass(frozen=True)
class Shard:
    """Tasks (JSON lines, as bytes) and the collector's further options."""

    tasks: bytes
    options: tuple

    @property
    def name(self):
        """Follows from the content: another start finds what was measured, and only that."""
        content = b"\0".join([self.tasks, *map(str.encode, self.options)])
        return hashlib.sha256(content).hexdigest()[:16]


def split(tasks, count, options):
    """`count` shards of nearly the same size; every one is a sample of the whole file."""
    lines = [line for line in tasks.splitlines(keepends=True) if line.strip()]
    return [Shard(b"".join(lines[first::count]), tuple(options))
            for first in range(min(count, len(lines)))]


class CollectorError(RuntimeError):
    """The collector ended with a failure; the text is the end of what it wrote."""


def folder_of(name):
    """Where a machine keeps what it measured until it was fetched."""
    return pathlib.Path(tempfile.gettempdir()) / f"ucmoh-cluster-{os.getuid()}" / name


def command_for(core):
    """Returns the words in front of a command: with them it dies with this process, lest a killed worker leaves it to
    disturb the next one, and keeps to one core if `core` is a number."""
    words = ["setpriv", "--pdeathsig", "KILL"]
    if core is None:
        return words
    cores = sorted(os.sched_getaffinity(0))
    return words + ["taskset", "--cpu-list", str(cores[core % len(cores)])]


def measure(shard, collector, core):
    """Runs the collector to its end, on one core if `core` is its number; returns the database.

    A second attempt on this machine goes on where the first one died.
    """
    folder = folder_of(shard.name)
    folder.mkdir(parents=True, exist_ok=True)
    tasks, database = folder / "tasks.jsonl", folder / "rows.sqlite"
    with open(folder / "lock", "w", encoding="ascii") as lock, open(folder / "log", "wb") as log:
        fcntl.flock(lock, fcntl.LOCK_EX)
        tasks.write_bytes(shard.tasks)
        status = subprocess.run(
            [*command_for(core), collector, f"--tasks={tasks}", f"--db={database}", *shard.options],
            stdout=log, stderr=log, check=False).returncode
    if status:
        end = (folder / "log").read_text(errors="replace")[-2000:].strip()
        raise CollectorError(f"{collector} ended with {status}: {end}")
    return read_database(database)


def machine_of(collector, options):
    """The id in the records of the machine that this runs on: machines with the same one are alike."""
    with tempfile.TemporaryDirectory() as folder:
        tasks, database = pathlib.Path(folder) / "tasks.jsonl", pathlib.Path(folder) / "rows.sqlite"
        tasks.touch()
        done = subprocess.run([collector, f"--tasks={tasks}", f"--db={database}", *options],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise CollectorError(f"{collector} ended with {done.returncode}: {done.stderr[-2000:].strip()}")
        connection = sqlite3.connect(database)
        try:
            return connection.execute("SELECT id FROM machines").fetchone()[0]
        finally:
            connection.close()


def read_database(path):
    """The database as bytes, with what SQLite keeps beside the file."""
    if not path.exists():
        raise CollectorError(f"{path} was not made: the collector measured nothing")
    copy = path.with_suffix(".copy")
    copy.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    try:
        connection.execute("VACUUM INTO ?", (str(copy),))
    finally:
        connection.close()
    return copy.read_bytes()


def forget(names):
    """These shards were merged: nothing of them is left here."""
    for name in names:
        shutil.rmtree(folder_of(name), ignore_errors=True)
