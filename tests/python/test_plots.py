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


class WithoutMatplotlib(unittest.TestCase):
    def test_the_error_names_the_package(self):
        with (mock.patch.dict(sys.modules, {"matplotlib": None}),
              self.assertRaisesRegex(ImportError, "python3-matplotlib")):
            plots.speedups(rows())


if __name__ == "__main__":
    unittest.main()
