"""Makes a results store with made-up runs, for tests and measurements of reports.

Usage: make_store.py STORE RUN_JSON... [--runs N]

The numbers are those of the given runs, times random factors. The seed is fixed.
"""
import argparse
import itertools
import json
import pathlib
import random
import sqlite3

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Policies and the factor of their cycles.
POLICIES = {"lrr": 1.0, "gto": 0.87, "two-level": 0.97, "swl:warps=8": 0.8, "ccws": 0.75,
            "daws": 0.7, "ipaws": 0.85, "mascar": 0.9, "kaws": 0.86, "gto + mapped": 0.84}
WAYS = ["2", "4", "8", "16", "32"]
GPUS = ["gtx480", "titanx"]
DETAILED = 40  # runs whose run.json is kept
TIME = "2026-01-31T12:00:00Z"
UNITS = {"cycles": "cycles", "instructions per cycle": "ipc", "ratio": "rates.%hits",
         "slots": "slots.%", "core cycles": "read_time.%"}


def numbers(value, path=""):
    for key, inner in value.items():
        name = f"{path}.{key}" if path else key
        if isinstance(inner, dict):
            yield from numbers(inner, name)
        elif isinstance(inner, (int, float)) and not isinstance(inner, bool):
            yield name, inner


def insert(store, table, **columns):
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    store.execute(f"INSERT INTO {table}({names}) VALUES({marks})", list(columns.values()))


def create(path, bases):
    """An empty store with the study; returns it and the numbers of its statistics."""
    pathlib.Path(path).unlink(missing_ok=True)
    store = sqlite3.connect(path)
    for schema in ("schema.sql", "schema_2.sql", "schema_3.sql"):
        store.executescript((ROOT / "src/lab/store" / schema).read_text())
    store.execute(f"PRAGMA application_id = {0x48656464}")
    store.execute("PRAGMA user_version = 3")
    insert(store, "studies", id=1, name="made_up", title="Made-up runs", file="made_up.toml",
           document="", options="{}", baseline="lrr", margin=0.01, near=0.05, swept=TIME)
    for ordinal, name in enumerate(POLICIES):
        insert(store, "study_rows", study_id=1, ordinal=ordinal, name=name,
               members=json.dumps([name]))
    for base in {base["configuration"]["hash"]: base for base in bases}.values():
        insert(store, "configurations", hash=base["configuration"]["hash"], gpu=base["gpu"],
               parameters="{}", toml=base["configuration"]["toml"])
    names = sorted({name for base in bases for name, _ in numbers(base["totals"])})
    statistics = {name: place + 1 for place, name in enumerate(names)}
    for name, place in statistics.items():
        insert(store, "statistics", id=place, name=name, unit="events",
               meaning="a statistic of the runs that this store is made from")
    for unit, pattern in UNITS.items():
        store.execute("UPDATE statistics SET unit = ? WHERE name LIKE ?", (unit, pattern))
    return store, statistics


def add_case(store, case, name, gpu, ways):
    insert(store, "cases", id=case, study_id=1, ordinal=case - 1,
           name=f"{name} on {gpu}, sm.l1d.ways={ways}", workload=name, gpu=gpu,
           parameters=json.dumps({"sm.l1d.ways": ways}), winners="[]")
    insert(store, "expectations", case_id=case, ordinal=0, text="daws > lrr", verdict="holds")


def add_run(store, run, case, where, policy, base, cycles):
    """cycles: None for a run that failed."""
    name, gpu, ways = where
    words = policy.split(" + ") + ["rr"]
    totals = base["totals"]
    insert(store, "case_runs", case_id=case, row=policy, run_key=f"{run:032x}")
    insert(store, "runs", id=run, key=f"{run:032x}", program=name, arguments='["small"]',
           program_hash="a1", gpu=gpu, overrides=json.dumps([f"sm.l1d.ways={ways}"]),
           configuration_hash=base["configuration"]["hash"], scheduler=words[0],
           cta_scheduler=words[1], share="leftover", plugins="[]", seed=1, limit_cycles=0,
           version="0.1.0", simulator_hash="b2", status="completed" if cycles else "killed",
           problem=None if cycles else "killed by signal 9", exit_code=0 if cycles else 137,
           host="node17", started=TIME, wall_seconds=12.5, user_seconds=12.0,
           peak_memory_bytes=200_000_000, launches=1, timed_share=1.0, cycles=cycles,
           warp_instructions=totals["warp_instructions"],
           thread_instructions=totals["thread_instructions"])


def varied(value, draw):
    if isinstance(value, int):
        return round(value * draw.uniform(0.5, 1.5))
    changed = value * draw.uniform(0.6, 1.4)
    return min(changed, 1.0) if value <= 1 else changed


def add_results(store, statistics, run, base, cycles, draw):
    rows = [(run, statistics[name], cycles if name == "cycles" else varied(value, draw))
            for name, value in numbers(base["totals"])]
    store.executemany("INSERT INTO run_values VALUES(?, ?, ?)", rows)
    for launch, kernel in enumerate(base["kernels"]):
        insert(store, "kernels", run_id=run, launch=launch + 1, name=kernel["display_name"],
               simulated="timed", grid="1x1x1", block="256x1x1", registers_per_thread=20,
               shared_bytes=0, start_cycle=0,
               cycles=round(kernel["cycles"] * cycles / base["totals"]["cycles"]),
               warp_instructions=kernel["warp_instructions"],
               thread_instructions=kernel["thread_instructions"])
    if run <= DETAILED:
        insert(store, "documents", run_id=run, name="run.json", content=json.dumps(base))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("results", nargs="+")
    parser.add_argument("--runs", type=int, default=5000)
    options = parser.parse_args()
    bases = [json.loads(pathlib.Path(name).read_text()) for name in options.results]
    store, statistics = create(options.store, bases)
    draw = random.Random(1)
    run = 0
    for case in itertools.count(1):
        place, ways = divmod(case - 1, len(WAYS))
        workload, gpu = divmod(place, len(GPUS))
        where = f"workload {workload + 1}", GPUS[gpu], WAYS[ways]
        if run == options.runs:
            break
        add_case(store, case, *where)
        scale = (1 + workload % 7) * (1 + 2 / int(WAYS[ways]))
        for policy, factor in POLICIES.items():
            if run == options.runs:
                break
            run += 1
            base = bases[run % len(bases)]
            factor *= scale * draw.uniform(0.85, 1.15)
            cycles = None if run % 997 == 500 else round(base["totals"]["cycles"] * factor)
            add_run(store, run, case, where, policy, base, cycles)
            if cycles:
                add_results(store, statistics, run, base, cycles, draw)
    store.commit()
    store.close()


main()
