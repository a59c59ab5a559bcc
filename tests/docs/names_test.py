#!/usr/bin/env python3
"""Commands, options, statistics, parameters, files and tests that a page names exist.

    tests/docs/names_test.py BUILD_FOLDER

run_docs.py runs the commands of console blocks; this test reads the others: code in sentences and
tables, and blocks that are not run. NAME, PAPER and other words in capitals are the reader's own.
"""
import functools
import os
import pathlib
import re
import subprocess
import sys
import unittest

import run_docs

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop() if len(sys.argv) > 1 else ROOT / "build").resolve()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")),
         *sorted((ROOT / "src").glob("**/README.md"))]
PAGES = [page for page in PAGES if "node_modules" not in page.parts]
FOLDERS = {"bench", "docs", "examples", "experiments", "presets", "python", "scripts", "sdk", "src",
           "tests", "workloads"}
# Options of programs that are not verbs of Heddle, and files of the guides' own policies.
OTHER_OPTIONS = {"--gtest_filter", "--markdown", "--details"}
GUIDES = {"chunks", "nru", "bounded_greed", "weighted"}
EXAMPLES = {"policy.mine.decisions", "--share-always"}
READERS_OWN = re.compile(r"(?<![A-Z])[A-Z]{2,}(?![A-Z])|[*{}<$…]|\.\.\.")


def codes_of(page):
    """Code in sentences, and commands that are not run: (line, text)."""
    lines = page.read_text().split("\n")
    blocks = run_docs.blocks_of(lines)
    for block in blocks:
        if block.language == "console" and block.value("not run") is not None:
            for step in run_docs.steps_of(block):
                yield step.line, step.command
        for i in range(block.first - 1, block.first + len(block.lines) + 1):
            if block.language != "table" and i < len(lines):
                lines[i] = ""
    text = "\n".join(lines)
    for match in re.finditer(r"`([^`]+)`", text):
        yield text.count("\n", 0, match.start()) + 1, re.sub(r"\s+", " ", match[1]).strip()


@functools.cache
def printed(*arguments):
    done = subprocess.run([BUILD / "bin" / "heddle", *arguments], capture_output=True, text=True,
                          env=dict(os.environ, COLUMNS="500"))
    return done.stdout + done.stderr


@functools.cache
def verbs(*verb):
    """The words at the beginning of indented lines of --help: verbs among others."""
    return set(re.findall(r"^  ([a-z-]+) ", printed(*verb, "--help"), re.M))


@functools.cache
def options_of(verb):
    texts = [printed(verb, "--help")] + [printed(verb, inner, "--help") for inner in verbs(verb)]
    return {"--help"}.union(*(re.findall(r"(?<![\w-])--[A-Za-z][\w-]*", text) for text in texts))


def wrong_command(text):
    """What is wrong with the commands of Heddle in a text, or nothing."""
    for part in re.split(r"[|;&]+ | -- |\$\(|\)", text):
        match = re.search(r"(?:^|/| )heddle ([a-z][a-z-]*)(.*)", part)
        if not match:
            continue
        verb, rest = match[1], match[2]
        if verb not in verbs():
            return f"there is no verb {verb}"
        for option in re.findall(r"(?<= )--[a-z][\w-]*", rest):
            if option not in options_of(verb):
                return f"heddle {verb} has no option {option}"
    return ""


@functools.cache
def all_options():
    return set().union(*(options_of(verb) for verb in verbs()))


@functools.cache
def tests():
    texts = [path.read_text() for path in (ROOT / "tests").glob("**/*_test.cc")]
    return {f"{suite}.{name}" for text in texts
            for suite, name in re.findall(r"TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", text)}


@functools.cache
def figures():
    """What the microbenchmarks measure."""
    return set(re.findall(r"[a-z]\w*\.\w+", (ROOT / "docs/microbenchmarks.md").read_text()))


@functools.cache
def built_programs():
    """The words of all build files, and the programs of the modules' tests."""
    texts = [path.read_text() for folder in ("src", "tests", "bench", "cmake", "workloads")
             for path in [*(ROOT / folder).glob("**/CMakeLists.txt"),
                                 *(ROOT / folder).glob("**/*.cmake")]]
    modules = {f"{folder.name}_test" for folder in (ROOT / "tests").iterdir()}
    return modules.union(*(re.findall(r"\w+", text) for text in texts))


@functools.cache
def golden_tests():
    return (ROOT / "tests/golden/CMakeLists.txt").read_text()


class Pages(unittest.TestCase):
    def check(self, wrong_in):
        wrong = [f"{page.relative_to(ROOT)}:{line}: {message}" for page in PAGES
                 for line, code in codes_of(page)
                 if code not in EXAMPLES and (message := wrong_in(code, page))]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))

    def test_name_verbs_and_options_of_heddle(self):
        self.check(lambda code, page: wrong_command(code))

    def test_name_options_that_some_verb_has(self):
        def wrong(code, page):
            option = re.match(r"--[a-z][a-z-]+(?=$|[ =])", code)
            known = not option or option[0] in all_options() | OTHER_OPTIONS
            return "" if known else f"no verb has {option[0]}"
        self.check(wrong)

    def test_name_files_and_programs_that_exist(self):
        def wrong(code, page):
            for path in re.findall(r"(?:^|(?<= ))[\w./-]+/[\w./-]+", code):
                name = pathlib.Path(path).name.removesuffix("_test.cc").removesuffix(".cc")
                if (READERS_OWN.search(path.replace("README", "")) or name.endswith("_")
                        or name in GUIDES or path.startswith("docs/docs/")):
                    continue
                first = path.removeprefix("./").split("/")[0]
                if path.startswith("build/bin/") and name not in built_programs():
                    return f"nothing builds {path}"
                if first in FOLDERS and not any((place / path).exists() for place in
                                                (ROOT, ROOT / "src", page.parent)) and not (
                                                    ROOT / "workloads" / f"{path}.cu").exists():
                    return f"there is no {path}"
            return ""
        self.check(wrong)

    def test_name_tests_that_exist(self):
        def wrong(code, page):
            for name in re.findall(r"\b[A-Z]\w+\.[A-Z]\w{6,}", code):
                if name not in tests():
                    return f"there is no test {name}"
            for name in re.findall(r"^golden/([a-z]\w+)", code):
                if not READERS_OWN.search(code) and f"golden({name} " not in golden_tests():
                    return f"there is no test golden/{name}"
            return ""
        self.check(wrong)

    def test_name_statistics_and_parameters_that_exist(self):
        known = set()
        for kind in ("stats", "parameters"):
            known |= set(re.findall(r"^([a-z][\w.]*\.[\w.]+)", printed("list", kind), re.M))
        groups = {name.split(".")[0] for name in known}
        prefixes = {".".join(name.split(".")[:n]) for name in known for n in range(1, 5)}

        def wrong(code, page):
            name = re.fullmatch(r"([a-z]\w*)(\.[a-z]\w*)+", code)
            if name and name[1] == "gpu":
                return f"a parameter has no section gpu: {code}"
            if (not name or name[1] not in groups or code in prefixes or code in figures()
                    or READERS_OWN.search(code) or re.search(r"\.(h|cc|py|toml|json|sql)$", code)):
                return ""
            return f"there is no statistic or parameter {code}"
        self.check(wrong)


if __name__ == "__main__":
    unittest.main()
