// The selection of the whole page: a list of check boxes per dimension.
import { element } from "./dom.js";
import { number } from "./format.js";

export class Filters {
  constructor(page, changed) {
    this.page = page;
    this.changed = changed;
    this.hidden = new Map(); // dimension -> set of indices that are filtered out
    this.facets = new Map();
    const facets = page.varying(page.all()).map((dimension) => this.#facet(dimension));
    this.count = element("output", {});
    this.reset = element("button", { type: "button", onclick: () => this.select({}) }, "Show all");
    this.made =
      facets.length && page.count > 1
        ? element(
            "div",
            { class: "filters", role: "group", "aria-label": "selection of runs" },
            element("span", {}, "Show"),
            facets,
            this.count,
            this.reset,
          )
        : null;
    this.#apply();
  }

  #facet(dimension) {
    const summary = element("summary", {});
    const boxes = dimension.order.map((index) => {
      const box = element("input", {
        type: "checkbox",
        checked: true,
        onchange: () => {
          const hidden = this.hidden.get(dimension.key);
          if (box.checked) hidden.delete(index);
          else hidden.add(index);
          this.#apply(true);
        },
      });
      box.dataset.index = index;
      return element(
        "label",
        {},
        box,
        " ",
        dimension.values[index] === "" ? "(default)" : dimension.values[index],
      );
    });
    const all = (on) => () => {
      this.hidden.set(dimension.key, new Set(on ? [] : dimension.order));
      this.#apply(true);
    };
    const details = element(
      "details",
      { class: "facet", name: "facet" },
      summary,
      element(
        "div",
        { class: "facet-values" },
        element(
          "p",
          {},
          element("button", { type: "button", onclick: all(true) }, "All"),
          element("button", { type: "button", onclick: all(false) }, "None"),
        ),
        boxes,
      ),
    );
    details.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !details.open) return;
      details.open = false;
      summary.focus();
    });
    this.hidden.set(dimension.key, new Set());
    this.facets.set(dimension.key, { dimension, summary, details });
    return details;
  }

  #apply(notify = false) {
    const hidden = [...this.hidden]
      .filter(([, indices]) => indices.size)
      .map(([key, indices]) => [this.page.dimensions.get(key).of, indices]);
    this.runs = this.page
      .all()
      .filter((run) => hidden.every(([of, indices]) => !indices.has(of[run])));
    for (const [key, { dimension, summary, details }] of this.facets) {
      const all = dimension.values.length;
      const shown = all - this.hidden.get(key).size;
      const words = shown === all ? `all ${all}` : `${shown} of ${all}`;
      summary.textContent = `${dimension.label}: ${words}`;
      for (const box of details.querySelectorAll("input"))
        box.checked = !this.hidden.get(key).has(Number(box.dataset.index));
    }
    this.count.textContent = `${number(this.runs.length)} runs`;
    this.reset.hidden = this.runs.length === this.page.count;
    if (notify) this.changed();
  }

  // Shows only the given values: { policy: "gto" }; dimensions that are not named show all.
  select(values) {
    for (const [key, { dimension }] of this.facets)
      this.hidden.set(
        key,
        new Set(
          key in values
            ? dimension.order.filter((index) => dimension.values[index] !== values[key])
            : [],
        ),
      );
    this.#apply(true);
  }
}
