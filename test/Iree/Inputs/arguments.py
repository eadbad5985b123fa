"""arguments.py MODEL.mlir: writes random arguments of @main as 0.npy, 1.npy and so on."""
import sys

import numpy as np
from run import random, types_of

generator = np.random.default_rng(1)
for i, text in enumerate(types_of(sys.argv[1])):
    np.save(f"{i}.npy", random(text, generator))
