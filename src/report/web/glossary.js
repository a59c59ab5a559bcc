// Each statistic with its unit and meaning, and the words of the page.
import { element } from "./dom.js";
import { unitWords } from "./format.js";
import { table } from "./table.js";

const WORDS = [
  [
    "Speed-up",
    "Cycles of the baseline over cycles of the run. With 1.25 the baseline takes a quarter more.",
  ],
  [
    "Geometric mean",
    "The n-th root of a product of n values. It combines speed-ups of different workloads.",
  ],
  ["Policy", "A warp scheduler. A CTA scheduler other than rr is added with a plus: gto + mapped."],
  ["CTA", "Cooperative thread array: a thread block. It runs on one SM."],
  ["Warp", "32 threads that execute an instruction together."],
  ["SM", "Streaming multiprocessor."],
  ["IPC", "Thread instructions per core cycle of the whole GPU."],
  ["Issue slot", "One cycle of one scheduler of an SM."],
  ["L1, L2", "The data cache of an SM, and the cache that all SMs share."],
  ["Pending hit", "An access to a line that is being fetched. It is not a hit."],
  ["Row hit", "A DRAM access to the row that is open in its bank."],
];

export function glossarySection(view) {
  const { page } = view;
  const statistics = [...page.statistics.values()].filter(
    ({ key }) => key !== "speed_up" || page.severalPolicies(),
  );
  return {
    id: "glossary",
    title: page.kind === "run" ? "Words" : "Words and statistics",
    update() {},
    made: [
      element(
        "dl",
        { class: "words" },
        WORDS.map(([word, meaning]) =>
          element("div", {}, element("dt", {}, word), element("dd", {}, meaning)),
        ),
      ),
      page.kind === "run"
        ? null
        : table({
            label: "statistics",
            pageSize: 20,
            columns: [
              { name: "Statistic", show: (key) => element("code", {}, key) },
              { name: "Unit" },
              { name: "Meaning" },
            ],
            rows: statistics.map(({ key, unit, meaning }) => ({
              cells: [key, unitWords(unit), meaning],
            })),
          }),
    ],
  };
}
