import pathlib
import tempfile
import unittest

import heddle
from places import SOURCE, workload


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = heddle.run(workload("kmeans"), "tiny", scheduler="gto",
                              set={"sm.l1d.size": "48KiB", "sm.l1d.ways": 6})

    def test_statistics_are_read_by_name(self):
        run = self.run_
        self.assertEqual((run.gpu, run.scheduler, run.exit_code), ("gtx480", "gto", 0))
        self.assertGreater(run.cycles, 0)
        self.assertEqual(run["l1d.hits"], run.document["totals"]["l1d"]["hits"])
        self.assertEqual(run["sm.active_lanes.32"],
                         run.document["totals"]["sm"]["active_lanes"][32])
        with self.assertRaises(KeyError):
            run["l1d.nosuch"]
        with self.assertRaisesRegex(heddle.HeddleError, "^no statistic 'l1d.hit'; did you mean "):
            run["l1d.hit"]
        with self.assertRaises(KeyError):
            run["l1d"]
        self.assertEqual(run.statistics()["l1d.hits"], run["l1d.hits"])

    def test_statistics_have_the_names_of_the_catalogue(self):
        lines = heddle.call("list", "stats", "l1d.").splitlines()[1:]
        listed = [line.split()[0] for line in lines if line and line[0] != " "]
        names = self.run_.statistics()
        for name in (name for name in listed if name.startswith("l1d.")):
            self.assertTrue(name in names or any(n.startswith(name + ".") for n in names), name)

    def test_shares_of_issue_slots_add_up_to_one(self):
        self.assertAlmostEqual(sum(self.run_.slots.values()), 1)

    def test_cycles_of_the_launches_add_up(self):
        self.assertEqual(sum(kernel.cycles for kernel in self.run_.kernels), self.run_.cycles)
        self.assertEqual(self.run_.table().column("cycles"),
                         [kernel.cycles for kernel in self.run_.kernels])

    def test_output_of_program_and_heddle_are_separate(self):
        self.assertTrue(self.run_.output.endswith("PASS\n"))
        self.assertIn("kmeans", repr(self.run_))
        self.assertIn("under gto", self.run_.summary)

    def test_a_folder_keeps_the_results(self):
        with tempfile.TemporaryDirectory() as folder:
            run = heddle.run(workload("vecadd"), "tiny", out=folder)
            again = heddle.Run.load(folder)
            self.assertEqual(again.document, run.document)

    def test_a_sampled_run_estimates_the_whole_program(self):
        run = heddle.run(workload("rodinia/hotspot"), 32, 40, 2, sample=True)
        bars = {one["statistic"]: one["bar"] for one in run.document["sample"]["estimates"]}
        self.assertGreater(bars["cycles"], 0)
        self.assertEqual(run["launches"], 20)

    def test_a_functional_run_has_no_cycles(self):
        run = heddle.run(workload("vecadd"), "tiny", functional=True)
        self.assertGreater(run["thread_instructions"], 0)
        self.assertIsNone(run.table()[0]["l1d_hits"])
        self.assertEqual([run.cycles, run.ipc, run.slots, run.table()[0]["cycles"]], [None] * 4)
        self.assertIn("functional, no cycles", repr(run))
        comparison = heddle.Comparison({"lrr": run})
        self.assertIsNone(comparison.best)
        self.assertIsNone(comparison.table()[0]["speedup"])


