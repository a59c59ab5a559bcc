// Panels of charts (src/report/chart.h) by ECharts. Heddle writes panels into the page; sections
// make others from the runs that their reader selects. Those have more: series.runs (the run of
// each value), category.run, category.more ([name, text] for the tooltip), values.free (the axis
// need not start at 0), and the kinds "points" and "cells" beside columns, rows and lines.
import { dataOfCells, heightOfCells, optionOfCells } from "./cells.js";
import { base, figure, nameAxis, tip, valueAxis } from "./charts.js";
import { DASHES, SYMBOLS } from "./colours.js";
import { number, quantity, short } from "./format.js";
import { dataOfPoints, optionOfPoints, POINTS_PIXELS } from "./points.js";

const ROW_PIXELS = 26;
const BAR_PIXELS = 14;
const COLUMNS_PIXELS = 340;
const TIME_PIXELS = 230;
const TEXT_PIXELS = 36; // a text in a bar needs as much
const LETTER_PIXELS = 6.5;
const MARK_PIXELS = 3;
const CAP_PIXELS = 3; // half of a cap of an error bar
const MOST_NAMED_MARKS = 6;
const SAME_LINE = 0.01; // of the axis
const BAR_LAYOUT = { barGap: "0%", barCategoryGap: "26%", barMaxWidth: 36 };

// describe(): { panel, height, label } of the present data, or { empty }; null: nothing to draw.
export function panelFigure(caption, describe, open) {
  return figure(
    caption,
    () => {
      const described = describe();
      if (!described?.panel) return described;
      const { panel } = described;
      return {
        height: heightOf(panel),
        label: panel.title || caption || panel.values.name,
        ...dataOf(panel),
        ...described,
        option: (colours, width) => optionOf(panel, colours, width),
      };
    },
    open,
  );
}

// The figures of a chart that Heddle wrote into the page. Its title stands above only when the
// panels have none.
export function chartFigures(chart) {
  return chart.panels.map((panel) =>
    panelFigure(panel.title, () => ({ panel, label: panel.title || chart.title })),
  );
}

const isLine = (panel) => panel.kind === "lines" && !panel.stacked;
const barsOf = (panel) => panel.series.filter((one) => !one.level);
const hasLegend = (panel) => panel.series.length > 1 || Boolean(panel.published);
const textOf = (panel, series, i) =>
  series.values[i] === null || series.values[i] === undefined
    ? "not measured"
    : (series.texts?.[i] ??
      quantity(series.values[i], panel.values.unit) +
        (Number.isFinite(series.bars?.[i])
          ? ` ± ${quantity(series.bars[i], panel.values.unit)}`
          : ""));

function heightOf(panel) {
  if (panel.kind === "cells") return heightOfCells(panel);
  if (panel.kind === "points") return POINTS_PIXELS;
  const legend = hasLegend(panel) ? 36 : 8;
  if (panel.kind === "rows")
    return (
      panel.categories.length *
        (panel.stacked
          ? ROW_PIXELS
          : Math.max(ROW_PIXELS, BAR_PIXELS * (panel.series.length + 1))) +
      legend +
      (panel.values.name ? 48 : 30)
    );
  return panel.categories ? COLUMNS_PIXELS : TIME_PIXELS;
}

// The numbers as a table.
function dataOf(panel) {
  if (panel.kind === "cells") return dataOfCells(panel);
  if (panel.kind === "points") return dataOfPoints(panel);
  const unit = panel.values.unit;
  const columns = panel.series.flatMap((one) => [
    { name: one.name || panel.values.name || panel.title, numeric: true, unit },
    ...(one.published ? [{ name: `${one.name}, ${panel.published}`, numeric: true, unit }] : []),
  ]);
  const values = (i) =>
    panel.series.flatMap((one) => [one.values[i], ...(one.published ? [one.published[i]] : [])]);
  if (panel.categories)
    return {
      columns: [{ name: panel.along?.name ?? "" }, ...columns],
      rows: panel.categories.map((one, i) => ({ cells: [one.name, ...values(i)], run: one.run })),
    };
  const from = { name: "From cycle", numeric: true };
  if (panel.x)
    return {
      columns: [from, ...columns],
      rows: panel.x.slice(0, -1).map((start, i) => ({ cells: [start, ...values(i)] })),
    };
  return {
    columns: [{ name: "Line" }, from, { name: panel.title, numeric: true, unit }],
    rows: panel.series.flatMap((one) =>
      one.values.map((value, i) => ({ cells: [one.name, one.x[i], value], run: one.runs?.[i] })),
    ),
  };
}

