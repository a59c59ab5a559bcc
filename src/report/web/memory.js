// Caches and DRAM: a row per policy or workload.
import { choicesOf, controls, element } from "./dom.js";
import { panelFigure } from "./panel.js";
import { groupBy, mean } from "./statistics.js";
import { table } from "./table.js";

const FIGURES = [
  "rates.l1d_hits",
  "rates.l1d_pending_hits",
  "rates.l2_hits",
  "rates.l2_pending_hits",
  "rates.dram_row_hits",
  "rates.dram_bank_parallelism",
  "read_time.mean",
  "dram.reads",
  "dram.writes",
];
const BARS = [
  ["rates.l1d_hits", "L1 hits", "#0072b2"],
  ["rates.l2_hits", "L2 hits", "#e69f00"],
  ["rates.dram_row_hits", "DRAM row hits", "#009e73"],
];
const READ_TIME = [
  ["read_time.network_down", "to the L2", "#56b4e9"],
  ["read_time.l2", "in the L2", "#0072b2"],
  ["read_time.dram_queue", "DRAM queue", "#d55e00"],
  ["read_time.dram", "DRAM", "#e69f00"],
  ["read_time.network_up", "back to the SM", "#009e73"],
];
const MOST_GROUPS = 40;

export function memorySection(view) {
  const { page } = view;
  const figures = FIGURES.filter((key) => page.statistics.has(key));
  if (!figures.length) return null;
  const dimensions = page.varying(page.all());
  const state = {
    by:
      dimensions.some((one) => one.key === "policy") || !dimensions.length
        ? "policy"
        : dimensions[0].key,
  };
  const rates = panelFigure(
    "Hit rates",
    () => barsOf(view, state, BARS, "ratio", false),
    view.openRun,
  );
  const times = READ_TIME.some(([key]) => page.statistics.has(key))
    ? panelFigure(
        "Where a read beyond the L1 spends its time",
        () => barsOf(view, state, READ_TIME, "core cycles", true),
        view.openRun,
      )
    : null;
  const rowsOf = () => {
    const groups = groupBy(view.runs(), (run) => page.text(state.by, run));
    return page.valuesOf(state.by, view.runs()).map((name) => ({
      cells: [
        name,
        ...figures.map((key) => mean(groups.get(name).map((run) => page.value(key, run)))),
      ],
      run: groups.get(name).length === 1 ? groups.get(name)[0] : undefined,
    }));
  };
  const columnsOf = () => [
    { name: page.dimensions.get(state.by).label },
    ...figures.map((key) => page.column(key)),
  ];
  const numbers = table({
    columns: columnsOf(),
    rows: rowsOf(),
    open: view.openRun,
    label: "caches and DRAM",
  });
  const update = () => {
    numbers.update(rowsOf(), columnsOf());
    rates.update();
    times?.update();
  };
  return {
    id: "memory",
    title: "Caches and DRAM",
    update,
    made: [
      element(
        "p",
        { class: "note" },
        "Means over the runs of a row. A pending hit is no hit: " +
          "it waits for a line that another access has requested.",
      ),
      controls(state, update, dimensions.length > 1 && ["A row per", "by", choicesOf(dimensions)]),
      numbers,
      element("div", { class: "pair" }, rates, times),
    ],
  };
}

function barsOf(view, state, parts, unit, stacked) {
  const { page } = view;
  const known = parts.filter(([key]) => page.statistics.has(key));
  const measured = view
    .runs()
    .filter((run) => known.some(([key]) => Number.isFinite(page.value(key, run))));
  if (!measured.length) return null;
  const groups = groupBy(measured, (run) => page.text(state.by, run));
  const names = page.valuesOf(state.by, measured).slice(0, MOST_GROUPS);
  const valueOf = (name, key) => mean(groups.get(name).map((run) => page.value(key, run)));
  return {
    panel: {
      kind: "rows",
      stacked,
      along: { name: page.dimensions.get(state.by).label },
      values: { name: stacked ? unit : "", unit, most: unit === "ratio" ? 1 : undefined },
      categories: names.map((name) => ({
        name,
        run: groups.get(name).length === 1 ? groups.get(name)[0] : undefined,
      })),
      series: known.map(([key, name, colour]) => ({
        name,
        colour,
        values: names.map((one) => valueOf(one, key)),
      })),
    },
  };
}
