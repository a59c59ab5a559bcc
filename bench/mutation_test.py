#!/usr/bin/env python3
"""Changes operators of the simulator at random, and counts the changes that the tests notice.

    bench/mutation_test.py run --tree FOLDER --mutants 200 --seed 1 [--drawn-from REVISION]
    bench/mutation_test.py recheck --tree FOLDER [--whole]
    bench/mutation_test.py report --tree FOLDER

`run` clones this repository's HEAD into FOLDER, builds it with the sources of the changed rooms
compiled alone, and then changes one place at a time: it builds, and runs tests until one fails. The
tests of the changed room run first, then those of the other rooms. Programs end at four times the
processor time that they need without a change. With --drawn-from the places are drawn from the
sources of that revision, so that a campaign can go on after the sources have changed; places whose
line is gone are left out. `recheck` takes HEAD into the clone and tries the
survivors again, also with the short laws and the conformance tests; with --whole also with the long
laws, the recorded outputs of the documentation and whole programs. The results are in
FOLDER/mutants.csv; an interrupted run resumes. A change that does not alter the object file is
equivalent. For other equivalent changes write the reason into FOLDER/equivalent.tsv (number, tab,
reason). `report` prints the share of noticed mutants and every survivor.
"""
import argparse
import csv
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import time

ROOMS = ["sched", "sm", "mem", "exec", "ptx"]
# The first tests that can notice a change of the room.
FIRST = {"sched": ["sched"], "sm": ["sm"], "mem": ["mem"],
         "exec": ["exec"], "ptx": ["ptx"]}
OTHERS = ["exec", "sm", "ptx", "gpu", "sched", "mem"]
# Tried with the survivors.
SLOWER = ["short laws", "conformance"]
SLOWEST = ["long laws"]
# Whole programs, whose statistics are recorded.
PROGRAMS = ["heddle", "cudart", "heddle-replay", "micro_check", "run_json", "workloads"]
WHOLE = "^(docs/|golden/(micro_gives|.*passes_under_every_scheduler))"
COLUMNS = ["number", "file", "line", "kind", "before", "after", "noticed_by", "seconds"]
# The library of the five rooms.
LIBRARY = "lib/libheddle_rooms.so"
NOT_BUILT, SAME_CODE, GONE = "does not build", "same code", "line is gone"
NOT_COUNTED = (NOT_BUILT, SAME_CODE, GONE)
MEMORY_LIMIT = 6 << 30

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


