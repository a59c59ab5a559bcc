// A table that sorts by any column and shows a part of its rows at once.
import { element } from "./dom.js";
import { compareTexts, number, quantity, unitWords } from "./format.js";

const SHORT_TEXT = 24; // characters that stay on one line
const MOST_PRINTED = 1000; // rows of a table on paper
const MANY_COLUMNS = 12; // more need a smaller font on paper

// columns: { name, unit, meaning, numeric, show(value, row), mark(value, row) }; the first column
//   has the headings of the rows. numeric columns align right. show gives text or a node, mark a
//   class.
// rows: { cells: [values], run, class }; a row with `run` is opened by open(run).
// footer: rows below, which are not sorted. sort: { column, descending }.
// The result has update(rows, columns) and shown(): the rows in their present order.
export function table({
  columns,
  rows,
  footer = [],
  open,
  pageSize = 50,
  sort = null,
  label = "",
}) {
  const state = { columns, rows, footer, page: 0, sort };
  const head = element("thead"),
    body = element("tbody"),
    foot = element("tfoot");
  const pages = element("nav", { class: "pages", "aria-label": "pages of the table" });
  const scroll = element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label || "table" },
    element("table", {}, head, body, foot),
  );
  const more = element(
    "p",
    { class: "note more", hidden: true },
    "More columns: scroll sideways →",
  );
  const made = element("div", { class: "table" }, scroll, more, pages);
  const showMore = () => {
    const left = scroll.scrollWidth - scroll.clientWidth - scroll.scrollLeft;
    more.hidden = left < 2;
    scroll.classList.toggle("wide", left >= 2);
  };
  scroll.addEventListener("scroll", showMore, { passive: true });
  new ResizeObserver(showMore).observe(scroll);
  const sorted = () => {
    if (!state.sort) return state.rows;
    const { column, descending } = state.sort;
    const order = state.rows.map((row, place) => [row, place]);
    order.sort(
      ([a, i], [b, j]) => compareCells(a.cells[column], b.cells[column], descending) || i - j,
    );
    return order.map(([row]) => row);
  };
  const fill = () => {
    const all = sorted(),
      last = Math.max(0, Math.ceil(all.length / pageSize) - 1);
    state.page = Math.min(state.page, last);
    const first = state.printing ? 0 : state.page * pageSize,
      count = state.printing ? MOST_PRINTED : pageSize;
    body.replaceChildren(
      ...all.slice(first, first + count).map((row) => rowElement(state.columns, row, open)),
    );
    made.classList.toggle("many", state.columns.length > MANY_COLUMNS);
    foot.replaceChildren(...state.footer.map((row) => rowElement(state.columns, row, open)));
    showPages(pages, state, last, all.length, pageSize, fill);
    if (made.isConnected) showMore();
  };
  const fillHead = () =>
    head.replaceChildren(
      element(
        "tr",
        {},
        state.columns.map((column, place) =>
          headingElement(column, state, place, () => {
            const same = state.sort?.column === place;
            state.sort = {
              column: place,
              descending: same ? !state.sort.descending : Boolean(column.numeric),
            };
            state.page = 0;
            fillHead();
            head.querySelectorAll("button")[place].focus();
            fill();
          }),
        ),
      ),
    );
  made.update = (newRows, newColumns, newFooter) => {
    state.rows = newRows;
    if (newFooter) state.footer = newFooter;
    if (newColumns) {
      const sortedBy = state.sort && state.columns[state.sort.column]?.name;
      const place = newColumns.findIndex((column) => column.name === sortedBy);
      state.sort = place < 0 ? null : { ...state.sort, column: place };
      state.columns = newColumns;
      fillHead();
    }
    fill();
  };
  made.shown = sorted;
  for (const [event, printing] of [
    ["beforeprint", true],
    ["afterprint", false],
  ])
    window.addEventListener(event, () => {
      state.printing = printing;
      fillHead();
      if (state.rows.length > pageSize) fill();
    });
  fillHead();
  fill();
  return made;
}

// Missing values come last in both directions.
function compareCells(a, b, descending) {
  const missing = (value) =>
    value === null || value === undefined || Number.isNaN(value) || value === "";
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  const order = typeof a === "number" && typeof b === "number" ? a - b : compareTexts(a, b);
  return descending ? -order : order;
}

const lowerCase = (name) => String(name).toLowerCase();

// Chromium repeats a heading on every page, but paints a button of it on the first only.
function headingElement(column, state, place, act) {
  const sort = state.sort?.column === place ? state.sort : null;
  const named = !column.unit || column.unit === "times" || column.unit === lowerCase(column.name);
  const unit = named ? null : element("span", { class: "unit" }, " " + unitWords(column.unit));
  return element(
    "th",
    {
      scope: "col",
      class: column.numeric ? "number" : null,
      "aria-sort": sort ? (sort.descending ? "descending" : "ascending") : null,
    },
    element(
      state.printing ? "span" : "button",
      state.printing
        ? { class: "heading" }
        : { type: "button", class: "heading", title: column.meaning || null, onclick: act },
      column.name,
      unit,
      element(
        "span",
        { class: "arrow", "aria-hidden": "true" },
        sort ? (sort.descending ? " ▼" : " ▲") : "",
      ),
    ),
  );
}

function rowElement(columns, row, open) {
  const cells = columns.map((column, place) => {
    const value = row.cells[place];
    const shown = column.show
      ? column.show(value, row)
      : column.numeric
        ? quantity(value, column.unit)
        : value;
    const kind = column.numeric ? "number" : String(shown).length <= SHORT_TEXT ? "short" : "";
    const classes = `${kind} ${column.mark?.(value, row) || ""}`.trim();
    if (place) return element("td", { class: classes || null }, shown ?? "");
    const opens = open && row.run !== undefined;
    return element(
      "th",
      { scope: "row", class: classes || null },
      opens
        ? element(
            "a",
            {
              href: "#run=" + row.run,
              onclick: (event) => {
                event.preventDefault();
                event.stopPropagation();
                open(row.run);
              },
            },
            shown ?? "",
          )
        : (shown ?? ""),
    );
  });
  const opens = open && row.run !== undefined;
  return element(
    "tr",
    {
      class: [row.class || "", opens ? "opens" : ""].join(" ").trim() || null,
      onclick: opens ? () => open(row.run) : null,
    },
    cells,
  );
}

function showPages(nav, state, last, count, pageSize, fill) {
  nav.hidden = last === 0;
  if (last === 0) return;
  const go = (name, page) =>
    element(
      "button",
      {
        type: "button",
        disabled: page < 0 || page > last || page === state.page,
        onclick: () => {
          state.page = page;
          fill();
        },
      },
      name,
    );
  const first = state.page * pageSize;
  nav.replaceChildren(
    go("First", 0),
    go("Previous", state.page - 1),
    element("span", {}, `${first + 1}–${Math.min(first + pageSize, count)} of ${number(count)}`),
    go("Next", state.page + 1),
    go("Last", last),
  );
}
