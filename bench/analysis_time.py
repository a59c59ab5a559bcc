#!/usr/bin/env python3
"""Measures how long the address analysis of each launch of Heddle's workloads takes.

    bench/analysis_time.py --build build --sizes tiny,small [--worst 10] [WORKLOAD...]

The figures are processor time of `heddle analyze`, per launch that differs from the others. A
program that runs longer than --limit seconds is interrupted and named; its launches until then
count. Prints a Markdown table of the slowest kernels, and how many launches take at most 100 ms.
The exit code is 1 when one takes longer.
"""
import argparse
import json
import pathlib
import signal
import subprocess
import sys

LIMIT_MS = 100


def programs_listed(heddle):
    text = subprocess.run([heddle, "list", "workloads"], capture_output=True, text=True,
                          check=True).stdout
    table = text.split("\n\n")[0].splitlines()
    return [line.split()[0] for line in table[1:] if line[0] != " "]


def analyse(heddle, program, arguments, gpu, limit_s):
    """The launches of the program as heddle analyze describes them; were all of them analysed?"""
    process = subprocess.Popen([heddle, "analyze", "--json", "--gpu", gpu, program, *arguments],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    complete = True
    try:
        output, errors = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        complete = False
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    if complete and process.returncode != 0:
        raise RuntimeError(f"{program} {' '.join(arguments)}: {errors.strip()}")
    return (json.loads(output)["kernels"] if output else []), complete


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--gpu", default="gtx480")
    parser.add_argument("--sizes", default="tiny,small")
    parser.add_argument("--limit", type=float, default=600, help="seconds per program")
    parser.add_argument("--worst", type=int, default=10)
    parser.add_argument("workloads", nargs="*")
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    heddle = build / "bin/heddle"
    rows, interrupted, none = [], [], []
    for workload in options.workloads or programs_listed(heddle):
        for size in options.sizes.split(","):
            kernels, complete = analyse(heddle, build / "workloads" / workload, size.split(),
                                        options.gpu, options.limit)
            if not complete:
                (interrupted if kernels else none).append(f"{workload} {size}")
            for kernel in kernels:
                name = kernel["kernel"].split("(")[0]
                rows.append((kernel["milliseconds"], f"{workload} {size}", name,
                             "x".join(map(str, kernel["grid"])), len(kernel["accesses"]),
                             kernel.get("not_analysed", "")))
    rows.sort(key=lambda row: -row[0])
    slowest = {}  # of each kernel of a program
    for row in rows:
        slowest.setdefault(row[1:3], row)
    print("| program | kernel | grid | accesses | ms |  |")
    print("|---|---|---|---:|---:|---|")
    for row in list(slowest.values())[:options.worst]:
        milliseconds, program, name, grid, accesses, problem = row
        print(f"| `{program}` | {name} | {grid} | {accesses} | {milliseconds:.1f} | {problem} |")
    within = sum(row[0] <= LIMIT_MS for row in rows)
    print(f"\n{len(rows)} launches, {within} of them within {LIMIT_MS} ms")
    if interrupted:
        print(f"interrupted after {options.limit:g} s: {', '.join(interrupted)}")
    if none:
        print(f"no launch within {options.limit:g} s: {', '.join(none)}")
    return 0 if within == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
