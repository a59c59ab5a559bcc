"""Runs and comparisons: `heddle cc`, `heddle run` and `heddle compare`."""
from __future__ import annotations

import difflib
import pathlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .command import (Finished, HeddleError, Path, UnknownName, list_of_names, read_json,
                      start)
from .table import Table

# The slot uses in the order in which pictures stack them.
SLOT_USES = ("issued", "scoreboard", "pipeline", "throttled", "barrier", "outstanding",
             "instruction_buffer_empty", "idle")


def flat(values: Any, name: str = "") -> Iterator[tuple[str, int | float]]:
    """Every number of a tree of run.json with its path: ("l1d.hits", 2688)."""
    items: Any = ()
    if isinstance(values, Mapping):
        items = values.items()
    elif isinstance(values, list):
        items = enumerate(values)
    elif isinstance(values, (int, float)) and not isinstance(values, bool):
        yield name, values
    for key, value in items:
        yield from flat(value, f"{name}.{key}" if name else str(key))


def row_name(scheduler: str, cta_scheduler: str) -> str:
    """The name of a pair of policies: "gto", "gto + mapped"."""
    return scheduler if cta_scheduler == "rr" else f"{scheduler} + {cta_scheduler}"


class Statistics:
    """Access to the statistics of a run or kernel by the names of `heddle list stats`.

    tree: a part of run.json, or name -> number.
    """

    def __init__(self, tree: Mapping[str, Any]) -> None:
        self._tree = tree

    def __getitem__(self, name: str) -> int | float:
        """A statistic: run["l1d.hits"] in requests, run["rates.l1d_hits"] a share from 0 to 1.
        `heddle list stats` prints units and meanings. Raises UnknownName, which is a HeddleError
        and a KeyError."""
        value: Any = self._tree
        for part in [name] if name in self._tree else name.split("."):
            if isinstance(value, Mapping) and part in value:
                value = value[part]
            elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
                value = value[int(part)]
            else:
                raise self._unknown(name)
        if not isinstance(value, (int, float)):
            raise self._unknown(name)
        return value

    def _unknown(self, name: str) -> UnknownName:
        known = list(self.statistics())
        near = [one for one in known if one.startswith(name + ".")] or \
            difflib.get_close_matches(name, known)
        return UnknownName(f"no statistic {name!r}" + (
            f"; did you mean {' or '.join(near[:3])}?" if near
            else "; statistics() has all of this run"))

    def statistics(self) -> dict[str, int | float]:
        """Every number by name."""
        return dict(flat(self._tree))

    @property
    def cycles(self) -> int | None:
        """Core cycles in which at least one timed launch was active; None when none was timed."""
        return int(self["cycles"]) or None

    @property
    def ipc(self) -> float | None:
        """Thread instructions of the whole GPU per core cycle; None when nothing was timed."""
        return float(self["ipc"]) if self.cycles else None

    @property
    def slots(self) -> dict[str, float] | None:
        """What the issue slots did: slot use -> share of all slots, from 0 to 1. None when nothing
        was timed."""
        if "cycles" in self._tree and not self.cycles:
            return None
        known = self.statistics()
        if "slots.issued" not in known:
            raise self._unknown("slots.issued")
        # Results of earlier versions do not tell every use apart.
        counts = {use: known.get(f"slots.{use}", 0) for use in SLOT_USES}
        total = sum(counts.values())
        return {use: count / total if total else 0.0 for use, count in counts.items()}


class Launch(Statistics):
    """One launch of a run."""

    @property
    def name(self) -> str:
        """The demangled name."""
        return self._tree["display_name"]

    def __repr__(self) -> str:
        return f"<heddle.Launch {self.name}: {cycles_text(self)}>"


class Run(Statistics):
    """The results of `heddle run`.

    document: the content of run.json. output, errors: what the program and Heddle printed; empty
    for a run that was read from a file.
    """

    def __init__(self, document: Mapping[str, Any], output: str = "", errors: str = "") -> None:
        super().__init__(document["totals"])
        self.document, self.output, self.errors = document, output, errors

    @classmethod
    def load(cls, path: Path) -> Run:
        """Reads a run.json, or the one in a folder."""
        file = pathlib.Path(path)
        if file.is_dir():
            file /= "run.json"
        return cls(read_json(file, "run.json of `heddle run --out`",
                             ("totals", "kernels", "gpu", "scheduler", "program")))

    @property
    def gpu(self) -> str:
        """The simulated GPU."""
        return self.document["gpu"]

    @property
    def scheduler(self) -> str:
        """The warp scheduler; with " + " and the CTA scheduler when that is not rr."""
        return row_name(self.document["scheduler"], self.document["cta_scheduler"])

    @property
    def exit_code(self) -> int:
        """The exit code of the simulated program."""
        return self.document["program"]["exit_code"]

    @property
    def kernels(self) -> list[Launch]:
        """The launches in their order."""
        return [Launch(kernel) for kernel in self.document["kernels"]]

    @property
    def summary(self) -> str:
        """What heddle printed about the run."""
        return self.errors

    def table(self) -> Table:
        """A row per launch: kernel, cycles (core cycles), ipc (thread instructions per cycle),
        l1d_hits, l2_hits, row_hits (shares from 0 to 1; None without accesses)."""
        columns = ("kernel", "cycles", "ipc", "l1d_hits", "l2_hits", "row_hits")
        return Table(({"kernel": kernel.name, **leading_figures(kernel)}
                      for kernel in self.kernels), columns)

    def __repr__(self) -> str:
        program = pathlib.Path(self.document["program"]["path"]).name
        machine = f"{self.gpu} under {self.scheduler}"
        return f"<heddle.Run {program} on {machine}: {cycles_text(self)}>"


