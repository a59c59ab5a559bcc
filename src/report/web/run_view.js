// Everything about one run: figures, explanation, kernels, source lines, time series, statistics
// and configuration. The page of a single run and the drill-down of a study show the same.
import { checkbox, element } from "./dom.js";
import { change, percent, quantity, unitWords } from "./format.js";
import { chartFigures, panelFigure } from "./panel.js";
import { table } from "./table.js";

const TILES = [
  "cycles",
  "ipc",
  "speed_up",
  "rates.l1d_hits",
  "rates.l2_hits",
  "rates.dram_row_hits",
];
const KERNEL_FIGURES = {
  name: "Kernel",
  launches: "Launches",
  cycles: "Cycles",
  ipc: "IPC",
  l1d_hits: "L1 hits",
  l2_hits: "L2 hits",
  row_hits: "Row hits",
  issued: "Issued",
  lost: "Issue slots lost to",
};

export function runView(page, run, { single = false } = {}) {
  const details = page.detailsOf(run),
    problem = page.problemOf(run);
  const parts = [];
  const add = (title, ...made) => {
    if (made.some(Boolean))
      parts.push(
        element(
          "section",
          { class: single ? "part" : null },
          element(single ? "h2" : "h3", {}, title),
          made,
        ),
      );
  };
  if (problem)
    parts.push(element("p", { class: "problem" }, "This run has no results: " + problem));
  parts.push(tilesOf(page, run));
  const explanation = textOf(page, "explanation", run);
  if (!problem) add("Issue slots", slotsFigure(page, run));
  if (explanation) add("Explanation", element("pre", { tabindex: "0" }, explanation.trim()));
  add("Kernels", kernelsTable(page, kernelsOf(page, run)));
  add("Hottest source lines", linesTable(page, details.lines));
  const { over, other } = chartsOf(details);
  add("Over time", over.length && element("div", { class: "pair" }, over));
  add("The policy", other.length && element("div", { class: "pair" }, other));
  if (!problem) add("Statistics", ...statisticsTable(page, run, single));
  add("How it ran", factsTable(page, run));
  const configuration = textOf(page, "configuration", run);
  if (configuration)
    add(
      "Configuration",
      element(
        "details",
        {},
        element("summary", {}, "Every parameter of the GPU"),
        element("pre", { tabindex: "0" }, configuration),
      ),
    );
  return element("div", { class: "run-view" }, parts);
}

// Panels over time, and those of the policy: issue patterns and bars.
function chartsOf({ chart }) {
  const panels = chart?.panels ?? [];
  const figures = (chosen) => chartFigures({ ...chart, panels: panels.filter(chosen) });
  return {
    over: figures((panel) => Boolean(panel.x)),
    other: figures((panel) => !panel.x),
  };
}

export function textOf(page, key, run) {
  const text = page.texts.find((one) => one.key === key);
  return text && text.of[run] >= 0 ? text.values[text.of[run]] : "";
}

function tilesOf(page, run) {
  const tiles = TILES.filter(
    (key) =>
      Number.isFinite(page.value(key, run)) && (key !== "speed_up" || page.severalPolicies()),
  ).map((key) =>
    tile(
      page.name(key),
      page.textOf(key, run),
      key === "speed_up"
        ? "over " + page.baseline
        : key === "ipc"
          ? "instructions per cycle"
          : key === "cycles"
            ? "core cycles"
            : "of its accesses",
      page.meaning(key),
    ),
  );
  const lost = page.slots
    .filter((slot) => slot.key !== "issued")
    .map((slot) => [slot, page.value("slot_shares." + slot.key, run)])
    .filter(([, share]) => share > 0)
    .sort((a, b) => b[1] - a[1])[0];
  if (lost)
    tiles.push(
      tile(
        "Most slots lost to",
        lost[0].label,
        percent(lost[1]) + " of the issue slots",
        lost[0].phrase,
      ),
    );
  return element("div", { class: "tiles" }, tiles);
}

export function tile(name, value, note, meaning) {
  return element(
    "div",
    { class: "tile", title: meaning || null },
    element("span", { class: "tile-name" }, name),
    element("span", { class: "tile-value" }, value),
    element("span", { class: "tile-note" }, note || " "),
  );
}

function slotsFigure(page, run) {
  const slots = page.slots
    .map((slot) => ({ ...slot, share: page.value("slot_shares." + slot.key, run) }))
    .filter((slot) => slot.share > 0)
    .sort((a, b) => b.share - a.share);
  if (!slots.length) return null;
  return panelFigure("", () => ({
    label: "Issue slots by use",
    panel: {
      kind: "rows",
      values: { name: "", unit: "ratio", most: 1 },
      categories: slots.map((slot) => ({ name: slot.label, colour: slot.colour })),
      series: [{ name: "share", values: slots.map((slot) => slot.share) }],
    },
    columns: [
      { name: "Use" },
      { name: "Share", numeric: true, unit: "ratio" },
      { name: "Meaning" },
    ],
    rows: slots.map((slot) => ({ cells: [slot.label, slot.share, slot.phrase] })),
  }));
}

// Without details, the rows of kernels have these columns.
const SHORT_KERNELS = [
  { key: "name", unit: "text" },
  { key: "launches" },
  { key: "cycles" },
  { key: "ipc" },
];

