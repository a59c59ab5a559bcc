import pathlib
import sqlite3
import tempfile
import unittest

import heddle
from places import SOURCE

SCHEMA = (SOURCE / "src/lab/store/schema.sql").read_text()
RUN = """INSERT INTO runs(id, key, program, arguments, program_hash, gpu, overrides,
  configuration_hash, scheduler, cta_scheduler, share, plugins, seed, limit_cycles, version,
  simulator_hash, status, exit_code, host, started, wall_seconds, user_seconds, peak_memory_bytes,
  cycles) VALUES(?, ?, 'walk', '["tiny"]', 'a', 'gtx480', '["sm.l1d.ways=2"]', 'c', ?, 'rr',
  'leftover', '[]', 1, 0, '0.1.0', 's', ?, 0, 'host', '2026-01-31T12:00:00Z', 1, 1, 1, ?)"""


def write_store(path, version=heddle.results.VERSION):
    """Two cases of one study under lrr and gto; the second run under gto failed."""
    with sqlite3.connect(path) as store:
        store.executescript(SCHEMA)
        store.execute(f"PRAGMA user_version = {version}")
        store.execute(f"PRAGMA application_id = {heddle.results.APPLICATION}")
        store.execute("INSERT INTO configurations VALUES('c', 'gtx480', ?, '')",
                      ['{"sm.l1d.ways": 2}'])
        store.execute("INSERT INTO studies VALUES(1, 's', 'A study', '/s.toml', '', '{}', 'lrr', "
                      "0.01, 0.05, '2026-01-31T12:00:00Z')")
        for ordinal, name in enumerate(["lrr", "gto"]):
            store.execute("INSERT INTO study_rows VALUES(1, ?, ?, ?)",
                          [ordinal, name, f'["{name}"]'])
        store.execute("INSERT INTO statistics VALUES(1, 'l1d.hits', 'requests', 'hits')")
        for case, (lrr, gto) in enumerate([(1000, 500), (800, None)], 1):
            store.execute("INSERT INTO cases VALUES(?, 1, ?, ?, NULL, 'walk', 'gtx480', ?, '[]')",
                          [case, case - 1, f"case {case}", f'{{"sm.l1d.ways": "{case}"}}'])
            store.execute("INSERT INTO expectations VALUES(?, ?, 0, 'gto > lrr', NULL, 'holds')",
                          [case, case])
            for i, (name, cycles) in enumerate([("lrr", lrr), ("gto", gto)]):
                run = 2 * case + i
                store.execute(RUN, [run, f"k{run}", name, "completed" if cycles else "fault",
                                    cycles])
                store.execute("INSERT INTO case_runs VALUES(?, ?, ?)", [case, name, f"k{run}"])
                if cycles:
                    store.execute("INSERT INTO run_values VALUES(?, 1, ?)", [run, cycles // 10])
    store.close()


class Stores(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "a store?.db")
        write_store(self.path)
        self.results = heddle.Results(self.path)
        self.addCleanup(self.results.close)

    def test_speedups_are_over_the_first_row(self):
        self.assertEqual(self.results.speedups().pivot("case_name", "row", "speedup"),
                         [{"case_name": "case 1", "lrr": 1.0, "gto": 2.0},
                          {"case_name": "case 2", "lrr": 1.0, "gto": None}])
        self.assertEqual(self.results.best().column("row"), ["gto", "lrr"])
        self.assertEqual(self.results.geometric_means().column("speedup"), [1.0, 2.0])

    def test_columns_with_json_are_decoded(self):
        run = self.results.runs()[0]
        self.assertEqual((run["arguments"], run["overrides"]), (["tiny"], ["sm.l1d.ways=2"]))
        self.assertEqual(self.results.configuration("c"), {"sm.l1d.ways": 2})
        with self.assertRaises(KeyError):
            self.results.configuration("d")

    def test_runs_are_filtered_by_patterns(self):
        self.assertEqual(len(self.results.runs()), 4)
        self.assertEqual(self.results.runs("s", status="f*").column("scheduler"), ["gto"])
        with self.assertRaisesRegex(heddle.HeddleError, "no column 'nosuch'"):
            self.results.runs(nosuch="x")

    def test_statistics_are_columns(self):
        table = self.results.values("l1d.hits")
        self.assertEqual([(row["case_name"], row["row"], row["l1d.hits"]) for row in table],
                         [("case 1", "lrr", 100), ("case 1", "gto", 50), ("case 2", "lrr", 80)])
        with self.assertRaisesRegex(heddle.HeddleError, "no statistic 'l1d.nosuch'"):
            self.results.values("l1d.nosuch")
        self.assertEqual(self.results.run(2).statistics(), {"l1d.hits": 100})
        self.assertEqual(self.results.run(2)["l1d.hits"], 100)
        self.assertEqual(self.results.statistics()[0]["unit"], "requests")

    def test_a_run_that_was_kept_has_its_details(self):
        with sqlite3.connect(self.path) as store:
            document = '{"totals": {"l1d": {"hits": 7}}, "kernels": []}'
            store.execute("INSERT INTO documents VALUES(1, 2, 'run.json', ?)", [document])
        store.close()
        with heddle.Results(self.path) as results:
            self.assertEqual(results.run(2)["l1d.hits"], 7)
            self.assertEqual(results.run(2).kernels, [])

    def test_parameters_become_columns(self):
        rows = heddle.by_parameter(self.results.speedups(), "sm.l1d.ways").where(row="lrr")
        self.assertEqual(rows.column("sm.l1d.ways"), [1, 2])
        with self.assertRaisesRegex(heddle.HeddleError, "'nosuch'; there are sm.l1d.ways"):
            heddle.by_parameter(self.results.speedups(), "nosuch")

    def test_cases_and_speedups_have_the_order_of_the_study(self):
        self.assertEqual(self.results.cases().column("row"), ["lrr", "gto", "lrr", "gto"])
        self.assertEqual(self.results.speedups().column("row"), ["lrr", "gto", "lrr"])

    def test_runs_without_statistics_are_errors(self):
        for read in (self.results.run, self.results.kernels):
            with self.assertRaisesRegex(heddle.HeddleError, r"store\?.db: no run 99; Results"):
                read(99)
        with self.assertRaisesRegex(heddle.HeddleError, "run 5 has no statistics: .* fault"):
            self.results.run(5)
        with self.assertRaisesRegex(heddle.HeddleError, "no configuration 'd'; the column"):
            self.results.configuration("d")

    def test_an_unknown_study_is_an_error_with_the_known_names(self):
        with self.assertRaisesRegex(heddle.HeddleError, r"no study 't' \(there are s\)"):
            self.results.speedups("t")
        self.assertEqual(self.results.expectations().column("verdict"), ["holds", "holds"])

    def test_the_store_cannot_be_changed(self):
        with self.assertRaises(sqlite3.OperationalError):
            self.results.connection.execute("DELETE FROM runs")


class Mistakes(unittest.TestCase):
    def refuse(self, path, text):
        with self.assertRaisesRegex(heddle.HeddleError, text):
            heddle.Results(path)

    def test_files_that_are_no_store_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "s.db")
            self.refuse(path, "there is no such results store")
            path.write_text("text " * 100)
            self.refuse(path, "is no results store of Heddle")
            path.unlink()
            sqlite3.connect(path).execute("CREATE TABLE t(a)").connection.close()
            self.refuse(path, "is an SQLite file, but no results store")
            path.unlink()
            write_store(path, version=99)
            self.refuse(path, "the store has version 99")
            write_store(path.with_name("older.db"), version=1)
            self.refuse(path.with_name("older.db"), "the store has version 1.*repeat its sweep")


if __name__ == "__main__":
    unittest.main()
