// Pages in a real browser: Debian's Chromium, or that of the variable CHROMIUM.
// HEDDLE_REPORT_PAGES: further pages, separated by colons, which must load without an error.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { pageText, sampleDocument, samplePage } from "./sample.mjs";

const web = fileURLToPath(new URL("../../../src/report/web/", import.meta.url));
const template = readFileSync(join(web, "kept/report.html"), "utf8");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const WIDTHS = [400, 900, 1400];
const MOST_BYTES = 15e6;

const { chromium } = createRequire(join(web, "package.json"))("playwright-core");

let browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "heddle-report-"));
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

function write(data, name = "page.html") {
  const file = join(folder, name);
  writeFileSync(file, pageText(template, data));
  return file;
}

// A page with its console errors and its requests.
async function open(file, { width = 1400, colorScheme = "light", hash = "" } = {}) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  page.errors = [];
  page.requests = [];
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.goto("file://" + file + hash);
  await page.waitForFunction(() => performance.getEntriesByName("interactive").length);
  return page;
}

async function close(page) {
  assert.deepEqual(page.errors, []);
  assert.deepEqual(
    page.requests.filter(
      (url) => !url.startsWith("file:") && !url.startsWith("data:") && !url.startsWith("blob:"),
    ),
    [],
  );
  await page.close();
}

const firstColumn = (page, part) =>
  page.$$eval(`${part} tbody tr > :first-child`, (cells) => cells.map((cell) => cell.textContent));
const column = (page, part, place) =>
  page.$$eval(`${part} tbody tr > :nth-child(${place})`, (cells) =>
    cells.map((cell) => Number(cell.textContent.replaceAll(",", ""))),
  );

test("a page loads without errors or network, at every width, light and dark", async () => {
  for (const file of [
    write(samplePage()),
    write(sampleDocument(), "document.html"),
    ...(process.env.HEDDLE_REPORT_PAGES || "").split(":").filter(Boolean),
  ])
    for (const width of WIDTHS) {
      const page = await open(file, { width, colorScheme: width === WIDTHS[1] ? "dark" : "light" });
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      assert.ok(wider <= 0, `${file} is ${wider} pixels wider than ${width}`);
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await close(page);
    }
});

test("a document shows bars, published values, tables, verdicts and notes", async () => {
  const page = await open(write(sampleDocument(), "document.html"));
  assert.equal(await page.textContent("h1"), "A paper <of> schedulers");
  assert.equal(await page.textContent(".finding code"), "heddle reproduce one");
  await page.waitForSelector("#part-0 canvas");
  await page.click("#part-0 .chart-data summary");
  await page.waitForSelector("#part-0 .chart-data tbody tr");
  assert.deepEqual(
    await page.$$eval("#part-0 .chart-data tbody tr:first-child > *", (cells) =>
      cells.map((cell) => cell.textContent),
    ),
    ["SC", "1.000", "–", "1.500", "4.300"],
  );
  assert.equal(await page.textContent("#part-0 .verdict-fails"), "does not hold");
  assert.equal(await page.textContent("#part-0 .notes li"), "Why it does not hold: unknown");
  assert.deepEqual(await page.$$eval(".contents a", (links) => links.length), 1);
  await close(page);
});

test("charts are drawn", async () => {
  const page = await open(write(samplePage()));
  await page.waitForSelector("#speed-ups canvas");
  await page.evaluate(() => document.getElementById("scatter").scrollIntoView());
  await page.waitForSelector("#scatter canvas");
  await close(page);
});

test("a heading sorts its column, and sorts it the other way the second time", async () => {
  const page = await open(write(samplePage()));
  const heading = page.locator("#runs thead button", { hasText: "Cycles" });
  await heading.click();
  const falling = await column(page, "#runs", 5);
  assert.deepEqual(
    falling,
    [...falling].sort((a, b) => b - a),
  );
  assert.equal(await page.getAttribute("#runs thead th:nth-child(5)", "aria-sort"), "descending");
  await heading.press("Enter");
  const rising = await column(page, "#runs", 5);
  assert.deepEqual(
    rising,
    [...rising].sort((a, b) => a - b),
  );
  await close(page);
});

test("the text filter keeps what it names and reports what it does not know", async () => {
  const page = await open(write(samplePage()));
  await page.fill("#run-filter", "gto titanx");
  assert.equal(await page.textContent("#runs .count"), "15 of 120 runs");
  await page.fill("#run-filter", "nothing>3");
  assert.match(await page.textContent("#runs [role=status]"), /there is no statistic 'nothing'/);
  await close(page);
});

