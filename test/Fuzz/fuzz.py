"""Feeds mutated MLIR files to a tool. No input may crash or hang it; errors are fine.

Usage: fuzz.py TOOL CORPUS_FOLDER COUNT SEED FOLDER_FOR_CRASHES [OPTION_OF_TOOL...]
"""

import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys

import mutate

BATCH = 25
SECONDS = 60  # a batch may take so long; a single input takes milliseconds
SEPARATOR = "// -----"
LARGEST = 15_000  # characters of one input: whole models would take all the time


def stack(text):
    """The innermost frames of a stack dump."""
    return "\n".join([line for line in text.splitlines() if re.match(r" *#\d+ 0x", line)][:14])


def crash(command, inputs):
    """How the tool died on `inputs`, or None if it did not; and how many of them it accepted."""
    text = f"\n{SEPARATOR}\n".join(inputs)
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS} s", 0
    # 128 + signal: the tool's own handlers may end it that way.
    if done.returncode < 0 or done.returncode >= 128:
        return f"exit status {done.returncode}\n{stack(done.stderr)}", 0
    return None, sum(line.startswith("module") for line in done.stdout.splitlines())


def functions(piece):
    """Each top-level function with the aliases, or the piece itself if it has other things."""
    aliases = "".join(line + "\n" for line in piece.splitlines() if line[:1] in "#!")
    bodies = re.findall(r"^func\.func .*?^}$", piece, re.M | re.S)
    return [aliases + body + "\n" for body in bodies] if len(bodies) > 1 else [piece]


def corpus(tool, folder):
    """The well-formed pieces of all .mlir files, without comments, so that mutations hit code."""
    pieces = []
    for file in sorted(pathlib.Path(folder).rglob("*.mlir")):
        text = re.sub(r"^\s*//(?! -----).*\n", "", file.read_text(), flags=re.M)
        for piece in text.split(SEPARATOR):
            pieces += [part for part in functions(piece.strip() + "\n") if len(part) < LARGEST]
    return [piece for piece in pieces if crash([tool], [piece]) == (None, 1)]


def crashes_of_batch(command, batch):
    """The inputs of a batch that alone crash the tool, with the reason of each; the number accepted.

    What crashes the tool without any pass is a bug of MLIR's parser, which is not tested here.
    """
    reason, accepted = crash(command, batch)
    if not reason:
        return [], accepted
    results = [(text, *crash(command, [text])) for text in batch]
    accepted = sum(number for _, _, number in results)
    alone = [(text, why) for text, why, _ in results if why]
    together = [(f"\n{SEPARATOR}\n".join(batch), reason)]
    return [found for found in alone or together if not crash(command[:2], [found[0]])[0]], accepted


def main():
    tool, folder, count, seed, crash_folder, *options = sys.argv[1:]
    pieces, generator = corpus(tool, folder), random.Random(int(seed))
    assert pieces, f"no .mlir file below {folder}"
    inputs = [mutate.mutate(generator.choice(pieces), generator) for _ in range(int(count))]
    batches = [inputs[i:i + BATCH] for i in range(0, len(inputs), BATCH)]
    command = [tool, "--split-input-file", *options]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda batch: crashes_of_batch(command, batch), batches))

    crashes = [found for batch_crashes, _ in results for found in batch_crashes]
    accepted = sum(number for _, number in results)
    pathlib.Path(crash_folder).mkdir(parents=True, exist_ok=True)
    for index, (text, reason) in enumerate(crashes):
        file = pathlib.Path(crash_folder) / f"crash{index}.mlir"
        file.write_text(text)
        print(f"{' '.join(command)} {file}: {reason}")
    print(f"{len(inputs)} inputs of {len(pieces)} pieces, {accepted} accepted, {len(crashes)} crashes")
    # If nearly all inputs were malformed, only the parser would have been tested.
    sys.exit(bool(crashes) or accepted < len(inputs) / 5)


if __name__ == "__main__":
    main()