def sources_of(tree, revision, folder):
    """The folder, with src/ of a revision of the tree."""
    if not folder.exists():
        archive = subprocess.run(["git", "-C", str(tree), "archive", revision, "src"], check=True,
                                 capture_output=True).stdout
        folder.mkdir(parents=True)
        subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    return folder


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
    """A clone whose sources are changed, and what its tests need without a change."""

    def __init__(self, folder, jobs):
        self.source = folder
        self.build = folder / "build"
        self.jobs = jobs
        self.needed = {}  # test: (seconds of processor time, seconds)
        self.suites = {room: [str(self.build / "bin" / f"{room}_test")]
                       for room in [*ROOMS, "gpu", "conformance"]}

    def prepare(self, suites, programs):
        here = pathlib.Path(__file__).resolve().parent.parent
        if not (self.source / "CMakeLists.txt").exists():
            subprocess.run(["git", "clone", "--quiet", str(here), str(self.source)], check=True)
        if not (self.build / "build.ninja").exists():
            subprocess.run(["cmake", "--preset", "release", "-DHEDDLE_BENCH=OFF",
                            "-DHEDDLE_SEPARATE_ROOMS=" + ";".join(ROOMS),
                            *os.environ.get("HEDDLE_CMAKE_FLAGS", "").split()],
                           cwd=self.source, check=True, stdout=subprocess.DEVNULL)
        targets = [f"{room}_test" for room in [*ROOMS, "gpu", "conformance", "laws"]]
        if not self.make(targets + programs):
            sys.exit("the unchanged tree does not build")
        self.commands = json.loads((self.build / "compile_commands.json").read_text())
        self.link = subprocess.run(["ninja", "-C", str(self.build), "-t", "commands", LIBRARY],
                                   capture_output=True, text=True,
                                   check=True).stdout.splitlines()[-1]
        if "short laws" in suites:
            self.split_laws()
        for suite in suites:
            self.require_shared_library(suite)
            failed = self.failure(suite)
            if failed:
                sys.exit(f"{failed} fails on the unchanged tree")
            used = self.needed[suite]
            print(f"{suite}: {used[0]:.1f} s of processor time", flush=True)

    def require_shared_library(self, suite):
        """A program that contains the rooms would never notice a change."""
        program = self.suites[suite][0]
        libraries = subprocess.run(["ldd", program], capture_output=True, text=True,
                                   check=True).stdout
        if pathlib.Path(LIBRARY).name not in libraries:
            sys.exit(f"{program} does not load {LIBRARY}")

    def split_laws(self):
        """A law that takes more than a hundredth of all is long."""
        program, kept = str(self.build / "bin" / "laws_test"), self.build / "laws.json"
        if kept.exists():
            times = json.loads(kept.read_text())
        else:
            text = subprocess.run([program], capture_output=True, text=True, check=True).stdout
            times = {name: int(ms)
                     for name, ms in re.findall(r"\[ +OK \] (\S+) \((\d+) ms\)", text)}
            kept.write_text(json.dumps(times))
        limit = sum(times.values()) / 100
        short = [name for name, ms in times.items() if ms <= limit]
        long = [name for name, ms in times.items() if ms > limit]
        self.suites["short laws"] = [program, "--gtest_filter=" + ":".join(short)]
        self.suites["long laws"] = [program, "--gtest_filter=" + ":".join(long)]

    def make(self, targets):
        return subprocess.run(["ninja", "-C", str(self.build), f"-j{self.jobs}", *targets],
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def environment(self):
        """That of a program which loads the changed simulator."""
        return {**os.environ, "LD_LIBRARY_PATH": str(self.build / "mutant")}

    def failure(self, suite, changed=False):
        """The test of the suite that fails first, None when all pass."""
        processor, wall = self.needed.get(suite, (120, 1200))

        def limit():
            seconds = int(2 + 4 * processor)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        before, start = processor_time(), time.time()
        try:
            done = subprocess.run([*self.suites[suite], "--gtest_fail_fast"], text=True,
                                  errors="replace", capture_output=True, preexec_fn=limit,
                                  env=self.environment() if changed else None,
                                  timeout=60 + 10 * wall)
        except subprocess.TimeoutExpired:
            return f"{suite}: does not end"
        self.needed.setdefault(suite, (processor_time() - before, time.time() - start))
        if done.returncode == 0:
            return None
        failed = re.findall(r"^\[  FAILED  \] (\S+?),? ", done.stdout, re.M)
        started = re.findall(r"^\[ RUN      \] (\S+)", done.stdout, re.M)
        name = failed[0] if failed else started[-1] + " ends the program" if started else "start"
        return f"{suite}: {name}"

    def failure_of_whole_programs(self):
        done = subprocess.run(["ctest", "--test-dir", str(self.build), f"-j{self.jobs}",
                               "--stop-on-failure", "--timeout", "600", "-R", WHOLE],
                              capture_output=True, text=True, env=self.environment())
        if done.returncode == 0:
            return None
        match = re.search(r"Test +#\d+: (\S+) .*(Failed|Exception|Timeout|Not Run)", done.stdout)
        return match[1] if match else "ctest"

    def build_changed(self, file, text):
        """Builds build/mutant/libheddle_rooms.so with the text in place of the file's; NOT_BUILT,
        SAME_CODE or None. The tree itself stays as it is."""
        folder = self.build / "mutant"
        folder.mkdir(exist_ok=True)
        # The object file holds the source's name, and must differ in code only.
        source, compiled = folder / pathlib.Path(file).name, folder / "changed.o"
        source.write_text(f'#line 1 "{self.source / file}"\n{text}')
        unchanged = f"CMakeFiles/heddle_{file.split('/')[1]}.dir/{file}.o"
        command = next(one["command"] for one in self.commands
                       if one["file"] == str(self.source / file))
        command = command.replace(f"-o {unchanged}", f"-o {compiled}")
        command = command.replace(f"-c {self.source / file}", f"-c {source}")
        if not self.shell(command):
            return NOT_BUILT
        if digest(compiled) == digest(self.build / unchanged):
            return SAME_CODE
        link = self.link.replace(f" {unchanged} ", f" {compiled} ")
        if link == self.link:
            sys.exit(f"{LIBRARY} does not contain {unchanged}")
        library = folder / pathlib.Path(LIBRARY).name
        if not self.shell(link.replace(f"-o {LIBRARY} ", f"-o {library} ")):
            return NOT_BUILT
        return None

    def shell(self, command):
        return subprocess.run(command, shell=True, cwd=self.build, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def tried(self, mutant, suites, whole=False):
        """The mutant with what noticed it, "" when nothing did."""
        path = self.source / mutant["file"]
        lines = path.read_text().splitlines() if path.exists() else []
        # Later versions of the source may have moved the line.
        places = [i for i, line in enumerate(lines) if line.strip() == mutant["before"]]
        if not places:
            print(f"{mutant['number']}: {mutant['file']}:{mutant['line']}: {GONE}", flush=True)
            return {**mutant, "noticed_by": GONE, "seconds": 0}
        number = min(places, key=lambda i: abs(i + 1 - int(mutant["line"])))
        lines[number] = re.match(r" *", lines[number])[0] + mutant["after"]
        start = processor_time()
        noticed_by = self.build_changed(mutant["file"], "\n".join(lines) + "\n")
        if noticed_by is None:
            failures = (self.failure(suite, changed=True) for suite in suites)
            noticed_by = next(filter(None, failures), None)
        if noticed_by is None and whole:
            noticed_by = self.failure_of_whole_programs()
        result = {**mutant, "noticed_by": noticed_by or "",
                  "seconds": round(processor_time() - start, 1)}
        print(f"{mutant['number']}: {mutant['file']}:{mutant['line']}: "
              f"{noticed_by or 'SURVIVED'}, {result['seconds']} s", flush=True)
        return result


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_results(folder):
    path = folder / "mutants.csv"
    return list(csv.DictReader(path.open())) if path.exists() else []


def write_results(folder, rows):
    with (folder / "mutants.csv").open("w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def suites_of(file):
    first = FIRST[file.split("/")[1]]
    return first + [suite for suite in OTHERS if suite not in first]


def run(arguments):
    folder = pathlib.Path(arguments.tree).resolve()
    tree = Tree(folder, arguments.jobs)
    tree.prepare(OTHERS, [])
    rows = read_results(folder)
    done = {int(row["number"]) for row in rows}
    tested = sum(row["noticed_by"] not in NOT_COUNTED for row in rows)
    end = time.time() + arguments.minutes * 60 if arguments.minutes else None
    # Some do not build, so more are drawn than are asked for.
    drawn_from = tree.source
    if arguments.drawn_from:
        drawn_from = sources_of(folder, arguments.drawn_from,
                                tree.build / "drawn" / arguments.drawn_from)
    mutants = chosen_mutants(drawn_from, arguments.mutants * 2, arguments.seed)
    for number, (file, line, kind, changed) in enumerate(mutants):
        if tested >= arguments.mutants or (end and time.time() > end):
            break
        if number in done or number < arguments.first:
            continue
        before = (drawn_from / file).read_text().splitlines()[line].strip()
        row = tree.tried({"number": number, "file": file, "line": line + 1, "kind": kind,
                          "before": before, "after": changed.strip()}, suites_of(file))
        tested += row["noticed_by"] not in NOT_COUNTED
        rows.append(row)
        write_results(folder, rows)
    return report(arguments)


def recheck(arguments):
    folder = pathlib.Path(arguments.tree).resolve()
    subprocess.run(["git", "-C", str(folder), "pull", "--quiet", "--ff-only"], check=True)
    tree = Tree(folder, arguments.jobs)
    slower = SLOWER + (SLOWEST if arguments.whole else [])
    chosen = arguments.suites.split(",") if arguments.suites else OTHERS + slower
    tree.prepare(chosen, PROGRAMS if arguments.whole else [])
    rows = read_results(folder)
    reasons = read_reasons(folder)
    end = time.time() + arguments.minutes * 60 if arguments.minutes else None
    for index, row in enumerate(rows):
        if row["noticed_by"] or row["number"] in reasons or (end and time.time() > end):
            continue
        suites = [suite for suite in suites_of(row["file"]) + slower if suite in chosen]
        rows[index] = tree.tried(row, suites, arguments.whole)
        write_results(folder, rows)
    return report(arguments)


def read_reasons(folder):
    path = folder / "equivalent.tsv"
    if not path.exists():
        return {}
    return dict(line.split("\t", 1) for line in path.read_text().splitlines() if line)


def report(arguments):
    folder = pathlib.Path(arguments.tree).resolve()
    rows = read_results(folder)
    reasons = read_reasons(folder)
    unbuilt = sum(row["noticed_by"] == NOT_BUILT for row in rows)
    same = sum(row["noticed_by"] == SAME_CODE for row in rows)
    gone = sum(row["noticed_by"] == GONE for row in rows)
    counted = [row for row in rows if row["noticed_by"] not in NOT_COUNTED
               and row["number"] not in reasons]
    noticed = [row for row in counted if row["noticed_by"]]
    print(f"{len(rows)} mutants: {gone} of lines that are gone, {unbuilt} do not build, "
          f"{same} have the same code, {len(reasons)} are equivalent for another reason")
    for room in ROOMS:
        of_room = [row for row in counted if row["file"].startswith(f"src/{room}/")]
        print(f"{room}: {sum(bool(row['noticed_by']) for row in of_room)} of {len(of_room)}")
    print(f"noticed: {len(noticed)} of {len(counted)} "
          f"({100 * len(noticed) / max(1, len(counted)):.1f} %)")
    for row in counted:
        if not row["noticed_by"]:
            print(f"survivor {row['number']}: {row['file']}:{row['line']}\n"
                  f"  - {row['before']}\n  + {row['after']}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    running = verbs.add_parser("run", help="change, build, test")
    running.add_argument("--mutants", type=int, default=200,
                         help="how many that build and are not the same code")
    running.add_argument("--seed", type=int, default=1)
    running.add_argument("--first", type=int, default=0, help="the first number to try")
    running.add_argument("--drawn-from", help="draw from the sources of this revision")
    rechecking = verbs.add_parser("recheck", help="try the survivors again with HEAD's tests")
    rechecking.add_argument("--whole", action="store_true",
                            help="also with long laws and whole programs")
    rechecking.add_argument("--suites", help="only these, separated by commas: " +
                            ", ".join(OTHERS + SLOWER))
    reporting = verbs.add_parser("report", help="print the results")
    for verb in (running, rechecking, reporting):
        verb.add_argument("--tree", required=True, help="the clone, with the results")
    for verb in (running, rechecking):
        verb.add_argument("--jobs", type=int, default=1)
        verb.add_argument("--minutes", type=float, help="stop after this time; resume later")
    arguments = parser.parse_args()
    return {"run": run, "recheck": recheck, "report": report}[arguments.verb](arguments)


if __name__ == "__main__":
    sys.exit(main())
