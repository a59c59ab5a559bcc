"""Kernels that numba compiles when it runs: shared memory, mathematics, atomics, a reduction, warp
operations and a barrier of the grid."""
import math

import numpy as np
from numba import cuda, float32

N = 16


@cuda.jit
def product(a, b, c):
    rows = cuda.shared.array((N, N), float32)
    columns = cuda.shared.array((N, N), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for i in range(a.shape[1] // N):
        rows[ty, tx] = a[y, tx + i * N]
        columns[ty, tx] = b[ty + i * N, x]
        cuda.syncthreads()
        for j in range(N):
            total += rows[ty, j] * columns[j, tx]
        cuda.syncthreads()
    c[y, x] = total


@cuda.jit
def mathematics(x, y, sums):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = math.sin(x[i]) + math.exp(x[i]) + math.pow(x[i], 1.5)
        cuda.atomic.add(sums, 0, x[i])
        cuda.atomic.max(sums, 1, x[i])


@cuda.jit
def warp(out):
    lane = cuda.laneid
    out[lane] = 2 * cuda.shfl_xor_sync(-1, lane, 1) + cuda.ballot_sync(-1, lane < 4)


@cuda.jit
def grid(out):
    i = cuda.grid(1)
    out[i] = i
    cuda.cg.this_grid().sync()
    if i == 0:
        for other in range(1, out.size):
            out[0] += out[other]


@cuda.reduce
def add(a, b):
    return a + b


a = np.arange(32 * 48, dtype=np.float32).reshape(32, 48) % 7
b = np.arange(48 * 64, dtype=np.float32).reshape(48, 64) % 5
c = np.zeros((32, 64), np.float32)
product[(4, 2), (N, N)](a, b, c)
assert np.array_equal(c, a @ b)

x = np.linspace(0.5, 3, 100)
y, sums = np.zeros_like(x), np.zeros(2)
mathematics[4, 32](x, y, sums)
assert np.allclose(y, np.sin(x) + np.exp(x) + x**1.5, rtol=1e-14)
assert np.allclose(sums, [x.sum(), 3])

lanes = np.zeros(32, np.int32)
warp[1, 32](lanes)
assert np.array_equal(lanes, 2 * (np.arange(32) ^ 1) + 15)

sums = np.zeros(64, np.int32)
grid[2, 32](sums)
assert sums[0] == 63 * 64 // 2

assert add(np.arange(1000.0)) == 499500
print("PASS")
