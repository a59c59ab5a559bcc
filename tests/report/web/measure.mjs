// Prints how long pages take to become interactive, and to answer a filter: in milliseconds, three
// times each; and the CPU time of the page until then, which other work on the machine does not
// lengthen. Usage: node measure.mjs FILE.html...
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const { chromium } = createRequire(
  new URL("../../../src/report/web/package.json", import.meta.url),
)("playwright-core");
const TIMES = 3;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const file of process.argv.slice(2)) {
  console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  for (let time = 0; time < TIMES; ++time) {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto("file://" + resolve(file));
    await page.waitForFunction(() => performance.getEntriesByName("interactive").length);
    const { metrics } = await session.send("Performance.getMetrics");
    const cpu = 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
    const [interactive, answer] = await page.evaluate(() => {
      const { startTime } = performance.getEntriesByName("interactive")[0];
      const input = document.getElementById("run-filter");
      const start = performance.now();
      if (input) {
        input.value = "gto cycles>1000";
        input.dispatchEvent(new Event("input"));
      }
      return [startTime, performance.now() - start];
    });
    console.log(
      `  interactive after ${interactive.toFixed(0)} (CPU ${cpu.toFixed(0)}), ` +
        `filter ${answer.toFixed(0)}`,
    );
    await page.close();
  }
}
await browser.close();
