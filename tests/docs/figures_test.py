#!/usr/bin/env python3
"""Figures that several pages state, computed from the tables of the page that has them all.

A page that has no longer the sentence below is corrected here, too.
"""
import csv
import math
import pathlib
import re
import statistics
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLEAR = 1.03  # schedulers are compared where the reference's two differ by more


def text_of(page):
    """The page with its line breaks as blanks."""
    return re.sub(r"\s+", " ", (ROOT / page).read_text())


def tables_of(page):
    """Every table of a page: a list of rows, each a list of cells."""
    tables, lines = [], (ROOT / page).read_text().split("\n")
    for previous, line in zip([""] + lines, lines):
        if line.startswith("|"):
            cells = [cell.strip().strip("`") for cell in line.strip()[1:-1].split("|")]
            if not previous.startswith("|"):
                tables.append([])
            if not line.startswith("|--"):
                tables[-1].append(cells)
    return tables


def table_with(page, heading):
    return next(table for table in tables_of(page) if table[0][0] == heading
                or heading in table[0])


def number(cell):
    return float(re.sub(r"[^\d.+-]", "", cell))


def reference(name):
    with open(ROOT / "bench" / "reference" / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


class Figures(unittest.TestCase):
    def states(self, page, sentence, *values):
        """The page has the sentence, with these values in place of its {}."""
        wanted = sentence.format(*values)
        if wanted in text_of(page):
            return
        pattern = re.escape(sentence).replace(r"\{\}", r"(\S+?)")
        found = re.search(pattern, text_of(page))
        self.fail(f"{page}: the tables say '{wanted}', the page "
                  + (f"'{found[0]}'" if found else "has no such sentence"))


class BesideGpgpuSim(Figures):
    def errors(self, table):
        """Errors in per cent by row and column."""
        return {(row[0], column): number(cell) for row in table[1:]
                for column, cell in zip(table[0][1:], row[1:]) if cell}

    def test_of_version_4_2(self):
        errors = self.errors(table_with("docs/agreement.md", "program, L2"))
        mean = statistics.fmean(map(abs, errors.values()))
        self.states("docs/agreement.md", "The mean of the {} rows is {:.1f} %", len(errors), mean)
        self.states("docs/trust.md", "{:.1f} % off in the mean of {} rows, {:.1f} % at most",
                    mean, len(errors), max(map(abs, errors.values())))
        self.states("README.md", "cycles are {:.1f} % off GPGPU-Sim 4.2's in the mean", mean)
        listed = reference("known_differences")
        self.states("docs/agreement.md", "{} counts of caches are beyond their limits", len(listed))

    def test_of_programs_that_nothing_was_fitted_to(self):
        rows = table_with("docs/agreement.md", "cycles, mean error")[1:]
        means = [number(row[3]) for row in rows]
        beyond = [abs(float(error)) for row in rows for error in re.findall(r"[-+][\d.]+", row[4])]
        self.states("docs/trust.md",
                    "{:.1f} to {:.1f} % off in the mean by GPU and policy, {:.1f} % at most",
                    min(means), max(means), max(beyond))

    def test_who_wins_beside_version_4_2(self):
        errors = self.errors(table_with("docs/agreement.md", "program, L2"))
        rows = {}
        for row in reference("gpgpusim"):
            filled = "filled" if row["l2_filled_by_memcpy"] == "yes" else "cold"
            error = errors[f"{row['program']} {row['size']}, {filled}",
                           f"{row['gpu']}` `{row['scheduler']}"]
            there = float(row["cycles"])
            rows[row["program"], row["size"], filled, row["gpu"], row["scheduler"]] = (
                there, there * (1 + error / 100))
        pairs = [(rows[key], rows[key[:4] + ("lrr",)]) for key in rows
                 if key[4] == "gto" and key[:4] + ("lrr",) in rows]
        clear = [(gto, lrr) for gto, lrr in pairs
                 if max(gto[0] / lrr[0], lrr[0] / gto[0]) > CLEAR]
        self.assertTrue(all((gto[0] < lrr[0]) == (gto[1] < lrr[1]) for gto, lrr in clear))
        word = {5: "five", 6: "six", 7: "seven"}[len(clear)]
        self.states("docs/agreement.md", "same scheduler wins in all {} cases", word)
        self.states("docs/trust.md", "the same scheduler in all {} cases", word)

    def test_of_the_papers(self):
        limits = table_with("docs/agreement.md", "order of two schedulers")
        machines, orders, clear = {}, 0, 0
        for name, version in (("lfws", "lfws beside 3.2.2"), ("daws", "daws beside ccws-2012")):
            first = {"lfws": "gto", "daws": "lrr"}[name]
            table = next(table for table in tables_of("docs/agreement.md")
                         if table[0][:2] == ["program", first])
            errors = self.errors(table)
            rows = [(row["command"], float(row["cycles"]),
                     float(row["cycles"]) * (1 + errors[row["command"], row["scheduler"]] / 100))
                    for row in reference(name)]
            pairs = [(a, b) for i, a in enumerate(rows) for b in rows[:i] if a[0] == b[0]
                     and max(a[1] / b[1], b[1] / a[1]) > CLEAR]
            right = sum((a[1] < b[1]) == (a[2] < b[2]) for a, b in pairs)
            size = list(map(abs, errors.values()))
            machines[name] = (len(size), statistics.fmean(size), max(size))
            orders += right
            clear += len(pairs)
            row = next(row for row in limits if row[0].replace("`", "") == version)
            self.assertEqual(row[1:], [f"{len(size)}", f"{statistics.fmean(size):.1f} %",
                                       f"{max(size):.1f} %", f"{right} of {len(pairs)}"])
        self.states("docs/trust.md",
                    "{:.1f} and {:.1f} % off in the mean of {} and {} rows, {:.1f} % at most",
                    machines["lfws"][1], machines["daws"][1], machines["lfws"][0],
                    machines["daws"][0], max(machines["lfws"][2], machines["daws"][2]))
        self.states("docs/trust.md", "the same of two schedulers in {} of {} cases", orders, clear)

    def test_speed(self):
        ratios = [number(cell) for row in table_with("docs/performance.md", "qv100 gto")[1:]
                  for cell in row[1:] if cell]
        mean = statistics.geometric_mean(ratios)
        self.states("docs/performance.md", "mean is {:.1f} and the lowest ratio is {:.1f}", mean,
                    min(ratios))
        self.states("docs/trust.md",
                    "{:.0f} times as fast in the geometric mean of {} runs, {:.0f} times at least",
                    mean, len(ratios), min(ratios))
        self.states("README.md", "{:.0f} to {:.0f} times GPGPU-Sim 4.2's on one thread",
                    min(ratios), max(ratios))


class BesideAnH200(Figures):
    def test_cycles_of_programs(self):
        rows = table_with("docs/h200-programs.md", "cycles, card")[1:]
        pairs = [(number(row[1]), number(row[2])) for row in rows]
        ratios = [here / there for there, here in pairs]
        mean = 100 * statistics.fmean(abs(ratio - 1) for ratio in ratios)
        near = sum(abs(ratio - 1) <= 0.25 for ratio in ratios)
        twice = sum(0.5 <= ratio <= 2 for ratio in ratios)
        logs = [[math.log(value) for value in column] for column in zip(*pairs)]
        correlation = statistics.correlation(*logs)
        self.states("docs/validation.md", "{} of the {} programs are within 25 %", near, len(rows))
        self.states("docs/validation.md", "the mean absolute error is {:.0f} %", mean)
        self.states("docs/validation.md", "the median ratio {:.2f}, and the correlation of the "
                    "logarithms of cycles {:.3f}", statistics.median(ratios), correlation)
        self.states("docs/trust.md", "{:.0f} % off in the mean of {} programs; {} are within 25 %, "
                    "{} within a factor of two; correlation of the logarithms {:.3f}",
                    mean, len(rows), near, twice, correlation)
        self.states("README.md", "{:.0f} % off an H200's", mean)
        hits = [abs(number(row[5]) - number(row[6])) for row in rows
                if row[5] != "-" and row[6] != "-"]
        self.states("docs/trust.md", "within 1 point in {} of {} programs",
                    sum(distance <= 1 for distance in hits), len(hits))

    def test_kinds_of_programs(self):
        kinds = {}
        for row in table_with("docs/h200-programs.md", "cycles, card")[1:]:
            folder = row[0].partition("/")[0] if "/" in row[0] else ""
            folder = {"ccws": "tango"}.get(folder, folder)
            kinds.setdefault(folder, []).append(abs(number(row[2]) / number(row[1]) - 1))
        shown = table_with("docs/trust.md", "within 25 %")[1:]
        folders = ["", "rodinia", "ctamap", "ispass", "patterns", "parboil", "polybench", "sdk",
                   "tango"]
        self.assertEqual(set(kinds), set(folders))
        for row, folder in zip(shown, folders):
            errors = kinds[folder]
            self.assertEqual(row[1:], [str(len(errors)), f"{100 * statistics.fmean(errors):.0f} %",
                                       str(sum(error <= 0.25 for error in errors))], row[0])

    def test_figures_of_the_preset(self):
        figures = {}
        for table in tables_of("docs/microbenchmarks.md"):
            for row in table[1:]:
                if row[0] == "h200":
                    figures.update(zip(table[0][1:], row[1:]))
        for row in table_with("docs/validation.md", "H200")[1:]:
            names = re.findall(r"[a-z][a-z0-9_.]+", row[0])
            if "_2" in row[0] or not set(names) <= set(figures):
                continue
            values = [number(figures[name]) for name in names]
            for shown in re.findall(r"[\d.]+", row[2]):
                self.assertIn(float(shown), values, row[0])


class Claims(Figures):
    def test_of_the_papers(self):
        sums = [0, 0, 0, 0]
        for page in sorted((ROOT / "docs/reproductions").glob("*.md")):
            found = re.search(r"(\d+) claims: (\d+) hold, (\d+) hold in direction, "
                              r"(\d+) do not hold", text_of(page))
            if found:
                counts = [int(count) for count in found.groups()]
                left = re.search(r"(\d+) were not measured", text_of(page))
                self.assertEqual(counts[0], sum(counts[1:]) + (int(left[1]) if left else 0),
                                 page.name)
                sums = [sum(pair) for pair in zip(sums, counts)]
        claims, hold, direction, _ = sums
        self.states("docs/trust.md", "{} of {} claims hold at least in direction, {} of them also "
                    "in size", hold + direction, claims, hold)
        self.states("docs/reproductions/README.md", "{} ({:.1f} %)", hold + direction,
                    100 * (hold + direction) / claims)


class Conformance(Figures):
    def test_sums_of_cases(self):
        for table, vectors in (("arithmetic", 512), ("textures", 256)):
            rows = next(t for t in tables_of("docs/conformance.md") if t[0][1] == "cases"
                        and len(t[0]) == 3 and (t[1][0] == "textures") == (table == "textures"))
            cases = sum(int(row[1]) for row in rows[1:])
            self.states("docs/conformance.md", "All {:,} results of the {:,} cases agree",
                        cases * vectors, cases)
            if table == "arithmetic":
                self.states("docs/trust.md", "{:,} results of {:,} cases", cases * vectors, cases)


class Store(Figures):
    def test_versions(self):
        newest = max(int(path.stem.partition("_")[2] or 1)
                     for path in (ROOT / "src/lab/store").glob("schema*.sql"))
        versions = [int(row[0]) for row in table_with("docs/results-store.md", "version")[1:]]
        self.assertEqual(versions, list(range(2, newest + 1)))


class Presets(Figures):
    def test_without_a_reference(self):
        presets = [path.stem for path in (ROOT / "presets").glob("*.toml")]
        compared = {name for row in table_with("docs/trust.md", "compared with")[1:-1]
                    for name in re.findall(r"[a-z]\w*", row[0])}
        self.assertLessEqual(compared, set(presets))
        self.states("docs/trust.md", "A machine without a reference run** ({} of {} presets)",
                    len(presets) - len(compared), len(presets))


if __name__ == "__main__":
    unittest.main()