test("a filter of the page changes every section", async () => {
  const page = await open(write(samplePage()));
  await page.click(".facet >> text=Workload: all 5");
  await page.click(".facet[open] >> text=None");
  await page.click(".facet[open] label >> text=workload 2");
  assert.equal(await page.textContent(".filters output"), "24 runs");
  assert.deepEqual(await firstColumn(page, "#speed-ups > .table"), ["workload 2", "workload 2"]);
  assert.equal(await page.textContent("#runs .count"), "24 of 120 runs");
  await page.keyboard.press("Escape");
  await page.click("text=Show all");
  assert.equal(await page.textContent(".filters output"), "120 runs");
  await close(page);
});

test("a selection without a run shows empty states", async () => {
  const page = await open(write(samplePage()));
  await page.click(".facet >> text=GPU: all 2");
  await page.click(".facet[open] >> text=None");
  assert.equal(await page.textContent("#runs .count"), "0 of 120 runs");
  assert.ok(await page.isVisible("#issue-slots .empty"));
  await close(page);
});

test("another baseline changes the speed-ups", async () => {
  const page = await open(write(samplePage()));
  await page.selectOption("#speed-ups .choice select", "gto");
  const cells = await page.$$eval("#speed-ups > .table tbody tr:first-child td", (all) =>
    all.map((cell) => cell.textContent),
  );
  assert.equal(cells[2], "1.000");
  await close(page);
});

