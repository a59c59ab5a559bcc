#!/usr/bin/env python3
"""Measures what heddle sweep adds to a run, beside heddle run.

    bench/sweep_overhead.py --build build [--runs 60]

Both do the same short runs, one at a time. The figures are wall milliseconds per run: median of
three rounds, so that other work on the machine disturbs them less.
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

ROUNDS = 3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=60)
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    heddle, program = build / "bin/heddle", build / "workloads/patterns/few_ctas"
    values = range(8, 8 + options.runs)
    alone, swept = [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            begin = time.monotonic()
            for value in values:
                subprocess.run([heddle, "run", "--quiet", "--set", f"sm.l1d.mshr_entries={value}",
                                "--out", folder / str(value), program, "tiny"], check=True,
                               stdout=subprocess.DEVNULL)
            alone.append((time.monotonic() - begin) / options.runs)
            (folder / "s.toml").write_text(
                'title = "t"\ngpus = ["gtx480"]\nschedulers = ["gto"]\n[grid]\n'
                f'"sm.l1d.mshr_entries" = {list(values)}\n'
                f'[[case]]\nname = "c"\nprogram = ["{program}", "tiny"]\n')
            begin = time.monotonic()
            subprocess.run([heddle, "sweep", "--quiet", "--jobs", "1", "s.toml"], check=True,
                           stdout=subprocess.DEVNULL, cwd=folder)
            swept.append((time.monotonic() - begin) / options.runs)
    run, sweep = 1000 * statistics.median(alone), 1000 * statistics.median(swept)
    print(f"heddle run {run:.1f} ms, heddle sweep {sweep:.1f} ms: {sweep - run:+.1f} ms per run")


if __name__ == "__main__":
    main()
