#!/usr/bin/env python3
"""Draws figure 13 of iPAWS: instructions of every warp when the adapt phase decides.

usage: issue_patterns.py HEDDLE PROGRAMS OUT.svg   (build/bin/heddle build/workloads docs/...)
Runs the programs of table 3 (experiments/ipaws) under ipaws and takes the longest launch of each.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile
import tomllib

PAPER = pathlib.Path(__file__).parent.parent / "experiments/ipaws"
COLUMNS, WIDTH, HEIGHT, GAP, TOP = 4, 210, 90, 24, 64
BAR, OUTSIDE, PUBLISHED = "#0072b2", "#a9c9de", "#000000"


def decision_of(heddle, programs, case):
    """The deciding SM's record of the longest launch."""
    with tempfile.TemporaryDirectory() as folder:
        command = [heddle, "run", "-q", "--gpu", "ipaws", "-s", "ipaws", "--out", folder]
        for one in case.get("registers", []):
            command += ["--registers", one]
        name, *arguments = case["program"]
        subprocess.run(
            [*command, f"{programs}/{name}", *arguments], check=True, stdout=subprocess.DEVNULL
        )
        kernels = json.loads((pathlib.Path(folder) / "run.json").read_text())["kernels"]
    longest = max(kernels, key=lambda kernel: kernel["cycles"])
    decisions = longest["policy"]["ipaws"]["decisions"]
    return next(one for one in decisions if one["decides"])


def panel(name, decision, published, x, y):
    issued = decision["instructions"]
    width, most = (WIDTH - GAP) / len(issued), max(issued)
    verdict = "RR" if decision["choice"] == "round_robin" else "greedy"
    parts = [
        f'<text x="{x}" y="{y - 6}" font-size="12">'
        f'{name}: {decision["convexity"]:.2f}, {verdict}</text>'
    ]
    bars = {BAR: "", OUTSIDE: ""}
    bar = max(width - 0.6, 0.6)
    for warp, count in enumerate(issued):
        height = HEIGHT * count / most
        bars[BAR if warp < decision["of_interest"] else OUTSIDE] += (
            f"M{x + warp * width:.1f} {y + HEIGHT - height:.1f}"
            f"h{bar:.1f}v{height:.1f}h-{bar:.1f}z"
        )
    parts += [f'<path d="{path}" fill="{colour}"/>' for colour, path in bars.items() if path]
    end = x + published * width
    parts.append(
        f'<line x1="{end:.1f}" x2="{end:.1f}" y1="{y}" y2="{y + HEIGHT}" stroke="{PUBLISHED}" '
        'stroke-dasharray="3 2"/>'
    )
    parts.append(
        f'<path d="M{x} {y + HEIGHT}h{WIDTH - GAP}" stroke="#888888"/>'
        f'<text x="{x}" y="{y + HEIGHT + 13}" font-size="10" fill="#555555">'
        f"{len(issued)} warps, {decision['of_interest']} of interest (paper {published})</text>"
    )
    return "\n".join(parts)


def main(heddle, programs, out):
    cases = tomllib.loads((PAPER / "programs.toml").read_text())["case"]
    figures = tomllib.loads((PAPER / "paper.toml").read_text())["figure"]
    table = next(figure for figure in figures if figure["number"] == "Table 3")
    published = {claim["cases"][0]: claim["published"] for claim in table["claim"]}
    rows = math.ceil(len(table["cases"]) / COLUMNS)
    width, height = COLUMNS * WIDTH + GAP, TOP + rows * (HEIGHT + 50)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{GAP}" y="22" font-size="16">Figure 13: instructions of each warp, '
        "oldest first, when Adapt ends</text>",
        f'<text x="{GAP}" y="40" font-size="11" fill="#555555">Degree of convexity and decision. '
        "Dark: warps of interest; dashed: their end in the paper. Barriers add to scores.</text>",
    ]
    for i, name in enumerate(table["cases"]):
        case = next(one for one in cases if one["name"] == name)
        x, y = GAP + i % COLUMNS * WIDTH, TOP + 16 + i // COLUMNS * (HEIGHT + 50)
        parts.append(panel(name, decision_of(heddle, programs, case), published[name], x, y))
        print(name, flush=True)
    pathlib.Path(out).write_text("\n".join([*parts, "</svg>\n"]))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
