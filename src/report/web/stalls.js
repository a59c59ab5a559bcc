// Where the issue slots went: a stack per policy or workload.
import { choicesOf, controls, element } from "./dom.js";
import { percent } from "./format.js";
import { panelFigure } from "./panel.js";
import { geometricMean, groupBy, mean } from "./statistics.js";

export function stallsSection(view) {
  const { page } = view;
  if (!page.slots.some((slot) => page.statistics.has("slot_shares." + slot.key))) return null;
  const state = { by: "policy", length: page.kind === "comparison" ? "time" : "share" };
  const chart = panelFigure("", () => stacksOf(view, state), view.openRun);
  const dimensions = page.varying(page.all());
  const words = element(
    "dl",
    { class: "legend-words" },
    occurring(page).map((slot) =>
      element(
        "div",
        {},
        element(
          "dt",
          {},
          element("span", { class: "swatch", style: `background:${slot.colour}` }),
          slot.label,
        ),
        element("dd", {}, slot.phrase),
      ),
    ),
  );
  return {
    id: "issue-slots",
    title: "Issue slots",
    update: chart.update,
    made: [
      element(
        "p",
        { class: "note" },
        "Each scheduler of an SM has one issue slot per cycle. " +
          "A slot issues an instruction or is lost to one cause. " +
          "Bars of several runs show the mean of their shares.",
      ),
      controls(
        state,
        chart.update,
        dimensions.length > 1 && ["A bar per", "by", choicesOf(dimensions)],
        page.severalPolicies() && [
          "Length",
          "length",
          [
            ["share", "all slots are 100 %"],
            ["time", "run time over the baseline's"],
          ],
        ],
      ),
      chart,
      words,
    ],
  };
}

// The uses that any run has.
function occurring(page) {
  return page.slots.filter((slot) =>
    page.statistics.get("slot_shares." + slot.key)?.values.some((share) => share > 0),
  );
}

function stacksOf(view, state) {
  const { page } = view;
  const measured = view
    .runs()
    .filter((run) => Number.isFinite(page.value("slot_shares." + page.slots[0].key, run)));
  if (!measured.length) return null;
  const groups = groupBy(measured, (run) => page.text(state.by, run));
  const names = page.valuesOf(state.by, measured);
  const slots = occurring(page);
  const bars = names.map((name) => {
    const runs = groups.get(name);
    const time = 1 / geometricMean(runs.map((run) => page.value("speed_up", run)));
    return {
      name,
      run: runs.length === 1 ? runs[0] : undefined,
      time,
      count: runs.length,
      scale:
        state.length === "time" && state.by === "policy" ? (Number.isFinite(time) ? time : 0) : 1,
      shares: slots.map((slot) =>
        mean(runs.map((run) => page.value("slot_shares." + slot.key, run))),
      ),
    };
  });
  return {
    label: `Issue slots of ${bars.length} bars, split by use`,
    panel: {
      kind: "rows",
      stacked: true,
      along: { name: page.dimensions.get(state.by).label },
      values: { name: "", unit: "ratio", most: Math.max(1, ...bars.map((bar) => bar.scale)) },
      categories: bars.map((bar) => ({
        name: bar.name,
        run: bar.run,
        more: bar.count > 1 ? [["mean of runs", String(bar.count)]] : [],
      })),
      series: slots.map((slot, i) => ({
        name: slot.label,
        colour: slot.colour,
        ink: slot.ink,
        values: bars.map((bar) => bar.shares[i] * bar.scale),
        texts: bars.map((bar) => percent(bar.shares[i])),
      })),
    },
    columns: [
      { name: page.dimensions.get(state.by).label },
      ...slots.map((slot) => ({
        name: slot.label,
        numeric: true,
        unit: "ratio",
        meaning: slot.phrase,
      })),
    ],
    rows: bars.map((bar) => ({ cells: [bar.name, ...bar.shares], run: bar.run })),
  };
}
