// Sections of a comparison: the cycles of each kernel under each policy, and a time series of
// several runs in one chart.
import { lookOf } from "./colours.js";
import { controls, element } from "./dom.js";
import { number } from "./format.js";
import { panelFigure } from "./panel.js";
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

// The lines of all runs by their name.
function linesOf(page, runs) {
  const lines = new Map();
  for (const run of runs)
    for (const panel of page.detailsOf(run).chart?.panels ?? [])
      for (const series of panel.x ? panel.series : []) {
        const name = panel.title + (series.name ? ": " + series.name : "");
        if (!lines.has(name)) lines.set(name, { unit: panel.values.unit, series: [] });
        const { values } = series;
        const policy = page.text("policy", run);
        lines.get(name).series.push({
          ...{ name: policy, ...lookOf(page, policy) },
          ...{ values, x: panel.x, runs: values.map(() => run) },
        });
      }
  return lines;
}

export function timeSection(view) {
  const { page } = view;
  const names = [...linesOf(page, page.all()).keys()];
  if (page.kind !== "comparison" || !names.length || page.count < 2) return null;
  const state = {
    name: names.find((name) => name.startsWith("warp instructions per cycle")) ?? names[0],
  };
  const describe = () => {
    const line = linesOf(page, view.runs()).get(state.name);
    return (
      line && {
        label: `${state.name} over time, a line per policy`,
        height: PIXELS,
        panel: {
          kind: "lines",
          title: state.name,
          along: { name: "core cycles", unit: "cycles" },
          values: { name: state.name, unit: line.unit },
          series: line.series,
        },
      }
    );
  };
  const chart = panelFigure("", describe, view.openRun);
  return {
    id: "time",
    title: "Over time",
    update: chart.update,
    made: [
      controls(state, chart.update, ["Value", "name", names.map((name) => [name, name])]),
      chart,
    ],
  };
}
