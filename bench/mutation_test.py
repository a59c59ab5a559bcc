#!/usr/bin/env python3
"""Changes operators of the simulator at random, and counts the changes that the tests notice.

    bench/mutation_test.py run --work FOLDER --mutants 200 --seed 1
    bench/mutation_test.py report --work FOLDER

`run` clones this repository's HEAD into FOLDER, builds it without unity builds, and then changes
one place at a time: it builds, runs the tests until one fails, and restores the source. The tests
of the changed room run first, then the laws and the other rooms, then whole programs. The results
are in FOLDER/mutants.jsonl; an interrupted run resumes. `report` prints the share of noticed
mutants and every survivor. A survivor is equivalent when the change cannot alter a result; write
its reason into FOLDER/equivalent.tsv (number, tab, reason), and `report` excludes it.
"""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

ROOMS = ["sched", "sm", "mem", "exec", "ptx"]
# The first tests that can notice a change of the room.
FIRST = {"sched": ["sched_test"], "sm": ["sm_test", "sched_test"], "mem": ["mem_test"],
         "exec": ["exec_test", "conformance_test"], "ptx": ["ptx_test", "conformance_test"]}
SECOND = ["gpu_test", "laws_test", "sm_test", "sched_test", "mem_test", "exec_test", "ptx_test"]
PROGRAMS = ["heddle", "cudart"]
WHOLE = "^(golden|cuda|docs)/"
# The slow ones that repeat what faster tests check.
NOT_WHOLE = "makefiles|plugin|killed|interrupted|CompiledPtx|pictures|shells|manual"

# (name, pattern, replacement); a pattern matches one place of a line of code.
OPERATORS = [
    ("equality", r"(?<![=!<>])==(?!=)", "!="), ("equality", r"!=", "=="),
    ("comparison", r" <= ", " < "), ("comparison", r" >= ", " > "),
    ("comparison", r" < (?!<)", " <= "), ("comparison", r" > (?!>)", " >= "),
    ("arithmetic", r" \+ (?![\"'])", " - "), ("arithmetic", r"(?<=[\w)\]]) - (?=[\w(])", " + "),
    ("arithmetic", r"(?<=[\w)\]]) \* (?=[\w(])", " + "), ("arithmetic", r" / (?!/)", " * "),
    ("arithmetic", r" % ", " / "),
    ("assignment", r" \+= ", " -= "), ("assignment", r" -= ", " += "),
    ("increment", r"\+\+(?=\w)", "--"),
    ("logic", r" && ", " || "), ("logic", r" \|\| ", " && "),
    ("bits", r"(?<=[\w)\]]) & (?=[\w(~])", " | "), ("bits", r"(?<=[\w)\]]) \| (?=[\w(~])", " & "),
    ("truth", r"\btrue\b", "false"), ("truth", r"\bfalse\b", "true"),
    ("condition", r"\bif \((?!constexpr)(?=[^;]*\)( \{| [a-z])?)", "if (!"),
    ("extremum", r"\bstd::min\b", "std::max"), ("extremum", r"\bstd::max\b", "std::min"),
    ("constant", r"(?<=[=(,<>+*-] )[0-9]+(?=[;),])", None),
    ("statement", r"^ +[a-z_]\w*(\.|->)?\w*\([^;{}]*\);$", None),
    ("statement", r"^ +[\w.\[\]>-]+ (=|\+=|\|=|&=) [^;{}]+;$", None),
]

# Lines without behaviour, or whose behaviour only a violated invariant shows.
SKIPPED = r"\s*(#|template|using|static_assert|check_invariant|//|case |struct |class )"


