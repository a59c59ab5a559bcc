// Panels of points (panel.js): values of one axis over those of the other. Each series has x beside
// values, and texts that name the points; one with `line` joins its points.
import { base, tip, valueAxis } from "./charts.js";
import { SYMBOLS } from "./colours.js";
import { quantity } from "./format.js";

const MANY_POINTS = 500; // from here on they are small

export const POINTS_PIXELS = 420;

const pointsIn = (panel) => panel.series.filter((one) => !one.line);

export function dataOfPoints(panel) {
  const column = ({ name, unit }) => ({ name, numeric: true, unit });
  return {
    columns: [{ name: "Run" }, column(panel.along), column(panel.values)],
    rows: pointsIn(panel).flatMap((one) =>
      one.values.map((value, i) => ({
        cells: [one.texts[i], one.x[i], value],
        run: one.runs[i],
      })),
    ),
  };
}

export function optionOfPoints(panel, colours) {
  const many = pointsIn(panel).reduce((sum, one) => sum + one.values.length, 0) >= MANY_POINTS;
  const common = base(colours, true);
  const axis = ({ title, unit, scale }, more = {}) =>
    valueAxis(colours, title, unit, {
      type: scale === "log10" ? "log" : "value",
      scale: true,
      ...more,
    });
  return {
    ...common,
    tooltip: {
      ...common.tooltip,
      formatter: ({ seriesIndex, dataIndex }) => {
        const one = panel.series[seriesIndex];
        return tip(one.texts[dataIndex], [
          [panel.along.name, quantity(one.x[dataIndex], panel.along.unit)],
          [panel.values.name, quantity(one.values[dataIndex], panel.values.unit)],
        ]);
      },
    },
    grid: { left: 44, right: 24, top: 40, bottom: 32, containLabel: true },
    xAxis: axis(panel.along),
    yAxis: axis(panel.values, { nameGap: 52 }),
    series: panel.series.map((one) => ({
      name: one.name,
      data: one.values.map((value, i) => ({ value: [one.x[i], value], run: one.runs?.[i] })),
      ...(one.line
        ? {
            type: "line",
            symbol: "none",
            silent: true,
            color: one.faint ? colours.faint : colours.text,
            lineStyle: { width: one.faint ? 1 : 1.5, type: one.line },
          }
        : {
            type: "scatter",
            color: one.colour,
            symbol: SYMBOLS[one.variant % SYMBOLS.length],
            symbolSize: many ? 6 : 10,
            itemStyle: { opacity: many ? 0.6 : 0.85 },
          }),
    })),
  };
}
