import assert from "node:assert/strict";
import { test } from "node:test";
import { Page, winners } from "../../../src/report/web/data.js";
import {
  change,
  compareTexts,
  magnitude,
  number,
  percent,
  quantity,
  short,
} from "../../../src/report/web/format.js";
import { parseQuery } from "../../../src/report/web/query.js";
import { csvOf } from "../../../src/report/web/runs.js";
import {
  average,
  fitLine,
  geometricMean,
  mean,
  meanAbsoluteError,
} from "../../../src/report/web/statistics.js";
import { samplePage } from "./sample.mjs";

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test("the geometric mean of 1, 2 and 4 is 2", () => near(geometricMean([1, 2, 4]), 2));
test("missing values do not count", () => {
  near(mean([1, NaN, 3]), 2);
  near(geometricMean([NaN, 8, 2]), 4);
});
test("a geometric mean needs positive values", () =>
  assert.ok(Number.isNaN(geometricMean([1, 0]))));
test("cycles are averaged by the geometric mean, rates by the arithmetic", () => {
  near(average([1, 4], "cycles"), 2);
  near(average([1, 4], "ratio"), 2.5);
});
test("a fitted line goes through points on a line", () => {
  const fit = fitLine([
    [0, 1],
    [1, 3],
    [2, 5],
  ]);
  near(fit.slope, 2);
  near(fit.intercept, 1);
  near(fit.r2, 1);
});
test("points above each other have no line", () =>
  assert.equal(
    fitLine([
      [1, 1],
      [1, 2],
    ]),
    null,
  ));
test("the fitted line of a hand-computed example", () => {
  // x: 1 2 3, y: 2 2 5: slope 3/2, intercept 0, r2 = 1.5^2 * 2 / 6 = 0.75
  const fit = fitLine([
    [1, 2],
    [2, 2],
    [3, 5],
  ]);
  near(fit.slope, 1.5);
  near(fit.intercept, 0);
  near(fit.r2, 0.75);
});
test("the mean absolute error is relative to the reference", () =>
  near(
    meanAbsoluteError([
      [2, 3],
      [4, 2],
    ]),
    0.5,
  ));

test("numbers have commas and at least three digits", () => {
  assert.equal(number(1234567), "1,234,567");
  assert.equal(number(0.012345), "0.0123");
  assert.equal(number(85.47), "85.5");
  assert.equal(number(NaN), "–");
  assert.equal(percent(0.12345), "12.3 %");
  assert.equal(quantity(1.5, "times"), "1.500");
  assert.equal(short(1250000, "cycles"), "1.25 M");
  assert.notEqual(short(1.005, "times", 5), short(1.01, "times", 5));
  assert.equal(change(200, 150), "−25.0 %");
  assert.equal(change(0, 3), "new");
});
test("sizes are ordered by their bytes", () => {
  assert.equal(magnitude("16KiB"), 16384);
  assert.deepEqual(["1MiB", "16KiB", "128KiB"].sort(compareTexts), ["16KiB", "128KiB", "1MiB"]);
  assert.deepEqual(["10", "4", "2"].sort(compareTexts), ["2", "4", "10"]);
});

test("values that are names keep the order of the study", () => {
  const json = samplePage();
  const order = (values) => {
    const runs = Array(json.runs).fill(0);
    const named = { key: "l1d", label: "l1d", values, of: runs };
    const page = new Page({ ...json, dimensions: [...json.dimensions, named] });
    return page.dimensions.get("l1d").order.map((index) => values[index]);
  };
  assert.deepEqual(order(["small", "medium", "large"]), ["small", "medium", "large"]);
  assert.deepEqual(order(["64", "16", ""]), ["", "16", "64"]);
});

test("columns are decoded in all three forms", () => {
  const page = new Page(samplePage());
  assert.equal(page.value("sm.barriers", 5), 0);
  const ccws = page.all().find((run) => page.text("policy", run) === "ccws");
  assert.ok(page.value("policy.ccws.vetoed_loads", ccws) >= 0);
  assert.ok(Number.isNaN(page.value("policy.ccws.vetoed_loads", 0)));
});
test("a speed-up is over the baseline's run of the same case", () => {
  const page = new Page(samplePage());
  for (const run of page.all()) {
    if (page.problemOf(run)) continue;
    const base = page
      .all()
      .find(
        (other) => page.text("policy", other) === "lrr" && page.caseOf(other) === page.caseOf(run),
      );
    near(page.value("speed_up", run), page.value("cycles", base) / page.value("cycles", run));
  }
  page.setBaseline("gto");
  const gto = page.all().find((run) => page.text("policy", run) === "gto");
  near(page.value("speed_up", gto), 1);
});
// 10 % of the baseline's cycles and 5 % of the run's; the baseline is 1 whatever its cycles are.
test("a speed-up of estimates has an error bar", () => {
  const data = samplePage();
  const cycles = data.statistics.find((one) => one.key === "cycles");
  const page = new Page(data);
  const all = page.all().map((run) => page.value("cycles", run));
  const isBase = (run) => page.text("policy", run) === "lrr";
  cycles.bars = all.map((value, run) => (isBase(run) ? 0.1 : 0.05) * value);
  const sampled = new Page(data);
  for (const run of sampled.all()) {
    if (sampled.problemOf(run)) continue;
    const bar = sampled.bar("speed_up", run);
    if (isBase(run)) assert.ok(Number.isNaN(bar));
    else near(bar, 0.15 * sampled.value("speed_up", run));
  }
  assert.ok(Number.isNaN(page.bar("speed_up", 1)));
  assert.match(sampled.textOf("cycles", 0), / ± /);
  assert.doesNotMatch(page.textOf("cycles", 0), / ± /);
});
test("a failed run has no speed-up", () => {
  const page = new Page(samplePage());
  assert.ok(Number.isNaN(page.value("speed_up", Number(Object.keys(page.problems)[0]))));
});
test("policies within 1 % of the winner are level with it", () => {
  assert.deepEqual(
    winners([
      ["lrr", 1],
      ["gto", 1.499],
      ["ccws", 1.5],
    ]),
    { winner: "ccws", level: ["gto"] },
  );
  assert.deepEqual(winners([["lrr", 1]]), { winner: null, level: [] });
});

test("a filter has words and comparisons", () => {
  const page = new Page(samplePage());
  const keeps = (text) => page.all().filter(parseQuery(text, page).keeps);
  assert.equal(keeps("").length, page.count);
  for (const policy of page.dimensions.get("policy").values)
    assert.deepEqual(
      keeps(policy + " gtx480"),
      page
        .all()
        .filter((run) => page.text("policy", run) === policy && page.text("gpu", run) === "gtx480"),
    );
  assert.ok(keeps("rates.l1d_hits>=50%").every((run) => page.value("rates.l1d_hits", run) >= 0.5));
  assert.ok(keeps("sm.l1d.ways=8").every((run) => page.text("sm.l1d.ways", run) === "8"));
  assert.equal(keeps("killed").length, 1);
  assert.equal(parseQuery("nothing>3", page).problem, "there is no statistic 'nothing'");
});
test("CSV quotes commas and writes missing values as nothing", () => {
  assert.equal(
    csvOf([{ name: "a, b" }, { name: "c" }], [{ cells: ['x "y"', NaN] }, { cells: ["z", 3] }]),
    '"a, b",c\n"x ""y""",\nz,3\n',
  );
});