// Values as they lie on the axis, and back. A logarithmic axis is a linear one of logarithms. On
// axes that are free of zero bars start at the baseline.
function scaleOf(panel) {
  const power = { log2: 2, log10: 10 }[panel.values.scale];
  const origin = panel.baseline ?? 1;
  if (panel.values.scale === "from baseline")
    return { to: (value) => value - origin, from: (place) => place + origin, isFree: true };
  if (!power) return { to: (value) => value, from: (place) => place, isFree: false };
  return {
    to: (value) => (value > 0 ? Math.log(value / origin) / Math.log(power) : null),
    from: (place) => origin * power ** place,
    isFree: true,
    isLog: true,
  };
}

// Lines that lie on an earlier one get other dashes, so that both are seen (part_equal_lines() of
// chart.cc).
function partEqualLines(panel) {
  const all = panel.series.flatMap((one) => one.values.filter(Number.isFinite));
  const room = SAME_LINE * Math.max(...all.map(Math.abs), 1e-12);
  const liesOn = (a, b) =>
    a.values.every((value, i) => {
      const other = a.x ? valueAt(b, (a.x[i] + a.x[i + 1]) / 2) : b.values[i];
      return Number.isFinite(value) === Number.isFinite(other) && !(Math.abs(value - other) > room);
    });
  const variants = [];
  panel.series.forEach((one, i) => {
    const before = panel.series.slice(0, i).findLastIndex((other) => liesOn(one, other));
    variants.push(before < 0 ? (one.variant ?? 0) : variants[before] + 1);
  });
  return variants;
}

const valueAt = ({ x, values }, at) =>
  values[
    Math.min(
      values.length - 1,
      Math.max(
        0,
        x.findLastIndex((from) => from <= at),
      ),
    )
  ];

function optionOf(panel, colours, width) {
  const scale = scaleOf(panel);
  if (panel.kind === "cells") return optionOfCells(panel, scale, colours, width);
  if (panel.kind === "points") return optionOfPoints(panel, colours);
  const legend = hasLegend(panel);
  const common = base(colours, legend);
  if (legend && isLine(panel))
    Object.assign(common.legend, {
      icon: undefined,
      itemWidth: 30,
      itemHeight: panel.categories ? 10 : 0,
    });
  const sideways = panel.kind === "rows";
  const names = panel.categories?.map((one) => one.name);
  const values = valueAxis(
    colours,
    sideways || panel.values.name !== panel.title ? (panel.values.name ?? "") : "",
    panel.values.unit,
    {
      min: scale.isFree || panel.values.free ? undefined : 0,
      max: panel.values.most,
      scale: Boolean(panel.values.free),
      minInterval: scale.isLog ? 1 : undefined,
      nameGap: sideways ? 26 : 44,
      axisLabel: {
        color: colours.faint,
        hideOverlap: true,
        formatter: (place) => short(scale.from(place), panel.values.unit, 5),
      },
    },
  );
  const along = !names
    ? timeAxis(colours, panel)
    : sideways
      ? nameAxis(colours, names, {
          inverse: true,
          axisLabel: { interval: 0, width: Math.min(150, width * 0.34), overflow: "truncate" },
        })
      : nameAxis(colours, names, {
          ...(panel.along?.name && {
            name: panel.along.name,
            nameLocation: "middle",
            nameGap: 30,
            nameTextStyle: { color: colours.faint },
          }),
          axisLabel: labelsIn(names, width),
        });
  return {
    ...common,
    grid: {
      left: !sideways && values.name ? 26 : 8,
      right: sideways && !panel.stacked ? 76 : 24,
      top: (legend ? 36 : 10) + (namedMarks(panel).length ? 14 : 0),
      bottom: sideways ? (values.name ? 34 : 20) : panel.along?.name ? 30 : 8,
      containLabel: true,
    },
    tooltip: { ...common.tooltip, trigger: "axis", ...tooltipOf(panel) },
    xAxis: sideways ? values : along,
    yAxis: sideways ? along : values,
    series: [
      ...(panel.kind === "lines"
        ? isLine(panel)
          ? linesOf(panel, scale)
          : areasOf(panel)
        : barsOf(panel).map((one) => barOf(panel, one, scale, colours, width))
      ).map((one, i) => (i ? one : { ...one, markLine: markLineOf(panel, scale, colours) })),
      ...rulersOf(panel, scale, colours),
    ],
  };
}