def cycles_text(of: Statistics) -> str:
    return f"{of.cycles:,} cycles" if of.cycles else "functional, no cycles"


def leading_figures(of: Statistics) -> dict[str, Any]:
    """The columns that tables show."""
    def share(rate: str, accesses: str) -> float | None:
        try:
            return of[rate] if of[accesses] else None
        except KeyError:
            return None
    def value(name: str) -> int | float | None:
        try:
            return of[name]
        except KeyError:
            return None
    cycles = value("cycles") or None
    return {"cycles": cycles, "ipc": value("ipc") if cycles else None,
            "l1d_hits": share("rates.l1d_hits", "l1d.accesses"),
            "l2_hits": share("rates.l2_hits", "l2.accesses"),
            "row_hits": share("rates.dram_row_hits", "dram.requests")}


class Comparison:
    """The results of `heddle compare`: `runs` by name of the scheduler, in the order of the
    command. `text` is what heddle printed: table and explanation. `failures` maps schedulers under
    which the program failed to the reason; they have no run."""

    def __init__(self, runs: Mapping[str, Run], text: str = "",
                 failures: Mapping[str, str] | None = None) -> None:
        self.runs, self.text, self.failures = dict(runs), text, dict(failures or {})

    @classmethod
    def load(cls, folder: Path, text: str = "") -> Comparison:
        """Reads the folder of `heddle compare --out FOLDER`."""
        place = pathlib.Path(folder)
        runs, failures = {}, {}
        document = read_json(place / "compare.json", "folder of `heddle compare --out`", ("runs",))
        for entry in document["runs"]:
            name = row_name(entry["scheduler"], entry["cta_scheduler"])
            if entry["exit_code"] == 0 and "run" in entry:
                runs[name] = Run.load(place / entry["run"])
            else:
                failures[name] = entry.get("problem") or f"exit code {entry['exit_code']}"
        return cls(runs, text, failures)

    def __getitem__(self, scheduler: str) -> Run:
        if scheduler not in self.runs:
            reason = self.failures.get(scheduler)
            raise UnknownName(f"the program failed under {scheduler!r}: {reason}" if reason else
                              f"no run under {scheduler!r}; there are {', '.join(self.runs)}")
        return self.runs[scheduler]

    @property
    def best(self) -> str | None:
        """The scheduler with the fewest cycles; the first of several that are equal; None when no
        run was timed."""
        timed = [(run.cycles, name) for name, run in self.runs.items() if run.cycles]
        return min(timed, key=lambda one: one[0])[1] if timed else None

    def table(self) -> Table:
        """A row per scheduler: scheduler, cycles (core cycles), ipc (thread instructions per
        cycle), l1d_hits, l2_hits, row_hits (shares from 0 to 1), speedup (over the first)."""
        columns = ("scheduler", "cycles", "ipc", "l1d_hits", "l2_hits", "row_hits", "speedup")
        first = next(iter(self.runs.values()), Statistics({"cycles": 0}))
        return Table(({"scheduler": name, **leading_figures(run),
                       "speedup": first.cycles / run.cycles if first.cycles and run.cycles else None}
                      for name, run in self.runs.items()), columns)

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def __repr__(self) -> str:
        return f"<heddle.Comparison of {', '.join(self.runs)}>"


def options(*, gpu: Path | None = None, set: Mapping[str, object] | None = None,
            plugins: Sequence[Path] = (), registers: Mapping[str, int] | None = None,
            seed: int | None = None, threads: int | None = None, kernels: str | None = None,
            skip: int | None = None, limit_cycles: int | None = None,
            limit_instructions: int | None = None, sample: bool = False) -> list[str]:
    """The options that `heddle run` and `heddle compare` share, as words of a command line.

    gpu: a preset or a TOML file. set: parameters, {"sm.l1d.size": "32KiB"}. plugins: shared objects
    with policies. registers: kernel -> registers per thread. seed: of policies that use random
    numbers. threads: of the host; results do not depend on them. kernels: launches to time,
    "3,5..7,bfs*". skip: launches that run functionally first. limit_cycles (core cycles),
    limit_instructions (thread instructions): the rest runs functionally. sample: time launches that
    stand for the others; the figures are estimates, their bars are in Run.document["sample"].
    """
    words: list[str] = []
    value: object
    for flag, value in (("--gpu", gpu), ("--seed", seed), ("--threads", threads),
                        ("--kernels", kernels), ("--skip", skip), ("--limit-cycles", limit_cycles),
                        ("--limit-instructions", limit_instructions)):
        if value is not None:
            words += [flag, str(value)]
    words += ["--sample"] * sample
    for key, value in (set or {}).items():
        words += ["--set", f"{key}={value}"]
    for plugin in plugins:
        words += ["--plugin", str(plugin)]
    for kernel, number in (registers or {}).items():
        words += ["--registers", f"{kernel}={number}"]
    return words


