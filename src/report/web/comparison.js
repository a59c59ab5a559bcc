// Sections of a comparison: the cycles of each kernel under each policy, and a time series of
// several runs in one chart.
import { base, figure, tip, valueAxis } from "./charts.js";
import { lookOf } from "./colours.js";
import { choice, element } from "./dom.js";
import { number, percent } from "./format.js";
import { kernelsOf } from "./run_view.js";
import { table } from "./table.js";

const PIXELS = 300;

export function kernelsSection(view) {
  const { page } = view;
  if (page.kind !== "comparison") return null;
  const cyclesOf = (run) => {
    const kernels = kernelsOf(page, run);
    if (!kernels) return new Map();
    const at = kernels.columns.findIndex((column) => column.key === "cycles");
    return new Map(kernels.rows.map((row) => [row[0], row[at]]));
  };
  const all = page.all().map(cyclesOf);
  const names = [...new Set(all.flatMap((cycles) => [...cycles.keys()]))];
  if (names.length < 2) return null;
  const parts = () => {
    const runs = view.runs();
    const rows = names.map((name) => {
      const cells = runs.map((run) => all[run].get(name) ?? NaN);
      return { cells: [name, ...cells], fewest: Math.min(...cells.filter(Number.isFinite)) };
    });
    const isFewest = (value, row) => runs.length > 1 && value === row.fewest;
    const columns = [
      { name: "Kernel" },
      ...runs.map((run) => ({
        name: page.text("policy", run),
        numeric: true,
        show: (value, row) => number(value) + (isFewest(value, row) ? " ★" : ""),
        mark: (value, row) => (isFewest(value, row) ? "winner" : ""),
      })),
    ];
    return { rows, columns };
  };
  const cycles = table({ ...parts(), label: "cycles by kernel and policy", pageSize: 20 });
  return {
    id: "kernels",
    title: "Cycles by kernel",
    made: [cycles, element("p", { class: "note" }, "★ marks the fewest cycles of a kernel.")],
    update() {
      const { rows, columns } = parts();
      cycles.update(rows, columns);
    },
  };
}

export function timeSection(view) {
  const { page } = view;
  const runs = page.all().filter((run) => page.detailsOf(run).series);
  if (page.kind !== "comparison" || runs.length < 2) return null;
  const curves = new Map();
  for (const run of runs)
    for (const panel of page.detailsOf(run).series.panels)
      for (const curve of panel.curves) curves.set(nameOf(panel, curve), panel.percent);
  const state = {
    curve:
      [...curves.keys()].find((name) => name.startsWith("warp instructions per cycle")) ??
      curves.keys().next().value,
  };
  const chart = figure("", () => linesOf(view, state, curves.get(state.curve)), view.openRun);
  return {
    id: "time",
    title: "Over time",
    update: chart.update,
    made: [
      element(
        "p",
        { class: "controls" },
        choice(
          "Value",
          [...curves.keys()].map((name) => [name, name]),
          state.curve,
          (name) => {
            state.curve = name;
            chart.update();
          },
        ),
      ),
      chart,
    ],
  };
}

const nameOf = (panel, curve) => panel.title + (curve.name ? ": " + curve.name : "");

function linesOf(view, state, isShare) {
  const { page } = view;
  const lines = view.runs().flatMap((run) => {
    const series = page.detailsOf(run).series;
    const curve = series?.panels
      .flatMap((panel) => panel.curves.map((one) => [nameOf(panel, one), one.values]))
      .find(([name]) => name === state.curve);
    return curve
      ? [{ run, name: page.text("policy", run), from: series.from, values: curve[1] }]
      : [];
  });
  if (!lines.length) return null;
  const shown = isShare ? percent : number;
  return {
    height: PIXELS,
    label: `${state.curve} over time, a curve per policy`,
    option: (colours) => ({
      ...base(colours, true),
      tooltip: {
        ...base(colours).tooltip,
        trigger: "axis",
        formatter: (points) =>
          tip(
            "cycle " + number(points[0].value[0]),
            points.map((point) => [point.seriesName, shown(point.value[1]), point.color]),
          ),
      },
      grid: { left: 8, right: 24, top: 36, bottom: 32, containLabel: true },
      xAxis: valueAxis(colours, "core cycles", "cycles", {
        nameGap: 26,
        splitLine: { show: false },
        max: "dataMax",
      }),
      yAxis: valueAxis(colours, "", isShare ? "ratio" : "", {
        min: 0,
        max: isShare ? 1 : undefined,
      }),
      series: lines.map((line) => {
        const look = lookOf(page, line.name);
        return {
          type: "line",
          name: line.name,
          color: look.colour,
          symbol: "none",
          lineStyle: { width: 1.5, type: look.dash },
          data: line.values.map((value, point) => ({
            value: [line.from[point], value],
            run: line.run,
          })),
        };
      }),
    }),
  };
}