function timeAxis(colours, panel) {
  const ends = panel.x ?? panel.series.flatMap((one) => [one.x[0], one.x.at(-1)]);
  return valueAxis(colours, panel.along?.name ?? "", panel.along?.unit, {
    nameGap: 24,
    min: Math.min(...ends),
    max: Math.max(...ends),
    splitLine: { show: false },
    // The ends are no round numbers.
    axisLabel: {
      color: colours.faint,
      hideOverlap: true,
      showMinLabel: Math.min(...ends) === 0,
      showMaxLabel: false,
      formatter: (value) => short(value, "", 5),
    },
  });
}

function tooltipOf(panel) {
  const line = (one, i, colour = one.colour) => [
    one.name || panel.values.name || panel.title,
    textOf(panel, one, i) +
      (Number.isFinite(one.published?.[i])
        ? ` (${panel.published} ${quantity(one.published[i], panel.values.unit)})`
        : ""),
    colour,
  ];
  if (panel.categories)
    return {
      axisPointer: { type: panel.kind === "lines" ? "line" : "shadow" },
      formatter: ([{ dataIndex }]) => {
        const category = panel.categories[dataIndex];
        return tip(category.name, [
          ...panel.series.map((one) => line(one, dataIndex, category.colour ?? one.colour)),
          ...(category.more ?? []),
        ]);
      },
    };
  return {
    formatter: (points) => {
      // Two points of a line stand for an interval.
      const places = new Map(
        points.map((one) => [one.seriesIndex, one.dataIndex >> (panel.stacked ? 0 : 1)]),
      );
      const [first, at] = places.entries().next().value;
      const start = (panel.series[first].x ?? panel.x)[at];
      return tip(
        "from cycle " + number(start),
        panel.series.flatMap((one, s) => (places.has(s) ? [line(one, places.get(s))] : [])),
      );
    },
  };
}

function barOf(panel, one, scale, colours, width) {
  const sideways = panel.kind === "rows";
  const most = Math.max(
    panel.values.most ?? 0,
    ...panel.categories.map((_, i) =>
      panel.series.reduce((sum, other) => sum + (other.values[i] ?? 0), 0),
    ),
  );
  return {
    type: "bar",
    name: one.name,
    color: one.colour,
    ...BAR_LAYOUT,
    barMaxWidth: sideways ? 18 : BAR_LAYOUT.barMaxWidth,
    stack: panel.stacked ? "all" : undefined,
    itemStyle: panel.stacked
      ? { borderColor: colours.surface, borderWidth: 1 }
      : { borderRadius: 2 },
    data: one.values.map((value, i) => ({
      value: value === null || value === undefined ? null : scale.to(value),
      run: one.runs?.[i] ?? panel.categories[i].run,
      ...(panel.categories[i].colour && {
        itemStyle: { color: panel.categories[i].colour, borderRadius: 2 },
      }),
    })),
    label: {
      show: sideways,
      color: panel.stacked ? (one.ink ?? "#111") : colours.text,
      fontSize: 11,
      position: panel.stacked ? "inside" : "right",
      formatter: ({ dataIndex }) => {
        if (Number.isFinite(one.bars?.[dataIndex])) return "";
        const fits = (one.values[dataIndex] / most) * (width - 150) >= TEXT_PIXELS;
        return !panel.stacked || fits ? textOf(panel, one, dataIndex) : "";
      },
    },
  };
}

