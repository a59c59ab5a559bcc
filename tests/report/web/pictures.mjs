// Takes a picture of the first 1500 pixels of a report.
// Usage: pictures.mjs REPORT.html PICTURE.png WIDTH
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const HEIGHT = 1500;
const web = fileURLToPath(new URL("../../../src/report/web/", import.meta.url));
const { chromium } = createRequire(web + "package.json")("playwright-core");
const [report, path, width] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const viewport = { width: Number(width), height: HEIGHT };
const page = await browser.newPage({ viewport, colorScheme: "light" });
await page.goto("file://" + resolve(report));
await page.waitForSelector("#speed-ups canvas");
await page.waitForTimeout(500);
await page.screenshot({ path });
await browser.close();
