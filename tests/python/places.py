"""Where the tests find the built programs and the sources."""
import os
import pathlib

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("HEDDLE_BUILD", SOURCE / "build"))


def workload(name):
    return BUILD / "workloads" / name
