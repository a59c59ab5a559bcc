#!/usr/bin/env python3
"""The same source as PTX and as machine code gives the same device memory.

    bench/compare_memory.py --build build --architectures 75,80,86,89,90 kmeans rodinia/nw
    bench/compare_memory.py --build build --all
    bench/compare_memory.py --build build --cubins FOLDER kmeans

A word is a workload, which runs with size tiny, or the path of a program. The PTX that heddle cc
put into the program is assembled by ptxas; with --cubins FOLDER the machine code is
FOLDER/NAME.ARCHITECTURE.cubin, where / of the name is _. Both run functionally; what each prints
and the bytes of every allocation and variable are compared (memory_probe.cc). ptxas does not fuse
multiplications and additions here: PTX does not say. Exits with 1 when anything differs.
"""
import argparse
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent


def run(arguments, timeout=600, **options):
    try:
        return subprocess.run(arguments, capture_output=True, timeout=timeout, **options)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(arguments, 124, b"", b"no end in time")


def texts_of(program):
    """The PTX texts that heddle cc put into a program."""
    return [text[text.index(b".version "):]
            for text in pathlib.Path(program).read_bytes().split(b"\0")
            if b".version " in text and b".target " in text and b".address_size" in text]


def newest(text, architecture):
    """The text in a version of PTX that has what the architecture can do."""
    text = re.sub(rb"\.version \d+\.\d+", b".version 8.0", text, count=1)
    return re.sub(rb"\.target sm_\d+", b".target sm_%d" % architecture, text, count=1)


def said(done):
    """What a run says about its failure."""
    lines = (done.stderr.decode().strip() or done.stdout.decode().strip() or "nothing").split("\n")
    return next((line for line in lines if "error" in line), lines[-1])


def records_of(path):
    """(name, bytes) of what memory_probe.cc wrote."""
    content = pathlib.Path(path).read_bytes() if os.path.exists(path) else b""
    at, records = 0, []
    while at < len(content):
        end = content.index(b"\n", at)
        name, count = content[at:end].decode().rsplit(" ", 1)
        at = end + 1 + int(count)
        records.append((name, content[end + 1:at]))
    return sorted(records)


def difference_of(a, b):
    """How the bytes differ, and the largest relative difference if they are floats."""
    if len(a) != len(b):
        return f"{len(a)} bytes, {len(b)} bytes"
    words = [at for at in range(0, len(a) - 3, 4) if a[at:at + 4] != b[at:at + 4]]
    if not words:
        return "" if a == b else "the last bytes"
    worst = 0.0
    for at in words:
        x, y = (struct.unpack_from("<f", bytes, at)[0] for bytes in (a, b))
        worst = max(worst, abs(x - y) / max(abs(x), abs(y), 1e-30))
    at = words[0]
    return (f"{len(words)} of {len(a) // 4} words, at {at} {a[at:at + 4].hex()} "
            f"{b[at:at + 4].hex()}, as floats {worst:.2g}")


