// Caches and DRAM: a row per policy or workload.
import { base, figure, nameAxis, tip, valueAxis } from "./charts.js";
import { choice, element } from "./dom.js";
import { quantity } from "./format.js";
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
  const rates = figure("Hit rates", () => barsOf(view, state, BARS, "ratio", false), view.openRun);
  const times = READ_TIME.some(([key]) => page.statistics.has(key))
    ? figure(
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
  const by =
    dimensions.length > 1
      ? element(
          "p",
          { class: "controls" },
          choice(
            "A row per",
            dimensions.map((one) => [one.key, one.label]),
            state.by,
            (key) => {
              state.by = key;
              update();
            },
          ),
        )
      : null;
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
      by,
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
    height: names.length * (stacked ? 26 : 14 * known.length + 14) + 96,
    columns: [
      { name: page.dimensions.get(state.by).label },
      ...known.map(([key, name]) => ({ name, numeric: true, unit, meaning: page.meaning(key) })),
    ],
    rows: names.map((name) => ({
      cells: [name, ...known.map(([key]) => valueOf(name, key))],
      run: groups.get(name).length === 1 ? groups.get(name)[0] : undefined,
    })),
    option: (colours) => ({
      ...base(colours, true),
      tooltip: {
        ...base(colours).tooltip,
        trigger: "axis",
        axisPointer: { type: "shadow" },
        formatter: ([{ dataIndex }]) =>
          tip(
            names[dataIndex],
            known.map(([key, name, colour]) => [
              name,
              quantity(valueOf(names[dataIndex], key), unit),
              colour,
            ]),
          ),
      },
      grid: { left: 8, right: 24, top: 36, bottom: 36, containLabel: true },
      xAxis: valueAxis(colours, stacked ? "core cycles" : "", unit, {
        min: 0,
        max: unit === "ratio" ? 1 : undefined,
      }),
      yAxis: nameAxis(colours, names, {
        inverse: true,
        axisLabel: { interval: 0, width: 120, overflow: "truncate" },
      }),
      series: known.map(([key, name, colour]) => ({
        type: "bar",
        name,
        stack: stacked ? "time" : undefined,
        barMaxWidth: stacked ? 18 : 10,
        color: colour,
        itemStyle: { borderColor: colours.surface, borderWidth: stacked ? 1 : 0 },
        data: names.map((one) => ({
          value: valueOf(one, key),
          run: groups.get(one).length === 1 ? groups.get(one)[0] : undefined,
        })),
      })),
    }),
  };
}
