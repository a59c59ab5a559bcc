import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import heddle
from heddle.command import diagnostic_of
from places import workload


class Executable(unittest.TestCase):
    def test_the_environment_variable_comes_first(self):
        with mock.patch.dict(os.environ, HEDDLE="/bin/true"):
            self.assertEqual(heddle.find_executable(), "/bin/true")

    def test_a_wrong_environment_variable_is_an_error(self):
        with mock.patch.dict(os.environ, HEDDLE="/nosuch/heddle"):
            with self.assertRaisesRegex(heddle.HeddleError, "HEDDLE names /nosuch/heddle"):
                heddle.find_executable()

    def test_a_package_in_an_installation_uses_its_executable(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            (root / "bin").mkdir()
            (root / "bin/heddle").write_text("#!/bin/sh\n")
            (root / "bin/heddle").chmod(0o755)
            with (mock.patch.dict(os.environ, HEDDLE="", PATH="/nosuch"), mock.patch.object(
                    heddle.command, "__file__", str(root / "share/heddle/python/heddle/c.py"))):
                self.assertEqual(heddle.find_executable(), str(root / "bin/heddle"))

    def test_path_comes_before_the_tree_of_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "heddle")
            program.write_text("#!/bin/sh\n")
            program.chmod(0o755)
            with mock.patch.dict(os.environ, HEDDLE="", PATH=folder):
                self.assertEqual(heddle.find_executable(), str(program))

    def test_the_module_passes_its_arguments_on(self):
        done = subprocess.run([sys.executable, "-m", "heddle", "--version"], capture_output=True,
                              text=True, check=True)
        self.assertEqual(done.stdout.split()[1], heddle.version())


class Calls(unittest.TestCase):
    def test_the_output_is_returned(self):
        self.assertIn("gtx480", heddle.call("list", "gpus"))

    def test_an_error_has_the_diagnostic_the_exit_code_and_the_command(self):
        with self.assertRaises(heddle.HeddleError) as caught:
            heddle.call("list", "gpus", "nosuchgpu")
        self.assertEqual(caught.exception.exit_code, 2)
        self.assertEqual(caught.exception.command[1:], ["list", "gpus", "nosuchgpu"])
        self.assertIn("nosuchgpu", str(caught.exception))
        self.assertNotIn("heddle: error", str(caught.exception))

    def test_a_call_ends_after_its_time(self):
        with self.assertRaisesRegex(heddle.HeddleError, "longer than 0.01 s"):
            heddle.call("run", workload("kmeans"), "small", timeout=0.01)

    def test_the_diagnostic_keeps_its_lines(self):
        self.assertEqual(diagnostic_of("note\nheddle: error: a\n  b\n"), "a\n  b")
        self.assertEqual(diagnostic_of("x\nheddle: y\n"), "y")


if __name__ == "__main__":
    unittest.main()
