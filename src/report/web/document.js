// A page of sentences, pictures and tables (src/report/document.h): a paper, or a survey.
import { base, figure, nameAxis, tip, valueAxis } from "./charts.js";
import { element } from "./dom.js";
import { number } from "./format.js";
import { table } from "./table.js";
import { themeButton } from "./theme.js";

// Those of the SVG pictures (src/report/grouped_bars.cc), for colour-blind readers, too.
const COLOURS = [
  "#0072b2",
  "#e69f00",
  "#009e73",
  "#cc79a7",
  "#56b4e9",
  "#d55e00",
  "#d6c72c",
  "#6b6b6b",
  "#969696",
  "#c4c4c4",
];
const PAGE_SIZE = 100;
const MARK_PIXELS = 3;
const PIXELS_OF_LETTER = 6.5;
const VERDICTS = {
  holds: "verdict-holds",
  "does not hold": "verdict-fails",
  "holds in direction": "verdict-direction",
};

// Text with `code` and *emphasis*; [words](address) keep their words.
function prose(text) {
  return text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .split(/(`[^`]+`|\*[^*\s][^*]*\*)/)
    .map((part) => {
      if (part.length > 2 && part.startsWith("`")) return element("code", {}, part.slice(1, -1));
      if (part.length > 2 && part.startsWith("*")) return element("em", {}, part.slice(1, -1));
      return part;
    });
}

export function documentView(data) {
  const sections = data.sections.map((section, place) => sectionOf(section, "part-" + place));
  return [
    element("a", { class: "skip", href: "#main" }, "Skip to the results"),
    element(
      "header",
      { class: "head" },
      element("div", { class: "title" }, element("h1", {}, data.title), themeButton()),
      data.subtitle ? element("p", { class: "subtitle" }, prose(data.subtitle)) : null,
      data.paragraphs.map((text) => element("p", { class: "finding" }, prose(text))),
    ),
    element(
      "div",
      { class: "bar" },
      element(
        "nav",
        { class: "contents", "aria-label": "sections" },
        data.sections.map((section, place) =>
          section.depth > 2
            ? null
            : element("a", { href: "#part-" + place }, section.title.replace(/:.*/, "")),
        ),
      ),
    ),
    element("main", { id: "main" }, sections),
    element(
      "footer",
      {},
      `Made by Heddle ${data.heddle}. This page is one file and uses no network.`,
    ),
  ];
}

function sectionOf(section, id) {
  return element(
    "section",
    { id, class: "part" },
    element(section.depth > 2 ? "h3" : "h2", {}, section.title),
    section.paragraphs.map((text) => element("p", { class: "finding" }, prose(text))),
    section.chart ? chartOf(section.chart, section.title) : null,
    section.tables.flatMap((one) => [
      one.caption ? element("p", { class: "note" }, prose(one.caption)) : null,
      tableOf(one, section.title),
    ]),
    section.notes.length
      ? element(
          "ul",
          { class: "notes" },
          section.notes.map((text) => element("li", {}, prose(text))),
        )
      : null,
  );
}

function tableOf(one, title) {
  return table({
    columns: one.columns.map((column) => ({
      name: column.name,
      numeric: column.numeric,
      show: (value) => (value ? prose(value) : ""),
      mark: (value) => VERDICTS[value] || "",
    })),
    rows: one.rows.map((cells) => ({ cells })),
    pageSize: PAGE_SIZE,
    label: one.caption || title,
  });
}

// Bars in groups, and marks at reference values.
function chartOf(chart, title) {
  const names = chart.groups.map((group) => group.name);
  const marked = chart.reference !== "";
  const shown = (value) => (value === null ? "not measured" : number(value));
  return figure(chart.title, () => ({
    height: 340,
    label: `${title}: ${chart.axis}. ${names.length} groups of ${chart.series.length} bars.`,
    columns: [
      { name: "" },
      ...chart.series.flatMap((name) => [
        { name, numeric: true },
        ...(marked ? [{ name: `${name}, ${chart.reference}`, numeric: true }] : []),
      ]),
    ],
    rows: chart.groups.map((group) => ({
      cells: [
        group.name,
        ...chart.series.flatMap((_, s) => [
          group.values[s],
          ...(marked ? [group.references[s]] : []),
        ]),
      ],
    })),
    option: (colours, width) => ({
      ...base(colours, chart.series.length > 1 || marked),
      grid: {
        left: 22,
        right: 16,
        top: chart.series.length > 1 || marked ? 40 : 16,
        bottom: 8,
        containLabel: true,
      },
      tooltip: {
        ...base(colours).tooltip,
        trigger: "axis",
        axisPointer: { type: "shadow" },
        formatter: ([{ dataIndex }]) => {
          const group = chart.groups[dataIndex];
          return tip(
            group.name,
            chart.series.map((name, s) => [
              name,
              shown(group.values[s]) +
                (group.references[s] === null
                  ? ""
                  : ` (${chart.reference} ${number(group.references[s])})`),
              COLOURS[s % COLOURS.length],
            ]),
          );
        },
      },
      xAxis: nameAxis(colours, names, { axisLabel: labelsIn(names, width) }),
      yAxis: valueAxis(colours, chart.axis, "times", { min: 0 }),
      series: [
        ...chart.series.map((name, s) => ({
          name,
          type: "bar",
          barGap: "0%",
          barCategoryGap: "26%",
          barMaxWidth: 36,
          itemStyle: { color: COLOURS[s % COLOURS.length] },
          data: chart.groups.map((group) => group.values[s]),
          markLine:
            s === 0 && chart.baseline !== null
              ? {
                  silent: true,
                  symbol: "none",
                  label: { show: false },
                  lineStyle: { color: colours.faint, type: "dashed", width: 1 },
                  data: [{ yAxis: chart.baseline }],
                }
              : undefined,
        })),
        ...(marked ? [marksOf(chart, colours)] : []),
      ],
    }),
  }));
}

// Names stand upright while they fit.
function labelsIn(names, width) {
  const longest = Math.max(...names.map((name) => name.length)) * PIXELS_OF_LETTER;
  return {
    interval: 0,
    hideOverlap: false,
    rotate: longest > (width - 60) / names.length ? 55 : 0,
  };
}

// A mark across the bar that has a reference value.
function marksOf(chart, colours) {
  const marks = chart.groups.flatMap((group, g) =>
    group.references.flatMap((value, s) => (value === null ? [] : [[g, value, s]])),
  );
  return {
    name: chart.reference,
    type: "custom",
    itemStyle: { color: colours.text },
    encode: { x: 0, y: 1 },
    z: 5,
    data: marks,
    renderItem: (_, api) => {
      const bar = api.barLayout({
        count: chart.series.length,
        barGap: "0%",
        barCategoryGap: "26%",
        barMaxWidth: 36,
      })[api.value(2)];
      const [centre, level] = api.coord([api.value(0), api.value(1)]);
      return {
        type: "rect",
        shape: {
          x: centre + bar.offsetCenter - bar.width / 2,
          y: level - MARK_PIXELS / 2,
          width: bar.width,
          height: MARK_PIXELS,
        },
        style: { fill: colours.text },
      };
    },
  };
}