class ResultFolder:
    """The folder of the results: the caller's, or a temporary one."""

    def __init__(self, chosen: Path | None) -> None:
        self._temporary = None
        if not chosen:
            self._temporary = tempfile.TemporaryDirectory(prefix="heddle-")
            chosen = self._temporary.name
        self.path = pathlib.Path(chosen)

    def __enter__(self) -> pathlib.Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        if self._temporary:
            self._temporary.cleanup()


def cc(*sources: Path, output: Path, flags: Sequence[str] = ("-O2",)) -> str:
    """Compiles CUDA C++ with `heddle cc` and returns the path of the program. Raises HeddleError
    with the compiler's messages."""
    finished = start(["cc", *flags, *sources, "-o", output])
    if finished.exit_code != 0:
        raise finished.error() if "heddle: error: " in finished.errors else HeddleError(
            finished.errors.strip(), finished.exit_code, finished.command, finished.output,
            finished.errors)
    return str(output)


def run(program: Path, *arguments: object, scheduler: str | None = None,
        cta_scheduler: str | None = None, share: str | None = None, functional: bool = False,
        details: bool = False, interval: int | None = None, out: Path | None = None,
        timeout: float | None = None, check: bool = True, **shared: Any) -> Run:
    """Runs a program on a simulated GPU.

    scheduler, cta_scheduler, share: policies with their parameters, "swl:warps=8"; the GPU's own by
    default. functional: compute without cycles. details: statistics per instruction, loop,
    scheduler and CTA in Run.document. interval: record all counters every so many core cycles.
    out: keep the results in this folder. timeout: seconds. Further options: runs.options().

    Raises HeddleError with Heddle's diagnostic, and, unless check is False, when the program itself
    ends with another exit code than 0.
    """
    words = ["run", *options(**shared)]
    for flag, value in (("--scheduler", scheduler), ("--cta-scheduler", cta_scheduler),
                        ("--share", share), ("--interval", interval)):
        if value is not None:
            words += [flag, str(value)]
    words += ["--functional"] * functional + ["--details"] * details
    with ResultFolder(out) as folder:
        file = folder / "run.json"
        file.unlink(missing_ok=True)
        finished = start([*words, "--out", folder, program, *arguments], timeout=timeout)
        if not file.is_file():
            raise finished.error()
        result = Run.load(file)
    result.output, result.errors = finished.output, finished.errors
    if result.document["status"] != "completed":
        raise finished.error()
    if check and finished.exit_code != 0:
        raise failed_program(finished)
    return result


def failed_program(finished: Finished) -> HeddleError:
    last = (finished.output.strip().split("\n") or [""])[-1]
    return HeddleError(f"the program ended with exit code {finished.exit_code}" +
                       (f": {last}" if last else ""),
                       finished.exit_code, finished.command, finished.output, finished.errors)


def compare(program: Path, *arguments: object, schedulers: Sequence[str] = ("lrr", "gto"),
            cta_schedulers: Sequence[str] = ("rr",), jobs: int | None = None,
            out: Path | None = None, timeout: float | None = None, check: bool = True,
            **shared: Any) -> Comparison:
    """Runs a program under several schedulers. Speed-ups are over the first.

    schedulers: warp schedulers with their parameters, or ["all"]. cta_schedulers: each is combined
    with each of schedulers. jobs: runs at once; as many as there are cores by default. out: keep
    the results in this folder. timeout: seconds. Further options: runs.options().

    Raises HeddleError with Heddle's diagnostic, and, unless check is False, when the program fails
    under a scheduler.
    """
    words = ["compare", "--quiet", *options(**shared),
             "--schedulers", ",".join(list_of_names(schedulers, "schedulers")),
             "--cta-schedulers", ",".join(list_of_names(cta_schedulers, "cta_schedulers"))]
    if jobs is not None:
        words += ["--jobs", str(jobs)]
    with ResultFolder(out) as folder:
        file = folder / "compare.json"
        file.unlink(missing_ok=True)
        finished = start([*words, "--out", folder, program, *arguments], timeout=timeout)
        if not file.is_file():
            raise finished.error()
        comparison = Comparison.load(folder, finished.output)
    if check and comparison.failures:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in comparison.failures.items())
        raise HeddleError(f"the program failed under {reasons}", finished.exit_code,
                          finished.command, finished.output, finished.errors)
    return comparison
