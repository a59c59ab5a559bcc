#!/usr/bin/env python3
"""Runs pairs of programs under share policies and writes Markdown tables of STP, ANTT and fairness.

    bench/corun_pairs.py --build build > pairs.md

Ten pairs under five share policies. Captures are kept in --captures and made when they are missing.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

SHARES = ["leftover", "spatial", "even", "smk", "warped-slicer"]

# Programs with their sizes. Bound by computation: BLK, MM, LPS. By caches: KMN, SPMV, BFS. By DRAM:
# VEC, RED.
PROGRAMS = {
    "KMN": ["kmeans", "small"],
    "BLK": ["blackscholes", "small"],
    "MM": ["matmul", "small"],
    "SPMV": ["spmv_scalar", "small"],
    "BFS": ["bfs", "small"],
    "VEC": ["vecadd", "small"],
    "RED": ["reduction", "small"],
    "LPS": ["laplace3d", "small"],
}
PAIRS = [("KMN", "BLK"), ("KMN", "MM"), ("SPMV", "BLK"), ("SPMV", "MM"), ("VEC", "MM"),
         ("VEC", "BLK"), ("RED", "KMN"), ("LPS", "MM"), ("LPS", "SPMV"), ("BFS", "BLK")]


class Runner:
    def __init__(self, options):
        self.heddle = str(options.build / "bin" / "heddle")
        self.build, self.captures, self.gpu = options.build, options.captures, options.gpu
        self.sizes = dict(item.split("=", 1) for item in options.size)
        self.host_alone = self.host_shared = 0.0
        self.captures.mkdir(parents=True, exist_ok=True)

    def capture(self, name):
        """The file of the captured program; captured on the GPU on which it will run."""
        size = self.sizes.get(name, PROGRAMS[name][1])
        path = self.captures / f"{name}-{size.replace(' ', '-')}-{self.gpu}.hcap"
        if not path.exists():
            program = str(self.build / "workloads" / PROGRAMS[name][0])
            subprocess.run([self.heddle, "capture", "--quiet", "--gpu", self.gpu, "-o", str(path),
                            program, *size.split()], check=True, stdout=subprocess.DEVNULL)
        return str(path)

    def corun(self, pair, shares, scheduler):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([self.heddle, "corun", "--quiet", "--gpu", self.gpu,
                            "--shares", ",".join(shares), "--scheduler", scheduler, "-o", folder,
                            self.capture(pair[0]), "--", self.capture(pair[1])],
                           check=True, stdout=subprocess.DEVNULL)
            results = json.loads((pathlib.Path(folder) / "run.json").read_text())
        self.host_alone += results["host"]["alone_seconds"] * len(shares)
        self.host_shared += sum(results["host"]["shared_seconds"])
        return results


def geometric(values):
    return statistics.geometric_mean(values)


def print_pairs(runner):
    table = {share: [] for share in SHARES}
    print("| pair | " + " | ".join(f"{share}: STP, ANTT, fairness" for share in SHARES) + " |")
    print("|---|" + "---|" * len(SHARES))
    for pair in PAIRS:
        results = runner.corun(pair, SHARES, "gto")
        cells = []
        for share, run in zip(SHARES, results["shared"]):
            table[share].append(run)
            cells.append(f"{run['stp']:.2f}, {run['antt']:.2f}, {run['fairness']:.2f}")
        print(f"| {'-'.join(pair)} | " + " | ".join(cells) + " |", flush=True)
    means = [f"**{geometric([r['stp'] for r in table[s]]):.2f}**, "
             f"{statistics.mean([r['antt'] for r in table[s]]):.2f}, "
             f"{statistics.mean([r['fairness'] for r in table[s]]):.2f}" for s in SHARES]
    print("| mean | " + " | ".join(means) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--captures", type=pathlib.Path, default=pathlib.Path("build/captures"))
    parser.add_argument("--gpu", default="gtx480")
    parser.add_argument("--size", action="append", default=[], metavar="PROGRAM=SIZE",
                        help="other arguments of a program: KMN=tiny, 'KMN=8 4096'")
    options = parser.parse_args()
    runner = Runner(options)
    print_pairs(runner)
    print(f"\nHost time: alone {runner.host_alone:.1f} s, together {runner.host_shared:.1f} s",
          file=sys.stderr)


if __name__ == "__main__":
    main()
