// The claims of a study and whether the runs bear them out.
import { element } from "./dom.js";
import { table } from "./table.js";

const ORDER = { fails: "✗ fails", unknown: "? unknown", holds: "✓ holds" };

export function expectationsSection(view) {
  const { expectations } = view.page;
  if (!expectations?.length) return null;
  const count = (verdict) => expectations.filter((one) => one.verdict === verdict).length;
  const reasons = expectations.some((one) => one.reason);
  return {
    id: "expectations",
    title: "Expected results",
    update() {},
    made: [
      element(
        "p",
        { class: "note" },
        `${count("holds")} of ${expectations.length} expectations hold, ${count("fails")} fail, ` +
          `${count("unknown")} are not measured. ` +
          "A > B: A is faster. A ~ B: they are about equal.",
      ),
      table({
        label: "expectations",
        pageSize: 25,
        columns: [
          { name: "Case" },
          { name: "Expected" },
          { name: "Result", mark: (verdict) => "verdict-" + verdict.split(" ")[1] },
          ...(reasons ? [{ name: "Reason" }] : []),
        ],
        rows: expectations.map((one) => ({
          cells: [one.case, one.text, ORDER[one.verdict], one.reason || ""].slice(
            0,
            reasons ? 4 : 3,
          ),
        })),
      }),
    ],
  };
}
