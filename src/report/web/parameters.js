// Curves over a parameter, and heat maps over two dimensions.
import { base, figure, nameAxis, tip, valueAxis } from "./charts.js";
import { lookOfValue } from "./colours.js";
import { choice, element } from "./dom.js";
import { quantity, short } from "./format.js";
import { panelFigure } from "./panel.js";
import { average, groupBy } from "./statistics.js";

const CURVE_PIXELS = 340;
const ROW_PIXELS = 24;
const MOST_LABELLED_CELLS = 400;

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
  const change = (name) => (value) => {
    state[name] = value;
    chart.update();
  };
  return {
    id: "parameters",
    title: "Parameters",
    update: chart.update,
    made: [
      element(
        "p",
        { class: "controls" },
        choice(
          "Along",
          parameters.map((one) => [one.key, one.label]),
          state.x,
          change("x"),
        ),
        choice("Value", page.statisticChoices(), state.y, change("y")),
        choice(
          "A curve per",
          page.varying(page.all()).map((one) => [one.key, one.label]),
          state.by,
          change("by"),
        ),
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
  const chart = figure("", () => heatMapOf(view, state), view.openRun);
  const change = (name) => (value) => {
    state[name] = value;
    chart.update();
  };
  const names = dimensions.map((one) => [one.key, one.label]);
  return {
    id: "heat-map",
    title: "Heat map",
    update: chart.update,
    made: [
      element(
        "p",
        { class: "controls" },
        choice("Rows", names, state.rows, change("rows")),
        choice("Columns", names, state.columns, change("columns")),
        choice("Value", page.statisticChoices(), state.value, change("value")),
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
    rows = page.valuesOf(state.rows, runs),
    columns = page.valuesOf(state.columns, runs);
  const cells = [];
  for (const [key, members] of groupBy(
    runs,
    (run) => page.text(state.rows, run) + "\n" + page.text(state.columns, run),
  )) {
    const [row, column] = key.split("\n");
    cells.push({
      row,
      column,
      value: valueOf(page, state.value, members),
      count: members.length,
      run: members.length === 1 ? members[0] : undefined,
    });
  }
  // Speed-ups and their inverses are equally far from 1, so the colours follow the logarithm.
  const diverges = unit === "times";
  const scaled = (value) => (diverges ? Math.log2(value) : value);
  const all = cells.map((cell) => scaled(cell.value)).filter(Number.isFinite);
  const reach = Math.max(0.05, ...all.map(Math.abs));
  const [min, max] = diverges ? [-reach, reach] : [Math.min(...all), Math.max(...all)];
  const labelled = (width) =>
    cells.length <= MOST_LABELLED_CELLS && (width - 140) / columns.length > 38;
  return {
    height: rows.length * ROW_PIXELS + 130,
    label: `${page.name(state.value)} by ${state.rows} and ${state.columns}`,
    columns: [
      { name: page.dimensions.get(state.rows).label },
      { name: page.dimensions.get(state.columns).label },
      page.column(state.value),
      { name: "Runs", numeric: true },
    ],
    rows: cells.map((cell) => ({
      cells: [cell.row, cell.column, cell.value, cell.count],
      run: cell.run,
    })),
    option: (colours, width) => ({
      ...base(colours, false),
      tooltip: {
        ...base(colours).tooltip,
        formatter: ({ dataIndex }) => {
          const cell = cells[dataIndex];
          return tip(`${cell.row}, ${cell.column}`, [
            [
              page.name(state.value),
              quantity(cell.value, unit) + (unit === "ratio" || unit === "times" ? "" : " " + unit),
            ],
            ["runs", String(cell.count)],
          ]);
        },
      },
      grid: { left: 8, right: 16, top: 8, bottom: 56, containLabel: true },
      xAxis: nameAxis(colours, columns, {
        axisLabel: {
          interval: 0,
          rotate: columns.length * 70 > width - 140 ? 50 : 0,
          width: 110,
          overflow: "truncate",
        },
        splitArea: { show: false },
      }),
      yAxis: nameAxis(colours, rows, {
        inverse: true,
        axisLabel: { interval: 0, width: 130, overflow: "truncate" },
      }),
      visualMap: {
        type: "continuous",
        min,
        max: max > min ? max : min + 1,
        dimension: 2,
        orient: "horizontal",
        left: "center",
        bottom: 0,
        itemHeight: 160,
        itemWidth: 12,
        calculable: false,
        text: [
          diverges ? short(2 ** max, unit) + " ×" : short(max, unit),
          diverges ? short(2 ** min, unit) + " ×" : short(min, unit),
        ],
        textStyle: { color: colours.text },
        inRange: { color: [colours.low, colours.middle, colours.high] },
      },
      series: [
        {
          type: "heatmap",
          itemStyle: { borderColor: colours.surface, borderWidth: 1 },
          data: cells.map((cell) => ({
            value: [columns.indexOf(cell.column), rows.indexOf(cell.row), scaled(cell.value)],
            run: cell.run,
          })),
          label: {
            show: labelled(width),
            fontSize: 11,
            color: "#111",
            formatter: ({ dataIndex }) =>
              diverges ? cells[dataIndex].value.toFixed(2) : short(cells[dataIndex].value, unit),
          },
        },
      ],
    }),
  };
}