// Rectangles: the areas of ECharts omit points that are nearer than a pixel, and the background
// shows between them.
function areasOf(panel) {
  const below = new Array(panel.x.length - 1).fill(0);
  return panel.series.map((one) => ({
    type: "custom",
    name: one.name,
    color: one.colour,
    encode: { x: [0, 1], y: [2, 3] },
    data: below.map((from, i) => {
      below[i] += one.values[i] ?? 0;
      return [panel.x[i], panel.x[i + 1], from, below[i]];
    }),
    renderItem: (_, api) => {
      // On whole pixels there are no seams.
      const [left, bottom] = api.coord([api.value(0), api.value(2)]).map(Math.round);
      const [right, top] = api.coord([api.value(1), api.value(3)]).map(Math.round);
      return {
        type: "rect",
        shape: { x: left, y: top, width: right - left, height: bottom - top },
        style: { fill: one.colour },
      };
    },
  }));
}

function linesOf(panel, scale) {
  const variants = partEqualLines(panel);
  return panel.series.map((one, s) => {
    const x = one.x ?? panel.x;
    // A value holds from the start to the end of its interval.
    const points = one.values.flatMap((value, i) => {
      const run = one.runs?.[i];
      const place = Number.isFinite(value) ? scale.to(value) : null;
      return x
        ? [x[i], x[i + 1]].map((at) => ({ value: [at, place], run }))
        : [{ value: place, run }];
    });
    const variant = variants[s] % DASHES.length;
    return {
      type: "line",
      name: one.name,
      color: one.colour,
      symbol: x ? "none" : SYMBOLS[variant],
      symbolSize: 8,
      lineStyle: { width: x ? 1.5 : 2, type: DASHES[variant] },
      data: points,
    };
  });
}

const namedMarks = (panel) =>
  panel.categories || (panel.marks ?? []).length > MOST_NAMED_MARKS
    ? []
    : (panel.marks ?? []).filter((mark) => mark.name);

// The baseline, and the starts of launches.
function markLineOf(panel, scale, colours) {
  const sideways = panel.kind === "rows";
  const baseline = Number.isFinite(panel.baseline)
    ? [{ [sideways ? "xAxis" : "yAxis"]: scale.to(panel.baseline), name: "" }]
    : [];
  const marks = panel.categories
    ? []
    : (panel.marks ?? []).map((mark) => ({ xAxis: mark.at, name: mark.name }));
  if (!baseline.length && !marks.length) return undefined;
  return {
    silent: true,
    symbol: "none",
    animation: false,
    lineStyle: { color: colours.faint, type: baseline.length ? "dashed" : "dotted", width: 1 },
    label: {
      show: namedMarks(panel).length > 0,
      formatter: ({ name }) => name,
      color: colours.faint,
      fontSize: 10,
      position: "end",
      distance: 3,
      align: "left",
      rotate: 0,
    },
    data: [...baseline, ...marks],
  };
}

// Names stand upright while they fit.
function labelsIn(names, width) {
  const longest = Math.max(...names.map((name) => String(name).length)) * LETTER_PIXELS;
  const upright = longest <= (width - 60) / names.length;
  return {
    interval: upright || longest > 40 ? 0 : "auto",
    rotate: upright || longest <= 40 ? 0 : 55,
  };
}

