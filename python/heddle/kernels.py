"""Kernels without a host program: PTX, a cubin, a fat binary, or Triton's cache."""
from __future__ import annotations

import json
import pathlib
import tempfile
from collections.abc import Sequence
from typing import Any

from .command import HeddleError, Path
from .runs import Run, run

# numpy's names of types -> those of descriptions.
TYPES = {"bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
         "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "float16": "f16",
         "bfloat16": "bf16", "float32": "f32", "float64": "f64"}


class KernelRun(Run):
    """The results of a kernel: a Run. arrays: the distinct arrays among the arguments, in their
    order, as the kernel left them; the arguments themselves do not change."""

    def __init__(self, finished: Run, arrays: Sequence[Any]) -> None:
        super().__init__(finished.document, finished.output, finished.errors)
        self.arrays = list(arrays)


class Kernel:
    """A kernel of a module.

        saxpy = heddle.Kernel("saxpy.ptx", "saxpy")
        run = saxpy(8, 128, numpy.int32(n), numpy.float32(2), x, y, scheduler="gto")
        run.cycles, run.arrays[1]

    module: a file with PTX or machine code, or a folder of Triton's cache. name: of the kernel, as
    in the module or in source text; may be omitted when there is one.
    """

    def __init__(self, module: Path, name: str | None = None) -> None:
        self.module, self.name = pathlib.Path(module).absolute(), name

    def __call__(self, grid: int | Sequence[int], block: int | Sequence[int] | None,
                 *arguments: Any, shared: int = 0, cooperative: bool = False,
                 **options: Any) -> KernelRun:
        """Launches the kernel once and returns statistics and arrays.

        block: None for Triton, whose cache has it. arguments: numpy arrays, which become buffers,
        and numpy scalars, numpy.int32(8); plain numbers where Triton's cache has their types.
        shared: bytes of dynamic shared memory. options: those of heddle.run().
        """
        import numpy
        arrays: list[Any] = []
        words = []
        for argument in arguments:
            if not isinstance(argument, numpy.ndarray):
                words.append(scalar(argument))
                continue
            if not any(argument is known for known in arrays):
                arrays.append(argument)
            number = next(i for i, known in enumerate(arrays) if known is argument)
            words.append(f'"a{number}"')
        launch = {"module": json.dumps(str(self.module)), "grid": sizes(grid), "shared": shared,
                  "cooperative": str(cooperative).lower(), "arguments": f"[{', '.join(words)}]"}
        if self.name is not None:
            launch["kernel"] = json.dumps(self.name)
        if block is not None:
            launch["block"] = sizes(block)
        if not shared:  # Triton's cache has it
            del launch["shared"]
        with tempfile.TemporaryDirectory(prefix="heddle-") as temporary:
            folder = pathlib.Path(temporary)
            lines = [buffer(folder, number, array) for number, array in enumerate(arrays)]
            lines += ["[[launches]]", *(f"{key} = {value}" for key, value in launch.items()), ""]
            file = folder / "kernel.toml"
            file.write_text("\n".join(lines), encoding="utf-8")
            finished = run(file, **options)
            return KernelRun(finished, [numpy.load(folder / f"out{number}.npy").view(array.dtype)
                                        for number, array in enumerate(arrays)])

    def __repr__(self) -> str:
        return f"<heddle.Kernel {self.name or 'of'} {self.module.name}>"


def sizes(value: int | Sequence[int]) -> list[int]:
    return [int(one) for one in (value if isinstance(value, (list, tuple)) else [value])]


def scalar(argument: Any) -> str:
    """A numpy scalar with its type; a plain number without."""
    if isinstance(argument, bool):
        return str(argument).lower()
    if isinstance(argument, (int, float)) and not hasattr(argument, "dtype"):
        return repr(argument)
    name = getattr(getattr(argument, "dtype", None), "name", type(argument).__name__)
    if name not in TYPES:
        raise HeddleError(f"an argument is a numpy array or scalar of {', '.join(TYPES)}, "
                          f"not {name}")
    value = argument.item()
    return f"{{{TYPES[name]} = {str(value).lower() if isinstance(value, bool) else repr(value)}}}"


def buffer(folder: pathlib.Path, number: int, array: Any) -> str:
    """The table of an array, whose elements go into the folder."""
    import numpy
    if array.dtype.name not in TYPES:
        raise HeddleError(f"argument array {number + 1} has elements of {array.dtype.name}; "
                          f"supported: {', '.join(TYPES)}")
    numpy.save(folder / f"in{number}.npy", array)
    return f'[buffers.a{number}]\nfile = "in{number}.npy"\nsave = "out{number}.npy"\n'
