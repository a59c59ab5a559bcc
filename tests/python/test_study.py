import pathlib
import subprocess
import tempfile
import tomllib
import unittest

import heddle
from heddle.study import toml_of
from places import SOURCE


def full_study():
    study = heddle.Study('ways "and" more', schedulers=["lrr", "gto"], gpus=["gtx480", "ipaws"],
                         cta_schedulers=["rr", "mapped"], shares=["leftover"],
                         set={"memory.channels": 6}, margin=0.02, near=0.1)
    study.best_of["swl, best"] = ["swl:warps=2", "swl:warps=4"]
    study.grid["sm.l1d.ways"] = [2, 4]
    study.grid["sm.l1d.mshr_entries"] = heddle.steps(16, 64, times=2)
    study.grid["l1d"] = {"small": ["sm.l1d.size=16KiB"], "large": ["sm.l1d.size=48KiB"]}
    study.budget.update(cycles=1000000, time="10 min")
    study.exclude(gpu="ipaws", scheduler="gto*")
    study.add("row walk", ["patterns/row_walk", "tiny"], group="thrash", winners=["gto"],
              expected=["gto > lrr"], findings={"gto > lrr": "a\nreason \\ \u007f"},
              grid={"seed": [1, 2]}, budget={"memory": "4 GiB"})
    study.add("stream", "patterns/stream", set={"sm.l1d.ways": 4})
    return study


class StudyFiles(unittest.TestCase):
    def test_the_file_has_the_keys_of_the_format(self):
        document = tomllib.loads(full_study().to_toml())
        self.assertEqual(document["title"], 'ways "and" more')
        self.assertEqual(document["set"], ["memory.channels=6"])
        self.assertEqual(document["grid"]["sm.l1d.mshr_entries"],
                         {"from": 16, "to": 64, "times": 2})
        self.assertEqual(document["grid"]["l1d"]["small"], ["sm.l1d.size=16KiB"])
        self.assertEqual(document["exclude"], [{"gpu": "ipaws", "scheduler": "gto*"}])
        walk, stream = document["case"]
        self.assertEqual(walk["program"], ["patterns/row_walk", "tiny"])
        self.assertEqual(walk["finding"][0]["reason"], "a\nreason \\ \u007f")
        self.assertEqual(walk["grid"], {"seed": [1, 2]})
        self.assertEqual(stream, {"name": "stream", "program": ["patterns/stream"],
                                  "set": ["sm.l1d.ways=4"]})

    def test_the_file_reads_back_as_the_document(self):
        study = full_study()
        self.assertEqual(tomllib.loads(study.to_toml()), study.document())

    def test_a_study_of_the_tree_is_written_with_the_same_content(self):
        original = tomllib.loads((SOURCE / "experiments/patterns.toml").read_text())
        self.assertEqual(tomllib.loads(toml_of(original)), original)

    def test_a_range_has_one_kind_of_step(self):
        self.assertEqual(heddle.steps(4, 10, step=3), {"from": 4, "to": 10, "step": 3})
        with self.assertRaises(ValueError):
            heddle.steps(4, 10)

    def test_a_mistake_in_a_study_is_an_error_with_its_line(self):
        study = heddle.Study("t", schedulers=["lrr", "gtoo"])
        study.add("walk", ["patterns/row_walk", "tiny"])
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(heddle.HeddleError, "gtoo"):
                study.sweep(pathlib.Path(folder, "s.db"))


class Sweeps(unittest.TestCase):
    def test_two_studies_in_one_store_are_both_there(self):
        first = heddle.Study("first one", schedulers=["lrr"], gpus=["gtx480"])
        first.add("v", ["vecadd", "tiny"])
        second = heddle.Study("second", schedulers=["lrr"], gpus=["gtx480"])
        second.add("v", ["vecadd", "tiny"])
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder) / "two.sqlite"
            first.sweep(store)
            second.sweep(store)
            with self.assertRaisesRegex(heddle.HeddleError, 'has another study "second"'):
                first.sweep(store, name="second")
            with heddle.Results(store) as results:
                self.assertEqual([(s["name"], s["title"]) for s in results.studies()],
                                 [("first-one", "first one"), ("second", "second")])

    def test_a_study_is_measured_once(self):
        study = heddle.Study("walk", schedulers=["lrr", "gto"])
        study.grid["sm.l1d.ways"] = [2, 4]
        study.add("row walk", ["patterns/row_walk", "tiny"], expected=["gto ~ lrr"])
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder, "s.db")
            with study.sweep(store) as results:
                self.assertEqual(len(results.runs()), 4)
                table = results.speedups()
                self.assertEqual(sorted(table.column("row")), ["gto", "gto", "lrr", "lrr"])
                ways = heddle.by_parameter(table, "sm.l1d.ways")
                self.assertEqual(ways.where(row="gto").column("sm.l1d.ways"), [2, 4])
                first = results.runs()
                run = results.run(first[0]["id"])
                self.assertEqual(run.cycles, first[0]["cycles"])
                self.assertAlmostEqual(sum(run.slots.values()), 1)
            with study.sweep(store) as results:
                self.assertEqual(results.runs(), first)

    def test_errors_name_the_study_and_no_file_that_is_gone(self):
        study = heddle.Study("L1 ways", schedulers=["lrr", "nosuch"])
        study.add("stream", ["patterns/stream", "tiny"])
        with (tempfile.TemporaryDirectory() as folder,
              self.assertRaisesRegex(heddle.HeddleError, "^study 'L1 ways'")):
            study.sweep(pathlib.Path(folder, "s.sqlite"))
        with self.assertRaisesRegex(heddle.HeddleError, "schedulers: 'gto' is a text"):
            heddle.Study("t", schedulers="gto").to_toml()


if __name__ == "__main__":
    unittest.main()
