#!/usr/bin/env python3
"""Runs the commands that a page shows and compares their output with what the page shows.

    tests/docs/run_docs.py --build build README.md docs/check.md
    tests/docs/run_docs.py --build build --update docs/check.md

A page's commands stand in ```console blocks; CONTRIBUTING.md, "Documentation", has the rules. Every
page runs in a folder of its own, in which `build` and the repository's folders are links. Exits
with 1 when an output, a table or a picture differs, a command fails, or a command stands outside
such a block.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINKED = ["bench", "docs", "examples", "experiments", "presets", "python", "tests",
          "workloads"]
TIMEOUT_SECONDS = 300
# Lines in which numbers depend on the machine, and by how much they may differ.
OF_THE_MACHINE = re.compile(r"simulated in .* s\b|million a second|wall_seconds|user_seconds")
FACTOR = 50.0
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")
# Commands that a reader types and that this test must know about.
COMMAND = re.compile(
    r"^(?:\$ )?(?:(?:\S*/)?heddle [a-z-]|(?:cmake|ctest|make) |build/bin/|\./\w+ )")
# What the pages show in place of the folder in which a command runs.
READERS_FOLDER = "/home/you"
DIRECTIVE = re.compile(r"^<!-- (needs|file|exit|not run|table): (.*?) -->$")
PICTURE = re.compile(r"!\[[^\]]*\]\((\S+\.svg)\)")
# Pictures that were drawn by hand; every other one is written by a command of its page.
DRAWN = {"early-exit.svg", "instruction.svg", "launch.svg", "memory-request.svg", "rooms.svg",
         "statistic.svg", "time-slices.svg", "windows.svg"}
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Block:
    """A fenced code block, or the table of a `table` comment (with that as its language): its
    lines, and the comments before it."""

    def __init__(self, language, first, lines, directives):
        self.language, self.first, self.lines = language, first, lines
        self.directives = directives

    def value(self, name):
        return next((text for key, text in self.directives if key == name), None)


def blocks_of(lines):
    """All blocks of a page; `first` is the index of the first line in it."""
    blocks, directives, i = [], [], 0
    while i < len(lines):
        line = lines[i].strip()
        directive = DIRECTIVE.match(line)
        if directive:
            directives.append(directive.groups())
        elif line.startswith("```"):
            end = next(j for j in range(i + 1, len(lines) + 1)
                       if j == len(lines) or lines[j].strip() == "```")
            blocks.append(Block(line[3:].strip(), i + 1, lines[i + 1:end], directives))
            directives, i = [], end
        elif line.startswith("|") and any(name == "table" for name, _ in directives):
            end = next(j for j in range(i, len(lines) + 1)
                       if j == len(lines) or not lines[j].startswith("|"))
            blocks.append(Block("table", i, lines[i:end], directives))
            directives, i = [], end - 1
        elif line and not line.startswith("<!--"):
            directives = []
        i += 1
    return blocks


class Step:
    """A command and the output that the page shows for it."""

    def __init__(self, line, command):
        self.line, self.command, self.expected = line, command, []


def steps_of(block):
    steps = []
    for offset, line in enumerate(block.lines):
        if steps and steps[-1].command.endswith("\\") and not steps[-1].expected:
            start = steps[-1].command[:-1].rstrip()
            steps[-1].command = start + " " + line.removeprefix("> ").strip()
        elif line.startswith("$ "):
            steps.append(Step(block.first + offset + 1, line[2:].split("  # ")[0].rstrip()))
        elif steps:
            steps[-1].expected.append(line)
    return steps


def number(text):
    return float(text.replace(",", ""))


def near(expected, actual):
    if expected == actual:
        return True
    low, high = sorted((abs(number(expected)), abs(number(actual))))
    return high <= FACTOR * low or high < 1e-3


def same_line(expected, actual):
    if expected.endswith("...") and expected != "...":
        start = expected[:-3].rstrip()
        return actual.startswith(start)
    if expected == actual:
        return True
    if not OF_THE_MACHINE.search(expected):
        return False
    if NUMBER.sub("#", expected) != NUMBER.sub("#", actual):
        return False
    return all(map(near, NUMBER.findall(expected), NUMBER.findall(actual)))


def matches(expected, actual):
    """Dynamic programming over lines; a line `...` stands for any number of lines."""
    reachable = {0}
    for line in expected:
        if line.strip() == "...":
            reachable = set(range(min(reachable), len(actual) + 1)) if reachable else set()
        else:
            reachable = {i + 1 for i in reachable if i < len(actual) and same_line(line, actual[i])}
    return len(actual) in reachable


def lines_of(output):
    lines = [line.rstrip() for line in COLOUR.sub("", output).split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def trimmed(lines):
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def cells_of(line):
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def plain(cell):
    """A cell without the marks of tables that have all rows: the best, and what was expected."""
    return cell.replace("**", "").replace(" ←", "")


class Table:
    """The cells of a Markdown table that are not empty, by row and heading; where rows are."""

    def __init__(self, lines):
        rows = [(i, cells_of(line)) for i, line in enumerate(lines) if line.startswith("| ")]
        self.headings = rows[0][1] if rows else []
        self.places = {cells[0]: i for i, cells in rows[1:]}
        self.cells = {(cells[0], heading): cell for _, cells in rows[1:]
                      for heading, cell in zip(self.headings[1:], cells[1:]) if cell}


class Workplace:
    """The folder in which a page's commands run."""

    def __init__(self, build):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-docs-"))
        self.build = build.resolve()
        (self.folder / "build").symlink_to(self.build)
        for name in LINKED:
            (self.folder / name).symlink_to(ROOT / name)
        self.environment = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8", COLUMNS="100",
                                PATH=f"{self.build}/bin:{os.environ['PATH']}",
                                PYTHONPATH=str(ROOT / "python"), PYTHONDONTWRITEBYTECODE="1")

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS)
        output = done.stdout.decode("utf-8", "replace").replace(str(self.folder), READERS_FOLDER)
        return done.returncode, lines_of(output)

    def provide(self, name):
        """A program that the reader is supposed to have: a workload, or the README's source."""
        if (self.folder / name).exists():
            return
        places = (self.build / "workloads" / place for place in (".", "patterns", "ctamap"))
        workload = next((place / name for place in places if (place / name).exists()), None)
        if workload:
            (self.folder / name).symlink_to(workload)
            return
        for block in blocks_of((ROOT / "README.md").read_text().split("\n")):
            if block.value("file") == name + ".cu":
                (self.folder / (name + ".cu")).write_text("\n".join(block.lines) + "\n")
                code, output = self.run(f"heddle cc {name}.cu -o {name}")
                if code == 0:
                    return
                sys.exit(f"{name}.cu of README.md does not compile:\n" + "\n".join(output))
        sys.exit(f"needs: {name}: neither a workload nor a source in README.md")

    def remove(self):
        shutil.rmtree(self.folder)


