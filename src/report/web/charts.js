// Charts by ECharts, in the colours of the page. A chart is drawn when it comes near the screen,
// and again when the theme or its data change.
import { BarChart, CustomChart, HeatmapChart, LineChart, ScatterChart } from "echarts/charts";
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
} from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { element } from "./dom.js";
import { short } from "./format.js";
import { table } from "./table.js";

use([
  BarChart,
  CustomChart,
  HeatmapChart,
  LineChart,
  ScatterChart,
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
  CanvasRenderer,
]);

const charts = new Set();
// Marks of an axis may differ in a late digit: 1.005 and 1.01.
const AXIS_DIGITS = 5;
const PIXELS_BEFORE_SCREEN = "400px";
const PAPER_PIXEL_RATIO = 2;

// Colours of the theme, from the style sheet.
function themeColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue("--" + name).trim();
  return {
    text: colour("text"),
    faint: colour("faint"),
    line: colour("line"),
    surface: colour("surface"),
    low: colour("low"),
    middle: colour("middle"),
    high: colour("high"),
  };
}

// A figure with a caption, a chart, and its data as a table for the keyboard and screen readers.
// describe(): { option, height, label, columns, rows } of the present data; null: nothing to draw.
// open(run): called for a point that belongs to a run (data items with a field `run`).
export function figure(caption, describe, open) {
  const canvas = element("div", { class: "chart", role: "img", tabindex: "-1" });
  const note = element("p", { class: "empty", hidden: true });
  const data = element(
    "details",
    { class: "chart-data" },
    element("summary", {}, "Data of this chart"),
  );
  const made = element(
    "figure",
    {},
    caption ? element("figcaption", {}, caption) : null,
    note,
    canvas,
    data,
  );
  const chart = { made, canvas, describe, open, drawn: null, visible: false, stale: true };
  data.addEventListener("toggle", () => showData(chart, data));
  chart.update = () => {
    chart.stale = true;
    chart.described = describe();
    const empty = !chart.described || chart.described.empty;
    note.hidden = !empty;
    note.textContent = chart.described?.empty || "No run of the selection has these values.";
    canvas.hidden = data.hidden = empty;
    if (empty) return;
    canvas.style.height = chart.described.height + "px";
    canvas.setAttribute("aria-label", chart.described.label || caption);
    data.hidden = !chart.described.rows;
    if (data.open) showData(chart, data);
    if (chart.visible) draw(chart);
  };
  charts.add(chart);
  observer.observe(made);
  chart.update();
  made.update = chart.update;
  return made;
}

function showData(chart, data) {
  data.querySelector(".table")?.remove();
  if (data.open && chart.described?.rows)
    data.append(
      table({
        columns: chart.described.columns,
        rows: chart.described.rows,
        open: chart.open,
        pageSize: 25,
      }),
    );
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      const chart = [...charts].find((one) => one.made === entry.target);
      if (!chart) continue;
      chart.visible = entry.isIntersecting;
      if (chart.visible && chart.stale) draw(chart);
    }
  },
  { rootMargin: PIXELS_BEFORE_SCREEN },
);

function draw(chart) {
  if (!chart.described || chart.described.empty || !chart.canvas.isConnected) return;
  if (!chart.drawn) {
    chart.drawn = init(chart.canvas, null, { renderer: "canvas" });
    chart.drawn.on("click", (event) => {
      const run = event.data?.run ?? event.value?.run;
      if (run !== undefined && chart.open) chart.open(run);
    });
  }
  chart.stale = false;
  chart.drawn.resize();
  chart.drawn.setOption(chart.described.option(themeColours(), chart.canvas.clientWidth), {
    notMerge: true,
  });
}

// Charts outside the page take no memory.
export function forgetCharts(container) {
  for (const chart of charts)
    if (container.contains(chart.made)) {
      observer.unobserve(chart.made);
      chart.drawn?.dispose();
      charts.delete(chart);
    }
}

function drawVisible() {
  for (const chart of charts) {
    chart.stale = true;
    if (chart.visible) draw(chart);
  }
}

// Paper gets a picture of each chart: browsers print the drawing commands of a canvas, and lose the
// cells and names of a heat map.
function drawOnPaper() {
  for (const chart of charts) {
    draw(chart);
    if (!chart.drawn) continue;
    const drawn = chart.drawn.renderToCanvas({ pixelRatio: PAPER_PIXEL_RATIO });
    const paper = element("canvas", { class: "paper", width: drawn.width, height: drawn.height });
    paper.getContext("2d").drawImage(drawn, 0, 0);
    paper.style.width = chart.canvas.clientWidth + "px";
    chart.canvas.after(paper);
  }
}

function removePaper() {
  for (const chart of charts) chart.made.querySelector(".paper")?.remove();
}

let waiting = 0;
window.addEventListener("resize", () => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(drawVisible);
});
document.addEventListener("theme", drawVisible);
document.addEventListener("paper", drawOnPaper);
window.addEventListener("afterprint", removePaper);

// What all charts share. unit: of the value axis.
export function base(colours, legend) {
  return {
    animation: false,
    aria: { enabled: true, decal: { show: false } },
    textStyle: {
      fontFamily: getComputedStyle(document.body).fontFamily,
      fontSize: 12,
      color: colours.text,
    },
    tooltip: {
      confine: true,
      backgroundColor: colours.surface,
      borderColor: colours.line,
      textStyle: { color: colours.text, fontSize: 13 },
      extraCssText: "max-width: 26rem; white-space: normal",
    },
    legend: legend && {
      type: "scroll",
      top: 0,
      left: 0,
      right: 0,
      itemWidth: 14,
      itemHeight: 10,
      icon: "roundRect",
      textStyle: { color: colours.text },
      pageTextStyle: { color: colours.text },
      pageIconColor: colours.text,
      pageIconInactiveColor: colours.line,
    },
    grid: { left: 8, right: 16, top: legend ? 36 : 12, bottom: 8, containLabel: true },
  };
}

export function valueAxis(colours, name, unit, more = {}) {
  return {
    type: "value",
    name,
    nameLocation: "middle",
    nameGap: 34,
    nameTextStyle: { color: colours.faint },
    axisLabel: {
      color: colours.faint,
      hideOverlap: true,
      formatter: (value) => short(value, unit, AXIS_DIGITS),
    },
    axisLine: { show: false },
    splitLine: { lineStyle: { color: colours.line } },
    ...more,
  };
}

export function nameAxis(colours, names, more = {}) {
  return {
    type: "category",
    data: names,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colours.line } },
    axisLabel: { color: colours.text, hideOverlap: true, ...more.axisLabel },
    ...omit(more, "axisLabel"),
  };
}

function omit({ ...object }, name) {
  delete object[name];
  return object;
}

// Text inside a tooltip, which is HTML.
function escape(text) {
  return String(text).replace(
    /[&<>"]/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c],
  );
}

export function tip(title, lines) {
  const rows = lines.map(
    ([name, value, colour]) =>
      `<tr><td>${colour ? `<span class="swatch" style="background:${colour}"></span>` : ""}` +
      `${escape(name)}</td><td class="number">${escape(value)}</td></tr>`,
  );
  return `<strong>${escape(title)}</strong><table class="tip">${rows.join("")}</table>`;
}
