"""Mixtures of experts against ONNX Runtime, with as many rows as a call has."""
import needs  # noqa: F401
from onnx_case import MICROSOFT, GraphCase, np, ucmoh

EXPERTS, CHOSEN, WIDTH, INNER, BLOCK = 6, 2, 64, 96, 32
OPEN = {"x": ["rows", WIDTH], "scores": ["rows", EXPERTS]}


class ExpertsTest(GraphCase):
    def inputs(self, rows):
        return {"x": self.numbers(rows, WIDTH), "scores": self.numbers(rows, EXPERTS)}

    def check_rows(self, tolerance=1e-4):
        """One row, which most experts do not get, and many."""
        for rows in (1, 40):
            self.check(self.inputs(rows), opset=18, tolerance=tolerance, shapes=OPEN)

    def add_floats(self, activation, **fields):
        first = INNER * (2 if activation == "swiglu" else 1)
        self.add("MoE", "x", "scores", self.numbers(EXPERTS, first, WIDTH), self.numbers(EXPERTS, first),
                 self.numbers(EXPERTS, WIDTH, INNER), self.numbers(EXPERTS, WIDTH), domain=MICROSOFT, k=CHOSEN,
                 activation_type=activation, **fields)

    def test_floats(self):
        for activation in ("relu", "gelu", "silu", "identity"):
            self.add_floats(activation)
        self.add_floats("relu", normalize_routing_weights=1)
        self.check_rows()

    def test_gates(self):
        self.add_floats("swiglu", swiglu_fusion=1, activation_alpha=1.702, activation_beta=1.0, swiglu_limit=2.0,
                        normalize_routing_weights=1)
        self.check_rows()

    def bytes_of(self, *shape):
        return self.random.integers(0, 256, shape).astype(np.uint8)

    def scales(self, columns, steps, block):
        shape = (EXPERTS, columns, steps // block) if block else (EXPERTS, columns)
        return self.random.uniform(.0002, .002, shape).astype(np.float32)

    def zeros(self, columns, steps, block, bits):
        if not block:
            return self.bytes_of(EXPERTS, columns * bits // 8)
        return self.bytes_of(EXPERTS, columns, -(-steps // block * bits // 8))

    def add_integers(self, bits, block):
        """Without and with zero points."""
        for has_zeros in (False, True):
            sizes = (2 * INNER, WIDTH), (WIDTH, INNER)
            first, second = ([self.bytes_of(EXPERTS, columns, steps * bits // 8), self.scales(columns, steps, block)]
                             for columns, steps in sizes)
            zeros = [self.zeros(columns, steps, block, bits) for columns, steps in sizes] if has_zeros else []
            fields = {"block_size": block} if block else {}
            self.add("QMoE", "x", "scores", *first, "", *second, "", "", "", "", *zeros, domain=MICROSOFT, k=CHOSEN,
                     expert_weight_bits=bits, activation_type="swiglu", swiglu_fusion=1, **fields)

    def test_integers(self):
        for bits, block in ((4, 0), (4, BLOCK), (8, 0)):
            self.add_integers(bits, block)
        self.check_rows()

    def test_rows_of_bytes(self):
        """Rows are quantized as well, so that a sum in another order may end in another step."""
        self.add_integers(8, BLOCK)
        self.check_rows(tolerance=.05)

    def test_shares_apart(self):
        for is_whole in (0, 1):
            self.add("QMoE", "x", "scores", self.bytes_of(EXPERTS, INNER, WIDTH), self.scales(INNER, WIDTH, 0), "",
                     self.bytes_of(EXPERTS, WIDTH, INNER), self.scales(WIDTH, INNER, 0), *[""] * 7, "shares", domain=MICROSOFT,
                     k=CHOSEN, expert_weight_bits=8, activation_type="silu", normalize_routing_weights=is_whole)
        inputs = self.inputs(9)
        self.check(inputs | {"shares": np.abs(self.numbers(9, EXPERTS))}, opset=18, tolerance=1e-4)

    def test_refusals(self):
        for fields, why in (({"k": 7}, "7 of 6 experts"), ({"k": 2, "use_sparse_mixer": 1}, "sparse mixer")):
            self.nodes, self.results = [], []
            self.add("MoE", "x", "scores", self.numbers(EXPERTS, INNER, WIDTH), "", self.numbers(EXPERTS, WIDTH, INNER),
                     domain=MICROSOFT, activation_type="relu", **fields)
            self.refused_alone(why, self.inputs(4))
        self.nodes, self.results = [], []
        self.add("QMoE", "x", "scores", self.bytes_of(EXPERTS, INNER, WIDTH), self.scales(INNER, WIDTH, 0)[:2], "",
                 self.bytes_of(EXPERTS, WIDTH, INNER), self.scales(WIDTH, INNER, 0), domain=MICROSOFT, k=2, expert_weight_bits=8,
                 activation_type="silu")
        self.refused_alone("scales do not belong to 6 x 96 columns", self.inputs(4))
        self.nodes, self.results = [], []
        self.add("MoE", "x", "scores", self.numbers(EXPERTS, INNER, WIDTH + 2), "", self.numbers(EXPERTS, WIDTH, INNER), domain=MICROSOFT,
                 k=2, activation_type="relu")
        self.refused_alone("6 x 96 columns of 66 steps, and 6 experts read rows of 64", self.inputs(4))

    def test_a_router_of_other_rows(self):
        self.add_floats("relu")
        program = ucmoh.compile(self.check(self.inputs(7), shapes={"x": ["rows", WIDTH], "scores": ["others", EXPERTS]}, tolerance=1e-4))
        for rows in (5, 9):
            with self.assertRaisesRegex(ucmoh.Error, "assertion of @main"):
                program.run(None, self.inputs(7) | {"scores": self.numbers(rows, EXPERTS)})