// Lines across bars at published values, and across groups at the values of series of levels.
function rulersOf(panel, scale, colours) {
  const bars = barsOf(panel);
  const ruler = (name, colour, values, layout) => ({
    name,
    type: "custom",
    itemStyle: { color: colour },
    tooltip: { show: false },
    silent: true,
    z: 5,
    encode: panel.kind === "rows" ? { x: 1, y: 0 } : { x: 0, y: 1 },
    data: values,
    renderItem: (_, api) => {
      const sideways = panel.kind === "rows";
      const [x, y] = api.coord(
        sideways ? [api.value(1), api.value(0)] : [api.value(0), api.value(1)],
      );
      const { offset, breadth } = layout(api);
      const shape = sideways
        ? { x: x - MARK_PIXELS / 2, y: y + offset, width: MARK_PIXELS, height: breadth }
        : { x: x + offset, y: y - MARK_PIXELS / 2, width: breadth, height: MARK_PIXELS };
      return { type: "rect", shape, style: { fill: colour } };
    },
  });
  const inBar = (api) => {
    if (panel.kind === "lines") return { offset: -7, breadth: 14 };
    const count = panel.stacked ? 1 : bars.length;
    const bar = api.barLayout({ count, ...BAR_LAYOUT })[panel.stacked ? 0 : api.value(2)];
    return { offset: bar.offsetCenter - bar.width / 2, breadth: bar.width };
  };
  const acrossGroup = (api) => {
    const breadth = api.size([1, 0])[0];
    return { offset: -breadth / 2, breadth };
  };
  const present = (values, s) =>
    (values ?? []).flatMap((value, i) => (Number.isFinite(value) ? [[i, scale.to(value), s]] : []));
  const published = bars.flatMap((one, s) => present(one.published, s));
  const estimated = bars.flatMap((one, s) =>
    (one.bars ?? []).flatMap((bar, i) =>
      Number.isFinite(bar) && Number.isFinite(one.values[i])
        ? [[i, scale.to(Math.max(0, one.values[i] - bar)), s, scale.to(one.values[i] + bar)]]
        : [],
    ),
  );
  const sideways = panel.kind === "rows";
  // Error bars: a line with a cap at each end.
  const whiskers = {
    type: "custom",
    silent: true,
    tooltip: { show: false },
    z: 6,
    encode: sideways ? { x: [1, 3], y: 0 } : { x: 0, y: [1, 3] },
    data: estimated,
    renderItem: (_, api) => {
      const place = (value) => api.coord(sideways ? [value, api.value(0)] : [api.value(0), value]);
      const [from, to] = [place(api.value(1)), place(api.value(3))];
      const { offset, breadth } = inBar(api);
      const middle = offset + breadth / 2;
      const at = ([x, y]) => (sideways ? [x, y + middle] : [x + middle, y]);
      const line = ([x1, y1], [x2, y2]) => ({
        type: "line",
        shape: { x1, y1, x2, y2 },
        style: { stroke: colours.text, lineWidth: 1.5 },
      });
      const cap = ([x, y]) =>
        sideways
          ? line([x, y - CAP_PIXELS], [x, y + CAP_PIXELS])
          : line([x - CAP_PIXELS, y], [x + CAP_PIXELS, y]);
      const [start, end] = [at(from), at(to)];
      // Beside a row the text stands behind the error bar.
      const text = {
        type: "text",
        style: {
          text: textOf(panel, bars[api.value(2)], api.value(0)),
          x: end[0] + 2 * CAP_PIXELS,
          y: end[1],
          verticalAlign: "middle",
          fill: colours.text,
          fontSize: 11,
        },
      };
      return {
        type: "group",
        children: [line(start, end), cap(start), cap(end), ...(sideways ? [text] : [])],
      };
    },
  };
  // A mark before a category stands between it and the one before.
  const marks = panel.categories ? (panel.marks ?? []) : [];
  const borders = {
    type: "custom",
    silent: true,
    tooltip: { show: false },
    data: marks.map((mark) => [Math.max(0, mark.at - 1), 0]),
    renderItem: ({ coordSys, dataIndex }, api) => {
      const { at, name } = marks[dataIndex];
      const half = api.size([1, 0])[0] / 2;
      const x = api.coord([api.value(0), 0])[0] + (at > 0 ? half : -half);
      const { y, height } = coordSys;
      const right = x > coordSys.x + 0.6 * coordSys.width;
      return {
        type: "group",
        children: [
          {
            type: "line",
            shape: { x1: x, y1: y, x2: x, y2: y + height },
            style: { stroke: colours.faint, lineDash: [3, 3] },
          },
          {
            type: "text",
            style: {
              ...{ text: name, y, x: right ? x - 4 : x + 4, align: right ? "right" : "left" },
              ...{ fill: colours.faint, fontSize: 10 },
            },
          },
        ],
      };
    },
  };
  return [
    ...(marks.length ? [borders] : []),
    ...(estimated.length ? [whiskers] : []),
    ...(published.length ? [ruler(panel.published, colours.text, published, inBar)] : []),
    ...panel.series
      .filter((one) => one.level)
      .map((one) => ruler(one.name, one.colour, present(one.values, 0), acrossGroup)),
  ];
}
