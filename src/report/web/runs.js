// The table of runs: sorts, filters, opens a run, and saves what it shows as CSV.
import { choice, element, save } from "./dom.js";
import { number } from "./format.js";
import { parseQuery } from "./query.js";
import { table } from "./table.js";

const FIRST_STATISTICS = [
  "cycles",
  "speed_up",
  "ipc",
  "rates.l1d_hits",
  "rates.l2_hits",
  "rates.dram_row_hits",
  "slot_shares.scoreboard",
  "slot_shares.pipeline",
];

export function runsSection(view) {
  const { page } = view;
  const state = {
    text: "",
    statistics: FIRST_STATISTICS.filter(
      (key) => page.statistics.has(key) && (key !== "speed_up" || page.severalPolicies()),
    ),
  };
  const varying = page.varying(page.all());
  const dimensions = varying.length ? varying : [page.dimensions.get("policy")];
  const hasProblems = Object.keys(page.problems).length > 0;
  const columnsOf = () => [
    ...dimensions.map((one) => ({ name: one.label })),
    ...state.statistics.map((key) => ({
      ...page.column(key),
      show: (_, row) => page.textOf(key, row.run),
    })),
    ...(hasProblems ? [{ name: "Problem" }] : []),
  ];
  const rowOf = (run) => ({
    run,
    class: page.problemOf(run) ? "failed" : "",
    cells: [
      ...dimensions.map((one) => one.values[one.of[run]]),
      ...state.statistics.map((key) => page.value(key, run)),
      ...(hasProblems ? [page.problemOf(run) || ""] : []),
    ],
  });
  const count = element("span", { class: "count", "aria-live": "polite" });
  const problem = element("span", { class: "problem", role: "status" });
  const runs = table({ columns: columnsOf(), rows: [], open: view.openRun, label: "runs" });
  const update = () => {
    const query = parseQuery(state.text, page);
    problem.textContent = query.problem;
    const kept = view.runs().filter(query.keeps);
    count.textContent = `${number(kept.length)} of ${number(page.count)} runs`;
    runs.update(kept.map(rowOf), columnsOf());
  };
  const input = element("input", {
    type: "search",
    id: "run-filter",
    placeholder: "such as kmeans gto ipc>50",
    oninput: () => {
      state.text = input.value;
      update();
    },
  });
  const adder = choice(
    "Add or remove a column",
    [["", "…"], ...page.statisticChoices()],
    "",
    (key) => {
      if (!key) return;
      state.statistics = state.statistics.includes(key)
        ? state.statistics.filter((one) => one !== key)
        : [...state.statistics, key];
      adder.querySelector("select").value = "";
      update();
    },
  );
  const csv = element(
    "button",
    { type: "button", onclick: () => save("runs.csv", csvOf(columnsOf(), runs.shown())) },
    "Save as CSV",
  );
  update();
  return {
    id: "runs",
    title: "Runs",
    update,
    filterBy: (text) => {
      state.text = input.value = text;
      update();
    },
    made: [
      element(
        "p",
        { class: "controls" },
        element("label", { class: "choice" }, "Filter ", input),
        adder,
        csv,
        count,
        problem,
      ),
      runs,
    ],
  };
}

export function csvOf(columns, rows) {
  const quoted = (value) => {
    const text = value === null || value === undefined || Number.isNaN(value) ? "" : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return (
    [columns.map((column) => column.name), ...rows.map((row) => row.cells)]
      .map((cells) => cells.map(quoted).join(","))
      .join("\n") + "\n"
  );
}
