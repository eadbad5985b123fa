"""Times text generation with models of ONNX Runtime GenAI, by ONNX Runtime and by ours, in turns in one process.

    PYTHONPATH=python UCMOH_BIN=build/bin build/peers/bin/python benchmarks/generate.py FOLDER --cases 1,1,512 1,128,0

FOLDER has model.onnx and genai_config.json, as scripts/models/onnx_genai.py writes them. A case is batch,words,past: so
many new words of each text behind so many known ones. Prints a line of JSON for each case:

    {"model", "batch", "words", "past", "milliseconds": {ENGINE: ...}, "decibels", "threads"}

Engines: "onnxruntime" and "ours" return a new cache; "onnxruntime_shared" and "ours_in_place" write to one that has
room for more words, ONNX Runtime by IO binding. `milliseconds` is the least of all calls, with all arguments at hand.
`decibels` says how near our logits are to ONNX Runtime's: the power of these over that of the difference.
"""
import argparse
import json
import os
import pathlib
import time

import numpy as np
import onnxruntime
import ucmoh

LONGEST = 2048  # words for which a cache has room, where a case needs no more


def is_cache(name):
    """Whether it has keys or values of all words."""
    return name.endswith((".key", ".value"))


class Model:
    """A folder, compiled for all engines."""

    def __init__(self, folder, threads):
        path = folder / "model.onnx"
        described = json.loads((folder / "genai_config.json").read_text(encoding="utf-8"))["model"]
        self.width, self.words = described["decoder"]["head_size"], described["vocab_size"]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(path, options)
        with ucmoh.threads(threads):
            self.program, self.in_place = ucmoh.compile(path), ucmoh.compile(path, in_place=True)
        self.random = np.random.default_rng(0)

    def feeds(self, batch, words, past):
        """Arguments of one call."""
        feeds = {}
        for each in self.session.get_inputs():
            if each.name == "input_ids":
                feeds[each.name] = self.random.integers(0, self.words, (batch, words))
            elif each.name == "attention_mask":
                feeds[each.name] = np.ones((batch, past + words), np.int64)
            elif each.name == "position_ids":
                outer = (*each.shape[:-2], batch, 1)  # those of images and text are three
                feeds[each.name] = np.tile(np.arange(past, past + words), outer)
            else:
                feeds[each.name] = self.random.standard_normal(self.shape(each, batch, past)).astype(np.float32)
        return feeds

    def shape(self, declared, batch, past):
        """The extents of a cache, or of a state that knows all words."""
        if not is_cache(declared.name):
            return [batch, *declared.shape[1:]]
        return [batch, declared.shape[1], past, self.width]

    def with_room(self, feeds, words):
        """The same, with caches for so many words."""
        def wide(cache):
            made = np.zeros((*cache.shape[:2], words, cache.shape[3]), np.float32)
            made[:, :, :cache.shape[2]] = cache
            return made

        return {name: wide(value) if is_cache(name) else value for name, value in feeds.items()}

    def bound(self, feeds):
        """A binding whose caches are its results as well."""
        binding = self.session.io_binding()
        for name, value in feeds.items():
            if not is_cache(name):
                binding.bind_cpu_input(name, value)
                continue
            cache = onnxruntime.OrtValue.ortvalue_from_numpy(value)
            binding.bind_ortvalue_input(name, cache)
            binding.bind_ortvalue_output(name.replace("past_key_values", "present"), cache)
        for each in self.session.get_outputs():
            if not is_cache(each.name):
                binding.bind_output(each.name)
        return binding

    def engines(self, batch, words, past):
        """Calls without arguments, by name, and how near the logits are."""
        feeds = self.feeds(batch, words, past)
        roomy = self.with_room(feeds, max(LONGEST, past + words))
        binding = self.bound(roomy)
        wanted, *found = (run(["logits"], feeds)[0] for run in (self.session.run, self.program.run))
        noise = ((found[0] - wanted) ** 2).sum()
        return {"onnxruntime": lambda: self.session.run(None, feeds), "ours": lambda: self.program.run(None, feeds),
                "onnxruntime_shared": lambda: self.session.run_with_iobinding(binding),
                "ours_in_place": lambda: self.in_place.run(None, roomy)}, 10 * np.log10((wanted ** 2).sum() / noise)


def seconds(call, count):
    """The least time of so many calls."""
    best = float("inf")
    for _ in range(count):
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cases", nargs="+", default=["1,1,16", "1,1,512", "1,1,2000", "4,1,512", "1,32,512", "1,128,0", "1,512,0"])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=8, help="in each round, of one new word; a quarter of many words")
    options = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-options.threads:])
    model = Model(options.folder, options.threads)
    for case in options.cases:
        batch, words, past = map(int, case.split(","))
        calls, decibels = model.engines(batch, words, past)
        best = dict.fromkeys(calls, float("inf"))
        for _ in range(options.rounds):
            for name, call in calls.items():
                best[name] = min(best[name], seconds(call, options.calls if words == 1 else max(options.calls // 4, 1)))
        print(json.dumps({"model": options.folder.name, "batch": batch, "words": words, "past": past,
                          "milliseconds": {name: round(1e3 * value, 3) for name, value in best.items()},
                          "decibels": round(float(decibels), 1), "threads": options.threads}), flush=True)


if __name__ == "__main__":
    main()
