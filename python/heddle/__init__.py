"""Runs CUDA programs on GPUs that Heddle simulates, and reads its results.

    import heddle
    run = heddle.run("./kmeans", 34, gpu="gtx480", scheduler="gto")
    run.cycles, run["l1d.hits"]
    comparison = heddle.compare("./kmeans", 34, schedulers=["lrr", "gto", "ccws"])
    comparison.table().frame()

The package starts the heddle executable: the one that $HEDDLE names, or the first on PATH, or that
of the build tree or installation to which the package belongs. It needs only Python 3.11;
Table.frame() needs pandas, heddle.plots matplotlib, and heddle.Kernel numpy.
"""
from .command import HeddleError, UnknownName, call, find_executable, version
from .kernels import Kernel, KernelRun
from .results import Results, by_parameter
from .runs import Comparison, Launch, Run, cc, compare, run
from .study import Case, Study, steps
from .table import Table

__all__ = ["Case", "Comparison", "HeddleError", "Kernel", "KernelRun", "Launch", "Results", "Run",
           "Study", "Table", "UnknownName", "by_parameter", "call", "cc", "compare",
           "find_executable", "run", "steps", "version"]
