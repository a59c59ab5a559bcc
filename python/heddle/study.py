"""Studies: the input of `heddle sweep`, built in Python."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .command import Finished, Path, list_of_names, start
from .results import Results

# Values of a parameter: a list, a range (steps()), or variants {"large": ["sm.l1d.size=48KiB"]}.
Axis = Sequence[object] | Mapping[str, Any]


def steps(first: float, last: float, *, step: float | None = None,
          times: float | None = None) -> dict[str, float]:
    """A range of a parameter grid, both ends included: steps(16, 64, times=2) is 16, 32, 64;
    steps(4, 10, step=3) is 4, 7, 10. Exactly one of step and times is given."""
    if step is not None and times is None:
        return {"from": first, "to": last, "step": step}
    if times is not None and step is None:
        return {"from": first, "to": last, "times": times}
    raise ValueError("steps() takes either step or times")


@dataclass
class Case:
    """A workload of a study. Empty fields are left to the study."""

    name: str
    program: Sequence[object]  # the file in the folder of programs, then its arguments
    group: str = ""            # of reports
    gpus: Sequence[str] = ()
    set: Mapping[str, object] = field(default_factory=dict)  # {"sm.l1d.ways": 4}
    cta_schedulers: Sequence[str] = ()
    shares: Sequence[str] = ()
    also: Sequence[str] = ()       # further schedulers
    inputs: Sequence[str] = ()     # files that the program opens
    sizes: Sequence[str] = ()      # a case each, with the size as last argument
    winners: Sequence[str] = ()    # marked in the table
    expected: Sequence[str] = ()   # "daws > gto > lrr"
    grid: Mapping[str, Axis] = field(default_factory=dict)
    budget: Mapping[str, object] = field(default_factory=dict)
    findings: Mapping[str, str] = field(default_factory=dict)  # expectation -> why it fails

    def document(self) -> dict[str, Any]:
        """The case as a table of the study file."""
        return without_empty({
            "name": self.name, "group": self.group, "program": [str(w) for w in self.program],
            "sizes": list_of_names(self.sizes, "sizes"), "inputs": list_of_names(self.inputs, "inputs"), "gpus": list_of_names(self.gpus, "gpus"),
            "set": overrides(self.set), "cta_schedulers": list_of_names(self.cta_schedulers, "cta_schedulers"),
            "shares": list_of_names(self.shares, "shares"), "also": list_of_names(self.also, "also"), "winners": list_of_names(self.winners, "winners"),
            "expected": list_of_names(self.expected, "expected"), "grid": grid_document(self.grid),
            "budget": dict(self.budget),
            "finding": [{"expected": text, "reason": reason}
                        for text, reason in self.findings.items()]})


@dataclass
class Study:
    """Workloads x GPUs x parameters x schedulers, with expected results.

        study = heddle.Study("L1 ways", schedulers=["lrr", "gto"], gpus=["gtx480"])
        study.grid["sm.l1d.ways"] = [2, 4, 8]
        study.add("row walk", ["patterns/row_walk", "tiny"])
        results = study.sweep("ways.db")

    The fields are the keys of a study file, which docs/studies.md explains.
    """

    title: str
    schedulers: Sequence[str]                # speed-ups are over the first
    gpus: Sequence[str] = ("gtx480",)        # of cases without GPUs
    cta_schedulers: Sequence[str] = ()
    shares: Sequence[str] = ()
    set: Mapping[str, object] = field(default_factory=dict)  # parameters of all cases
    margin: float | None = None              # ">": faster by more than this share
    near: float | None = None                # "~": equal within this share
    best_of: dict[str, Sequence[str]] = field(default_factory=dict)
    grid: dict[str, Axis] = field(default_factory=dict)
    # "cycles" (core cycles; the rest runs functionally), "time" ("10 min"), "memory" ("4 GiB").
    budget: dict[str, object] = field(default_factory=dict)
    excluded: list[dict[str, str]] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)

    def add(self, name: str, program: Path | Sequence[object], **values: Any) -> Case:
        """Adds a case and returns it. program: a file in the folder of programs, or the file and
        its arguments. values: further fields of Case."""
        if isinstance(program, (str, os.PathLike)):
            program = [program]
        case = Case(name, list(program), **values)
        self.cases.append(case)
        return case

    def exclude(self, **values: str) -> None:
        """Excludes the runs that match all keys: exclude(gpu="gtx480", scheduler="ccws*")."""
        self.excluded.append(values)

    def document(self) -> dict[str, Any]:
        """The study as nested dictionaries, in the layout of the file."""
        return without_empty({
            "title": self.title, "gpus": list_of_names(self.gpus, "gpus"), "schedulers": list_of_names(self.schedulers, "schedulers"),
            "cta_schedulers": list_of_names(self.cta_schedulers, "cta_schedulers"), "shares": list_of_names(self.shares, "shares"),
            "set": overrides(self.set), "margin": self.margin, "near": self.near,
            "best_of": {name: list(names) for name, names in self.best_of.items()},
            "grid": grid_document(self.grid), "budget": dict(self.budget),
            "exclude": [dict(keys) for keys in self.excluded],
            "case": [case.document() for case in self.cases]})

    def to_toml(self) -> str:
        """The study file."""
        return toml_of(self.document())

    def write(self, path: Path) -> None:
        """Writes the study file. The file's name without extension is the study's name."""
        file = pathlib.Path(path)
        temporary = file.with_name(file.name + ".new")
        temporary.write_text(self.to_toml())
        temporary.replace(file)

    @property
    def name(self) -> str:
        """The study's name in a store, from its title: "L1 ways" is "L1-ways"."""
        return re.sub(r"[^\w.+-]+", "-", self.title).strip("-.")[:100] or "study"

    def sweep(self, store: Path, *, name: str | None = None, options: Iterable[object] = (),
              timeout: float | None = None, check: bool = True) -> Results:
        """Measures what the store lacks with `heddle sweep` and opens the store.

        store: the SQLite file of the results; it is created when it does not exist. name: of the
        study in the store, from the title by default; a store refuses a study with the name of
        another one. options: further words of the command, ["--jobs", 4]. timeout: seconds;
        the same call resumes. Raises HeddleError with Heddle's diagnostic, and, unless check is
        False, when a program fails under a scheduler.
        """
        finished = self._start(name, ["--quiet", "--out", store, *options], timeout)
        if finished.exit_code != 0 and (check or finished.exit_code != 1):
            raise finished.error()
        return Results(store)

    def plan(self, store: Path, *, name: str | None = None) -> str:
        """What sweep() would do: how many runs, how long and how much disk, as `heddle sweep
        --dry-run` words it."""
        finished = self._start(name, ["--dry-run", "--out", store], None)
        if finished.exit_code != 0:
            raise finished.error()
        return finished.output + finished.errors

    def _start(self, name: str | None, options: Iterable[object], timeout: float | None) -> Finished:
        with tempfile.TemporaryDirectory(prefix="heddle-") as folder:
            file = pathlib.Path(folder) / f"{name or self.name}.toml"
            self.write(file)
            finished = start(["sweep", file, *options], timeout=timeout)
            # The file is gone when a message that names it is read.
            return dataclasses.replace(finished, errors=finished.errors.replace(
                str(file), f"study {self.title!r}"))


