#!/usr/bin/env python3
"""Compares programs on a simulated GPU with figures of real cards.

    bench/compare_hardware.py                        # an H200, workloads/ with small inputs
    bench/compare_hardware.py --programs vecadd bfs --size full
    bench/compare_hardware.py --set memory.memcpy_fills_l2=false
    bench/compare_hardware.py --cubins FOLDER        # machine code instead of PTX
    bench/compare_hardware.py --cubins FOLDER --two-by-two   # the errors of both, on both cores
    bench/compare_hardware.py --cubins FOLDER --instructions   # warp instructions of each kernel
    bench/compare_hardware.py --card h100 --executables FOLDER --two-by-two
    bench/compare_hardware.py --card v100 --executables FOLDER
    bench/compare_hardware.py --card a100_ubench --executables FOLDER    # also h200_, v100_ubench
    bench/compare_hardware.py --card h100_rodinia --executables FOLDER

docs/validation.md has the method. Exit code 1: a program fails.

h200: bench/reference/h200_hardware.csv, read with Nsight Compute: the sums of the first launches of
each program (at most 40) by kernel. Programs are those that heddle cc compiled, on the card, too:
the driver assembled their PTX. --cubins FOLDER has that machine code, rodinia_nw.cubin for
rodinia/nw: heddle cc -O2 -ptx, then ptxas -arch=sm_90.

h100: bench/reference/h100_polybench.csv has cycles of an H100 PCIe: ten programs of PolyBench by
problem size and width of the block, from scripts/simulation_data_nvidia/H100_raw.csv of
sarchlab/mgpusim (commit c572e888). Their sources are EnzeXu/GPU_Benchmarks; --executables FOLDER
has nvcc -O3 -cudart shared -DcudaThreadSynchronize=cudaDeviceSynchronize -gencode
arch=compute_75,code=sm_90 -gencode arch=compute_75,code=compute_75.

v100: bench/reference/v100_kernels.csv has cycles of single kernels on a Quadro GV100, from
accelwattch_hw_profiler/hw_perf.csv of accel-sim/accel-sim-framework (commit 46f3b1f1), the mean of
a kernel's launches, and the launch that is compared. Their sources are NVIDIA/cuda-samples (commit
c94ff366) and, for backprop, EnzeXu/GPU_Benchmarks; FOLDER has nvcc -O3 -cudart shared -gencode
arch=compute_75,code=sm_75 -gencode arch=compute_75,code=compute_75: nvcc 13 makes no code for a
V100.

a100_ubench, h200_ubench, v100_ubench: the tables of these names in bench/reference have cycles of
sharedBankConflicts, a sample of Nsight Compute that transposes a matrix, from
ubench/CARD-combined_per_kernel.html of accel-sim/statistics-archive (commit 00322f01), the mean of
several runs. The source is src/cuda/GPU_Microbenchmark/ubench/shd/shared_bank_conflicts of
accel-sim/gpu-app-collection (commit fc00cce6), compiled as for v100, with code=sm_80 and sm_90 for
a100 and h200.

h100_rodinia: bench/reference/h100_rodinia.csv has the sums over all kernels of programs of Rodinia
3.1 that need no input file, and of sharedBankConflicts, from ubench/hopper-h100-combined_per_app.
html of accel-sim/statistics-archive (commit 0732e134). The sources are src/cuda/rodinia/3.1 of
accel-sim/gpu-app-collection (commit 52c11fbc), compiled by their makefiles' options for the device
and, as for v100, with code=sm_90. lud_cuda is without its -v, which only checks the result.
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
REFERENCE = ROOT / "bench" / "reference"
# The public tables were read with Nsight Compute's defaults (collector/profilencu.go of
# sarchlab/mnt-collector, commit 660136b9; util/hw_stats/run_hw.py of accel-sim-framework): it
# flushes the caches before each kernel and locks the clock to the base clock.
COLD = ["memory.flush_l2_at_kernel_end=true", "memory.memcpy_fills_l2=false"]
CONDITIONS = {
    "h200": [],
    # 1083 to 1109 MHz in global-ranking_ncu.json beside the table. The part of DRAM's latency that
    # does not follow the clock is the preset's: 265 cycles at 1755 MHz.
    "h100": COLD + ["clocks.core=1095", "clocks.icnt=1095", "clocks.l2=1095",
                    "memory.dram_latency=165"],
    # The base clock of a Quadro GV100. Code of sm_75 runs only on a GPU that says so.
    "v100": COLD + ["clocks.core=1132", "clocks.icnt=1132", "clocks.l2=1132", "compute_major=7",
                    "compute_minor=5"],
    # Neither the cards' clocks nor the kind of A100 are given. 1095 MHz is the base clock of an SXM
    # card; its part of DRAM's latency is 294 cycles at 1410 MHz. The H200 keeps the preset's clock.
    "a100_ubench": COLD + ["clocks.core=1095", "clocks.icnt=1095", "clocks.l2=1095",
                           "memory.dram_latency=228"],
    "h200_ubench": COLD,
    # The kind and the clock are not given: the SMs of an SXM card. The launch latency is that of
    # six launches of gaussian for a matrix of 4 x 4, whose row (20737.123 cycles) is not compared.
    "h100_rodinia": COLD + ["clusters=132", "kernel_launch_latency=1865"],
}
CONDITIONS["v100_ubench"] = CONDITIONS["v100"]
GPUS = {"a100_ubench": "a100", "h200_ubench": "h200_guided", "v100_ubench": "v100",
        "h100_rodinia": "h100"}


def read_h200(size):
    """The sums over a program's kernels, by program, with the number of launches."""
    programs = {}
    with open(REFERENCE / "h200_hardware.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["size"] != size:
                continue
            sums = programs.setdefault(row["program"], {})
            for key, value in row.items():
                if key not in ("program", "size", "kernel"):
                    sums[key] = sums.get(key, 0) + int(value)
    return programs


def read_h100():
    """The same, by the command line of each run; all its launches count."""
    with open(REFERENCE / "h100_polybench.csv", newline="") as file:
        return {f"{row['program']} -size {row['size']} -blockDimX {row['block']}":
                {"cycles": int(row["cycles"]), "launches": None} for row in csv.DictReader(file)}


def read_kernels(table):
    """The same, by the command line and the kernel; one launch counts, all where none is named."""
    with open(REFERENCE / table, newline="") as file:
        rows = list(csv.DictReader(file))
    if "launch" not in rows[0]:
        return {row["command"]: {"cycles": float(row["cycles"]), "launches": None} for row in rows}
    return {f"{row['command']} {row['kernel']}".strip():
            {"cycles": float(row["cycles"]), "command": row["command"], "launch": row["launch"]}
            for row in rows}


def command_of(arguments, program, real, cubins):
    """The program's command line, and the options of heddle run that it needs."""
    if arguments.executables:
        name, *words = real.get("command", program).split()
        options = ["--kernels", real["launch"]] if "launch" in real else []
        return [arguments.executables / name, *words], options
    options = ["--cubin", cubins / (program.replace("/", "_") + ".cubin")] if cubins else []
    return [arguments.build / "workloads" / program, arguments.size], options


def simulate(arguments, program, real, scheduler, cubins, settings):
    """Cycles and warp instructions of the launches; text instead when the program fails."""
    words, options = command_of(arguments, program, real, cubins)
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.build / "bin" / "heddle", "run", "--quiet", "--gpu", arguments.gpu,
                   "--scheduler", scheduler, "--out", folder, "--isa",
                   "sass" if cubins else "ptx", *options]
        for setting in CONDITIONS[arguments.card] + arguments.set + settings:
            command += ["--set", setting]
        done = subprocess.run(command + words, capture_output=True, text=True)
        if done.returncode != 0:
            return f"exit code {done.returncode}: {done.stderr.strip()}"
        kernels = json.loads(pathlib.Path(folder, "run.json").read_text())["kernels"]
    kernels = [kernel for kernel in kernels[:real.get("launches")]
               if kernel["simulated"] == "timed"]
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