export function kernelsOf(page, run) {
  const kernels = page.detailsOf(run).kernels;
  return Array.isArray(kernels) ? { columns: SHORT_KERNELS, rows: kernels } : kernels;
}

function kernelsTable(page, kernels) {
  if (!kernels?.rows.length) return null;
  return table({
    label: "kernels",
    pageSize: 20,
    columns: kernels.columns.map(({ key, unit, meaning }) => ({
      name: KERNEL_FIGURES[key] ?? key,
      numeric: unit !== "text",
      meaning,
      show: unit === "ratio" ? percent : undefined,
    })),
    rows: kernels.rows.map((cells) => ({ cells })),
  });
}

function linesTable(page, lines) {
  if (!lines?.length) return null;
  const slots = page.slots.filter((_, i) => lines.some((line) => line.slots[i] > 0));
  const several = new Set(lines.map((line) => line.kernel)).size > 1;
  const columns = [
    { name: "Line" },
    ...(several ? [{ name: "Kernel" }] : []),
    { name: "Code", show: (code) => element("code", { class: "cut", title: code }, code) },
    {
      name: "Slots",
      numeric: true,
      meaning: "share of the kernel's issue slots that the line uses and loses",
      show: percent,
    },
    { name: "Uses", show: (shares) => stackOf(page, shares) },
    ...slots
      .filter((slot) => slot.key !== "idle")
      .map((slot) => ({ name: slot.label, numeric: true, show: percent, meaning: slot.phrase })),
    { name: "Lanes", numeric: true, meaning: "active lanes per memory instruction" },
    {
      name: "Accesses",
      numeric: true,
      meaning: "accesses per memory instruction after coalescing",
    },
    {
      name: "L1 hits",
      numeric: true,
      show: percent,
      meaning: "hits and pending hits over accesses of the L1",
    },
  ];
  const rows = lines.map((line) => ({
    cells: [
      line.place,
      ...(several ? [line.kernel] : []),
      line.text,
      line.share,
      line.slots,
      ...slots
        .filter((slot) => slot.key !== "idle")
        .map((slot) => line.slots[page.slots.indexOf(slot)]),
      line.lanes ?? NaN,
      line.accesses ?? NaN,
      line.l1d_hits ?? NaN,
    ],
  }));
  return table({ columns, rows, pageSize: 12, label: "hottest source lines" });
}

// The slot uses of a line as one small stack.
function stackOf(page, shares) {
  const title = page.slots
    .map((slot, i) => [slot.label, shares[i]])
    .filter(([, share]) => share >= 0.0005)
    .map(([label, share]) => `${label} ${percent(share)}`)
    .join(", ");
  return element(
    "span",
    { class: "stack", title },
    page.slots.map((slot, i) =>
      shares[i] > 0
        ? element("span", { style: `width:${100 * shares[i]}%;background:${slot.colour}` })
        : null,
    ),
  );
}

function statisticsTable(page, run, single) {
  const baseline = single
    ? undefined
    : page
        .all()
        .find(
          (other) =>
            other !== run &&
            page.text("policy", other) === page.baseline &&
            page.caseOf(other) === page.caseOf(run),
        );
  const columns = [
    { name: "Statistic", show: (key) => element("code", {}, key) },
    { name: "Value", numeric: true, show: (value, row) => quantity(value, row.unit) },
    ...(baseline === undefined
      ? []
      : [
          { name: page.baseline, numeric: true, show: (value, row) => quantity(value, row.unit) },
          { name: "Change", numeric: true, show: (_, row) => change(row.cells[2], row.cells[1]) },
        ]),
    { name: "Unit" },
    { name: "Meaning" },
  ];
  const state = { words: "", zeros: false };
  const rowsOf = () => {
    const rows = [];
    for (const { key, unit, meaning } of page.statistics.values()) {
      if (key === "speed_up" && !page.severalPolicies()) continue;
      const value = page.value(key, run);
      if (!Number.isFinite(value) || (value === 0 && !state.zeros)) continue;
      if (state.words && !(key + " " + meaning).toLowerCase().includes(state.words)) continue;
      const before = baseline === undefined ? NaN : page.value(key, baseline);
      rows.push({
        unit,
        cells: [
          key,
          value,
          ...(baseline === undefined ? [] : [before, before ? value / before - 1 : NaN]),
          unitWords(unit),
          meaning,
        ],
      });
    }
    return rows;
  };
  const numbers = table({ columns, rows: rowsOf(), pageSize: 25, label: "statistics of the run" });
  const update = () => numbers.update(rowsOf());
  const filter = element("input", {
    type: "search",
    placeholder: "such as l1d",
    oninput: () => {
      state.words = filter.value.trim().toLowerCase();
      update();
    },
  });
  return [
    element(
      "p",
      { class: "controls" },
      element("label", { class: "choice" }, "Show statistics with ", filter),
      checkbox("and those that are 0", false, (on) => {
        state.zeros = on;
        update();
      }),
    ),
    numbers,
  ];
}

function factsTable(page, run) {
  const facts = page.run_facts
    .filter((fact) => fact.of[run] >= 0)
    .map((fact) => [fact.name, fact.values[fact.of[run]]]);
  return element(
    "table",
    { class: "facts" },
    element(
      "tbody",
      {},
      facts.map(([name, value]) =>
        element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)),
      ),
    ),
  );
}
