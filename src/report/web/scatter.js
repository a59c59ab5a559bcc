// One statistic against another, or published values against measured ones, with a fitted line.
import { lookOfValue } from "./colours.js";
import { choicesOf, controls, element } from "./dom.js";
import { number, percent, unitWords } from "./format.js";
import { panelFigure } from "./panel.js";
import { fitLine, groupBy, meanAbsoluteError } from "./statistics.js";

const FEWEST_RUNS = 8;
const REFERENCE = "reference";

export function scatterSection(view) {
  const { page } = view;
  if (!page.references && page.count < FEWEST_RUNS) return null;
  const references = page.references ? referencePoints(page) : null;
  const state = {
    x: references ? REFERENCE : "rates.l1d_hits",
    y: references ? page.references.statistic : "speed_up",
    by: "policy",
    log: false,
  };
  for (const axis of ["x", "y"])
    if (state[axis] !== REFERENCE && !page.statistics.has(state[axis])) state[axis] = "cycles";
  const result = element("p", { class: "note", "aria-live": "polite" });
  const chart = panelFigure("", () => pointsOf(view, state, references, result), view.openRun);
  const choices = page.statisticChoices();
  const xs = references ? [[REFERENCE, page.references.name, "published"], ...choices] : choices;
  return {
    id: "scatter",
    title: references ? "Published against measured" : "One statistic against another",
    update: chart.update,
    made: [
      controls(
        state,
        chart.update,
        ["Along", "x", xs],
        ["Up", "y", choices],
        [
          "A colour per",
          "by",
          choicesOf(
            [...page.dimensions.values()].filter(
              (one) => one.values.length > 1 || one.key === "policy",
            ),
          ),
        ],
        ["logarithmic", "log"],
      ),
      chart,
      result,
      references?.unmatched
        ? element(
            "p",
            { class: "note problem" },
            `${references.unmatched} of ${page.references.rows.length} published values ` +
              "have no run.",
          )
        : null,
    ],
  };
}

// Map of run -> published value. A row of the file names dimensions; it matches every run with
// these values.
function referencePoints(page) {
  const { columns, rows } = page.references;
  const values = new Map();
  let unmatched = 0;
  for (const row of rows) {
    const runs = page
      .all()
      .filter((run) => columns.every((key, i) => page.text(key, run) === row[i]));
    if (!runs.length) ++unmatched;
    for (const run of runs) values.set(run, row[columns.length]);
  }
  return { values, unmatched };
}

function resultOf(points, fit, isLogarithmic, compares) {
  const texts = [`${number(points.length)} runs.`];
  if (fit)
    texts.push(
      isLogarithmic ? "Fitted line of the logarithms:" : "Fitted line:",
      `slope ${number(fit.slope)}, R² ${fit.r2.toFixed(3)}.`,
    );
  const error = meanAbsoluteError(points.map((point) => [point.x, point.y]));
  if (compares) texts.push(`Mean absolute error ${percent(error)}.`);
  return texts.join(" ");
}

function pointsOf(view, state, references, result) {
  const { page } = view;
  const valueOf = (key, run) =>
    key === REFERENCE ? (references.values.get(run) ?? NaN) : page.value(key, run);
  const unitOf = (key) =>
    key === REFERENCE ? page.unit(page.references.statistic) : page.unit(key);
  const nameOf = (key) => (key === REFERENCE ? page.references.name : page.name(key));
  const usable = (value) => Number.isFinite(value) && (!state.log || value > 0);
  const points = view
    .runs()
    .map((run) => ({ run, x: valueOf(state.x, run), y: valueOf(state.y, run) }))
    .filter((point) => usable(point.x) && usable(point.y));
  result.textContent = "";
  if (!points.length) return null;
  const scaled = (value) => (state.log ? Math.log10(value) : value);
  const fit =
    points.length > 1 ? fitLine(points.map((point) => [scaled(point.x), scaled(point.y)])) : null;
  const xs = points.map((point) => point.x),
    ends = [Math.min(...xs), Math.max(...xs)];
  const line = fit
    ? ends.map((x) => {
        const y = fit.intercept + fit.slope * scaled(x);
        return state.log ? 10 ** y : y;
      })
    : [];
  const compares = state.x === REFERENCE && state.y === page.references.statistic;
  result.textContent = resultOf(points, fit, state.log, compares);
  const groups = groupBy(points, (point) => page.text(state.by, point.run));
  const axis = (key) => {
    const name = nameOf(key),
      unit = unitOf(key),
      words = unit === "times" ? "" : unitWords(unit);
    return {
      ...{ name, unit, title: name + (words ? ` (${words})` : "") },
      scale: state.log ? "log10" : "linear",
    };
  };
  const along = axis(state.x),
    values = axis(state.y);
  const names = page.valuesOf(
    state.by,
    points.map((point) => point.run),
  );
  return {
    label: `${values.title} against ${along.title} of ${points.length} runs`,
    panel: {
      kind: "points",
      along,
      values,
      series: [
        ...names.map((name) => {
          const members = groups.get(name);
          return {
            name,
            ...lookOfValue(page, state.by, name),
            x: members.map((point) => point.x),
            values: members.map((point) => point.y),
            runs: members.map((point) => point.run),
            texts: members.map((point) => page.nameOf(point.run)),
          };
        }),
        ...(compares
          ? [{ name: "equal", line: "dotted", faint: true, x: ends, values: ends }]
          : []),
        ...(fit ? [{ name: "fitted line", line: "dashed", x: ends, values: line }] : []),
      ],
    },
  };
}