def summary(pairs):
    """Mean absolute error, median ratio, share within 25 %, correlation of the logarithms."""
    ratios = [simulated / real for real, simulated in pairs]
    logs = [[math.log(value) for value in column] for column in zip(*pairs)]
    return (statistics.fmean(abs(r - 1) for r in ratios), statistics.median(ratios),
            sum(abs(r - 1) <= 0.25 for r in ratios) / len(ratios),
            statistics.correlation(*logs) if len(pairs) > 2 else math.nan)


def print_summary(pairs):
    error, median, within, correlation = summary(pairs)
    print(f"\n{len(pairs)} programs: mean absolute error of cycles {100 * error:.0f} %, median "
          f"ratio {median:.2f}, within 25 %: {round(within * len(pairs))}")
    if len(pairs) > 2:
        print(f"correlation of the logarithms of cycles: {correlation:.3f}")


def measure(arguments, reference, programs, scheduler, cubins, settings):
    """(program, real, simulated) of the programs that run, and whether one failed."""
    results, failed = [], False
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = pool.map(lambda p: simulate(arguments, p, reference[p], scheduler, cubins,
                                           settings), programs)
        for program, simulated in zip(programs, runs):
            if isinstance(simulated, str):
                print(f"{program}: {simulated}", file=sys.stderr)
                failed = True
                continue
            print(program, file=sys.stderr)
            results.append((program, reference[program], simulated))
    return results, failed


def cycles_of(results):
    return [(real["cycles"], simulated["cycles"]) for _, real, simulated in results]


