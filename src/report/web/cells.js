// Panels of cells (panel.js): a heat map with a row for each series and a column for each category.
// Series have counts beside values: of the runs of each cell.
import { base, nameAxis, tip } from "./charts.js";
import { quantity, short } from "./format.js";

const ROW_PIXELS = 24;
const MOST_LABELLED = 400;
const LEAST_LABELLED_PIXELS = 38;
const NAME_PIXELS = 140;
const LEAST_REACH = 0.05; // of the colours, in powers of two

export const heightOfCells = (panel) => panel.series.length * ROW_PIXELS + 130;

const cellsIn = (panel) =>
  panel.series.flatMap((one, row) =>
    panel.categories.flatMap((category, column) =>
      one.counts[column]
        ? [
            {
              ...{ row, column, rowName: one.name, columnName: category.name },
              ...{ value: one.values[column], run: one.runs[column], count: one.counts[column] },
            },
          ]
        : [],
    ),
  );

export function dataOfCells(panel) {
  return {
    columns: [
      { name: panel.across.name },
      { name: panel.along.name },
      { ...panel.values, numeric: true },
      { name: "Runs", numeric: true },
    ],
    rows: cellsIn(panel).map(({ rowName, columnName, value, count, run }) => ({
      cells: [rowName, columnName, value, count],
      run,
    })),
  };
}

// scale: that of the values. Colours of a logarithmic one are equally far from the middle for a
// value and its inverse.
export function optionOfCells(panel, scale, colours, width) {
  const { name, unit } = panel.values;
  const cells = cellsIn(panel);
  const places = cells.map((cell) => scale.to(cell.value)).filter(Number.isFinite);
  const reach = Math.max(LEAST_REACH, ...places.map(Math.abs));
  const [min, max] = scale.isLog ? [-reach, reach] : [Math.min(...places), Math.max(...places)];
  const end = (place) => short(scale.from(place), unit) + (scale.isLog ? " ×" : "");
  const columns = panel.categories.map((one) => one.name);
  const common = base(colours, false);
  return {
    ...common,
    tooltip: {
      ...common.tooltip,
      formatter: ({ dataIndex }) => {
        const cell = cells[dataIndex];
        return tip(`${cell.rowName}, ${cell.columnName}`, [
          [
            name,
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
        rotate: columns.length * 70 > width - NAME_PIXELS ? 50 : 0,
        width: 110,
        overflow: "truncate",
      },
      splitArea: { show: false },
    }),
    yAxis: nameAxis(
      colours,
      panel.series.map((one) => one.name),
      { inverse: true, axisLabel: { interval: 0, width: 130, overflow: "truncate" } },
    ),
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
      text: [end(max), end(min)],
      textStyle: { color: colours.text },
      inRange: { color: [colours.low, colours.middle, colours.high] },
    },
    series: [
      {
        type: "heatmap",
        itemStyle: { borderColor: colours.surface, borderWidth: 1 },
        data: cells.map((cell) => ({
          value: [cell.column, cell.row, scale.to(cell.value)],
          run: cell.run,
        })),
        label: {
          show:
            cells.length <= MOST_LABELLED &&
            (width - NAME_PIXELS) / columns.length > LEAST_LABELLED_PIXELS,
          fontSize: 11,
          color: "#111",
          formatter: ({ dataIndex }) =>
            scale.isLog ? cells[dataIndex].value.toFixed(2) : short(cells[dataIndex].value, unit),
        },
      },
    ],
  };
}
