#!/usr/bin/env python3
"""The runner of the pages' commands: what it accepts and what it rejects."""
import pathlib
import tempfile
import unittest

import run_docs


def check_page(text, update=False):
    """The failures of a page with this text, and the page's text afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "page.md")
        path.write_text(text)
        page = run_docs.Page(path, update)
        page.check(pathlib.Path(folder))
        return page.failures, path.read_text()


def console(*lines, before=""):
    return "\n".join([before, "```console", *lines, "```", ""])


class Outputs(unittest.TestCase):
    def test_must_be_equal(self):
        self.assertTrue(run_docs.matches(["a", "b 1"], ["a", "b 1"]))
        self.assertFalse(run_docs.matches(["a", "b 1"], ["a", "b 2"]))
        self.assertFalse(run_docs.matches(["a"], ["a", "b"]))

    def test_may_be_shortened_by_three_dots(self):
        self.assertTrue(run_docs.matches(["...", "b", "..."], ["a", "b", "c", "d"]))
        self.assertTrue(run_docs.matches(["a", "..."], ["a"]))
        self.assertTrue(run_docs.matches(["cycles ..."], ["cycles 17"]))
        self.assertFalse(run_docs.matches(["...", "c"], ["a", "b"]))

    def test_may_differ_in_the_hosts_time_only(self):
        line = "heddle: 40,960 warp instructions simulated in {} s, {} million a second"
        self.assertTrue(run_docs.same_line(line.format("0.19", "0.21"), line.format("0.02", "2")))
        self.assertFalse(run_docs.same_line(line.format("0.19", "0.21"), line.format("99", "0.2")))
        self.assertFalse(run_docs.same_line("17 cycles", "18 cycles"))


class Pages(unittest.TestCase):
    def test_show_what_their_commands_print(self):
        self.assertEqual(check_page(console("$ echo one; echo two >&2", "one", "two"))[0], [])
        self.assertEqual(len(check_page(console("$ echo one", "two"))[0]), 1)

    def test_state_the_exit_code_of_a_command_that_fails(self):
        self.assertEqual(len(check_page(console("$ exit 3"))[0]), 1)
        self.assertEqual(check_page(console("$ exit 3", before="<!-- exit: 3 -->"))[0], [])

    def test_give_a_reason_for_what_is_not_run(self):
        self.assertEqual(check_page(console("$ x", before="<!-- not run: needs a GPU -->"))[0], [])

    def test_write_files_for_their_commands(self):
        text = "<!-- file: a.txt -->\n```\nhello\n```\n" + console("$ cat a.txt", "hello")
        self.assertEqual(check_page(text)[0], [])

    def test_show_the_pictures_that_their_commands_draw(self):
        text = "![a chart](chart.svg)\n" + console("$ echo '<svg/>' > chart.svg")
        self.assertIn("chart.svg is not the picture that", check_page(text)[0][0])
        self.assertEqual(check_page(text, update=True)[0], [])

    def test_have_no_unchecked_command(self):
        self.assertEqual(len(check_page("```\nheddle list gpus\n```\n")[0]), 1)

    def test_have_every_cell_that_the_command_of_a_table_prints(self):
        page = ("<!-- table: printf '| a | y |\\n|---|---|\\n| p | 2 |\\n' -->\n"
                "| a | x | y |\n|---|---|---|\n")
        self.assertEqual(check_page(page + "| p | 1 | 2 |\n| q | 5 | 6 |\n")[0], [])
        failures, _ = check_page(page + "| p | 1 | 3 |\n")
        self.assertIn("row p, column y: the page shows 3", failures[0])
        self.assertEqual(len(check_page(page + "| q | 1 | 2 |\n")[0]), 1)
        self.assertIn("| p | 1 | 2 |", check_page(page + "| p | 1 | 3 |\n", update=True)[1])

    def test_show_the_picture_that_a_command_writes(self):
        shown = "![x](x.svg)\n"
        self.assertIn("no command", check_page(shown)[0][0])
        self.assertIn("is not the picture", check_page(shown + console("$ echo a >x.svg"))[0][0])
        self.assertEqual(check_page("![x](windows.svg)\n")[0], [])  # drawn by hand

    def test_are_rewritten_on_request(self):
        text = console("$ printf 'a\\nb\\nc\\n'", "x", "...", "$ echo d", "e")
        failures, page = check_page(text, update=True)
        self.assertEqual(failures, [])
        self.assertEqual(page, console("$ printf 'a\\nb\\nc\\n'", "a", "...", "$ echo d", "d"))


if __name__ == "__main__":
    unittest.main()
