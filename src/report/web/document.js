// A page of sentences, pictures and tables (src/report/document.h): a paper, or a survey.
import { element, prose } from "./dom.js";
import { chartFigures } from "./panel.js";
import { table } from "./table.js";
import { themeButton } from "./theme.js";

const PAGE_SIZE = 100;
const VERDICTS = {
  holds: "verdict-holds",
  "does not hold": "verdict-fails",
  "holds in direction": "verdict-direction",
};

export function documentView(data) {
  const sections = data.sections.map((section, place) => sectionOf(section, "part-" + place));
  return [
    element("a", { class: "skip", href: "#main" }, "Skip to the results"),
    element(
      "header",
      { class: "head" },
      element("div", { class: "title" }, element("h1", {}, data.title), themeButton()),
      data.subtitle ? element("p", { class: "subtitle" }, prose(data.subtitle)) : null,
      data.paragraphs.map((text) => element("p", { class: "finding" }, prose(text))),
    ),
    element(
      "div",
      { class: "bar" },
      element(
        "nav",
        { class: "contents", "aria-label": "sections" },
        data.sections.map((section, place) =>
          section.depth > 2
            ? null
            : element("a", { href: "#part-" + place }, section.title.replace(/:.*/, "")),
        ),
      ),
    ),
    element("main", { id: "main" }, sections),
    element(
      "footer",
      {},
      `Made by Heddle ${data.heddle}. This page is one file and uses no network.`,
    ),
  ];
}

function sectionOf(section, id) {
  return element(
    "section",
    { id, class: "part" },
    element(section.depth > 2 ? "h3" : "h2", {}, section.title),
    section.paragraphs.map((text) => element("p", { class: "finding" }, prose(text))),
    section.chart ? chartFigures(section.chart) : null,
    section.tables.flatMap((one) => [
      one.caption ? element("p", { class: "note" }, prose(one.caption)) : null,
      tableOf(one, section.title),
    ]),
    section.notes.length
      ? element(
          "ul",
          { class: "notes" },
          section.notes.map((text) => element("li", {}, prose(text))),
        )
      : null,
  );
}

function tableOf(one, title) {
  return table({
    columns: one.columns.map((column) => ({
      name: column.name,
      numeric: column.numeric,
      show: (value) => (value ? prose(value) : ""),
      mark: (value) => VERDICTS[value] || "",
    })),
    rows: one.rows.map((cells) => ({ cells })),
    pageSize: PAGE_SIZE,
    label: one.caption || title,
  });
}