def overrides(values: Mapping[str, object]) -> list[str]:
    return [f"{key}={value}" for key, value in values.items()]


def grid_document(grid: Mapping[str, Axis]) -> dict[str, Any]:
    return {name: dict(axis) if isinstance(axis, Mapping) else list(axis)
            for name, axis in grid.items()}


def without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}


def toml_of(document: Mapping[str, Any]) -> str:
    """A TOML document of texts, numbers, lists, tables and lists of tables."""
    return "\n".join(toml_lines(document, ())) + "\n"


def toml_lines(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    def heading(key: str, brackets: str) -> str:
        name = ".".join(toml_key(part) for part in (*path, key))
        return brackets.replace("..", name)

    def is_tables(value: Any) -> bool:
        return isinstance(value, list) and bool(value) and all(isinstance(v, Mapping)
                                                               for v in value)

    lines, below = [], []
    for key, value in table.items():
        if is_tables(value):
            for item in value:
                below += ["", heading(key, "[[..]]"), *toml_lines(item, (*path, key))]
        elif isinstance(value, Mapping) and not path_is_axis(path):
            below += ["", heading(key, "[..]"), *toml_lines(value, (*path, key))]
        else:
            lines.append(f"{toml_key(key)} = {toml_value(value)}")
    return lines + below


def path_is_axis(path: tuple[str, ...]) -> bool:
    """Whether tables below this path are values of a parameter, which stand in one line."""
    return bool(path) and path[-1] == "grid"


def toml_key(key: str) -> str:
    bare = key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    return key if bare else json.dumps(key)


def toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{toml_key(k)} = {toml_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    # JSON's escapes are those of TOML's basic strings, except for DEL.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
