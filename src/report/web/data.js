// The runs of a page: dimensions (what a run was: workload, GPU, policy, parameters) and
// statistics (what it measured). src/report/page.h describes the JSON.
import { compareTexts, magnitude, quantity, unitWords } from "./format.js";
import { geometricMean, groupBy } from "./statistics.js";

// Closer than this are level, as in heddle compare.
const LEVEL = 0.01;

// Names of the usual statistics; others are shown by their keys.
const NAMES = {
  speed_up: "Speed-up",
  cycles: "Cycles",
  ipc: "IPC",
  "rates.l1d_hits": "L1 hits",
  "rates.l1d_pending_hits": "L1 pending hits",
  "rates.l2_hits": "L2 hits",
  "rates.l2_pending_hits": "L2 pending hits",
  "rates.dram_row_hits": "DRAM row hits",
  "rates.dram_bank_parallelism": "Busy banks",
  "read_time.mean": "Read beyond L1",
  "dram.reads": "DRAM reads",
  "dram.writes": "DRAM writes",
};

// A column is an array; { all: value } for equal values; { at, values } when most runs have none.
function decode(column, count) {
  if (Array.isArray(column)) return column;
  const values = new Array(count).fill(null);
  if ("all" in column) return values.fill(column.all);
  column.at.forEach((run, i) => (values[run] = column.values[i]));
  return values;
}

export class Page {
  constructor(json) {
    Object.assign(this, json);
    this.count = json.runs;
    this.statistics = new Map();
    for (const { key, unit, meaning, values, bars } of json.statistics)
      this.#add(key, unit, meaning, decode(values, this.count), bars && decode(bars, this.count));
    this.dimensions = new Map(json.dimensions.map((one) => [one.key, one]));
    for (const dimension of json.dimensions) this.#order(dimension);
    this.parameters = json.dimensions.filter(
      (one) => !["workload", "gpu", "policy"].includes(one.key),
    );
    this.setBaseline(json.baseline || this.dimensions.get("policy").values[0]);
  }