def code_of(line):
    """The line without comments and strings, which keep their width."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda m: '"' + " " * (len(m[0]) - 2) + '"', line)
    return re.sub(r"//.*", "", line)


def candidates(path):
    found = []
    for number, line in enumerate(path.read_text().splitlines()):
        code = code_of(line)
        if re.match(SKIPPED, code):
            continue
        for kind, pattern, replacement in OPERATORS:
            for match in re.finditer(pattern, code):
                if kind == "statement":
                    if re.match(r"\s*(return|throw|delete|static|const|auto|using)\b", code):
                        continue
                    changed = re.match(r" *", line)[0] + ";"
                elif kind == "condition":
                    changed = negated(line, match.end())
                elif kind == "constant":
                    value = str(int(match[0]) + 1)
                    changed = line[:match.start()] + value + line[match.end():]
                else:
                    changed = line[:match.start()] + replacement + line[match.end():]
                if changed and changed != line:
                    found.append((number, kind, changed))
    return found


def negated(line, start):
    """`if (CONDITION)` with the condition negated, or None when it does not end on the line."""
    depth = 1
    for i in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[i], 0)
        if depth == 0:
            if ";" in line[start:i]:
                return None
            return line[:start] + "!(" + line[start:i] + ")" + line[i:]
    return None


def chosen_mutants(tree, count, seed):
    """Places are drawn evenly over rooms, then over all candidates of the room."""
    generator = random.Random(seed)
    pools = {}
    for room in ROOMS:
        pools[room] = [(str(path.relative_to(tree)), *candidate)
                       for path in sorted((tree / "src" / room).rglob("*.cc"))
                       for candidate in candidates(path)]
        generator.shuffle(pools[room])
    return [pools[ROOMS[i % len(ROOMS)]][i // len(ROOMS)] for i in range(count)]


class Tree:
    def __init__(self, work, jobs):
        self.source = work / "tree"
        self.build = self.source / "build"
        self.jobs = jobs

    def prepare(self):
        if not self.source.exists():
            here = pathlib.Path(__file__).resolve().parent.parent
            subprocess.run(["git", "clone", "--quiet", str(here), str(self.source)], check=True)
        if not (self.build / "build.ninja").exists():
            subprocess.run(["cmake", "--preset", "release", "-DHEDDLE_UNITY=OFF",
                            "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -w", *os.environ.get(
                                "HEDDLE_CMAKE_FLAGS", "").split()],
                           cwd=self.source, check=True, stdout=subprocess.DEVNULL)
            if not self.make([]):
                sys.exit("the unchanged tree does not build")
        for program in sorted({name for names in FIRST.values() for name in names} | set(SECOND)):
            if not self.passes(program):
                sys.exit(f"{program} fails on the unchanged tree")
        failed = self.first_failure_of_whole_programs()
        if failed:
            sys.exit(f"{failed} fails on the unchanged tree")

    def make(self, targets):
        return subprocess.run(["ninja", "-C", str(self.build), f"-j{self.jobs}", *targets],
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def passes(self, program):
        try:
            return subprocess.run([str(self.build / "bin" / program), "--gtest_fail_fast",
                                   "--gtest_brief=1"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, timeout=240).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def first_failure_of_whole_programs(self):
        done = subprocess.run(["ctest", "--test-dir", str(self.build), f"-j{self.jobs}",
                               "--stop-on-failure", "--timeout", "240", "-R", WHOLE,
                               "-E", NOT_WHOLE], capture_output=True, text=True)
        if done.returncode == 0:
            return None
        match = re.search(r"Test +#\d+: (\S+) .*(Failed|Exception|Timeout|Not Run)", done.stdout)
        return match[1] if match else "ctest"

    def outcome(self, room):
        """What noticed the change, None when nothing did, "build" when it does not build."""
        for program in FIRST[room]:
            if not self.make([program]):
                return "build"
            if not self.passes(program):
                return program
        for program in SECOND:
            if program in FIRST[room]:
                continue
            self.make([program])
            if not self.passes(program):
                return program
        self.make(PROGRAMS)
        return self.first_failure_of_whole_programs()


def run(arguments):
    work = pathlib.Path(arguments.work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    tree = Tree(work, arguments.jobs)
    tree.prepare()
    log = work / "mutants.jsonl"
    done = {}
    if log.exists():
        done = {one["number"]: one for one in map(json.loads, log.read_text().splitlines())}
    end = time.time() + arguments.minutes * 60 if arguments.minutes else None
    # Some do not build, so more are drawn than are asked for.
    mutants = chosen_mutants(tree.source, arguments.mutants * 2, arguments.seed)
    built = sum(one["noticed_by"] != "build" for one in done.values())
    for number, (file, line, kind, changed) in enumerate(mutants):
        if built >= arguments.mutants or (end and time.time() > end):
            break
        if number in done:
            continue
        path = tree.source / file
        original = path.read_text()
        lines = original.splitlines()
        before, lines[line] = lines[line], changed
        try:
            path.write_text("\n".join(lines) + "\n")
            noticed_by = tree.outcome(file.split("/")[1])
        finally:
            path.write_text(original)
        built += noticed_by != "build"
        with log.open("a") as out:
            out.write(json.dumps({"number": number, "file": file, "line": line + 1, "kind": kind,
                                  "before": before.strip(), "after": changed.strip(),
                                  "noticed_by": noticed_by}) + "\n")
        print(f"{number}: {file}:{line + 1}: {noticed_by or 'SURVIVED'}", flush=True)
    return report(arguments)


def report(arguments):
    work = pathlib.Path(arguments.work)
    all_mutants = [json.loads(line) for line in (work / "mutants.jsonl").read_text().splitlines()]
    reasons = {}
    if (work / "equivalent.tsv").exists():
        reasons = dict(line.split("\t", 1)
                       for line in (work / "equivalent.tsv").read_text().splitlines() if line)
    counted = [one for one in all_mutants
               if one["noticed_by"] != "build" and str(one["number"]) not in reasons]
    noticed = [one for one in counted if one["noticed_by"]]
    print(f"{len(all_mutants)} mutants: {len(all_mutants) - len(counted) - len(reasons)} do not "
          f"build, {len(reasons)} are equivalent")
    for room in ROOMS:
        of_room = [one for one in counted if one["file"].startswith(f"src/{room}/")]
        print(f"{room}: {sum(bool(one['noticed_by']) for one in of_room)} of {len(of_room)}")
    print(f"noticed: {len(noticed)} of {len(counted)} "
          f"({100 * len(noticed) / max(1, len(counted)):.1f} %)")
    for one in counted:
        if not one["noticed_by"]:
            print(f"survivor {one['number']}: {one['file']}:{one['line']}\n"
                  f"  - {one['before']}\n  + {one['after']}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    running = verbs.add_parser("run", help="change, build, test")
    running.add_argument("--work", required=True, help="a folder for the clone and the results")
    running.add_argument("--mutants", type=int, default=200, help="how many that build")
    running.add_argument("--seed", type=int, default=1)
    running.add_argument("--jobs", type=int, default=os.cpu_count())
    running.add_argument("--minutes", type=float, help="stop after this time; run again to resume")
    reporting = verbs.add_parser("report", help="print the results")
    reporting.add_argument("--work", required=True)
    arguments = parser.parse_args()
    return {"run": run, "report": report}[arguments.verb](arguments)


if __name__ == "__main__":
    sys.exit(main())