test("a row leads to its run, with everything that is known of it", async () => {
  const page = await open(write(samplePage()));
  await page.click("#runs tbody tr:first-child a");
  const text = await page.textContent("dialog");
  for (const part of [
    "workload 1 on gtx480 under lrr, sm.l1d.ways=4",
    "Warps wait for memory: 89 %",
    "kmeans.cu:28",
    "assign_nearest",
    "ways = 4",
    "./workload 1 34",
    "hit rates",
  ])
    assert.ok(text.includes(part), part);
  assert.match(page.url(), /#run=0$/);
  await page.click("dialog >> text=Next");
  assert.match(page.url(), /#run=1$/);
  await page.keyboard.press("Escape");
  assert.equal(await page.isVisible("dialog"), false);
  await close(page);
});

test("a point of a chart leads to its run", async () => {
  const page = await open(
    write(samplePage({ workloads: 1, gpus: 1, ways: ["4"], policies: ["gto"] })),
  );
  await close(page);
  const one = await open(
    write({ ...samplePage({ workloads: 1, gpus: 1, ways: ["4"], policies: ["lrr", "gto"] }) }),
  );
  const canvas = await one.waitForSelector("#speed-ups canvas");
  const box = await canvas.boundingBox();
  await one.mouse.click(box.x + 120, box.y + 17);
  assert.ok(await one.isVisible("dialog"));
  await close(one);
});

test("pointing at a stack over time shows the shares of its interval", async () => {
  const data = samplePage();
  Object.assign(data.details[0].chart.panels[0], { stacked: true });
  const page = await open(write(data), { hash: "#run=0" });
  const figure = page.locator("dialog figure", { hasText: "hit rates" });
  await figure.scrollIntoViewIfNeeded();
  const box = await figure.locator("canvas").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const tip = figure.locator(".tip");
  await tip.waitFor();
  assert.match(await tip.textContent(), /L1\s*50.0 %\s*L2\s*20.0 %/);
  await close(page);
});

test("lines that lie on each other are both seen", async () => {
  const data = samplePage();
  const [panel] = data.details[0].chart.panels;
  panel.series[1].values = panel.series[0].values;
  const page = await open(write(data), { hash: "#run=0" });
  const figure = page.locator("dialog figure", { hasText: "hit rates" });
  await figure.scrollIntoViewIfNeeded();
  const canvas = figure.locator("canvas");
  const seen = await canvas.evaluate(
    (drawn, colours) => {
      const { data } = drawn.getContext("2d").getImageData(0, 60, drawn.width, drawn.height - 60);
      return colours.map((colour) => {
        const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
        let count = 0;
        for (let i = 0; i < data.length; i += 4)
          count +=
            wanted.every((value, c) => Math.abs(data[i + c] - value) < 40) && data[i + 3] > 200;
        return count;
      });
    },
    panel.series.map((one) => one.colour),
  );
  assert.ok(Math.min(...seen) > 50, `pixels of both colours: ${seen}`);
  await close(page);
});

test("the address opens a run", async () => {
  const page = await open(write(samplePage()), { hash: "#run=7" });
  assert.ok(await page.isVisible("dialog"));
  await close(page);
});

test("the address of a run that the page does not have is answered", async () => {
  const page = await open(write(samplePage()), { hash: "#run=999" });
  assert.equal(await page.isVisible("dialog"), false);
  assert.match(await page.textContent(".head .problem"), /no run 999: its runs are 0 to 119/);
  await page.evaluate(() => (location.hash = "#run=7"));
  await page.waitForSelector("dialog[open]");
  assert.ok(!(await page.isVisible(".head .problem")));
  await close(page);
});

test("a half-typed comparison is named and filters nothing yet", async () => {
  const page = await open(write(samplePage()));
  await page.fill("#run-filter", "gto ipc>");
  assert.equal(await page.textContent("#runs .count"), "30 of 120 runs");
  assert.match(await page.textContent("#runs [role=status]"), /'ipc>' needs a number after >/);
  await close(page);
});

test("a wide table says that it scrolls until its last column is seen", async () => {
  const page = await open(write(samplePage()), { width: 400 });
  const more = page.locator("#runs .more");
  assert.ok(await more.isVisible());
  await page.$eval("#runs .scroll", (scroll) => (scroll.scrollLeft = scroll.scrollWidth));
  await more.waitFor({ state: "hidden" });
  await close(page);
});

test("a narrow screen keeps the rows of texts low", async () => {
  const page = await open(write(samplePage()), { width: 400 });
  const tallest = await page.$$eval("#glossary tbody tr, #runs tbody tr", (rows) =>
    Math.max(...rows.map((row) => row.getBoundingClientRect().height)),
  );
  assert.ok(tallest < 90, `${tallest} pixels`);
  await close(page);
});

test("a failed run shows its problem", async () => {
  const page = await open(write(samplePage()), { hash: "#run=11" });
  assert.match(await page.textContent("dialog .problem"), /killed by signal 9/);
  await close(page);
});

test("the theme follows the system and the button", async () => {
  const page = await open(write(samplePage()), { colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.click(".theme");
  assert.notEqual(await background(), dark);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  await close(page);
});

test("published values are set beside measured ones with a fitted line", async () => {
  const data = samplePage();
  data.references = {
    name: "published speed_up",
    statistic: "speed_up",
    columns: ["policy"],
    rows: [
      ["gto", 1.1],
      ["ccws", 1.5],
      ["gone", 3],
    ],
  };
  const page = await open(write(data));
  assert.match(
    await page.textContent("#scatter"),
    /Fitted line: slope .* R² .* Mean absolute error/,
  );
  assert.match(await page.textContent("#scatter"), /1 of 3 published values have no run/);
  await close(page);
});

test("paper gets every row of a table, the screen a part", async () => {
  const page = await open(write(samplePage()));
  const rows = () => page.locator("#runs tbody tr").count();
  const onScreen = await rows();
  assert.ok(onScreen < 120, `${onScreen} rows`);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await rows(), 120);
  // Chromium would paint buttons on the first page only.
  assert.equal(await page.locator("thead button").count(), 0);
  assert.match(await page.textContent("#runs thead"), /Cycles/);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.equal(await rows(), onScreen);
  assert.ok((await page.locator("#runs thead button").count()) > 1);
  await close(page);
});

test("paper gets the same picture of every chart from light and dark systems", async () => {
  const file = write(samplePage());
  const printed = [];
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(file, { colorScheme });
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    assert.equal(await page.locator(".paper").count(), 0, "pictures remain after printing");
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    const charts = await page.locator(".chart:not([hidden])").count();
    assert.equal(await page.locator(".paper").count(), charts);
    assert.ok(pdf.split("/Subtype /Image").length > charts, "pictures on paper");
    printed.push(
      await page.$$eval(".paper", (pictures) => pictures.map((canvas) => canvas.toDataURL())),
    );
    // The colours of cells, from blue over white to orange, and black names.
    const seen = await page.$eval("#heat-map .paper", (canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let blue = 0,
        black = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] !== 255) continue;
        if (data[i + 2] > data[i] + 60) ++blue;
        if (data[i] + data[i + 1] + data[i + 2] < 150) ++black;
      }
      return { blue: blue / (data.length / 4), black };
    });
    assert.ok(seen.blue > 0.1 && seen.black > 500, JSON.stringify(seen));
    await close(page);
  }
  assert.deepEqual(printed[0], printed[1]);
});

test("a page of 5,000 runs is small and answers", async () => {
  const file = write(
    samplePage({
      workloads: 125,
      gpus: 2,
      policies: ["lrr", "gto", "ccws", "daws"],
      ways: ["2", "4", "8", "16", "32"],
      extraStatistics: 150,
    }),
    "large.html",
  );
  assert.ok(statSync(file).size < MOST_BYTES, `${statSync(file).size} bytes`);
  const page = await open(file);
  await page.fill("#run-filter", "gto cycles>1000");
  assert.equal(await page.textContent("#runs .count"), "1,250 of 5,000 runs");
  await close(page);
});
