#!/usr/bin/env python3
"""Executes examples/study.ipynb and writes it back with its outputs, after a change.

Needs nbformat, nbclient, ipykernel, pandas and matplotlib. The heddle executable is found as the
package finds it. The notebook stays small: pictures have 60 dots per inch, and times are left out.
"""
import os
import pathlib
import tempfile

import nbformat
from nbclient import NotebookClient

from places import SOURCE


def main():
    path = SOURCE / "examples/study.ipynb"
    notebook = nbformat.read(path, as_version=4)
    os.environ["PYTHONPATH"] = str(SOURCE / "python")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "matplotlibrc").write_text("figure.dpi: 60\nfigure.figsize: 7, 3.5\n")
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}
    for number, cell in enumerate(notebook.cells):
        cell.metadata, cell["id"] = {}, f"cell-{number}"
    path.write_text(nbformat.writes(notebook) + "\n")


if __name__ == "__main__":
    main()
