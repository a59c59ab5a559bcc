"""Halide compiles a pipeline for the driver API when it runs: a blur and a sum over a window."""
import halide as hl

SIZE = 64
x, y = hl.Var("x"), hl.Var("y")
xi, yi, xo, yo = hl.Var("xi"), hl.Var("yi"), hl.Var("xo"), hl.Var("yo")
ramp, blur = hl.Func("ramp"), hl.Func("blur")
ramp[x, y] = x * 3 + y * y
blur[x, y] = ramp[x - 1, y] + ramp[x, y] + ramp[x + 1, y]
ramp.compute_root().gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
blur.gpu_tile(x, y, xo, yo, xi, yi, 16, 8)
target = hl.get_host_target().with_feature(hl.TargetFeature.CUDA)
image = blur.realize([SIZE, SIZE], target)
image.copy_to_host()
wrong = sum(image[i, j] != 9 * i + 3 * j * j for i in range(SIZE) for j in range(SIZE))
print("PASS" if wrong == 0 else f"FAIL: {wrong} values")
