// Time series of a run: a chart per panel, with the starts of the launches.
import { base, figure, tip, valueAxis } from "./charts.js";
import { element } from "./dom.js";
import { number, percent } from "./format.js";

const PIXELS = 230;
const LINES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];
const MOST_NAMED_LAUNCHES = 6;

export function seriesCharts(page, series) {
  if (!series) return null;
  return element(
    "div",
    { class: "pair" },
    series.panels.map((panel) => figure(panel.title, () => panelOf(page, series, panel))),
  );
}

function panelOf(page, series, panel) {
  const colours = panel.curves.map(
    (curve, i) =>
      page.slots.find((slot) => slot.label === curve.name)?.colour ?? LINES[i % LINES.length],
  );
  const shown = (value) => (panel.percent ? percent(value) : number(value));
  const named = panel.curves.length > 1;
  const launches = series.launches.length <= MOST_NAMED_LAUNCHES ? series.launches : [];
  return {
    height: PIXELS,
    label: `${panel.title} over time`,
    columns: [
      { name: "From cycle", numeric: true },
      ...panel.curves.map((curve) => ({
        name: curve.name || panel.title,
        numeric: true,
        unit: panel.percent ? "ratio" : "",
      })),
    ],
    rows: series.from.map((from, point) => ({
      cells: [from, ...panel.curves.map((curve) => curve.values[point])],
    })),
    option: (theme) => ({
      ...base(theme, named),
      tooltip: {
        ...base(theme).tooltip,
        trigger: "axis",
        formatter: ([first]) =>
          tip(
            "cycle " + number(series.from[first.dataIndex]),
            panel.curves.map((curve, i) => [
              curve.name || panel.title,
              shown(curve.values[first.dataIndex]),
              colours[i],
            ]),
          ),
      },
      grid: { left: 8, right: 20, top: named ? 34 : 24, bottom: 30, containLabel: true },
      xAxis: valueAxis(theme, "core cycles", "cycles", {
        nameGap: 26,
        max: "dataMax",
        min: "dataMin",
        splitLine: { show: false },
      }),
      yAxis: valueAxis(theme, "", panel.percent ? "ratio" : "", {
        min: 0,
        max: panel.stack && panel.percent ? 1 : undefined,
      }),
      series: panel.curves.map((curve, i) => ({
        type: "line",
        name: curve.name,
        color: colours[i],
        symbol: "none",
        lineStyle: { width: panel.stack ? 0 : 1.5 },
        stack: panel.stack ? "all" : undefined,
        areaStyle: panel.stack ? { opacity: 0.9 } : undefined,
        data: curve.values.map((value, point) => [series.from[point], value]),
        markLine: i
          ? undefined
          : {
              silent: true,
              symbol: "none",
              lineStyle: { color: theme.faint, type: "dotted", width: 1 },
              label: {
                formatter: ({ name }) => name,
                color: theme.faint,
                fontSize: 10,
                position: "end",
                distance: 3,
                align: "left",
                rotate: 0,
                show: !named,
              },
              data: launches.map(({ point, kernel }) => ({
                name: kernel,
                xAxis: series.from[point],
              })),
            },
      })),
    }),
  };
}
