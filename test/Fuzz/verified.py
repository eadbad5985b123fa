"""Random programs, each compiled, executed and compared with plain loops by ucmoh-run.

Usage: verified.py UCMOH_RUN COUNT FIRST_SEED FOLDER_FOR_FAILURES [OPTION_OF_UCMOH_RUN...]
"""

import concurrent.futures
import pathlib
import subprocess
import sys

import programs

SECONDS = 300  # a program may take so long; most take one second


def failure(command, file):
    """Returns what is wrong with the program, or None; the file is kept if something is."""
    try:
        done = subprocess.run([*command, file], capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS} s"
    if done.returncode == 0 and "verified" in done.stdout:
        file.unlink()
        return None
    return "\n".join((done.stdout + done.stderr).splitlines()[-4:])


def main():
    tool, count, first, folder, *options = sys.argv[1:]
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)

    def run(seed):
        file = pathlib.Path(folder) / f"program{seed}.mlir"
        file.write_text(programs.program(seed), encoding="utf-8")
        why = failure([tool, *options], file)
        if why:
            print(f"{file}: {why}", flush=True)
        return why is not None

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failed = sum(pool.map(run, range(int(first), int(first) + int(count))))
    print(f"{count} programs, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
