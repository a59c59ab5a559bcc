// Curves over a parameter, and heat maps over two dimensions.
import { lookOfValue } from "./colours.js";
import { choicesOf, controls, element } from "./dom.js";
import { panelFigure } from "./panel.js";
import { average, groupBy } from "./statistics.js";

const CURVE_PIXELS = 340;

// The value of a statistic for a group of runs.
function valueOf(page, key, runs) {
  return average(
    runs.map((run) => page.value(key, run)),
    page.unit(key),
  );
}

export function curvesSection(view) {
  const { page } = view;
  const parameters = page.parameters.filter((one) => one.values.length > 1);
  if (!parameters.length) return null;
  const state = { x: parameters[0].key, y: "speed_up", by: "policy" };
  const chart = panelFigure("", () => curvesOf(view, state), view.openRun);
  return {
    id: "parameters",
    title: "Parameters",
    update: chart.update,
    made: [
      controls(
        state,
        chart.update,
        ["Along", "x", choicesOf(parameters)],
        ["Value", "y", page.statisticChoices()],
        ["A curve per", "by", choicesOf(page.varying(page.all()))],
      ),
      chart,
      element(
        "p",
        { class: "note" },
        "A point is the geometric mean (cycles, speed-ups) or the mean of runs with this value.",
      ),
    ],
  };
}

function curvesOf(view, state) {
  const { page } = view;
  const runs = view
    .runs()
    .filter((run) => page.text(state.x, run) !== "" && Number.isFinite(page.value(state.y, run)));
  if (!runs.length) return null;
  const unit = page.unit(state.y),
    xs = page.valuesOf(state.x, runs),
    names = page.valuesOf(state.by, runs);
  const groups = groupBy(runs, (run) => page.text(state.by, run) + "\n" + page.text(state.x, run));
  const points = names.map((name) =>
    xs.map((x) => {
      const members = groups.get(name + "\n" + x) || [];
      return {
        value: members.length ? valueOf(page, state.y, members) : NaN,
        run: members.length === 1 ? members[0] : undefined,
        count: members.length,
      };
    }),
  );
  return {
    height: CURVE_PIXELS,
    label: `${page.name(state.y)} along ${state.x}, a curve per ${state.by}`,
    panel: {
      kind: "lines",
      along: { name: state.x },
      values: { name: page.nameWithUnit(state.y), unit, free: true },
      categories: xs.map((x) => ({ name: x })),
      series: names.map((name, i) => ({
        name,
        ...lookOfValue(page, state.by, name),
        values: points[i].map((point) => point.value),
        runs: points[i].map((point) => point.run),
      })),
    },
  };
}

export function heatMapSection(view) {
  const { page } = view;
  const dimensions = page.varying(page.all());
  if (dimensions.length < 2) return null;
  const has = (key) => dimensions.some((one) => one.key === key);
  const rows = has("workload") ? "workload" : dimensions[0].key;
  const state = {
    rows,
    columns:
      has("policy") && rows !== "policy"
        ? "policy"
        : dimensions.find((one) => one.key !== rows).key,
    value: "speed_up",
  };
  const chart = panelFigure("", () => heatMapOf(view, state), view.openRun);
  const names = choicesOf(dimensions);
  return {
    id: "heat-map",
    title: "Heat map",
    update: chart.update,
    made: [
      controls(
        state,
        chart.update,
        ["Rows", "rows", names],
        ["Columns", "columns", names],
        ["Value", "value", page.statisticChoices()],
      ),
      chart,
    ],
  };
}

function heatMapOf(view, state) {
  const { page } = view;
  if (state.rows === state.columns)
    return { empty: "Rows and columns are the same: choose two dimensions." };
  const runs = view.runs().filter((run) => Number.isFinite(page.value(state.value, run)));
  if (!runs.length) return null;
  const unit = page.unit(state.value),
    columns = page.valuesOf(state.columns, runs);
  const groups = groupBy(
    runs,
    (run) => page.text(state.rows, run) + "\n" + page.text(state.columns, run),
  );
  return {
    label: `${page.name(state.value)} by ${state.rows} and ${state.columns}`,
    panel: {
      kind: "cells",
      across: { name: page.dimensions.get(state.rows).label },
      along: { name: page.dimensions.get(state.columns).label },
      // Speed-ups and their inverses are equally far from 1.
      values: { ...page.column(state.value), scale: unit === "times" ? "log2" : "linear" },
      categories: columns.map((name) => ({ name })),
      series: page.valuesOf(state.rows, runs).map((name) => {
        const members = columns.map((column) => groups.get(name + "\n" + column) || []);
        return {
          name,
          values: members.map((some) => (some.length ? valueOf(page, state.value, some) : NaN)),
          runs: members.map((some) => (some.length === 1 ? some[0] : undefined)),
          counts: members.map((some) => some.length),
        };
      }),
    },
  };
}
