#!/usr/bin/env python3
"""A capture gives the results of its program, bit for bit: checks programs, policies and GPUs.

    bench/capture_law.py --build build --gpus gtx480,qv100 --schedulers gto,srr kmeans "bfs tiny"
    bench/capture_law.py --build build --cover 2
    bench/capture_law.py --build build --cuts "kmeans tiny" "bfs tiny"

A word without a folder is a workload, with size tiny unless it has arguments. Each program is
captured once for a GPU and runs live and captured under every policy. --cover N makes N rounds: in
each, every workload runs on another GPU under the two policies that follow in the list, so that
every GPU, warp scheduler and CTA scheduler occurs; a program whose results depend on the order of
threads is captured again with timing. --cuts compares parts instead: for every launch by the host,
the part from there on, a run from the image of memory there, and a run whose earlier launches are
functional; and a functional run of the part that ends before it with one of the whole. Exits with 1
when a result differs.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# What may differ: times of the host, and what ran.
OTHER = ["host", "program"]


def results(path):
    run = json.loads(pathlib.Path(path).read_text())
    return {key: value for key, value in run.items() if key not in OTHER}


def first_difference(a, b, place=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(set(a) | set(b)):
            found = first_difference(a.get(key), b.get(key), f"{place}.{key}")
            if found:
                return found
        return ""
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, pair in enumerate(zip(a, b)):
            found = first_difference(*pair, f"{place}[{i}]")
            if found:
                return found
        return ""
    return "" if a == b else f"{place[1:]}: {str(a)[:60]} live, {str(b)[:60]} captured"


def run(arguments, timeout):
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return 124, f"no end after {timeout} s"
    return done.returncode, (done.stderr.strip() or done.stdout.strip()).split("\n")[-1]


def policies(text):
    """gto, or gto+mapped: a warp scheduler and a CTA scheduler."""
    for word in text.split(","):
        warp, _, cta = word.partition("+")
        yield word, ["--scheduler", warp] + (["--cta-scheduler", cta] if cta else [])


class Law:
    def __init__(self, options):
        self.options = options
        self.heddle = str(pathlib.Path(options.build) / "bin/heddle")
        self.checked = self.failed = self.skipped = self.timed = 0

    def report(self, label, message):
        print(f"{label}: {message}", flush=True)

    def program_of(self, text):
        words = text.split()
        if "/" not in words[0] or not os.path.exists(words[0]):
            words[0] = str(pathlib.Path(self.options.build) / "workloads" / words[0])
            words += ["tiny"] if len(words) == 1 else []
        return words

    def capture(self, path, arguments, label):
        code, message = run([self.heddle, "capture", "--quiet", "-o", path] + arguments,
                            self.options.timeout)
        if code == 0:
            return True
        self.skipped += 1
        self.report(label, f"not captured ({code}): {message}")
        return False

    def check_program(self, text, gpu, folder, schedulers):
        words = self.program_of(text)
        capture = f"{folder}/a.hcap"
        flags = ["--gpu", gpu] + [w for s in self.options.set for w in ("--set", s)]
        timed = ["--timed"] if self.options.timed else []
        if not self.capture(capture, timed + flags + words, f"{text} on {gpu}"):
            return
        if self.options.cuts:
            return self.check_cuts(f"{text} on {gpu}", capture, flags, folder, schedulers)
        for name, arguments in policies(schedulers):
            if name == "daws-profiled":
                arguments = self.profiled(folder, flags, words)
            for threads in self.options.threads.split(","):
                self.compare(f"{text} on {gpu} under {name}, {threads} threads", folder, flags +
                             arguments + ["--threads", threads], words, capture)

    def kernels_of(self, out, arguments):
        """The launches that were timed; none when the run failed."""
        subprocess.run(["rm", "-rf", out])
        code, message = run([self.heddle, "run", "--quiet", "--out", out] + arguments,
                            self.options.timeout)
        path = pathlib.Path(out) / "run.json"
        if code != 0 or not path.exists():
            return None, message
        kernels = json.loads(path.read_text())["kernels"]
        return [kernel for kernel in kernels if kernel["simulated"] == "timed"], message

    def check_cuts(self, label, capture, flags, folder, schedulers):
        """Runs from every launch by the host."""
        run([self.heddle, "run", "--quiet", "--functional", "--out", f"{folder}/whole"] + flags +
            [capture], self.options.timeout)
        numbered = json.loads(pathlib.Path(f"{folder}/whole/run.json").read_text())["kernels"]
        nested = {kernel.get("launch") for kernel in numbered}
        firsts = [n for n in range(1, len(numbered) + 1) if n not in nested]
        images, part = f"{folder}/images.hcap", f"{folder}/part.hcap"
        if not self.capture(images, ["--images-every", "1", capture], f"{label}, images"):
            self.failed += 1
            return
        for first in firsts[1:]:
            self.check_end(f"{label} to {first - 1}", capture, flags, folder, numbered[:first - 1])
            if not self.capture(part, ["--launches", f"{first}-{len(numbered)}", capture],
                                f"{label} from {first}"):
                self.failed += 1
                continue
            for name, arguments in policies(schedulers):
                start = flags + arguments
                whole, problem = self.kernels_of(f"{folder}/whole", start + [
                    "--from-launch", str(first), capture])
                for kind, other in (("part", [part]),
                                    ("image", ["--from-launch", str(first), images])):
                    self.checked += 1
                    kernels, message = self.kernels_of(f"{folder}/{kind}", start + other)
                    difference = message if kernels is None else problem if whole is None else \
                        first_difference(whole, kernels, ".kernels")
                    if difference:
                        self.failed += 1
                        self.report(f"{label} from {first} under {name}, {kind}",
                                    f"FAILED: {difference}")

    def check_end(self, label, capture, flags, folder, wanted):
        """The part up to a launch has the launches of the whole, with as many instructions."""
        part, out = f"{folder}/start.hcap", f"{folder}/start"
        if not self.capture(part, ["--launches", f"1-{len(wanted)}", capture], label):
            self.failed += 1
            return
        self.checked += 1
        subprocess.run(["rm", "-rf", out])
        code, message = run([self.heddle, "run", "--quiet", "--functional", "--out", out] + flags +
                            [part], self.options.timeout)
        path = pathlib.Path(out) / "run.json"
        difference = message
        if code == 0 and path.exists():
            kernels = json.loads(path.read_text())["kernels"]
            difference = first_difference(wanted, kernels, ".kernels")
        if difference:
            self.failed += 1
            self.report(label, f"FAILED: {difference}")

    def profiled(self, folder, flags, words):
        """The arguments for daws-profiled, with a profile of the program."""
        profile = f"{folder}/loads.toml"
        run([self.heddle, "profile", "--quiet", "-o", profile] + flags + words,
            self.options.timeout)
        return ["--scheduler", f"daws-profiled:profile={profile}"]

    def names(self, what):
        """The first words of the entries of heddle list WHAT."""
        listing = subprocess.run([self.heddle, "list", what], capture_output=True, text=True,
                                 check=True).stdout.split("\n")[1:]
        words = [line.split()[0] for line in listing if line[:1].isalpha()]
        return [word for word in words if ":" not in word]

    def cover(self, folder):
        gpus, workloads = self.names("gpus"), self.names("workloads")
        choices = [name for name in self.names("schedulers") if name != "scheduler"]
        choices += ["gto+" + name for name in self.names("cta-schedulers") if name != "CTA"]
        covered = 0
        for j in range(self.options.cover):
            for i, workload in enumerate(workloads):
                gpu = gpus[(i + j * (len(gpus) // 2 + 1)) % len(gpus)]
                pair = [choices[(covered + k) % len(choices)] for k in range(2)]
                covered += 2
                self.check_program(workload, gpu, folder, ",".join(pair))
            self.report(f"round {j + 1}", f"{self.checked} runs compared, {self.failed} differ")

    def compare(self, label, folder, flags, words, capture):
        runs = {}
        for kind, program in (("live", words), ("captured", [capture])):
            out = f"{folder}/{kind}"
            subprocess.run(["rm", "-rf", out])
            runs[kind] = run([self.heddle, "run", "--quiet", "--out", out] + flags + program,
                             self.options.timeout)
        if runs["live"][0] != 0 and not os.path.exists(f"{folder}/live/run.json"):
            self.skipped += 1
            return self.report(label, f"not run: {runs['live'][1]}")
        self.checked += 1
        if "depend on the order of its threads" in runs["captured"][1] and self.options.cover:
            again = f"{folder}/timed.hcap"
            if not self.capture(again, ["--timed"] + flags + words, label):
                return
            runs["captured"] = run([self.heddle, "run", "--quiet", "--out", f"{folder}/captured"] +
                                   flags + [again], self.options.timeout)
            self.timed += 1
        if not os.path.exists(f"{folder}/captured/run.json"):
            self.failed += 1
            return self.report(label, f"FAILED: {runs['captured'][1]}")
        difference = first_difference(results(f"{folder}/live/run.json"),
                                      results(f"{folder}/captured/run.json"))
        if difference:
            self.failed += 1
            self.report(label, f"FAILED: {difference}")
        elif self.options.verbose:
            self.report(label, "equal")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--gpus", default="gtx480")
    parser.add_argument("--schedulers", default="gto")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--timed", action="store_true", help="capture with timing")
    parser.add_argument("--timeout", type=int, default=600, help="of one run, in seconds")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--cuts", action="store_true", help="compare parts of captures")
    parser.add_argument("--cover", type=int, default=0, metavar="N",
                        help="all workloads on N GPUs each, under all policies in turn")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    law = Law(options)
    with tempfile.TemporaryDirectory() as folder:
        if options.cover:
            law.cover(folder)
        for gpu in options.gpus.split(","):
            for program in options.programs:
                law.check_program(program, gpu, folder, options.schedulers)
    print(f"{law.checked} runs compared, {law.timed} of them with captures made with timing; "
          f"{law.failed} differ, {law.skipped} skipped")
    return 1 if law.failed else 0


if __name__ == "__main__":
    sys.exit(main())
