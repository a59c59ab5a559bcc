// Speed-ups over the baseline: a table by workload and policy, and the geometric means as bars.
import { lookOf } from "./colours.js";
import { winners } from "./data.js";
import { choice, element } from "./dom.js";
import { number, percent, speedUp } from "./format.js";
import { panelFigure } from "./panel.js";
import { geometricMean, groupBy } from "./statistics.js";
import { table } from "./table.js";

export function speedUpsSection(view) {
  const { page } = view;
  const policies = () => page.valuesOf("policy", view.runs());
  if (!page.severalPolicies()) return null;
  const single = page.varying(page.all()).every((one) => one.key === "policy");
  const bars = panelFigure(
    single ? "" : "Geometric mean of the speed-ups, by policy",
    () => barsOf(view),
    view.openRun,
  );
  const matrix = table({
    ...matrixOf(view, policies()),
    open: view.openRun,
    pageSize: 25,
    label: "speed-ups by workload and policy",
  });
  const legend = element("p", { class: "note" });
  const update = () => {
    const shown = matrixOf(view, policies());
    matrix.update(shown.rows, shown.columns, shown.footer);
    legend.textContent =
      `Cycles of ${page.baseline} over cycles of the policy; ` +
      "a cell with several runs has their geometric mean. " +
      "★ marks the fastest policy of a row, ☆ those within 1 % of it.";
    bars.update();
  };
  const baseline = choice(
    "Baseline",
    page.dimensions.get("policy").values.map((name) => [name, name]),
    page.baseline,
    (name) => view.setBaseline(name),
  );
  update();
  return {
    id: "speed-ups",
    title: "Speed-ups",
    update,
    made: [element("p", { class: "controls" }, baseline), bars, matrix, legend],
  };
}

// The means per policy, over the runs that have a speed-up.
function meansOf(view) {
  const { page } = view;
  const groups = groupBy(view.runs(), (run) => page.text("policy", run));
  return page.valuesOf("policy", view.runs()).map((policy) => {
    const runs = groups.get(policy).filter((run) => Number.isFinite(page.value("speed_up", run)));
    const values = runs.map((run) => page.value("speed_up", run));
    const mean = geometricMean(values);
    return {
      policy,
      mean,
      least: Math.min(...values),
      most: Math.max(...values),
      bar: barOfMean(page, runs) * mean || NaN,
      count: values.length,
      run: groups.get(policy).length === 1 ? groups.get(policy)[0] : undefined,
    };
  });
}

// Over the mean: the mean of the bars over their values, 0 for those that are no estimates.
const barOfMean = (page, runs) =>
  runs.reduce(
    (sum, run) => sum + (page.bar("speed_up", run) || 0) / page.value("speed_up", run),
    0,
  ) / runs.length;

function barsOf(view) {
  const { page } = view;
  const means = meansOf(view).filter((one) => Number.isFinite(one.mean));
  if (!means.length)
    return { empty: `No run of the selection has a run of ${page.baseline} to compare with.` };
  const { winner } = winners(means.map((one) => [one.policy, one.mean]));
  const single = means.every((one) => one.count === 1);
  return {
    label: `Bars of ${means.length} policies. The fastest is ${winner ?? means[0].policy}.`,
    panel: {
      kind: "rows",
      along: { name: "Policy" },
      values: { name: "speed-up over " + page.baseline, unit: "times" },
      baseline: 1,
      categories: means.map((one) => ({
        name: one.policy,
        colour: lookOf(page, one.policy).colour,
        run: one.run,
        more: single
          ? []
          : [
              ["least", speedUp(one.least)],
              ["most", speedUp(one.most)],
              ["runs", number(one.count)],
            ],
      })),
      series: [
        {
          name: "speed-up",
          values: means.map((one) => one.mean),
          bars: means.map((one) => one.bar),
          texts: means.map(
            (one) =>
              speedUp(one.mean) +
              (Number.isFinite(one.bar) ? " ± " + speedUp(one.bar) : "") +
              (one.policy === winner ? " ★" : ""),
          ),
        },
      ],
    },
  };
}

