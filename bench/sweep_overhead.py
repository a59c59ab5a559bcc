#!/usr/bin/env python3
"""Measures what heddle sweep adds to a run, beside heddle run.

    bench/sweep_overhead.py --build build [--runs 60] [--rounds 5]

Both do the same short runs, one at a time, in turn. Other work on the machine lengthens wall time,
so the CPU time of all processes (user and system) is measured too.
The figures are milliseconds per run: the median of the rounds.
"""
import argparse
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time


def measured(act, runs):
    """Wall and CPU milliseconds per run of act()."""
    def cpu():
        use = resource.getrusage(resource.RUSAGE_CHILDREN)
        return use.ru_utime + use.ru_stime

    wall_before, cpu_before = time.monotonic(), cpu()
    act()
    return (1000 * (time.monotonic() - wall_before) / runs, 1000 * (cpu() - cpu_before) / runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", help="build folder or installation")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    heddle = build / "bin/heddle"
    program = next(path for path in (build / "workloads/patterns/few_ctas",
                                     build / "share/heddle/programs/patterns/few_ctas")
                   if path.exists())
    values = range(8, 8 + options.runs)
    alone, swept = [], []
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)

            def run_alone():
                for value in values:
                    subprocess.run([heddle, "run", "--quiet", "--set",
                                    f"sm.l1d.mshr_entries={value}", "--out", folder / str(value),
                                    program, "tiny"], check=True, stdout=subprocess.DEVNULL)

            def sweep():
                subprocess.run([heddle, "sweep", "--quiet", "--jobs", "1", "s.toml"], check=True,
                               stdout=subprocess.DEVNULL, cwd=folder)

            (folder / "s.toml").write_text(
                'title = "t"\ngpus = ["gtx480"]\nschedulers = ["gto"]\n[grid]\n'
                f'"sm.l1d.mshr_entries" = {list(values)}\n'
                f'[[case]]\nname = "c"\nprogram = ["{program}", "tiny"]\n')
            alone.append(measured(run_alone, options.runs))
            swept.append(measured(sweep, options.runs))
    for place, what in enumerate(("wall", "CPU")):
        run = statistics.median(one[place] for one in alone)
        sweep = statistics.median(one[place] for one in swept)
        added = [b[place] - a[place] for a, b in zip(alone, swept)]
        print(f"{what}: heddle run {run:.1f} ms, heddle sweep {sweep:.1f} ms, added "
              f"{statistics.median(added):+.1f} ms per run (rounds {min(added):+.1f} to "
              f"{max(added):+.1f})")


if __name__ == "__main__":
    main()