def shortened(expected, actual):
    """The new output without the lines that the page omits at its start or end."""
    kept = [line for line in expected if line.strip() != "..."]
    if len(kept) == len(expected) or len(actual) <= len(kept):
        return actual
    if expected[0].strip() == "..." and expected[-1].strip() != "...":
        return ["..."] + actual[-len(kept):] if kept else ["..."]
    if expected[0].strip() != "...":
        return actual[:len(kept)] + ["..."]
    start = next((i for i, line in enumerate(actual)
                  if kept and line.split()[:1] == kept[0].split()[:1]), None)
    if start is None:
        return actual
    return ["..."] + actual[start:start + len(kept)] + ["..."]


class Page:
    def __init__(self, path, update):
        self.path, self.update = path, update
        self.lines = path.read_text().split("\n")
        self.failures, self.edits, self.commands, self.rewritten = [], [], 0, 0

    def fail(self, line, text):
        name = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        self.failures.append(f"{name}:{line}: {text}")

    def check_step(self, step, place, wanted_code):
        self.commands += 1
        try:
            code, actual = place.run(step.command)
        except subprocess.TimeoutExpired:
            self.fail(step.line, f"takes longer than {TIMEOUT_SECONDS} s: {step.command}")
            return
        if code != wanted_code:
            self.fail(step.line, f"exit code {code}, not {wanted_code}: {step.command}\n  "
                      + "\n  ".join(actual[-12:]))
            return
        expected = trimmed(step.expected)
        if matches(expected, actual):
            return
        if self.update:
            self.edits.append((step, shortened(expected, actual) if expected else actual))
            return
        self.fail(step.line, "\n    ".join([f"the output differs: {step.command}\n  the page shows"]
                                          + expected) + "\n    ".join(["\n  it prints"] + actual))

    def check_table(self, block, place):
        """The page must have every cell that the command prints; it may have further ones."""
        self.commands += 1
        command = block.value("table")
        code, output = place.run(command)
        printed, shown = Table(output), Table(block.lines)
        if code != 0 or not printed.cells:
            self.fail(block.first, f"exit code {code}, or no table: {command}\n  "
                      + "\n  ".join(output[-12:]))
            return
        for (row, heading), cell in printed.cells.items():
            old = shown.cells.get((row, heading), "")
            if plain(old) == plain(cell):
                continue
            if self.update and row in shown.places and heading in shown.headings:
                line = block.first + shown.places[row]
                cells = cells_of(self.lines[line])
                cells += [""] * (len(shown.headings) - len(cells))
                cells[shown.headings.index(heading)] = old.replace(plain(old), plain(cell))
                self.lines[line] = "| " + " | ".join(cells) + " |"
                self.rewritten += 1
                continue
            self.fail(block.first, f"row {row}, column {heading}: the page shows "
                      f"{old or 'nothing'}, `{command}` prints {cell}")

    def check_picture(self, line, target, place):
        """A picture must be the one that a command of the page has written under its name."""
        picture = (self.path.parent / target).resolve()
        written = place.folder / picture.name
        if not written.exists():
            self.fail(line, f"no command of the page writes {picture.name}")
        elif not picture.exists() or picture.read_bytes() != written.read_bytes():
            if self.update:
                shutil.copyfile(written, picture)
                print(f"{picture}: updated")
            else:
                self.fail(line, f"{target} is not the picture that a command of the page writes")

    def check_block(self, block, place):
        if block.value("file"):
            (place.folder / block.value("file")).write_text("\n".join(block.lines) + "\n")
        if block.language == "table":
            self.check_table(block, place)
            return
        if block.language != "console":
            for offset, line in enumerate(block.lines):
                if COMMAND.match(line.strip()) and block.value("not run") is None:
                    self.fail(block.first + offset + 1, f"is not checked: {line.strip()}")
            return
        if block.value("not run") is not None:
            if not block.value("not run").strip():
                self.fail(block.first, "`not run` needs a reason")
            return
        for name in (block.value("needs") or "").split():
            place.provide(name.strip(","))
        steps = steps_of(block)
        for step in steps:
            last = step is steps[-1]
            self.check_step(step, place, int(block.value("exit") or 0) if last else 0)

    def check(self, build):
        place = Workplace(build)
        try:
            for block in blocks_of(self.lines):
                self.check_block(block, place)
            for i, line in enumerate(self.lines):
                for target in PICTURE.findall(line):
                    if pathlib.Path(target).name not in DRAWN:
                        self.check_picture(i + 1, target, place)
        finally:
            place.remove()
        if self.edits or self.rewritten:
            self.write_edits()

    def write_edits(self):
        for step, output in reversed(self.edits):
            first = step.line
            while self.lines[first - 1].endswith("\\"):
                first += 1
            self.lines[first:first + len(step.expected)] = output
        self.path.write_text("\n".join(self.lines))
        print(f"{self.path}: {len(self.edits)} outputs and {self.rewritten} cells updated")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--update", action="store_true", help="rewrite outputs that differ")
    options = parser.parse_args()
    failures, commands = [], 0
    for path in options.pages:
        page = Page(path.resolve(), options.update)
        page.check(options.build)
        failures += page.failures
        commands += page.commands
    print("\n".join(failures + [f"{commands} commands run, {len(failures)} failures"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