def print_two_by_two(arguments, reference, programs):
    print("| code | core | mean error | first half | second half | within 25 % | correlation |")
    print("|---|---|---:|---:|---:|---:|---:|")
    any_failed = False
    for code, cubins in [("PTX", None), ("machine code", arguments.cubins)]:
        for core, scheduler in [("collector", "gto"), ("compiler_guided", "cggty")]:
            results, failed = measure(arguments, reference, programs, scheduler, cubins,
                                      ["sm.core=" + core])
            any_failed = any_failed or failed
            pairs = cycles_of(results)
            error, _, within, correlation = summary(pairs)
            # By the order of the names: every second program.
            names = sorted({program.split()[0] for program, _, _ in results}, key=str.lower)
            halves = [summary(cycles_of([r for r in results if r[0].split()[0] in half]))[0]
                      for half in (names[0::2], names[1::2])]
            print(f"| {code} | {core} | {100 * error:.0f} % | {100 * halves[0]:.0f} % | "
                  f"{100 * halves[1]:.0f} % | {round(within * len(pairs))} of {len(pairs)} | "
                  f"{correlation:.3f} |", flush=True)
    return any_failed


def kernel_name(text):
    """The name without its parameters, template arguments and namespaces."""
    return text.split("(")[0].split("<")[0].split(" ")[-1].split("::")[-1]


def print_instructions(arguments, programs):
    """Runs the programs functionally; prints the kernels that execute another number of warp
    instructions than on the card."""
    rows = {}
    with open(REFERENCE / "h200_hardware.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["size"] == arguments.size and row["program"] in programs:
                rows.setdefault(row["program"], []).append(row)
    count, differ, failed = 0, [], False
    for program, kernels in rows.items():
        words, options = command_of(arguments, program, {}, arguments.cubins)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [arguments.build / "bin" / "heddle", "run", "--quiet", "--functional", "--gpu",
                 arguments.gpu, "--out", folder, "--isa", "sass", *options, *words],
                capture_output=True, text=True)
            if done.returncode != 0:
                print(f"{program}: {done.stderr.strip()}", file=sys.stderr)
                failed = True
                continue
            launches = json.loads(pathlib.Path(folder, "run.json").read_text())["kernels"]
        sums = {}
        for launch in launches[:sum(int(row["launches"]) for row in kernels)]:
            name = kernel_name(launch["display_name"])
            sums[name] = sums.get(name, 0) + launch["warp_instructions"]
        for row in kernels:
            name, real = kernel_name(row["kernel"]), int(row["warp_instructions"])
            count += 1
            if sums[name] != real:
                differ.append((program, name, real, sums[name]))
    print("| program | kernel | card | Heddle | ratio |")
    print("|---|---|---:|---:|---:|")
    for program, name, real, simulated in differ:
        print(f"| {program} | {name} | {real:,} | {simulated:,} | {simulated / real:.4f} |")
    print(f"\n{count} kernels, {count - len(differ)} with the card's number")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--card", choices=list(CONDITIONS), default="h200")
    parser.add_argument("--gpu", help="simulated GPU; by default of the card's name")
    parser.add_argument("--scheduler", default="gto")
    parser.add_argument("--size", choices=["small", "full"], default="small")
    parser.add_argument("--programs", nargs="+", help="all by default; full takes hours for some")
    parser.add_argument("--set", action="append", default=[], help="as for heddle run")
    parser.add_argument("--cubins", type=pathlib.Path, help="folder of machine code to run")
    parser.add_argument("--executables", type=pathlib.Path,
                        help="folder of programs; needed for cards other than h200")
    parser.add_argument("--two-by-two", action="store_true",
                        help="PTX and machine code on either core, each with its own scheduler")
    parser.add_argument("--instructions", action="store_true",
                        help="functional runs of machine code: kernels with other counts than h200")
    parser.add_argument("--jobs", type=int, default=2, help="runs at once")
    arguments = parser.parse_args()

    if (arguments.card == "h200") == bool(arguments.executables):
        parser.error("cards other than h200, and only these, need --executables")
    arguments.gpu = arguments.gpu or GPUS.get(arguments.card, arguments.card)
    if arguments.card in GPUS:
        reference = read_kernels(arguments.card + ".csv")
    else:
        reference = {"h200": lambda: read_h200(arguments.size), "h100": read_h100,
                     "v100": lambda: read_kernels("v100_kernels.csv")}[arguments.card]()
    arguments.cubins = arguments.cubins or arguments.executables
    programs = arguments.programs or sorted(reference)
    unknown = [program for program in programs if program not in reference]
    if unknown:
        parser.error(f"no figures of {', '.join(unknown)} with inputs {arguments.size}")
    if arguments.instructions:
        if arguments.card != "h200" or not arguments.cubins:
            parser.error("--instructions needs --cubins, and the figures of the h200")
        return 1 if print_instructions(arguments, programs) else 0
    if arguments.two_by_two:
        if not arguments.cubins:
            parser.error("--two-by-two needs --cubins")
        return 1 if print_two_by_two(arguments, reference, programs) else 0
    results, failed = measure(arguments, reference, programs, arguments.scheduler,
                              arguments.cubins, [])
    if arguments.executables:
        for program, real, simulated in results:
            print(f"{program}: {simulated['cycles'] / real['cycles']:.2f}")
    else:
        print_table([row_of(*result) for result in results])
    print_summary(cycles_of(results))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
