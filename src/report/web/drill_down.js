// A run in a panel above the page. The address ends in #run=N, so that a run can be linked.
import { forgetCharts } from "./charts.js";
import { element } from "./dom.js";
import { runView } from "./run_view.js";

export class DrillDown {
  constructor(view) {
    this.view = view;
    this.title = element("h2", { id: "run-title", tabindex: "-1" });
    this.body = element("div", { class: "drill-body" });
    const step = (name, by) =>
      element("button", { type: "button", onclick: () => this.#step(by) }, name);
    this.dialog = element(
      "dialog",
      { "aria-labelledby": "run-title" },
      element(
        "header",
        {},
        this.title,
        element(
          "span",
          { class: "buttons" },
          step("Previous", -1),
          step("Next", 1),
          element(
            "button",
            { type: "button", class: "close", onclick: () => this.dialog.close() },
            "Close",
          ),
        ),
      ),
      this.body,
    );
    this.dialog.addEventListener("close", () => {
      forgetCharts(this.body);
      this.body.replaceChildren();
      if (location.hash.startsWith("#run="))
        history.replaceState(null, "", location.pathname + location.search);
    });
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    this.notice = element("p", { class: "problem", role: "status", hidden: true });
    document.querySelector(".head").append(this.notice);
    document.body.append(this.dialog);
    window.addEventListener("hashchange", () => this.openAddress());
    this.openAddress();
  }

  openAddress() {
    const match = /^#run=([0-9]+)$/.exec(location.hash);
    if (!match) return;
    const { count } = this.view.page;
    const known = Number(match[1]) < count;
    this.notice.hidden = known;
    this.notice.textContent = `This page has no run ${match[1]}: its runs are 0 to ${count - 1}.`;
    if (known) this.open(Number(match[1]));
  }

  open(run) {
    this.run = run;
    forgetCharts(this.body);
    this.title.textContent = this.view.page.nameOf(run);
    if (!this.dialog.open) this.dialog.showModal();
    this.body.replaceChildren(runView(this.view.page, run));
    this.body.scrollTop = 0;
    this.title.focus({ preventScroll: true });
    history.replaceState(null, "", "#run=" + run);
  }

  #step(by) {
    const runs = this.view.runs(),
      place = runs.indexOf(this.run);
    if (runs.length) this.open(runs[(place + by + runs.length) % runs.length]);
  }
}
