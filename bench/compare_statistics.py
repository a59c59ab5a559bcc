#!/usr/bin/env python3
"""Records every statistic of every workload under every policy, and compares two records.

    bench/compare_statistics.py record --build build --out before
    (change the simulator, build again)
    bench/compare_statistics.py record --build build --out after
    bench/compare_statistics.py compare before after --renamed old.key=new.key

A record is a folder with one JSON file per run. An interrupted record resumes. `compare` exits
with 1 when a statistic differs or a run is missing. What describes the host (wall time, paths,
version) is not recorded.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GPUS = ["gtx480", "qv100", "daws", "kaws"]
SIZES = ["tiny", "small"]
SIMULATED = ["gpu", "scheduler", "functional", "seed", "totals", "kernels"]


def names_listed(heddle, what):
    """The first column of the first table of `heddle list WHAT`, continuation lines left out."""
    text = subprocess.run([heddle, "list", what], capture_output=True, text=True, check=True).stdout
    table = text.split("\n\n")[0].splitlines()
    return [line.split()[0] for line in table[1:] if line[0] != " "]


def scheduler_argument(heddle, run, folder):
    """daws-profiled needs the profile of an earlier run of the same program."""
    gpu, scheduler, workload, size, program = run
    if scheduler != "daws-profiled":
        return scheduler
    profile = os.path.join(folder, "profile.toml")
    subprocess.run([heddle, "profile", "--gpu", gpu, "--out", profile, program, size],
                   capture_output=True, text=True, check=True)
    return f"{scheduler}:profile={profile}"


def record_one(heddle, run, path):
    gpu, scheduler, workload, size, program = run
    with tempfile.TemporaryDirectory() as folder:
        policy = scheduler_argument(heddle, run, folder)
        done = subprocess.run([heddle, "run", "--quiet", "--gpu", gpu, "--scheduler", policy,
                               "--out", folder, program, size], capture_output=True, text=True)
        if done.returncode != 0:
            return (f"{gpu} {scheduler} {workload} {size}: exit code {done.returncode}: "
                    f"{done.stderr.strip()}")
        results = json.loads(pathlib.Path(folder, "run.json").read_text())
    kept = {key: results[key] for key in SIMULATED if key in results}
    kept["scheduler"] = scheduler
    kept["output"] = done.stdout
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(kept, indent=0))
    partial.rename(path)
    return None


def record(arguments):
    build = pathlib.Path(arguments.build).resolve()
    heddle = str(build / "bin" / "heddle")
    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    workloads = arguments.workloads or names_listed(heddle, "workloads")
    schedulers = arguments.schedulers or names_listed(heddle, "schedulers")
    runs = []
    for size in arguments.sizes:
        for workload in workloads:
            program = str(build / "workloads" / workload)
            for gpu in arguments.gpus:
                runs += [(gpu, scheduler, workload, size, program) for scheduler in schedulers]
    failures = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting = {}
        for run in runs:
            path = out / ("--".join(run[:4]).replace("/", "_") + ".json")
            if not path.exists():
                waiting[pool.submit(record_one, heddle, run, path)] = run
        for number, done in enumerate(concurrent.futures.as_completed(waiting), 1):
            if done.result():
                failures.append(done.result())
            if number % 100 == 0:
                print(f"{number} of {len(waiting)} runs", file=sys.stderr, flush=True)
    for failure in failures[:20]:
        print(failure, file=sys.stderr)
    print(f"{len(runs) - len(failures)} runs recorded, {len(failures)} failed")
    return 1 if failures else 0


def flatten(value, prefix, renamed, into):
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = ((str(i), item) for i, item in enumerate(value))
    else:
        into[renamed.get(prefix, prefix)] = value
        return into
    for key, item in items:
        key = renamed.get(key, key)
        flatten(item, f"{prefix}.{key}" if prefix else key, renamed, into)
    return into


def compare(arguments):
    renamed = dict(pair.split("=", 1) for pair in arguments.renamed)
    before, after = pathlib.Path(arguments.before), pathlib.Path(arguments.after)
    names = sorted({path.name for path in [*before.glob("*.json"), *after.glob("*.json")]})
    statistics = different = missing = 0
    for name in names:
        if not (before / name).exists() or not (after / name).exists():
            if not arguments.common:
                missing += 1
                print(f"{name}: only in {after if (after / name).exists() else before}")
            continue
        old = flatten(json.loads((before / name).read_text()), "", renamed, {})
        new = flatten(json.loads((after / name).read_text()), "", {}, {})
        statistics += len(old)
        keys = [key for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
        different += len(keys)
        for key in keys[:arguments.shown]:
            print(f"{name}: {key}: {old.get(key, 'absent')} -> {new.get(key, 'absent')}")
    print(f"{len(names)} runs, {statistics} statistics compared: {different} differ, "
          f"{missing} runs missing")
    return 1 if different or missing or not statistics else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record", help="run every workload under every policy")
    recording.add_argument("--build", default="build", help="the build folder")
    recording.add_argument("--out", required=True, help="the folder of the record")
    recording.add_argument("--gpus", nargs="+", default=GPUS)
    recording.add_argument("--sizes", nargs="+", default=SIZES)
    recording.add_argument("--workloads", nargs="+", help="default: all")
    recording.add_argument("--schedulers", nargs="+", help="default: all")
    recording.add_argument("--jobs", type=int, default=os.cpu_count())
    comparing = verbs.add_parser("compare", help="compare two records")
    comparing.add_argument("before")
    comparing.add_argument("after")
    comparing.add_argument("--renamed", nargs="*", default=[], metavar="OLD=NEW",
                           help="keys of `before` that have another name in `after`")
    comparing.add_argument("--shown", type=int, default=3, help="differences shown per run")
    comparing.add_argument("--common", action="store_true",
                           help="compare the runs that both records have")
    arguments = parser.parse_args()
    return record(arguments) if arguments.verb == "record" else compare(arguments)


if __name__ == "__main__":
    sys.exit(main())