class Failures(unittest.TestCase):
    def test_files_that_are_no_results_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "run.json")
            for content in (None, '{"totals": {', '{"totals": {}}', "[]"):
                if content is not None:
                    file.write_text(content)
                with self.assertRaisesRegex(heddle.HeddleError,
                                            "run.json: .*; give the run.json of `heddle run"):
                    heddle.Run.load(folder)
            with self.assertRaisesRegex(heddle.HeddleError, "compare.json: .*; give the folder"):
                heddle.Comparison.load(folder)

    def test_a_text_is_no_list_of_schedulers(self):
        with self.assertRaisesRegex(heddle.HeddleError, r"give a list: schedulers=\['gto'\]"):
            heddle.compare(workload("vecadd"), "tiny", schedulers="gto")

    def test_a_scheduler_without_a_run_has_its_reason(self):
        comparison = heddle.Comparison({}, failures={"gto": "exit code 7"})
        self.assertIsNone(comparison.best)
        with self.assertRaisesRegex(heddle.HeddleError, "failed under 'gto': exit code 7"):
            comparison["gto"]

    def test_a_missing_program_is_named(self):
        with self.assertRaisesRegex(heddle.HeddleError, "'/nosuch' does not exist"):
            heddle.run("/nosuch")

    def test_an_unknown_gpu_is_an_error_with_suggestions(self):
        with self.assertRaisesRegex(heddle.HeddleError, "did you mean gtx480"):
            heddle.run(workload("vecadd"), "tiny", gpu="gtx48")

    def test_an_unknown_option_is_an_error_of_python(self):
        with self.assertRaises(TypeError):
            heddle.run(workload("vecadd"), "tiny", gpus="gtx480")

    def test_a_failing_program_and_a_fault_are_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "fails.cu")
            source.write_text("__global__ void k(int* p) { p[threadIdx.x + (1 << 28)] = 1; }\n"
                              "__global__ void f() {}\n"
                              "int main(int count, char**) { int* p; cudaMalloc(&p, 128);\n"
                              "  if (count > 1) k<<<1, 32>>>(p); else f<<<1, 32>>>();\n"
                              "  cudaDeviceSynchronize(); return 7; }\n")
            program = heddle.cc(source, output=pathlib.Path(folder, "fails"))
            with self.assertRaises(heddle.HeddleError) as caught:
                heddle.run(program)
            self.assertEqual(caught.exception.exit_code, 7)
            self.assertEqual(heddle.run(program, check=False).exit_code, 7)
            with self.assertRaisesRegex(heddle.HeddleError, "out-of-bounds store") as caught:
                heddle.run(program, "x", check=False)
            self.assertEqual(caught.exception.exit_code, 3)
            with self.assertRaisesRegex(heddle.HeddleError, "failed under lrr: .*; gto: "):
                heddle.compare(program)

    def test_messages_of_the_compiler_are_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "wrong.cu")
            source.write_text("int main() { return nosuch; }\n")
            with self.assertRaisesRegex(heddle.HeddleError, "wrong.cu:1:.*nosuch"):
                heddle.cc(source, output=pathlib.Path(folder, "wrong"))
        with self.assertRaisesRegex(heddle.HeddleError, "^.*README.md: heddle cc takes"):
            heddle.cc(SOURCE / "README.md", output="/nosuch/program")


class Comparisons(unittest.TestCase):
    def test_a_comparison_has_a_run_per_pair(self):
        comparison = heddle.compare(workload("kmeans"), "tiny", schedulers=["lrr", "gto"],
                                    cta_schedulers=["rr", "mapped"])
        self.assertEqual(list(comparison.runs), ["lrr", "gto", "lrr + mapped", "gto + mapped"])
        table = comparison.table()
        self.assertEqual(table[0]["speedup"], 1)
        self.assertEqual(table[1]["speedup"],
                         comparison["lrr"].cycles / comparison["gto"].cycles)
        self.assertEqual(comparison[comparison.best].cycles, min(table.column("cycles")))
        self.assertIn("speed-up", comparison.text)
        self.assertIn("<td>gto + mapped</td>", comparison._repr_html_())


class Tables(unittest.TestCase):
    table = heddle.Table([{"a": "x", "b": 1}, {"a": "y", "b": None}, {"a": "x", "b": 0}])

    def test_rows_are_selected_and_sorted(self):
        self.assertEqual(self.table.where(a="x").column("b"), [1, 0])
        self.assertEqual(self.table.sorted_by("b").column("b"), [None, 0, 1])
        with self.assertRaisesRegex(KeyError, "no column 'c'; there are a, b"):
            self.table.where(c=1)

    def test_a_pivot_has_a_column_per_value(self):
        rows = heddle.Table([{"case": 1, "row": "lrr", "v": 10}, {"case": 1, "row": "gto", "v": 20},
                             {"case": 2, "row": "lrr", "v": 30}])
        self.assertEqual(rows.pivot("case", "row", "v"),
                         [{"case": 1, "lrr": 10, "gto": 20}, {"case": 2, "lrr": 30, "gto": None}])

    def test_csv_and_html_escape(self):
        table = heddle.Table([{"a": 'x,"<', "b": 1234}])
        self.assertEqual(table.csv(), 'a,b\n"x,""<",1234\n')
        self.assertIn("<td>x,&quot;&lt;</td><td>1,234</td>", table._repr_html_())

    def test_frames_need_pandas(self):
        try:
            import pandas
        except ImportError:
            with self.assertRaisesRegex(ImportError, "python3-pandas"):
                self.table.frame()
        else:
            self.assertIsInstance(self.table.frame(), pandas.DataFrame)
            self.assertEqual(list(self.table.frame().columns), ["a", "b"])


if __name__ == "__main__":
    unittest.main()
