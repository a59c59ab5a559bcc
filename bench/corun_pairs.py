#!/usr/bin/env python3
"""Runs pairs of programs under share policies and writes Markdown tables of STP, ANTT and fairness.

    bench/corun_pairs.py pairs --build build > pairs.md
    bench/corun_pairs.py ipaws --build build > ipaws.md

`pairs` runs ten pairs under five share policies. `ipaws` runs the five pairs of Table 4 of the
iPAWS paper (HPCA 2016, section 4.3) on its machine under RR, GTO, GTO-RR and iPAWS, with pCKE
(spatial) and sCKE (even). Captures are kept in --captures and made when they are missing.
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
    "SC": ["streamcluster", "small"],
    "LBM": ["parboil/lbm", "small"],
    "MM": ["matmul", "small"],
    "SPMV": ["spmv_scalar", "small"],
    "BFS": ["bfs", "small"],
    "VEC": ["vecadd", "small"],
    "RED": ["reduction", "small"],
    "LPS": ["laplace3d", "small"],
}
PAIRS = [("KMN", "BLK"), ("KMN", "MM"), ("SPMV", "BLK"), ("SPMV", "MM"), ("VEC", "MM"),
         ("VEC", "BLK"), ("RED", "KMN"), ("LPS", "MM"), ("LPS", "SPMV"), ("BFS", "BLK")]

# Table 4: the scheduler that each program of a pair prefers.
TABLE_4 = [("KMN", "BLK"), ("KMN", "SC"), ("LBM", "BLK"), ("LBM", "SC"), ("KMN", "LBM")]
PREFERS = {"KMN": "gto", "LBM": "gto", "BLK": "lrr", "SC": "lrr"}


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


def print_ipaws(runner):
    """Progress over RR, as Fig. 16 shows IPC."""
    for share, name in (("spatial", "pCKE"), ("even", "sCKE")):
        print(f"\n| {name} pair | kernel | RR: IPC | GTO | GTO-RR | iPAWS | iPAWS / GTO-RR |")
        print("|---|---|---|---|---|---|---|")
        ratios = []
        for pair in TABLE_4:
            best = f"K0={PREFERS[pair[0]]},K1={PREFERS[pair[1]]}"
            ipc = [[p["ipc"] for p in runner.corun(pair, [share], s)["shared"][0]["programs"]]
                   for s in ("lrr", "gto", best, "ipaws")]
            for i, kernel in enumerate(pair):
                ratios.append(ipc[3][i] / ipc[2][i])
                print(f"| {'-'.join(pair) if i == 0 else ''} | {kernel} | " +
                      " | ".join(f"{run[i]:.1f}" for run in ipc) + f" | {ratios[-1]:.2f} |",
                      flush=True)
        print(f"| mean | | | | | | {geometric(ratios):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["pairs", "ipaws"])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--captures", type=pathlib.Path, default=pathlib.Path("build/captures"))
    parser.add_argument("--gpu", help="gtx480 for pairs, ipaws for ipaws")
    parser.add_argument("--size", action="append", default=[], metavar="PROGRAM=SIZE",
                        help="other arguments of a program: KMN=tiny, 'KMN=8 4096'")
    options = parser.parse_args()
    options.gpu = options.gpu or {"pairs": "gtx480", "ipaws": "ipaws"}[options.what]
    runner = Runner(options)
    (print_pairs if options.what == "pairs" else print_ipaws)(runner)
    print(f"\nHost time: alone {runner.host_alone:.1f} s, together {runner.host_shared:.1f} s",
          file=sys.stderr)


if __name__ == "__main__":
    main()
