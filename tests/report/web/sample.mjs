// A page with made-up runs: `workloads` x `gpus` x `policies` x values of one parameter.
const SLOTS = [
  ["issued", "issued", "an instruction issues", "#009e73"],
  ["scoreboard", "scoreboard", "warps wait for operands in flight", "#d55e00"],
  ["pipeline", "pipeline", "the unit or the memory pipeline is busy", "#e69f00"],
  ["throttled", "throttled", "the policy vetoes issuable warps", "#0072b2"],
  ["idle", "idle", "no warp is left to run", "#cfcfcf"],
];
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9"];

// The same numbers for the same seed.
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function dictionary(texts) {
  const values = [...new Set(texts)];
  const places = new Map(values.map((text, place) => [text, place]));
  return { values, of: texts.map((text) => places.get(text)) };
}

export function samplePage({
  workloads = 5,
  gpus = 2,
  policies = ["lrr", "gto", "ccws", "daws"],
  ways = ["4", "8", "16"],
  extraStatistics = 0,
} = {}) {
  const random = generator(7),
    runs = [];
  for (let w = 0; w < workloads; ++w)
    for (let g = 0; g < gpus; ++g)
      for (const policy of policies)
        for (const way of ways)
          runs.push({
            workload: `workload ${w + 1}`,
            gpu: ["gtx480", "titanx", "qv100"][g],
            policy,
            ways: way,
          });
  const gain = { lrr: 1, gto: 1.15, ccws: 1.4, daws: 1.55 };
  const cycles = runs.map((run) =>
    Math.round(
      (1e6 * (1 + Number(run.workload.split(" ")[1]) / 3) * (1 + 1 / Number(run.ways))) /
        ((gain[run.policy] || 1.2) * (0.8 + 0.4 * random())),
    ),
  );
  const statistic = (key, unit, meaning, values) => ({ key, unit, meaning, values });
  const share = () => runs.map(() => random());
  const statistics = [
    statistic("cycles", "cycles", "core cycles from the launch to the end of the last CTA", cycles),
    statistic(
      "ipc",
      "instructions per cycle",
      "thread instructions per core cycle of the whole GPU",
      cycles.map((one) => 1e8 / one),
    ),
    statistic(
      "rates.l1d_hits",
      "ratio",
      "L1 data cache: hits over accesses; pending hits are not hits",
      share(),
    ),
    statistic("rates.l2_hits", "ratio", "L2: hits over accesses", share()),
    statistic("rates.dram_row_hits", "ratio", "DRAM: row hits over reads and writes", share()),
    statistic(
      "read_time.mean",
      "cycles",
      "core cycles of a read beyond L1",
      runs.map(() => 200 + 400 * random()),
    ),
    statistic("policy.ccws.vetoed_loads", "loads", "loads that the policy vetoes", {
      at: runs.map((_, run) => run).filter((run) => runs[run].policy === "ccws"),
      values: runs.filter((run) => run.policy === "ccws").map(() => Math.round(1000 * random())),
    }),
    statistic("sm.barriers", "barriers", "barriers executed", { all: 0 }),
    ...SLOTS.map(([key, , phrase]) =>
      statistic(
        "slots." + key,
        "slots",
        phrase,
        runs.map(() => Math.round(1e5 * random())),
      ),
    ),
    ...SLOTS.map(([key, , phrase]) =>
      statistic("slot_shares." + key, "ratio", phrase, { all: 1 / SLOTS.length }),
    ),
    ...Array.from({ length: extraStatistics }, (_, i) =>
      statistic(
        "extra.counter_" + i,
        "events",
        "an event of the memory system that is counted",
        runs.map(() => Math.round(1e6 * random())),
      ),
    ),
  ];
  const failed = runs.length > 20 ? 11 : -1;
  if (failed >= 0)
    for (const { values } of statistics) if (Array.isArray(values)) values[failed] = null;
  return {
    format: 1,
    kind: "study",
    title: "Made-up runs <of a test> & more",
    subtitle: "",
    heddle: "0.1.0",
    facts: [
      ["Study", "sample.toml"],
      ["GPUs", "gtx480, titanx"],
    ],
    findings: [],
    baseline: policies[0],
    runs: runs.length,
    missing: 0,
    dimensions: [
      { key: "workload", label: "Workload", ...dictionary(runs.map((run) => run.workload)) },
      { key: "gpu", label: "GPU", ...dictionary(runs.map((run) => run.gpu)) },
      { key: "policy", label: "Policy", ...dictionary(runs.map((run) => run.policy)) },
      { key: "sm.l1d.ways", label: "sm.l1d.ways", ...dictionary(runs.map((run) => run.ways)) },
    ],
    statistics,
    slots: SLOTS.map(([key, label, phrase, colour]) => ({
      key,
      label,
      phrase,
      colour,
      ink: "#111111",
    })),
    words: [["SM", "the core that runs warps"]],
    looks: Object.fromEntries(
      policies.map((policy, i) => [
        policy,
        { colour: COLOURS[i % COLOURS.length], variant: Math.floor(i / COLOURS.length) },
      ]),
    ),
    problems: failed >= 0 ? { [failed]: "killed by signal 9 (Killed)" } : {},
    run_facts: [{ name: "Program", ...dictionary(runs.map((run) => `./${run.workload} 34`)) }],
    texts: [
      { key: "configuration", ...dictionary(runs.map((run) => `[sm.l1d]\nways = ${run.ways}`)) },
      {
        key: "explanation",
        values: [
          "Warps wait for memory: 89 % of the scoreboard stalls are on lines that access it.",
        ],
        of: runs.map((_, run) => (run === 0 ? 0 : -1)),
      },
    ],
    details: {
      0: {
        kernels: {
          columns: [
            { key: "name", unit: "text", meaning: "" },
            { key: "cycles", unit: "cycles", meaning: "core cycles" },
          ],
          rows: [["assign_nearest", 11021]],
        },
        lines: [
          {
            kernel: "assign_nearest",
            place: "kmeans.cu:28",
            text: "difference = columns[d * points + point] - centres[c];",
            share: 0.6,
            slots: [0.1, 0.4, 0.1, 0, 0],
            lanes: 32,
            accesses: 1,
            l1d_hits: 0.8,
          },
        ],
        chart: {
          title: "a run",
          panels: [
            {
              title: "hit rates",
              kind: "lines",
              values: { name: "", unit: "ratio", most: 1 },
              along: { name: "core cycles", unit: "cycles" },
              x: [0, 500, 1000, 1500],
              marks: [{ at: 0, name: "assign_nearest" }],
              series: [
                { name: "L1", colour: "#0072b2", values: [0.1, 0.5, 0.4] },
                { name: "L2", colour: "#e69f00", values: [0.3, 0.2, 0.6] },
              ],
            },
          ],
        },
      },
    },
    best_rows: [{ name: "limits, best", policies: ["ccws", "daws"] }],
    expectations: [
      { case: "workload 1 on gtx480", text: "daws > gto > lrr", verdict: "holds", reason: "" },
      {
        case: "workload 2 on gtx480",
        text: "ccws ~ daws",
        verdict: "fails",
        reason: "ccws limits warps for too long",
      },
    ],
    references: null,
  };
}

