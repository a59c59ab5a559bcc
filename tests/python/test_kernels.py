import pathlib
import tempfile
import unittest

import heddle
from places import SOURCE

KERNELS = SOURCE / "tests" / "golden" / "kernels"

try:
    import numpy
except ImportError:
    numpy = None


@unittest.skipIf(numpy is None, "numpy is missing")
class Kernels(unittest.TestCase):
    def test_results_are_those_of_numpy(self):
        x, y = numpy.linspace(0, 1, 1000, dtype="f4"), numpy.ones(1000, "f4")
        saxpy = heddle.Kernel(KERNELS / "saxpy.ptx", "saxpy")
        run = saxpy((8, 1), 128, numpy.int32(1000), numpy.float32(2), x, y, scheduler="gto")
        numpy.testing.assert_allclose(run.arrays[1], 2 * x + y, rtol=1e-6)
        self.assertTrue((run.arrays[0] == x).all() and (y == 1).all())
        self.assertGreater(run.cycles, 0)
        self.assertEqual(run.kernels[0].name, "saxpy")

    def test_an_array_that_is_two_arguments_is_one_buffer(self):
        x = numpy.arange(1000, dtype="f4")
        saxpy = heddle.Kernel(KERNELS / "saxpy.ptx")
        run = saxpy(8, 128, numpy.int32(1000), numpy.float32(2), x, x, functional=True)
        self.assertEqual(len(run.arrays), 1)
        self.assertTrue((run.arrays[0] == 3 * x).all())

    def test_triton_needs_no_types_and_no_block(self):
        generator = numpy.random.default_rng(1)
        x = generator.random((6, 256), dtype="f4")
        run = heddle.Kernel(KERNELS / "triton")(6, None, x, numpy.zeros(6, "f4"), 0.5, 256)
        numpy.testing.assert_allclose(run.arrays[1], x.sum(axis=1) / 2, rtol=1e-5)

    def test_mistakes_are_errors_with_their_place(self):
        saxpy = heddle.Kernel(KERNELS / "saxpy.ptx")
        with self.assertRaisesRegex(heddle.HeddleError, "a value with its type"):
            saxpy(8, 128, 1000)
        with self.assertRaisesRegex(heddle.HeddleError, "not complex64"):
            saxpy(8, 128, numpy.complex64(1))
        with self.assertRaisesRegex(heddle.HeddleError, "4 parameters, and there are 0 arguments"):
            saxpy(8, 128)

    def test_files_of_numpy_are_read_and_written(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            x = numpy.asfortranarray(numpy.arange(12, dtype="f4").reshape(3, 4))
            numpy.save(folder / "x.npy", x)
            numpy.save(folder / "expected.npy", numpy.asfortranarray(4 * x))
            (folder / "kernel.toml").write_text(f'''
[buffers.x]
file = "x.npy"
expected = "expected.npy"
save = "saved.npy"
[[launches]]
module = "{KERNELS / "saxpy.ptx"}"
grid = 1
block = 32
arguments = [{{i32 = 12}}, {{f32 = 3}}, "x", "x"]
''')
            run = heddle.run(folder, functional=True)
            self.assertTrue(run.output.endswith("PASS\n"))
            self.assertTrue((numpy.load(folder / "saved.npy") == 4 * x).all())
