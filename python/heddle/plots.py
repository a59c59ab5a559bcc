"""Pictures with matplotlib: speed-up bars, stall breakdowns, curves. Every function draws into
`axes`, or into a new figure, and returns the axes. They need matplotlib."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .runs import SLOT_USES, Comparison, Statistics
from .table import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette, which colour-blind readers can distinguish.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000")
MARKERS = "osD^vPX*"
SLOT_COLOURS = dict(zip(SLOT_USES, ("#009e73", "#d55e00", "#e69f00", "#0072b2", "#cc79a7",
                                    "#f0e442", "#cfcfcf")))


def new_axes(axes: Axes | None) -> Axes:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError as missing:
        raise ImportError("heddle.plots needs matplotlib; install python3-matplotlib") from missing
    return pyplot.subplots(layout="constrained")[1]


def speedups(rows: Iterable[Row] | Comparison, *, groups: str = "case_name", series: str = "row",
             values: str = "speedup", axes: Axes | None = None) -> Axes:
    """Bars of speed-ups (1 is the baseline): a group per case, a bar per scheduler.

    rows: Results.speedups(), or a Comparison, which is one group. groups, series, values: columns.
    """
    if isinstance(rows, Comparison):
        rows = [{groups: "", series: row["scheduler"], values: row["speedup"]}
                for row in rows.table()]
    cells = {(row[groups], row[series]): row[values] for row in rows}
    names = list(dict.fromkeys(group for group, _ in cells))
    bars = list(dict.fromkeys(name for _, name in cells))
    axes = new_axes(axes)
    width = 0.8 / max(1, len(bars))
    for i, bar in enumerate(bars):
        places = [j + (i - (len(bars) - 1) / 2) * width for j in range(len(names))]
        axes.bar(places, [cells.get((name, bar)) or 0 for name in names], width, label=bar,
                 color=COLOURS[i % len(COLOURS)], hatch="/" * (i // len(COLOURS)))
    axes.axhline(1, color="#808080", linewidth=1)
    axes.set_xticks(range(len(names)), names)
    axes.set_ylabel("speed-up")
    axes.legend()
    return axes


def stalls(runs: Comparison | Mapping[str, Statistics], *, axes: Axes | None = None) -> Axes:
    """Stacked bars of what the issue slots did, as shares of all slots: a bar per run.

    runs: a Comparison, or name -> Run or Kernel.
    """
    if isinstance(runs, Comparison):
        runs = runs.runs
    shares = {name: run.slots for name, run in runs.items()}
    axes = new_axes(axes)
    below = dict.fromkeys(shares, 0.0)
    for use in SLOT_USES:
        part = [shares[name][use] for name in shares]
        axes.barh(list(shares), part, left=list(below.values()), color=SLOT_COLOURS[use],
                  edgecolor="white", label=use.replace("_", " "))
        for name in shares:
            below[name] += shares[name][use]
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of issue slots")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=4, frameon=False)
    return axes


def curves(rows: Iterable[Row], x: str, y: str = "speedup", *, series: str = "row",
           axes: Axes | None = None, **style: Any) -> Axes:
    """A curve per scheduler over a parameter.

    rows: by_parameter(results.speedups(), "sm.l1d.ways"). x, y, series: columns. style: passed to
    matplotlib's plot().
    """
    lines: dict[str, list[tuple[Any, Any]]] = {}
    for row in rows:
        if row[y] is not None:
            lines.setdefault(row[series], []).append((row[x], row[y]))
    axes = new_axes(axes)
    for i, (name, points) in enumerate(lines.items()):
        axes.plot(*zip(*sorted(points)), label=name, color=COLOURS[i % len(COLOURS)],
                  marker=MARKERS[i % len(MARKERS)], **style)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.legend()
    return axes
