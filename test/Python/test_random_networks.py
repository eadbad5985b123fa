"""Random networks of PyTorch give what PyTorch gives. UCMOH_RANDOM_NETWORKS=FIRST:END has the seeds, 0:8 otherwise."""
import os
import unittest

import needs
import ucmoh

try:
    import torch
    import torch_mlir  # noqa: F401
    import random_network
except ImportError as error:
    raise unittest.SkipTest("this needs torch and torch-mlir: scripts/setup.sh --python installs them") from error

needs.need_tool("ucmoh-compile")

TOLERANCE = 2e-4  # relative to the largest magnitude: sums have another order


class RandomNetworksTest(unittest.TestCase):
    def check(self, network):
        with torch.no_grad():
            expected, precise = network(*network.inputs), network.double()(*(each.double() for each in network.inputs))
            found = ucmoh.compile(network.float(), network.inputs, keep=False)(*network.inputs)
        if isinstance(expected, torch.Tensor):
            expected, precise, found = [expected], [precise], [found]
        for wanted, better, value in zip(expected, precise, found):
            self.assertEqual((value.shape, value.dtype), (wanted.shape, wanted.dtype))
            # Where float32 is not enough, PyTorch is as far from the truth.
            allowed = TOLERANCE * max(wanted.abs().max().item(), 1e-3) + 2 * (wanted - better).abs().max().item()
            self.assertLessEqual((value - wanted).abs().max().item(), allowed)

    def test_networks(self):
        first, end = map(int, os.environ.get("UCMOH_RANDOM_NETWORKS", "0:8").split(":"))
        for seed in range(first, end):
            network = random_network.RandomNetwork(seed).eval()
            with self.subTest(seed=seed, shapes=[list(each.shape) for each in network.inputs], steps=network.steps):
                self.check(network)


if __name__ == "__main__":
    unittest.main()
