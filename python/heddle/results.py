"""Reads a results store, the SQLite file that `heddle sweep` writes. docs/results-store.md explains
its tables and views."""
from __future__ import annotations

import json
import os
import pathlib
import sqlite3
import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .command import HeddleError, Path, UnknownName
from .runs import Run, Statistics
from .table import Table

# Columns that hold the text of a JSON value.
JSON_COLUMNS = frozenset({"arguments", "overrides", "plugins", "members", "winners", "parameters",
                          "options"})
APPLICATION = 0x48656464  # which SQLite keeps in the file: "Hedd"
VERSION = 3               # of the schema that this package reads


class Results:
    """A results store, opened for reading. Reading works while a sweep writes.

        results = heddle.Results("patterns.db")
        results.speedups().pivot("case_name", "row", "speedup")
        results.values("l1d.hits").frame()

    Every method returns a Table: a list of dictionaries with frame() for pandas. Times are UTC
    texts, cycles are core cycles, rates are shares from 0 to 1. `study` may be left out in a store
    with one study.
    """

    def __init__(self, path: Path) -> None:
        """Raises HeddleError when the file is missing, is no store, or has another version than
        this package reads."""
        self.path = pathlib.Path(path)
        if not self.path.is_file():
            raise HeddleError(f"{self.path}: there is no such results store")
        # A store in a folder that cannot be written has no writer, and SQLite cannot lock it.
        mode = "mode=ro" if os.access(self.path.resolve().parent, os.W_OK) else "immutable=1"
        quoted = urllib.parse.quote(str(self.path.resolve()))
        self.connection = sqlite3.connect(f"file:{quoted}?{mode}", uri=True)
        try:
            self._check()
        except HeddleError:
            self.close()
            raise

    def _check(self) -> None:
        try:
            application, version = (self.connection.execute(f"PRAGMA {name}").fetchone()[0]
                                    for name in ("application_id", "user_version"))
        except sqlite3.DatabaseError as error:
            raise HeddleError(f"{self.path}: is no results store of Heddle: {error}") from error
        if application != APPLICATION:
            raise HeddleError(f"{self.path}: is an SQLite file, but no results store of Heddle")
        if version > VERSION:
            raise HeddleError(f"{self.path}: the store has version {version}; this package reads "
                              f"version {VERSION}; install a newer Heddle")
        if version < VERSION:
            raise HeddleError(f"{self.path}: the store has version {version}; this package reads "
                              f"version {VERSION}; repeat its sweep, which brings it to this "
                              "version and keeps its runs")

    def close(self) -> None:
        """Closes the file."""
        self.connection.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<heddle.Results {self.path}>"

    def query(self, sql: str, parameters: Sequence[object] | Mapping[str, object] = ()) -> Table:
        """The rows of an SQL query; columns with JSON are decoded. Raises sqlite3.Error."""
        cursor = self.connection.execute(sql, parameters)
        columns = [column[0] for column in cursor.description]
        return Table((dict(zip(columns, map(decoded, columns, row))) for row in cursor), columns)

    def studies(self) -> Table:
        """A row per study: name, title, baseline, margin, near, swept and the file's content."""
        return self.query("SELECT * FROM studies ORDER BY name")

    def study_name(self, study: str | None = None) -> str:
        """The named study, or the only one. Raises HeddleError with the known names."""
        names = self.studies().column("name")
        if study is not None and study in names:
            return study
        if study is None and len(names) == 1:
            return names[0]
        raise HeddleError(f"{self.path}: " + (f"no study {study!r}" if study else "which study?") +
                          f" (there are {', '.join(names) or 'none'})")

    def runs(self, study: str | None = None, **filters: str) -> Table:
        """A row per run of a study, or of the whole store when study is None. filters: columns of
        the table runs with patterns: runs(program="patterns/*", status="completed")."""
        conditions, values = [], []
        if study is not None:
            conditions.append("key IN (SELECT run_key FROM study_runs WHERE study = ?)")
            values.append(self.study_name(study))
        known = {row["name"] for row in self.query("SELECT name FROM pragma_table_info('runs')")}
        for name, pattern in filters.items():
            if name not in known:
                raise HeddleError(f"runs have no column {name!r}; there are " +
                                  ", ".join(sorted(known)))
            conditions.append(f"{name} GLOB ?")
            values.append(pattern)
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return self.query(f"SELECT * FROM runs{where} ORDER BY id", values)

    def cases(self, study: str | None = None) -> Table:
        """A row per case and scheduler: case_name, workload, gpu, parameters, row, status, cycles
        and more of its run; run_id is None while the run is missing."""
        return self.query("SELECT r.* FROM study_runs r LEFT JOIN study_rows o "
                          "ON o.study_id = r.study_id AND o.name = r.row WHERE study = ? "
                          "ORDER BY case_ordinal, o.ordinal IS NULL, o.ordinal, row",
                          [self.study_name(study)])

    def speedups(self, study: str | None = None) -> Table:
        """A row per case and row of the study's table: cycles, and speedup over the baseline."""
        return self.query("SELECT * FROM speedups WHERE study = ? ORDER BY case_ordinal, "
                          "row_ordinal", [self.study_name(study)])

    def best(self, study: str | None = None) -> Table:
        """The fastest row of every case."""
        return self.query("SELECT * FROM best_rows WHERE study = ? ORDER BY case_ordinal",
                          [self.study_name(study)])

    def geometric_means(self, study: str | None = None) -> Table:
        """Geometric means of the speed-ups of each row over the cases of each GPU."""
        sums = "SELECT gpu, row, cases, speedup FROM geometric_means WHERE study = ?"
        return self.query(sums + " ORDER BY gpu, row_ordinal", [self.study_name(study)])

    def expectations(self, study: str | None = None) -> Table:
        """A row per expectation: case_name, text, verdict (holds, fails, unknown), reason."""
        return self.query(
            "SELECT c.name AS case_name, e.text, e.verdict, e.reason FROM expectations e "
            "JOIN cases c ON c.id = e.case_id JOIN studies s ON s.id = c.study_id "
            "WHERE s.name = ? ORDER BY c.ordinal, e.ordinal", [self.study_name(study)])

    def statistics(self) -> Table:
        """Name, unit and meaning of every statistic in the store."""
        return self.query("SELECT name, unit, meaning FROM statistics ORDER BY id")

    def values(self, *names: str, study: str | None = None) -> Table:
        """Statistics of every completed run of a study, a column each: values("l1d.hits", "ipc").
        A value that a run did not count is None. Raises HeddleError for an unknown name."""
        known = set(self.statistics().column("name"))
        for name in names:
            if name not in known:
                raise HeddleError(f"{self.path}: no statistic {name!r}; Results.statistics() "
                                  "lists all")
        rows = Table([row for row in self.cases(study) if row["status"] == "completed"],
                     ["case_name", "workload", "gpu", "parameters", "row", "run_id", "cycles"])
        table = Table(({**{column: row[column] for column in rows.columns},
                        **dict.fromkeys(names)} for row in rows), [*rows.columns, *names])
        for name in names:
            of_run = {row["run_id"]: row["value"] for row in self.query(
                "SELECT run_id, value FROM run_statistics WHERE statistic = ?", [name])}
            for row in table:
                row[name] = of_run.get(row["run_id"])
        return table

    def run(self, run_id: int) -> Statistics:
        """The statistics of a run: results.run(3)["l1d.hits"], results.run(3).slots. It is a Run
        with all details when the sweep kept them (--details). Raises HeddleError when there is no
        such run, or it has no statistics."""
        row = self._run_row(run_id)
        kept = self.query("SELECT content FROM documents WHERE run_id = ? AND name = 'run.json'",
                          [run_id])
        if kept:
            return Run(json.loads(kept[0]["content"]))
        values = {row["statistic"]: row["value"] for row in self.query(
            "SELECT statistic, value FROM run_statistics WHERE run_id = ?", [run_id])}
        if not values:
            raise HeddleError(f"{self.path}: run {run_id} has no statistics: its status is "
                              f"{row['status']}" + (f": {row['problem']}" if row["problem"] else ""))
        return Statistics(values)

    def _run_row(self, run_id: int) -> dict[str, Any]:
        found = self.query("SELECT status, problem FROM runs WHERE id = ?", [run_id])
        if not found:
            raise UnknownName(f"{self.path}: no run {run_id}; Results.runs() lists all by their id")
        return found[0]

    def kernels(self, run_id: int) -> Table:
        """A row per launch of a run: name, grid (CTAs), block (threads), cycles and more."""
        self._run_row(run_id)
        return self.query("SELECT * FROM kernels WHERE run_id = ? ORDER BY launch", [run_id])

    def configuration(self, configuration_hash: str) -> dict[str, Any]:
        """Every parameter of a GPU by key. Raises UnknownName."""
        found = self.query("SELECT parameters FROM configurations WHERE hash = ?",
                           [configuration_hash])
        if not found:
            raise UnknownName(f"{self.path}: no configuration {configuration_hash!r}; the column "
                              "configuration_hash of Results.runs() has those that there are")
        return found[0]["parameters"]


def decoded(column: str, value: Any) -> Any:
    if column in JSON_COLUMNS and isinstance(value, str):
        return json.loads(value)
    return value


def by_parameter(rows: Iterable[Mapping[str, Any]], parameter: str) -> Table:
    """The rows with one parameter of the grid as a column, as a number where it is one:
    by_parameter(results.speedups(), "sm.l1d.ways"). Rows without it are left out. Raises HeddleError when no row
    has it."""
    rows = list(rows)
    chosen = [{**row, parameter: number_if_possible(row["parameters"][parameter])}
              for row in rows if parameter in row["parameters"]]
    if rows and not chosen:
        known = sorted({key for row in rows for key in row["parameters"]})
        raise UnknownName(f"no row has the parameter {parameter!r}; there are " +
                          (", ".join(known) or "none: the study has no grid"))
    return Table(chosen)


def number_if_possible(text: Any) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except (TypeError, ValueError):
            pass
    return text
