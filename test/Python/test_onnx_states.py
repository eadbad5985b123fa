"""Layers that carry a state from call to call, against ONNX Runtime: convolutions, linear attention, and their gates."""
import needs  # noqa: F401
from onnx_case import MICROSOFT, GraphCase, np, ucmoh

WIDTH = 16


class StatesTest(GraphCase):
    def test_convolution(self):
        """With a state and without one, of calls that are shorter and longer than what the kernel sees."""
        channels, size = 12, 4
        kernel, bias = self.numbers(channels, 1, size), self.numbers(channels)
        for fields in ({}, {"activation": "silu"}):
            self.add("CausalConvWithState", "x", kernel, bias, "state", domain=MICROSOFT, results=2, **fields)
            self.add("CausalConvWithState", "x", kernel, domain=MICROSOFT, results=2, **fields)
        for words in (1, 2, 9):
            inputs = {"x": self.numbers(2, channels, words), "state": self.numbers(2, channels, size - 1)}
            self.check(inputs, shapes={"x": ["texts", channels, "words"], "state": ["texts", channels, size - 1]})

    def test_channels_last(self):
        kernel = self.numbers(12, 1, 3)
        self.add("CausalConvWithState", "x", kernel, "", "state", domain=MICROSOFT, results=2, channels_last=1, dilation=2)
        inputs = {"x": self.numbers(2, 5, 3, 4), "state": self.numbers(2, 4, 3, 4)}
        self.check(inputs, shapes={"x": ["texts", "words", 3, 4], "state": ["texts", 4, 3, 4]})

    def test_refused_convolutions(self):
        kernel = self.numbers(4, 1, 3)
        self.add("CausalConvWithState", "x", kernel, "", "state", domain=MICROSOFT, results=2, state_window=2)
        self.refused_alone("windows of states", {"x": self.numbers(1, 4, 5), "state": self.numbers(2, 1, 4, 2)})

    def attend(self, heads, queries, rule, keys=None, **fields):
        """A node, whose inputs follow from its rule."""
        names = ["decay" if "gated" in rule else "", "rates" if "delta" in rule else ""]
        while names and not names[-1]:
            names.pop()
        self.add("LinearAttention", "query", "key", "value", "state", *names, domain=MICROSOFT, results=2, q_num_heads=queries,
                 kv_num_heads=heads, update_rule=rule, **fields)

    def inputs_of(self, heads, queries, rule, words, decays=1):
        keys = min(heads, queries)
        inputs = {"query": self.numbers(2, words, queries * WIDTH), "key": self.numbers(2, words, keys * WIDTH) / 4,
                  "value": self.numbers(2, words, heads * WIDTH), "state": self.numbers(2, heads, WIDTH, WIDTH)}
        if "gated" in rule:
            inputs["decay"] = -np.abs(self.numbers(2, words, heads * decays))
        if "delta" in rule:
            inputs["rates"] = np.abs(self.numbers(2, words, heads))
        return inputs

    def check_words(self, *case, **options):
        """One word, and several."""
        for words in (1, 7):
            inputs = self.inputs_of(*case, words, **options)
            self.check(inputs, shapes={name: ["texts", "words" if value.ndim == 3 else value.shape[1], *value.shape[2:]]
                                       for name, value in inputs.items()}, tolerance=1e-4)

    def test_rules(self):
        for rule in ("linear", "gated", "delta", "gated_delta"):
            with self.subTest(rule):
                self.nodes, self.results = [], []
                self.attend(4, 4, rule)
                self.check_words(4, 4, rule)

    def test_shared_heads(self):
        """Several queries for a state, and several states for a query; a scale, and a decay for each row of a state."""
        for heads, queries in ((2, 6), (6, 2)):
            self.nodes, self.results = [], []
            self.attend(heads, queries, "gated_delta", scale=.5)
            self.check_words(heads, queries, "gated_delta")
        self.nodes, self.results = [], []
        self.attend(2, 2, "gated")
        self.check_words(2, 2, "gated", decays=WIDTH)

    def test_no_state(self):
        self.add("LinearAttention", "query", "key", "value", domain=MICROSOFT, results=2, q_num_heads=2, kv_num_heads=2,
                 update_rule="linear")
        inputs = self.inputs_of(2, 2, "linear", 5)
        del inputs["state"]
        self.check(inputs, shapes={name: ["texts", "words", value.shape[2]] for name, value in inputs.items()})

    def test_operands_that_do_not_fit(self):
        """Extents that are known are compared by the compiler, and others when the program is called."""
        self.attend(2, 2, "linear")
        inputs = self.inputs_of(2, 2, "linear", 5)
        self.refused_alone("states of \\[2, 8, 16\\] do not belong to 2 heads of 16 x 16", inputs | {"state": self.numbers(2, 2, 8, 16)})
        shapes = {name: [f"{name} {dim}" if dim == 0 or dim == 1 and value.ndim == 3 else extent
                         for dim, extent in enumerate(value.shape)] for name, value in inputs.items()}
        program = ucmoh.compile(self.check(inputs, shapes=shapes))
        for name in inputs:
            with self.assertRaisesRegex(ucmoh.Error, "has extent|assertion of @main"):
                program.run(None, inputs | {name: inputs[name][:1]})
        with self.assertRaisesRegex(ucmoh.Error, "has extent|assertion of @main"):
            program.run(None, inputs | {"value": inputs["value"][:, :3]})

    def test_refused_attention(self):
        self.add("LinearAttention", "query", "key", "value", "state", domain=MICROSOFT, results=2, q_num_heads=2, kv_num_heads=2,
                 update_rule="delta")
        self.refused_alone("the rule delta needs rates", self.inputs_of(2, 2, "linear", 5))

    def test_gates(self):
        self.add("LinearAttentionGate", "x", self.numbers(8), -np.abs(self.numbers(8)), "gate", domain=MICROSOFT, results=2)
        for fields in ({}, {"activation": "sigmoid"}):
            self.add("GatedRMSNorm", "x", self.numbers(4), "gate", domain=MICROSOFT, **fields)
        self.add("GatedRMSNorm", "small", self.numbers(4), "gate", domain=MICROSOFT)  # where epsilon counts
        self.add("GatedAdd", "x", "gate", "one", domain=MICROSOFT)
        self.check({"x": self.numbers(2, 5, 8), "small": self.numbers(2, 5, 8) / 300, "gate": self.numbers(2, 5, 8), "one": self.numbers(2, 5, 1)},
                   shapes={"x": ["texts", "words", 8], "small": ["texts", "words", 8], "gate": ["texts", "words", 8], "one": ["texts", "words", 1]})
