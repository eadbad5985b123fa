"""Shares what the studies of this folder have in common: samples of measurements, trainings that are timed, tables."""
import argparse
import contextlib
import json
import os
import sqlite3
import subprocess
import sys


def make_parser(text, files, commands=("run", "table")):
    """The options that all studies have; `text` is the module's, and `files` says what --folder holds."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=commands)
    parser.add_argument("--folder", required=True, help=f"folder for {files}")
    parser.add_argument("--ucmoh", default="build/bin", help="folder of the programs (build/bin)")
    return parser


class Folder:
    """The files of a study, in the folder that its arguments name."""

    def __init__(self, arguments):
        self.arguments = arguments
        os.makedirs(arguments.folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.arguments.folder, name)


def make_database(ucmoh, path, exports, *deletions):
    """Makes, unless it is there, a database of exports without what the deletions take: SQL, or (SQL, parameters)."""
    if os.path.exists(path):
        return path
    draft = path + ".draft"
    subprocess.run([os.path.join(ucmoh, "ucmoh-records"), "import", draft, *exports], check=True, stdout=sys.stderr)
    with contextlib.closing(sqlite3.connect(draft)) as database, database:
        for deletion in deletions:
            database.execute(*([deletion] if isinstance(deletion, str) else deletion))
    os.rename(draft, path)
    return path


def query(path, statement):
    """The rows that a statement finds in a database."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        return database.execute(statement).fetchall()


def cpu_seconds(command):
    """Runs a command silently; the seconds of processors that it took, in user and system mode."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise RuntimeError(f"{' '.join(command)}: ended with {status}")
    return usage.ru_utime + usage.ru_stime


def importance(flops, tags):
    """Operations of a task times its uses in networks; `tags` are those of the database, JSON."""
    return flops * max(1, sum(json.loads(tags).get("networks", {}).values()))


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


def read_lines(path):
    """The values of a JSON-lines file; none where there is no file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_lines(path, values):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(value) + "\n" for value in values)


def number(value, digits=3):
    """.957 for .9571; nothing for None."""
    text = "" if value is None else f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def with_spread(value, spread, digits=3):
    """.957 ±.002; without a spread the value alone."""
    return number(value, digits) + (f" ±{number(spread)}" if spread is not None else "")


def print_table(header, lines):
    """Markdown."""
    print(f"| {' | '.join(header)} |\n" + "|---" * len(header) + "|")
    for line in lines:
        print(f"| {' | '.join(str(cell) for cell in line)} |")
