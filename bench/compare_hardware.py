#!/usr/bin/env python3
"""Compares the programs of workloads/ on a simulated GPU with figures of the real card.

    bench/compare_hardware.py                        # h200, inputs small
    bench/compare_hardware.py --programs vecadd bfs --size full
    bench/compare_hardware.py --set memory.memcpy_fills_l2=false
    bench/compare_hardware.py --cubins FOLDER        # machine code instead of PTX

bench/reference/h200_hardware.csv has the figures of an H200, read with Nsight Compute: the sums of
the first launches of each program (at most 40) by kernel. Programs are those that heddle cc
compiled, on the card, too: the driver assembled their PTX. docs/validation.md has the method.
FOLDER has that machine code, rodinia_nw.cubin for rodinia/nw: heddle cc -O2 -ptx, then ptxas
-arch=sm_90. Exit code 1: a program fails.
"""
import argparse
import concurrent.futures
import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "bench" / "reference" / "h200_hardware.csv"


def read_reference(path, size):
    """The sums over a program's kernels, by program, with the number of launches."""
    programs = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["size"] != size:
                continue
            sums = programs.setdefault(row["program"], {})
            for key, value in row.items():
                if key not in ("program", "size", "kernel"):
                    sums[key] = sums.get(key, 0) + int(value)
    return programs


def simulate(arguments, program, launches):
    """Cycles and warp instructions of the first launches; text instead when the program fails."""
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.build / "bin" / "heddle", "run", "--quiet", "--gpu", arguments.gpu,
                   "--scheduler", arguments.scheduler, "--out", folder]
        if arguments.cubins:
            command += ["--isa", "sass", "--cubin",
                        arguments.cubins / (program.replace("/", "_") + ".cubin")]
        for setting in arguments.set:
            command += ["--set", setting]
        command += [arguments.build / "workloads" / program, arguments.size]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            return f"exit code {done.returncode}: {done.stderr.strip()}"
        kernels = json.loads(pathlib.Path(folder, "run.json").read_text())["kernels"][:launches]
    l1d = [kernel["l1d"] for kernel in kernels]
    reads = sum(cache["accesses"] - cache["write_accesses"] for cache in l1d)
    # The card counts a load that waits for the sector of an earlier one as a hit.
    hits = sum(cache["hits"] + cache["pending_hits"] - cache["write_hits"]
               - cache["write_pending_hits"] for cache in l1d)
    return {"cycles": sum(kernel["cycles"] for kernel in kernels),
            "warp_instructions": sum(kernel["warp_instructions"] for kernel in kernels),
            "hit_share": hits / reads if reads else math.nan}


def percent(share):
    return "-" if math.isnan(share) else f"{100 * share:.0f} %"


def row_of(program, real, simulated):
    sectors = real["load_sectors"]
    real_hits = real["load_sector_hits"] / sectors if sectors else math.nan
    return [program, f"{real['cycles']:,}", f"{simulated['cycles']:,}",
            f"{simulated['cycles'] / real['cycles']:.2f}",
            f"{simulated['warp_instructions'] / real['warp_instructions']:.2f}",
            percent(real_hits), percent(simulated["hit_share"])]


def print_table(rows):
    heading = ["program", "cycles, card", "Heddle", "ratio", "instructions, ratio",
               "L1 hits, card", "Heddle"]
    print("| " + " | ".join(heading) + " |")
    print("|---" + "|---:" * (len(heading) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def print_summary(pairs):
    ratios = [simulated / real for real, simulated in pairs]
    print(f"\n{len(pairs)} programs: mean absolute error of cycles "
          f"{100 * statistics.fmean(abs(r - 1) for r in ratios):.0f} %, median ratio "
          f"{statistics.median(ratios):.2f}, within 25 %: "
          f"{sum(abs(r - 1) <= 0.25 for r in ratios)}")
    if len(pairs) > 2:
        logs = [[math.log(value) for value in column] for column in zip(*pairs)]
        print(f"correlation of the logarithms of cycles: {statistics.correlation(*logs):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--gpu", default="h200")
    parser.add_argument("--scheduler", default="gto")
    parser.add_argument("--size", choices=["small", "full"], default="small")
    parser.add_argument("--programs", nargs="+", help="all by default; full takes hours for some")
    parser.add_argument("--set", action="append", default=[], help="as for heddle run")
    parser.add_argument("--cubins", type=pathlib.Path, help="folder of machine code to run")
    parser.add_argument("--jobs", type=int, default=2, help="runs at once")
    arguments = parser.parse_args()

    reference = read_reference(REFERENCE, arguments.size)
    programs = arguments.programs or sorted(reference)
    unknown = [program for program in programs if program not in reference]
    if unknown:
        parser.error(f"no figures of {', '.join(unknown)} with inputs {arguments.size}")
    rows, pairs, failed = [], [], False
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = pool.map(lambda p: simulate(arguments, p, reference[p]["launches"]), programs)
        for program, simulated in zip(programs, runs):
            if isinstance(simulated, str):
                print(f"{program}: {simulated}", file=sys.stderr)
                failed = True
                continue
            print(program, file=sys.stderr)
            rows.append(row_of(program, reference[program], simulated))
            pairs.append((reference[program]["cycles"], simulated["cycles"]))
    print_table(rows)
    print_summary(pairs)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
