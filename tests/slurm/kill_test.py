#!/usr/bin/env python3
"""Disturbs sweeps at random moments, and resumes them.

    tests/slurm/kill_test.py --build build --kills 100 [--slurm] [--seed 1]

It kills the sweep, the simulated programs, workers of Slurm and slurmctld by `kill -9`, and fills
the disk for a moment. No finished run may be lost; in the end the store must be equal, in all
statistics, to that of an undisturbed sweep, and no run may be in it twice. The disk is a small file
system; where mounts are not allowed the disk is not filled.
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
SECONDS_BETWEEN_READINGS = 3
SECONDS_FOR_A_VICTIM = 2
DISK_MIB = 24
IN_NAMESPACE = "HEDDLE_KILL_TEST_MOUNTS"
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
        if started.returncode != 0:
            sys.exit("Slurm does not start: " + started.stderr)
        os.environ["SLURM_CONF"] = f"{folder}/slurm.conf"

    def workers(self):
        """Workers of this test, which name its folder."""
        found = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if words[1:3] == ["sweep", "worker"] and words[3].startswith(self.jobs):
                found.append(int(process))
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


class Disk:
    """A small file system that can be full for a moment."""

    def __init__(self, folder):
        self.folder, self.ballast = folder, folder / "ballast"
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "tmpfs", folder],
                       check=True)

    def fill(self):
        with open(self.ballast, "wb", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(bytes(1 << 16))
            except OSError:
                pass

    def free(self):
        self.ballast.unlink(missing_ok=True)

    def unmount(self):
        subprocess.run(["umount", "--lazy", self.folder])


class Test:
    def __init__(self, options, folder):
        self.heddle = str(pathlib.Path(options.build, "bin/heddle").resolve())
        self.programs = str(pathlib.Path(options.programs or
                                         pathlib.Path(options.build, "workloads")).resolve())
        self.folder, self.stores = folder, folder / "stores"
        self.stores.mkdir()
        self.disk = Disk(self.stores) if os.environ.get(IN_NAMESPACE) else None
        self.study = folder / "killed.toml"
        self.study.write_text(STUDY)
        os.environ["TMPDIR"] = str(self.stores)
        self.slurm = Slurm(str(folder / "slurm")) if options.slurm else None
        self.killed = {"sweep": 0, "program": 0}
        if self.slurm:
            self.killed |= {"worker": 0, "slurmctld": 0}
        if self.disk:
            self.killed |= {"disk": 0}
        self.disk_was_full = False
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

    def errors(self):
        return (self.folder / "errors").read_text()

    def measure_reference(self, store):
        code = self.start(store, disturbed=False).wait()
        if code != 0:
            sys.exit(f"the undisturbed sweep ended with exit code {code}: " + self.errors())

    def victims(self, kind, sweep):
        if kind == "worker":
            return self.slurm.workers()
        if self.slurm:
            return [child for worker in self.slurm.workers() for child in descendants(worker)]
        return descendants(sweep.pid)

    def fill_disk(self):
        self.disk.fill()
        self.disk_was_full = True
        time.sleep(random.uniform(0, 1))
        self.disk.free()

    def kill_one(self, sweep):
        # Programs and workers are not always there, so kinds that were rare are more probable.
        kind = random.choices(list(self.killed), [1 / (1 + n) for n in self.killed.values()])[0]
        if kind == "slurmctld":
            self.slurm.kill_controller()
        elif kind == "disk":
            self.fill_disk()
        elif kind == "sweep":
            sweep.kill()
            sweep.wait()
        else:
            victims, deadline = [], time.monotonic() + SECONDS_FOR_A_VICTIM
            while not victims and sweep.poll() is None and time.monotonic() < deadline:
                victims = self.victims(kind, sweep)
            if not victims or not kill(random.choice(victims)):
                return
        self.killed[kind] += 1

    def may_be_resumed(self, code):
        """Whether a disturbed sweep may end so: killed, or with the diagnostic of a full disk, or
        with runs that failed because the disk was full."""
        if code == -signal.SIGKILL:
            return True
        return self.disk_was_full and (code == 1 or (code == 2 and any(
            reason in self.errors() for reason in ("disk is full", "disk full", "No space left"))))

    def disturbed_round(self, store, kills):
        """Runs the study with kills until it ends; at most until `kills` are done."""
        finished = set()
        while True:
            self.disk_was_full = False
            sweep = self.start(store)
            while sweep.poll() is None:
                time.sleep(random.uniform(0.02, 0.8))
                if sweep.poll() is None and sum(self.killed.values()) < kills:
                    self.kill_one(sweep)
                if self.slurm:
                    self.slurm.administer()
            finished = self.check_that_none_is_lost(finished, store)
            if sweep.returncode == 0:
                return
            if not self.may_be_resumed(sweep.returncode):
                sys.exit(f"the sweep ended with exit code {sweep.returncode}: " + self.errors())
            self.resumed += 1

    def check_that_none_is_lost(self, finished, store):
        """The finished runs of the store, which must include those that were finished before."""
        if not store.exists() or store.stat().st_size == 0:  # killed before it began
            return finished
        database = sqlite3.connect(store)
        try:
            now = {key for key, in database.execute(
                "SELECT key FROM runs WHERE status = 'completed'")}
        except sqlite3.OperationalError as error:  # killed before there were tables
            if "no such table" not in str(error):
                raise
            now = set()
        database.close()
        if not finished <= now:
            sys.exit(f"{len(finished - now)} finished runs are lost")
        return now

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
        leftover = [path.name for path in self.stores.iterdir()
                    if path.name.startswith(store.name + "-")]
        if leftover:
            sys.exit(f"left behind: {leftover}")

    def run(self, kills):
        reference = self.folder / "reference.sqlite"
        self.measure_reference(reference)
        store = self.stores / "killed.sqlite"
        while sum(self.killed.values()) < kills:
            for path in self.stores.glob("killed.sqlite*"):
                path.unlink()
            self.disturbed_round(store, kills)
            self.check(reference, store)
            self.rounds += 1
            print(f"study {self.rounds}: {self.summary()}", flush=True)
        print(f"{sum(self.killed.values())} disturbances ({self.summary()}), {self.rounds} "
              f"studies, {self.resumed} resumed: every store equals the undisturbed one")

    def summary(self):
        return ", ".join(f"{kind} {count}" for kind, count in self.killed.items())

    def stop(self):
        if self.slurm:
            self.slurm.stop()
        if self.disk:
            self.disk.unmount()


def enter_namespace(slurm):
    """Starts this test again where it may mount the disk. Slurm starts jobs only as a real root."""
    flags = "-m" if os.geteuid() == 0 else "-rm"
    allowed = subprocess.run(["unshare", flags, "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
                             capture_output=True).returncode == 0
    if os.environ.get(IN_NAMESPACE) or not allowed or (slurm and os.geteuid() != 0):
        return
    os.environ[IN_NAMESPACE] = "1"
    os.execvp("unshare", ["unshare", flags, sys.executable, "-B", *sys.argv])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--programs")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--slurm", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    enter_namespace(options.slurm)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    random.seed(options.seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-kill-"))
    test = None
    try:
        test = Test(options, folder)
        test.run(options.kills)
    finally:
        if test:
            test.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
