#!/usr/bin/env python3
"""Measures what each CTA scheduler costs the simulator, in host instructions counted by valgrind.

    bench/cta_cost.py --build build [--gpu gtx480] [--scheduler gto] [POLICY...]

For each program and CTA scheduler it prints host instructions per warp instruction and per
simulated SM cycle, as ratios to rr, without those of the address analysis. Behind them: the share
of all host instructions spent in the policy with the engine's calls to it, and in the analysis at
launch. Another schedule makes SMs and memory do other work; so a mark stands where the policy takes
more than 3 % of the host's time itself, or where a policy that places CTAs as rr does costs more.
The counts are exact whatever else the machine does.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# Large enough to fill the SMs of gtx480 several times, short enough to be counted.
PROGRAMS = ["vecadd 65536", "matmul 160", "spmv_vector 5760 20", "kmeans 4 23040 3 1",
            "ctamap/conv tiny"]
# The last ones place CTAs as rr does: their cost is that of the counts they need.
POLICIES = ["mapped", "clustered", "paver", "bcs", "lcs", "dyncta", "equalizer", "bcs:block=1",
            "dyncta:start=all,memory_low=1048576", "equalizer:agreeing_epochs=100"]
MAX_SHARE = 0.03
SIMULATION = "heddle::gpu::Device::advance(heddle::Cycle)"
POLICY = ["Engine::begin_cta_scheduling(", "Engine::dispatch_ctas(heddle::Cycle)",
          "Engine::record_finished_ctas(", "Engine::end_epoch("]
ANALYSIS = ["LaunchAnalysis::Impl::analyse("]


class Cost:
    def __init__(self, counts, run):
        def sum_of(names):
            return sum(counts.get(name, 0) for name in names)
        self.analysis = sum_of(ANALYSIS)
        self.policy = sum_of(POLICY) - self.analysis
        self.total = counts["total"]
        self.warp_instructions = run["totals"]["warp_instructions"]
        self.sm_cycles = run["totals"]["sm"]["cycles"]
        self.cycles = run["totals"]["cycles"]

    def simulation(self):
        return self.total - self.analysis


def counts_of(profile):
    """Inclusive host instructions of the functions of interest."""
    text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100",
                           "--auto=no", profile], capture_output=True, text=True, check=True).stdout
    counts = {}
    for line in text.splitlines():
        count = re.match(r"\s*([\d,]+) \(", line)
        if not count:
            continue
        value = int(count.group(1).replace(",", ""))
        if "PROGRAM TOTALS" in line:
            counts["total"] = value
        for name in POLICY + ANALYSIS:
            # Code inlined from other files has lines of its own; the function's is the largest.
            if name in line:
                counts[name] = max(counts.get(name, 0), value)
    return counts


def measure(build, options, policy, program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path, *arguments = program.split()
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--trace-children=yes", "--collect-atstart=no",
             f"--toggle-collect={SIMULATION}", f"--callgrind-out-file={folder}/profile.%p",
             build / "bin/heddle", "run", "--quiet", "--gpu", options.gpu, "--scheduler",
             options.scheduler, "--cta-scheduler", policy, "--out", folder / "out",
             build / "workloads" / path, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{program} under {policy}: {done.stderr.strip()}")
        # One profile per process; that of the simulation has counts.
        profile = max(folder.glob("profile.*"), key=lambda file: file.stat().st_size)
        return Cost(counts_of(profile), json.loads((folder / "out/run.json").read_text()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--gpu", default="gtx480")
    parser.add_argument("--scheduler", default="gto")
    parser.add_argument("--programs", default=";".join(PROGRAMS), help="separated by ;")
    parser.add_argument("policies", nargs="*", default=POLICIES)
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    print("| program | CTA scheduler | per warp instruction | per SM cycle | in the policy | "
          "in the analysis | simulated cycles |")
    print("|---|---|---:|---:|---:|---:|---:|")
    exceeded = False
    for program in options.programs.split(";"):
        base = measure(build, options, "rr", program)
        for policy in ["rr", *options.policies]:
            cost = base if policy == "rr" else measure(build, options, policy, program)
            ratio = cost.simulation() / base.simulation()
            per_instruction = ratio * base.warp_instructions / cost.warp_instructions
            per_cycle = ratio * base.sm_cycles / cost.sm_cycles
            same = cost.cycles == base.cycles
            too_much = (cost.policy > MAX_SHARE * cost.total or
                        same and per_instruction > 1 + MAX_SHARE)
            exceeded = exceeded or too_much
            print(f"| `{program}` | `{policy}` | {per_instruction:.3f} | {per_cycle:.3f} | "
                  f"{cost.policy / cost.total:.2%} | {cost.analysis / cost.total:.2%} | "
                  f"{cost.cycles / base.cycles:.3f}{' !' if too_much else ''} |", flush=True)
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
