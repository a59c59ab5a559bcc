"""Finds and calls the heddle executable."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Path = str | os.PathLike


class HeddleError(Exception):
    """A command of Heddle failed. str(error) is its diagnostic.

    exit_code: 1 a program failed, 2 wrong use, 3 a fault of the simulated program, 70 a bug of the
        simulator, 128 + N signal N; None when no command ran.
    command: the words of the command; empty when no command ran.
    output, errors: what the command wrote to standard output and standard error.
    """

    def __init__(self, diagnostic: str, exit_code: int | None = None,
                 command: Iterable[str] = (), output: str = "", errors: str = "") -> None:
        super().__init__(diagnostic)
        self.exit_code = exit_code
        self.command = list(command)
        self.output, self.errors = output, errors


class UnknownName(HeddleError, KeyError):
    """There is no statistic, column or run of this name. str(error) lists those that there are."""

    def __str__(self) -> str:
        return str(self.args[0])


def read_json(file: pathlib.Path, wanted: str, keys: Iterable[str]) -> dict[str, Any]:
    """The JSON object in a file. Raises HeddleError, with what the file should be, when it cannot be
    read, is damaged, or lacks one of the keys."""
    try:
        document = json.loads(file.read_text())
    except OSError as error:
        raise HeddleError(f"{file}: {error.strerror or error}; give the {wanted}") from error
    except ValueError as error:
        raise HeddleError(f"{file}: is damaged or no JSON ({error}); give the {wanted}") from error
    missing = [key for key in keys if not isinstance(document, dict) or key not in document]
    if missing:
        raise HeddleError(f"{file}: has no '{missing[0]}'; give the {wanted}")
    return document


def list_of_names(names: Iterable[str], key: str) -> list[str]:
    """Refuses a text in place of a list, whose letters would be the names."""
    if isinstance(names, str):
        raise HeddleError(f"{key}: {names!r} is a text; give a list: {key}=[{names!r}]")
    return list(names)


def find_executable() -> str:
    """The path of heddle: $HEDDLE, else the first on PATH, else the executable of the build tree or
    installation to which this package belongs. Raises HeddleError when there is none."""
    named = os.environ.get("HEDDLE")
    if named:
        found = shutil.which(named)
        if not found:
            raise HeddleError(f"HEDDLE names {named}, which is no executable file")
        return found
    found = shutil.which("heddle")
    if found:
        return found
    package = pathlib.Path(__file__).resolve().parent
    # python/heddle in the source tree, PREFIX/share/heddle/python/heddle in an installation.
    for place in ("../../build/bin/heddle", "../../../../bin/heddle"):
        candidate = (package / place).resolve()
        if os.access(candidate, os.X_OK) and candidate.is_file():
            return str(candidate)
    raise HeddleError("there is no heddle executable: not on PATH and not near this package; "
                      "set the environment variable HEDDLE to its path")


@dataclass(frozen=True)
class Finished:
    """A command that has ended."""

    command: list[str]
    exit_code: int  # 128 + N when signal N ended it
    output: str     # standard output
    errors: str     # standard error

    def error(self) -> HeddleError:
        """The exception with this command's diagnostic."""
        return HeddleError(diagnostic_of(self.errors) or
                           f"heddle ended with exit code {self.exit_code}",
                           self.exit_code, self.command, self.output, self.errors)


def diagnostic_of(errors: str) -> str:
    """The message after the first "heddle: error: ", with the lines that belong to it; else the
    last line."""
    mark = "heddle: error: "
    lines = errors.strip().split("\n")
    for i, line in enumerate(lines):
        if line.startswith(mark):
            return "\n".join([line.removeprefix(mark), *lines[i + 1:]])
    return lines[-1].removeprefix("heddle: ")


def start(arguments: Iterable[object], *, timeout: float | None = None,
          environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Finished:
    """Runs heddle with the arguments and returns how it ended. Raises HeddleError when it takes
    longer than `timeout` seconds."""
    command = [find_executable(), *map(str, arguments)]
    # heddle does not colour or animate what is no terminal; 100 columns as in files.
    variables = {"COLUMNS": "100", **os.environ, **(environment or {})}
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", env=variables, cwd=folder, timeout=timeout,
                              check=False)
    except subprocess.TimeoutExpired as expired:
        raise HeddleError(f"heddle took longer than {timeout} s", None, command) from expired
    code = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return Finished(command, code, done.stdout, done.stderr)


def call(*arguments: object, timeout: float | None = None, folder: Path | None = None) -> str:
    """Runs `heddle ARGUMENTS...` and returns its standard output: call("list", "gpus").
    timeout: seconds. folder: the working directory. Raises HeddleError when it fails."""
    finished = start(arguments, timeout=timeout, folder=folder)
    if finished.exit_code != 0:
        raise finished.error()
    return finished.output


def version() -> str:
    """The version of the heddle executable, as "0.2.0"."""
    return call("--version").split()[-1]
