"""Writes arguments of extents.mlir whose numbers of rows differ."""
import sys

import npy

npy.write(f"{sys.argv[1]}/x.npy", "<f4", (3, 24), [0.0] * 72)
npy.write(f"{sys.argv[1]}/y.npy", "<f4", (4, 16), [0.0] * 64)
