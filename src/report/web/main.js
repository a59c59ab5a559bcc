// Builds the page from the JSON that Heddle wrote into it.
import { DrillDown } from "./drill_down.js";
import { documentView } from "./document.js";
import { element } from "./dom.js";
import { expectationsSection } from "./expectations.js";
import { kernelsSection, timeSection } from "./comparison.js";
import { Filters } from "./filters.js";
import { number, speedUp } from "./format.js";
import { glossarySection } from "./glossary.js";
import { memorySection } from "./memory.js";
import { curvesSection, heatMapSection } from "./parameters.js";
import { Page } from "./data.js";
import { runsSection } from "./runs.js";
import { runView, tile } from "./run_view.js";
import { scatterSection } from "./scatter.js";
import { headline, speedUpsSection } from "./speedups.js";
import { stallsSection } from "./stalls.js";
import { themeButton } from "./theme.js";

const SECTIONS = [
  speedUpsSection,
  stallsSection,
  memorySection,
  kernelsSection,
  timeSection,
  curvesSection,
  heatMapSection,
  scatterSection,
  expectationsSection,
  runsSection,
  glossarySection,
];

class View {
  constructor(page) {
    this.page = page;
    this.filters = new Filters(page, () => this.update());
    this.openRun = (run) => this.drillDown.open(run);
  }

  runs() {
    return this.filters.runs;
  }

  update() {
    for (const section of this.sections) section.update();
  }

  setBaseline(policy) {
    this.page.setBaseline(policy);
    this.update();
  }

  // Selects runs and moves to their table.
  showRuns(values) {
    this.filters.select(values);
    document.getElementById("runs").scrollIntoView();
  }
}

function headOf(page) {
  const best = page.count > 1 ? headline(page) : null;
  const failed = Object.keys(page.problems).length;
  const several = (key, name) =>
    tile(
      name,
      number(page.dimensions.get(key).values.length),
      page.dimensions.get(key).values.slice(0, 3).join(", ") +
        (page.dimensions.get(key).values.length > 3 ? ", …" : ""),
    );
  const tiles =
    page.kind !== "study"
      ? []
      : [
          tile(
            "Runs",
            number(page.count),
            failed ? `${number(failed)} without results` : "all completed",
          ),
          several("workload", "Workloads"),
          several("gpu", "GPUs"),
          several("policy", "Policies"),
          ...(page.missing ? [tile("Missing runs", number(page.missing), "not finished yet")] : []),
        ];
  if (best && page.kind === "study")
    tiles.push(
      tile(
        "Best policy",
        best.winner,
        best.level.length
          ? `${speedUp(best.mean)} × ${page.baseline}; within 1 %: ${best.level.join(", ")}`
          : `${speedUp(best.mean)} × ${page.baseline}: ${best.share} fewer cycles (geometric mean)`,
      ),
    );
  return element(
    "header",
    { class: "head" },
    element("div", { class: "title" }, element("h1", {}, page.title), themeButton()),
    page.subtitle ? element("p", { class: "subtitle" }, page.subtitle) : null,
    page.findings.map((text) => element("p", { class: "finding" }, text)),
    tiles.length ? element("div", { class: "tiles" }, tiles) : null,
    element(
      "table",
      { class: "facts" },
      element(
        "tbody",
        {},
        page.facts.map(([name, value]) =>
          element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)),
        ),
      ),
    ),
  );
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const body = document.getElementById("page");
  // Times from the start of the navigation, for tests and benchmarks.
  requestAnimationFrame(() => setTimeout(() => performance.mark("interactive")));
  if (data.kind === "document") {
    body.replaceChildren(...documentView(data));
    return;
  }
  const page = new Page(data);
  const view = new View(page);
  const single = page.kind === "run";
  view.sections =
    page.count === 0 || single
      ? [glossarySection(view)]
      : SECTIONS.map((make) => make(view)).filter(Boolean);
  const made = view.sections.map(({ id, title, made }) =>
    element("section", { id, class: "part" }, element("h2", {}, title), made),
  );
  const links = element(
    "nav",
    { class: "contents", "aria-label": "sections" },
    view.sections.map(({ id, title }) => element("a", { href: "#" + id }, title)),
  );
  body.replaceChildren(
    ...[
      element("a", { class: "skip", href: "#main" }, "Skip to the results"),
      headOf(page),
      single ? null : element("div", { class: "bar" }, links, view.filters.made),
      element(
        "main",
        { id: "main" },
        page.count === 0 ? element("p", { class: "empty" }, "No run is finished yet.") : null,
        single ? runView(page, 0, { single }) : null,
        made,
      ),
      element(
        "footer",
        {},
        `Made by Heddle ${page.heddle}. This page is one file and uses no network.`,
      ),
    ].filter(Boolean),
  );
  if (!single && page.count) view.drillDown = new DrillDown(view);
}

start();