  // Values in the order in which axes and tables show them. Policies, and parameters whose values
  // are names, keep the study's order.
  #order(dimension) {
    dimension.order = dimension.values.map((_, index) => index);
    const numbers = dimension.values.some((value) => Number.isFinite(magnitude(value)));
    if (["workload", "gpu"].includes(dimension.key) || (dimension.key !== "policy" && numbers))
      dimension.order.sort((a, b) => compareTexts(dimension.values[a], dimension.values[b]));
  }

  #add(key, unit, meaning, values, bars) {
    this.statistics.set(key, { key, unit, meaning, values, bars });
  }

  // Speed-ups are over the baseline's run of the same workload, GPU and parameters.
  setBaseline(policy) {
    this.baseline = policy;
    const cycles = this.statistics.get("cycles");
    const values = new Array(this.count).fill(null);
    const bars = new Array(this.count).fill(null);
    if (cycles)
      for (const runs of groupBy(this.all(), (run) => this.caseOf(run)).values()) {
        const bases = runs.filter(
          (run) => this.text("policy", run) === policy && !this.problemOf(run),
        );
        const base = geometricMean(bases.map((run) => cycles.values[run] ?? NaN));
        const relativeBar = (run) => (this.bar("cycles", run) || 0) / cycles.values[run];
        const barOfBase = bases.length ? Math.max(...bases.map(relativeBar)) : 0;
        for (const run of runs) {
          if (!(base > 0 && cycles.values[run] > 0) || this.problemOf(run)) continue;
          values[run] = base / cycles.values[run];
          // The baseline is 1 whatever its cycles are.
          if (!bases.includes(run) && barOfBase + relativeBar(run) > 0)
            bars[run] = values[run] * (barOfBase + relativeBar(run));
        }
      }
    this.#add(
      "speed_up",
      "times",
      `cycles of ${policy} over cycles of the run, for the same workload, GPU and parameters`,
      values,
      bars,
    );
  }

  all() {
    return Array.from({ length: this.count }, (_, run) => run);
  }

  // What runs under different policies have in common.
  caseOf(run) {
    let key = "";
    for (const dimension of this.dimensions.values())
      if (dimension.key !== "policy") key += dimension.of[run] + " ";
    return key;
  }

  text(dimension, run) {
    const one = this.dimensions.get(dimension);
    return one.values[one.of[run]];
  }

  value(key, run) {
    const values = this.statistics.get(key)?.values;
    return values?.[run] ?? NaN;
  }

  // Of a value that is an estimate: half its error bar; otherwise NaN.
  bar(key, run) {
    return this.statistics.get(key)?.bars?.[run] ?? NaN;
  }

  // "1.230 ± 0.020"
  textOf(key, run) {
    const bar = this.bar(key, run);
    return (
      quantity(this.value(key, run), this.unit(key)) +
      (Number.isFinite(bar) ? " ± " + quantity(bar, this.unit(key)) : "")
    );
  }

  unit(key) {
    return this.statistics.get(key)?.unit ?? "";
  }

  meaning(key) {
    return this.statistics.get(key)?.meaning ?? "";
  }

  name(key) {
    const slot =
      key.startsWith("slot_shares.") && this.slots.find((one) => one.key === key.slice(12));
    return slot ? `Slots: ${slot.label}` : (NAMES[key] ?? key);
  }

  nameWithUnit(key) {
    const words = this.unit(key) === "times" ? "" : unitWords(this.unit(key));
    return this.name(key) + (words ? ` (${words})` : "");
  }

  // Of a column of a table.
  column(key) {
    return {
      name: this.name(key),
      numeric: true,
      unit: this.unit(key),
      meaning: `${key}: ${this.meaning(key)}`,
    };
  }

  severalPolicies() {
    return this.dimensions.get("policy").values.length > 1;
  }

  problemOf(run) {
    return this.problems[run];
  }

  detailsOf(run) {
    return this.details[run] || {};
  }

  // "kmeans 34 on gtx480 under gto"; parts that all runs share are left out when `short` is set.
  nameOf(run, short = false) {
    const shows = (key) => !short || this.dimensions.get(key).values.length > 1;
    const parts = [];
    if (shows("workload")) parts.push(this.text("workload", run));
    if (shows("gpu")) parts.push((parts.length ? "on " : "") + this.text("gpu", run));
    parts.push((parts.length ? "under " : "") + this.text("policy", run));
    const values = this.parameters
      .filter((one) => shows(one.key) && one.values[one.of[run]] !== "")
      .map((one) => `${one.key}=${one.values[one.of[run]]}`);
    return parts.join(" ") + (values.length ? ", " + values.join(", ") : "");
  }

  // The values of a dimension that `runs` have, in order.
  valuesOf(key, runs) {
    const one = this.dimensions.get(key);
    const present = new Set(runs.map((run) => one.of[run]));
    return one.order.filter((index) => present.has(index)).map((index) => one.values[index]);
  }

  // The dimensions with at least two values among `runs`.
  varying(runs) {
    return [...this.dimensions.values()].filter((one) => this.valuesOf(one.key, runs).length > 1);
  }

  // Choices of a <select>: the usual statistics first, then all others that any run has.
  statisticChoices() {
    const usual = [...Object.keys(NAMES), ...this.slots.map((slot) => "slot_shares." + slot.key)];
    const known = usual.filter((key) => this.statistics.has(key));
    const rest = [...this.statistics.keys()].filter((key) => !known.includes(key));
    return [
      ...known.map((key) => [key, this.name(key), "usual"]),
      ...rest.map((key) => [key, key, "all statistics"]),
    ];
  }
}

// The policies with the most speed-up among `entries` of [policy, value]: the winner, and those
// that are level with it.
export function winners(entries) {
  const measured = entries.filter(([, value]) => Number.isFinite(value));
  if (measured.length < 2) return { winner: null, level: [] };
  const [winner, most] = measured.reduce((best, one) => (one[1] > best[1] ? one : best));
  const level = measured
    .filter(([name, value]) => name !== winner && value > most * (1 - LEVEL))
    .map(([name]) => name);
  return { winner, level };
}
