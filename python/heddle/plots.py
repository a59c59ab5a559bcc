"""Pictures with matplotlib: speed-up bars, stall breakdowns, curves. Every function draws into
`axes`, or into a new figure, and returns the axes. They need matplotlib."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, geometric_mean
from typing import TYPE_CHECKING, Any

from .command import HeddleError, UnknownName
from .runs import SLOT_USES, Comparison, Statistics
from .table import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette, which colour-blind readers can distinguish.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000")
MARKERS = "osD^vPX*"
DASHES = ("-", "--", ":", "-.")  # of curves, so that equal ones are both seen
LETTERS_OF_AN_AXIS = 60  # which fit side by side below a figure of matplotlib's usual size
SLOT_COLOURS = dict(zip(SLOT_USES, ("#009e73", "#d55e00", "#e69f00", "#0072b2", "#cc79a7",
                                    "#882255", "#f0e442", "#cfcfcf"), strict=True))


def new_axes(axes: Axes | None) -> Axes:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError as missing:
        raise ImportError("heddle.plots needs matplotlib; install python3-matplotlib") from missing
    return pyplot.subplots(layout="constrained")[1]


def mean(values: Sequence[float], column: str) -> float:
    """The geometric mean of speed-ups and cycles, the mean of other values, as in reports."""
    geometric = column in ("speedup", "cycles") and min(values) > 0
    return (geometric_mean if geometric else fmean)(values)


def cells_of(rows: Iterable[Row], row: str, column: str, value: str) -> dict[tuple[Any, Any], float]:
    """The mean of `value` for each pair of the columns `row` and `column`; rows without a value are
    left out. Raises HeddleError when nothing is left to draw."""
    found: dict[tuple[Any, Any], list[float]] = {}
    for one in rows:
        for name in (row, column, value):
            if name not in one:
                raise UnknownName(f"no column {name!r}; there are {', '.join(one)}")
        if one[value] is not None:
            found.setdefault((one[row], one[column]), []).append(one[value])
    if not found:
        raise HeddleError(f"there is nothing to draw: no row has a value in {value!r}")
    return {key: mean(values, value) for key, values in found.items()}


def speedups(rows: Iterable[Row] | Comparison, *, groups: str = "case_name", series: str = "row",
             values: str = "speedup", axes: Axes | None = None) -> Axes:
    """Bars of speed-ups (1 is the baseline): a group per case, a bar per scheduler.

    rows: Results.speedups(), or a Comparison, which is one group. groups, series, values: columns.
    A bar is the geometric mean of the rows with its group and series.
    """
    if isinstance(rows, Comparison):
        rows = [{groups: "", series: row["scheduler"], values: row["speedup"]}
                for row in rows.table()]
    cells = cells_of(rows, groups, series, values)
    names = list(dict.fromkeys(group for group, _ in cells))
    bars = list(dict.fromkeys(name for _, name in cells))
    axes = new_axes(axes)
    width = 0.8 / max(1, len(bars))
    for i, bar in enumerate(bars):
        places = [j + (i - (len(bars) - 1) / 2) * width for j in range(len(names))]
        axes.bar(places, [cells.get((name, bar), 0) for name in names], width, label=bar,
                 color=COLOURS[i % len(COLOURS)], hatch="/" * (i // len(COLOURS)))
    axes.axhline(1, color="#808080", linewidth=1)
    axes.set_xticks(range(len(names)), names)
    if max(len(str(name)) for name in names) * len(names) > LETTERS_OF_AN_AXIS:
        axes.tick_params(axis="x", rotation=45)
        for label in axes.get_xticklabels():
            label.set(horizontalalignment="right", rotation_mode="anchor")
    axes.set_ylabel("speed-up")
    axes.legend()
    return axes


def stalls(runs: Comparison | Mapping[str, Statistics], *, axes: Axes | None = None) -> Axes:
    """Stacked bars of what the issue slots did, as shares of all slots: a bar per run.

    runs: a Comparison, or name -> Run or Launch.
    """
    if isinstance(runs, Comparison):
        runs = runs.runs
    shares = {name: run.slots for name, run in runs.items()}
    untimed = [name for name, slots in shares.items() if slots is None]
    if untimed or not shares:
        raise HeddleError("there are no issue slots to draw: " +
                          (f"nothing was timed in {', '.join(untimed)}" if untimed else "no run"))
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
    """A curve per scheduler over a parameter. A point is the geometric mean (speed-ups, cycles) or
    the mean of the rows with its value: where(case_name=...) chooses one workload.

    rows: by_parameter(results.speedups(), "sm.l1d.ways"). x, y, series: columns. style: passed to
    matplotlib's plot().
    """
    lines: dict[str, list[tuple[Any, Any]]] = {}
    for (name, at), value in cells_of(rows, series, x, y).items():
        lines.setdefault(name, []).append((at, value))
    numeric = all(isinstance(at, (int, float)) for points in lines.values() for at, _ in points)
    axes = new_axes(axes)
    for i, (name, points) in enumerate(lines.items()):
        points = sorted(points) if numeric else [(str(at), value) for at, value in points]
        axes.plot(*zip(*points), label=name, color=COLOURS[i % len(COLOURS)],
                  **{"marker": MARKERS[i % len(MARKERS)], "linestyle": DASHES[i % len(DASHES)],
                     **style})
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.legend()
    return axes