// A reproduced paper: sentences, bars with published values, and tables.
export function sampleDocument() {
  return {
    format: 1,
    kind: "document",
    title: "A paper <of> schedulers",
    subtitle: "Someone et al.",
    heddle: "0",
    paragraphs: ["2 claims: 1 holds. Made by `heddle reproduce one`."],
    sections: [
      {
        title: "Figure 1: speed-ups",
        depth: 2,
        paragraphs: ["Small inputs."],
        chart: {
          title: "Figure 1",
          panels: [
            {
              title: "",
              kind: "columns",
              values: { name: "speed-up over GTO", unit: "times", scale: "log2" },
              along: { name: "", unit: "" },
              baseline: 1,
              published: "published",
              categories: [{ name: "SC" }, { name: "LPS" }],
              series: [
                { name: "GTO", colour: "#0072b2", values: [1, 1], published: [null, null] },
                { name: "RR", colour: "#e69f00", values: [1.5, null], published: [4.3, null] },
              ],
            },
          ],
        },
        tables: [
          {
            caption: "Values",
            columns: [
              { name: "claim", numeric: false },
              { name: "measured", numeric: true },
              { name: "verdict", numeric: false },
            ],
            rows: [
              ["RR is faster", "1.50", "holds"],
              ["SC favours `gto`", "0.90", "does not hold"],
            ],
          },
        ],
        notes: ["Why it does not hold: unknown"],
      },
      {
        title: "More",
        depth: 3,
        paragraphs: [],
        chart: null,
        tables: [],
        notes: [],
      },
    ],
  };
}

// As src/report/page_template.cc does it.
export function pageText(template, data) {
  return template
    .replace("@TITLE@", () => data.title.replaceAll("&", "&amp;").replaceAll("<", "&lt;"))
    .replace("@DATA@", () => JSON.stringify(data).replaceAll("<", "\\u003c"));
}
