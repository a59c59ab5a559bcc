// Each statistic with its unit and meaning, and words of docs/glossary.md.
import { element, prose } from "./dom.js";
import { unitWords } from "./format.js";
import { table } from "./table.js";

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
        page.words.map(([word, meaning]) =>
          element("div", {}, element("dt", {}, word), element("dd", {}, prose(meaning))),
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