function matrixOf(view, policies) {
  const { page } = view,
    runs = view.runs();
  const severalGpus = page.dimensions.get("gpu").values.length > 1;
  const rowKeys = [["workload", "Workload"], ...(severalGpus ? [["gpu", "GPU"]] : [])];
  const groups = groupBy(runs, (run) => rowKeys.map(([key]) => page.text(key, run)).join("\n"));
  const policyRows = [
    ...policies.map((policy) => ({ name: policy, policies: [policy] })),
    ...page.best_rows
      .map((row) => ({
        ...row,
        policies: row.policies.filter((policy) => policies.includes(policy)),
      }))
      .filter((row) => row.policies.length > 1),
  ];
  const rows = [],
    wins = new Map(policies.map((policy) => [policy, 0]));
  for (const [key, members] of groups) {
    const byPolicy = groupBy(members, (run) => page.text("policy", run));
    const values = policies.map((policy) =>
      geometricMean((byPolicy.get(policy) || []).map((run) => page.value("speed_up", run))),
    );
    const { winner, level } = winners(policies.map((policy, i) => [policy, values[i]]));
    // The best of several policies never competes with them.
    for (const row of policyRows.slice(policies.length))
      values.push(bestOf(page, members, row.policies));
    if (winner) wins.set(winner, wins.get(winner) + 1);
    const failed = new Map(
      policies.map((policy) => [
        policy,
        (byPolicy.get(policy) || []).map((run) => page.problemOf(run)).find(Boolean),
      ]),
    );
    rows.push({ cells: [...key.split("\n"), ...values], winner, level, byPolicy, failed });
  }
  const names = rowKeys.length;
  const cellOf = (policy) => (value, row) => {
    if (!row.byPolicy)
      return row.count ? (value === undefined ? "" : number(value)) : speedUp(value);
    const own = row.byPolicy.get(policy);
    if (!own && Number.isFinite(value)) return speedUp(value);
    if (!own) return "–";
    if (!Number.isFinite(value))
      return row.failed.get(policy)
        ? element("span", { title: row.failed.get(policy), class: "problem" }, "failed")
        : "–";
    const mark = row.winner === policy ? " ★" : row.level.includes(policy) ? " ☆" : "";
    const text = (own.length === 1 ? page.textOf("speed_up", own[0]) : speedUp(value)) + mark;
    return element(
      "button",
      {
        type: "button",
        class: "cell",
        title:
          own.length === 1
            ? page.nameOf(own[0])
            : `${own.length} runs: show them in the table of runs`,
        onclick: () =>
          own.length === 1
            ? view.openRun(own[0])
            : view.showRuns({
                workload: row.cells[0],
                policy,
                ...(severalGpus && { gpu: row.cells[1] }),
              }),
      },
      text,
    );
  };
  const columns = [
    ...rowKeys.map(([, name]) => ({ name })),
    ...policyRows.map(({ name: policy, policies: members }) => ({
      name: policy,
      numeric: true,
      unit: "times",
      meaning:
        `cycles of ${page.baseline} over cycles of ` +
        (members.length > 1 ? "the best of " + members.join(", ") : policy),
      show: cellOf(policy),
      mark: (value, row) => tint(value, row, policy),
    })),
  ];
  const empty = new Array(names - 1).fill("");
  const means = policies.map((policy) =>
    geometricMean(
      rows.flatMap((row) =>
        (row.byPolicy.get(policy) || []).map((run) => page.value("speed_up", run)),
      ),
    ),
  );
  const best = policyRows.slice(policies.length).map((row) => bestOf(page, runs, row.policies));
  const footer =
    rows.length < 2
      ? []
      : [
          { cells: ["geometric mean", ...empty, ...means, ...best], class: "total" },
          {
            cells: ["fastest in", ...empty, ...policies.map((policy) => wins.get(policy))],
            class: "total",
            count: true,
          },
        ];
  return { columns, rows, footer };
}

// The geometric mean over cases of the best speed-up of several policies.
function bestOf(page, runs, policies) {
  const chosen = runs.filter(
    (run) =>
      policies.includes(page.text("policy", run)) && Number.isFinite(page.value("speed_up", run)),
  );
  return geometricMean(
    [...groupBy(chosen, (run) => page.caseOf(run)).values()].map((members) =>
      Math.max(...members.map((run) => page.value("speed_up", run))),
    ),
  );
}

function tint(value, row, policy) {
  if (!row.byPolicy || !Number.isFinite(value)) return "";
  if (row.winner === policy) return "winner";
  return value >= 1.01 ? "faster" : value <= 0.99 ? "slower" : "";
}

// The sentence for the head of the page: which policy is best over all workloads.
export function headline(page) {
  const runs = page.all(),
    means = meansOf({ page, runs: () => runs }).filter((one) => Number.isFinite(one.mean));
  const { winner, level } = winners(means.map((one) => [one.policy, one.mean]));
  if (!winner) return null;
  const mean = means.find((one) => one.policy === winner).mean;
  return { winner, mean, level, share: percent(1 - 1 / mean) };
}