class Comparison:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.build = pathlib.Path(options.build).resolve()
        self.heddle = str(self.build / "bin/heddle")
        self.probe = f"{folder}/probe.so"
        subprocess.run(["c++", "-std=c++20", "-shared", "-fPIC", "-o", self.probe,
                        str(BENCH / "memory_probe.cc"), "-ldl"], check=True)
        self.equal = self.differ = self.skipped = 0

    def outcome(self, program, architecture, arguments):
        """What the program prints, and what is in its memory."""
        records = f"{self.folder}/records"
        pathlib.Path(records).unlink(missing_ok=True)
        gpu = ["--gpu", "h200" if architecture >= 90 else "rtx3070"]
        for key, value in (("major", architecture // 10), ("minor", architecture % 10)):
            gpu += ["--set", f"compute_{key}={value}"]
        environment = {**os.environ, "LD_PRELOAD": self.probe, "MEMORY_PROBE": records}
        done = run([self.heddle, "run", "--quiet", "--functional"] + gpu + arguments + program,
                   self.options.timeout, env=environment)
        return done, records_of(records)

    def cubin(self, label, program, architecture):
        """The machine code, or the reason why there is none."""
        if self.options.cubins:
            name = label.replace("/", "_")
            path = f"{self.options.cubins}/{name}.{architecture}.cubin"
            return (path, "") if os.path.exists(path) else ("", f"no {path}")
        texts, objects = texts_of(program[0]), []
        if not texts:
            return "", "no PTX of heddle cc"
        separate = ["--compile-only"] if len(texts) > 1 else []
        for i, text in enumerate(texts):
            source, made = f"{self.folder}/{i}.ptx", f"{self.folder}/{i}.cubin"
            pathlib.Path(source).write_bytes(text)
            command = ["ptxas", f"-arch=sm_{architecture}", "-fmad=false", "-o", made, source]
            done = run(command + separate)
            if done.returncode:
                pathlib.Path(source).write_bytes(newest(text, architecture))
                done = run(command + separate)
            if done.returncode:
                return "", said(done)
            objects.append(made)
        if not separate:
            return objects[0], ""
        linked = f"{self.folder}/linked.cubin"
        done = run(["nvlink", f"-arch=sm_{architecture}", "-o", linked] + objects)
        return ("", said(done)) if done.returncode else (linked, "")

    def compare(self, label, program, architecture):
        place = f"{label} sm_{architecture}"
        cubin, why = self.cubin(label, program, architecture)
        if not cubin:
            self.skipped += 1
            return print(f"{place}: skipped: {why}", flush=True)
        wanted, left = self.outcome(program, architecture, ["--isa", "ptx"])
        done, other = self.outcome(program, architecture, ["--cubin", cubin])
        differences = []
        if (wanted.returncode, wanted.stdout) != (done.returncode, done.stdout):
            differences.append(f"exit code {wanted.returncode} and {done.returncode}: {said(done)}")
        if [name for name, _ in left] != [name for name, _ in other]:
            differences.append(f"{len(left)} and {len(other)} allocations and variables")
        else:
            for (name, a), (_, b) in zip(left, other):
                if a != b:
                    differences.append(f"{name}: {difference_of(a, b)}")
        self.differ += bool(differences)
        self.equal += not differences
        if differences:
            print(f"{place}: DIFFERS: " + "; ".join(differences[:4]), flush=True)
        elif self.options.verbose:
            print(f"{place}: {len(left)} allocations and variables are equal", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--architectures", default="80", metavar="N,...")
    parser.add_argument("--cubins", metavar="FOLDER", help="machine code of the programs")
    parser.add_argument("--all", action="store_true", help="all workloads")
    parser.add_argument("--except", dest="omitted", default="", metavar="NAME,...",
                        help="workloads that --all omits (docs/machine-code.md says why)")
    parser.add_argument("--timeout", type=int, default=300, help="of one run, in seconds")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    os.environ["PATH"] += ":/usr/local/cuda/bin"
    if not options.cubins and not shutil.which("ptxas"):
        sys.exit("compare_memory.py: ptxas is needed, or --cubins")
    workloads = pathlib.Path(options.build).resolve() / "workloads"
    programs = list(options.programs)
    if options.all:
        programs += sorted(str(path.relative_to(workloads)) for path in workloads.rglob("*")
                           if path.is_file() and os.access(path, os.X_OK) and not path.suffix)
        programs = [name for name in programs if name not in options.omitted.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(options, folder)
        for name in programs:
            is_workload = (workloads / name).is_file()
            program = [str(workloads / name), "tiny"] if is_workload else name.split()
            for architecture in options.architectures.split(","):
                comparison.compare(name, program, int(architecture))
    print(f"{comparison.equal} equal, {comparison.differ} differ, {comparison.skipped} skipped")
    return 1 if comparison.differ else 0


if __name__ == "__main__":
    sys.exit(main())
