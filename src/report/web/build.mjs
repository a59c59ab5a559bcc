// Makes the page's template: page.html with the style and all scripts inside. Heddle replaces
// @TITLE@ and @DATA@. Usage: node build.mjs [FILE]; the default is kept/report.html.
//
// The first line of the result has a digest of the sources, so that a test without npm can say that
// the kept file does not belong to them.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
const into = resolve(process.argv[2] || join(folder, "kept/report.html"));

function digest() {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder)
    .filter((name) => /\.(js|mjs|css|html|json|txt)$/.test(name))
    .sort())
    hash.update(name + "\n").update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

const script = await build({
  entryPoints: [join(folder, "main.js")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  write: false,
});
const style = await transform(
  ["style.css", "parts.css"].map((name) => readFileSync(join(folder, name), "utf8")).join(""),
  {
    loader: "css",
    minify: true,
  },
);
const licenses = readFileSync(join(folder, "licenses.txt"), "utf8").trim();
const parts = {
  STYLE: style.code.trim(),
  SCRIPT:
    `/*!\n${licenses}\n*/\n` +
    script.outputFiles[0].text.trim().replaceAll("</script", "<\\/script"),
};
const page = readFileSync(join(folder, "page.html"), "utf8")
  .replace(/@(STYLE|SCRIPT)@/g, (_, name) => parts[name])
  .replace("<!doctype html>", `<!doctype html>\n<!-- sources ${digest()} -->`);
mkdirSync(dirname(into), { recursive: true });
writeFileSync(into, page);
