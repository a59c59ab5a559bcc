#!/usr/bin/env python3
"""Kills sweeps, workers and slurmctld by `kill -9` at random moments, and resumes.

    tests/slurm/kill_test.py --build build --kills 100 [--slurm] [--seed 1]

The store must end equal, in all statistics, to that of an undisturbed sweep, and no run may be in
it twice. Exits with 77 when --slurm is given and Slurm is not installed.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
SECONDS_BETWEEN_READINGS = 10
STUDY = """title = "Killed at random"
gpus = ["gtx480", "ipaws"]
schedulers = ["lrr", "gto", "ccws"]
[grid]
"sm.l1d.mshr_entries" = [16, 64]
[[case]]
programs = ["patterns/row_walk", "patterns/stream", "patterns/few_ctas", "patterns/tiled_product",
            "patterns/barrier_loop", "vecadd", "reduction"]
sizes = ["tiny"]
"""


class Slurm:
    """A Slurm of one node; see one_node.sh."""

    def __init__(self, folder):
        self.next_reading = 0
        self.folder, self.jobs = folder, str(pathlib.Path(folder).parent)
        # More CPUs than cores, so that several tasks are at work when one is killed.
        started = subprocess.run([HERE / "one_node.sh", "start", folder, "4"],
                                 capture_output=True, text=True)
        if started.returncode == SKIPPED:
            print("skipped:", started.stderr.strip())
            sys.exit(SKIPPED)
        if started.returncode != 0:
            sys.exit("Slurm does not start: " + started.stderr)
        os.environ["SLURM_CONF"] = f"{folder}/slurm.conf"

    def workers(self):
        """Workers of this test, which name its folder, and the programs that they run."""
        found = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if words[1:3] == ["sweep", "worker"] and words[3].startswith(self.jobs):
                found += [int(process)] + descendants(int(process))
        return found

    def kill_controller(self):
        pid_file = pathlib.Path(self.folder, "slurmctld.pid")
        kill(int(pid_file.read_text()))
        time.sleep(random.uniform(0, 0.5))
        subprocess.run([HERE / "one_node.sh", "controller", self.folder], check=True)

    def administer(self):
        """What an administrator does after a controller lost jobs that it had not yet saved: their
        numbers are used again, so Slurm drains the node and holds the new jobs. And after it was
        down when jobs ended: nodes say what they run when the configuration is read again."""
        if time.monotonic() > self.next_reading:
            subprocess.run(["scontrol", "reconfigure"], stderr=subprocess.DEVNULL)
            self.next_reading = time.monotonic() + SECONDS_BETWEEN_READINGS
        host = os.uname().nodename.split(".")[0]
        state = subprocess.run(["sinfo", "--noheader", "--format=%T"], capture_output=True,
                               text=True).stdout
        if "drain" in state or "down" in state:
            subprocess.run(["scontrol", "update", f"nodename={host}", "state=resume"],
                           stderr=subprocess.DEVNULL)
        held = subprocess.run(["squeue", "--noheader", "--format=%F %r", "--states=PENDING"],
                              capture_output=True, text=True).stdout
        for line in held.splitlines():
            if "Held" in line or "held" in line:
                subprocess.run(["scontrol", "release", line.split()[0]],
                               stderr=subprocess.DEVNULL)

    def stop(self):
        subprocess.run([HERE / "one_node.sh", "stop", self.folder])


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def descendants(process):
    """The children of a process, and theirs."""
    found = []
    try:
        for task in os.listdir(f"/proc/{process}/task"):
            for child in pathlib.Path(f"/proc/{process}/task/{task}/children").read_text().split():
                found += [int(child)] + descendants(int(child))
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found


class Test:
    def __init__(self, options, folder):
        self.heddle = str(pathlib.Path(options.build, "bin/heddle").resolve())
        self.programs = str(pathlib.Path(options.programs or
                                         pathlib.Path(options.build, "workloads")).resolve())
        self.folder = folder
        self.study = folder / "killed.toml"
        self.study.write_text(STUDY)
        self.slurm = Slurm(str(folder / "slurm")) if options.slurm else None
        self.killed = {"sweep": 0, "worker": 0, "slurmctld": 0}
        self.rounds = self.resumed = 0

    def command(self, store, disturbed):
        words = [self.heddle, "sweep", self.study, "--out", store, "--programs", self.programs,
                 "--quiet", "--attempts", "1000000"]
        if self.slurm and disturbed:
            words += ["--executor", "slurm", "--runs-per-task", "8", "--poll", "0.2"]
        return words

    def start(self, store, disturbed=True):
        return subprocess.Popen(self.command(store, disturbed), stdout=subprocess.DEVNULL,
                                stderr=open(self.folder / "errors", "w"), cwd=self.folder)

    def finish(self, store, disturbed=True):
        code = self.start(store, disturbed).wait()
        if code != 0:
            sys.exit(f"the sweep ended with exit code {code}: " +
                     (self.folder / "errors").read_text())

    def kill_one(self, sweep):
        victims = ["sweep", "worker"] + (["slurmctld"] if self.slurm else [])
        victim = random.choice(victims)
        if victim == "slurmctld":
            self.slurm.kill_controller()
        elif victim == "worker":
            workers, deadline = [], time.monotonic() + 5
            while not workers and sweep.poll() is None and time.monotonic() < deadline:
                workers = self.slurm.workers() if self.slurm else descendants(sweep.pid)
            if not workers or not kill(random.choice(workers)):
                return
        else:
            sweep.kill()
            sweep.wait()
        self.killed[victim] += 1

    def disturbed_round(self, store, kills):
        """Runs the study with kills until it ends; at most until `kills` are done."""
        while True:
            sweep = self.start(store)
            while sweep.poll() is None:
                time.sleep(random.uniform(0.02, 0.8))
                if sweep.poll() is None and sum(self.killed.values()) < kills:
                    self.kill_one(sweep)
                elif self.slurm:
                    self.slurm.administer()
            if sweep.returncode == 0:
                return
            if sweep.returncode != -signal.SIGKILL:
                sys.exit(f"the sweep ended with exit code {sweep.returncode}: " +
                         (self.folder / "errors").read_text())
            self.resumed += 1

    def check(self, reference, store):
        compared = subprocess.run([self.heddle, "results", reference, "--compare", store],
                                  capture_output=True, text=True)
        if compared.returncode != 0:
            sys.exit("the stores differ:\n" + compared.stdout + compared.stderr)
        database = sqlite3.connect(store)
        runs, keys = database.execute("SELECT COUNT(*), COUNT(DISTINCT key) FROM runs").fetchone()
        left = database.execute("SELECT (SELECT COUNT(*) FROM queue) + "
                                "(SELECT COUNT(*) FROM submissions)").fetchone()[0]
        sound = database.execute("PRAGMA integrity_check").fetchone()[0]
        database.close()
        if runs != keys or left != 0 or sound != "ok":
            sys.exit(f"{runs} runs, {keys} keys, {left} left over, integrity: {sound}")
        leftover = [path.name for path in self.folder.iterdir()
                    if path.name.startswith(store.name + "-")]
        if leftover:
            sys.exit(f"left behind: {leftover}")

    def run(self, kills):
        reference = self.folder / "reference.sqlite"
        self.finish(reference, disturbed=False)
        while sum(self.killed.values()) < kills:
            store = self.folder / "killed.sqlite"
            for path in self.folder.glob("killed.sqlite*"):
                path.unlink()
            self.disturbed_round(store, kills)
            self.check(reference, store)
            self.rounds += 1
        killed = ", ".join(f"{name} {count}" for name, count in self.killed.items() if count)
        print(f"{sum(self.killed.values())} kills ({killed}), {self.rounds} studies, "
              f"{self.resumed} resumed: every store equals the undisturbed one")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--programs")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--slurm", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-kill-"))
    test = None
    try:
        test = Test(options, folder)
        test.run(options.kills)
    finally:
        if test and test.slurm:
            test.slurm.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
