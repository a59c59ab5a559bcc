import sys
import unittest
from unittest import mock

import heddle
import matplotlib
from heddle import plots
from heddle.runs import SLOT_USES, Statistics

matplotlib.use("Agg")


def rows():
    return [{"case_name": case, "row": row, "speedup": speedup, "ways": ways}
            for case, row, speedup, ways in [("a", "lrr", 1.0, 2), ("a", "gto", 1.5, 2),
                                             ("b", "lrr", 1.0, 4), ("b", "gto", 0.5, 4)]]


class Pictures(unittest.TestCase):
    def test_bars_have_the_heights_of_the_speedups(self):
        axes = plots.speedups(rows())
        heights = [bar.get_height() for container in axes.containers for bar in container]
        self.assertEqual(heights, [1.0, 1.0, 1.5, 0.5])
        self.assertEqual([text.get_text() for text in axes.get_xticklabels()], ["a", "b"])

    def test_stacks_of_stalls_end_at_one(self):
        half = Statistics({"slots": {**dict.fromkeys(SLOT_USES, 0), "issued": 5, "idle": 5}})
        axes = plots.stalls({"gto": half})
        ends = [bar.get_x() + bar.get_width() for container in axes.containers
                for bar in container]
        self.assertEqual(max(ends), 1.0)

    def test_curves_are_sorted_by_the_parameter(self):
        axes = plots.curves(reversed(rows()), "ways")
        self.assertEqual({line.get_label(): list(line.get_xydata()[:, 1]) for line in axes.lines},
                         {"gto": [1.5, 0.5], "lrr": [1.0, 1.0]})


    def test_a_point_is_the_mean_of_several_workloads(self):
        several = [{"case_name": case, "row": "gto", "speedup": speedup, "ways": ways}
                   for case, ways, speedup in [("a", 2, 1.0), ("b", 2, 4.0), ("a", 4, 3.0),
                                               ("b", 4, 3.0), ("c", 4, None)]]
        line, = plots.curves(several, "ways").lines
        for point, (x, y) in zip(line.get_xydata(), [(2, 2.0), (4, 3.0)], strict=True):
            self.assertEqual(point[0], x)
            self.assertAlmostEqual(point[1], y)

    def test_names_of_many_groups_do_not_overlap(self):
        axes = plots.speedups([{"case_name": f"a long name {i}", "row": "gto", "speedup": 1.0}
                               for i in range(8)])
        axes.figure.canvas.draw()
        corners = [label.get_window_extent() for label in axes.get_xticklabels()]
        self.assertEqual({label.get_rotation() for label in axes.get_xticklabels()}, {45})
        for one, next_one in zip(corners, corners[1:]):
            self.assertGreater(next_one.x1 - one.x1, 20)
        self.assertGreaterEqual(min(corner.x0 for corner in corners), 0)

    def test_nothing_to_draw_is_an_error(self):
        for draw in (lambda: plots.curves([], "ways"), lambda: plots.speedups([]),
                     lambda: plots.curves(rows(), "nosuch"), lambda: plots.stalls({}),
                     lambda: plots.stalls({"gto": Statistics({"cycles": 0})})):
            with self.assertRaises(heddle.HeddleError):
                draw()


class WithoutMatplotlib(unittest.TestCase):
    def test_the_error_names_the_package(self):
        with (mock.patch.dict(sys.modules, {"matplotlib": None}),
              self.assertRaisesRegex(ImportError, "python3-matplotlib")):
            plots.speedups(rows())


if __name__ == "__main__":
    unittest.main()
