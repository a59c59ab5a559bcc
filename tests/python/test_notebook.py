import json
import unittest

import matplotlib
from places import SOURCE

matplotlib.use("Agg")


def code_cells():
    notebook = json.loads((SOURCE / "examples/study.ipynb").read_text())
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


class Notebook(unittest.TestCase):
    def test_it_was_executed_without_an_error(self):
        outputs = [output for cell in code_cells() for output in cell["outputs"]]
        self.assertGreater(len(outputs), 5)
        self.assertNotIn("error", [output["output_type"] for output in outputs])
        self.assertTrue(any("image/png" in output.get("data", {}) for output in outputs))

    def test_its_cells_run_in_order(self):
        names = {}
        for cell in code_cells():
            exec("".join(cell["source"]), names)  # a cell that fails raises


if __name__ == "__main__":
    unittest.main()
