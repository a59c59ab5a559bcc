// The text filter: "kmeans gto ipc>50" keeps runs that contain both words and have more than 50
// instructions per cycle. Words match workload, GPU, policy and parameters.

const COMPARISON = /^([a-z_0-9.]+)(<=|>=|=|<|>)(.*?)(%?)$/i;
const holds = {
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
};

// Returns { keeps(run), problem }. problem: what of the text is not understood, or "".
export function parseQuery(text, page) {
  const words = [],
    comparisons = [];
  let problem = "";
  for (const piece of text.trim().split(/\s+/).filter(Boolean)) {
    const match = COMPARISON.exec(piece);
    if (!match || page.dimensions.has(match[1])) words.push(piece.toLowerCase());
    else if (!page.statistics.has(match[1])) problem = `there is no statistic '${match[1]}'`;
    else if (match[3] === "" || !Number.isFinite(Number(match[3])))
      problem = `'${piece}' needs a number after ${match[2]}`;
    else comparisons.push([match[1], holds[match[2]], Number(match[3]) / (match[4] ? 100 : 1)]);
  }
  const keeps = (run) =>
    comparisons.every(([key, test, value]) => test(page.value(key, run), value)) &&
    (!words.length || containsAll(textOf(page, run), words));
  return { keeps, problem };
}

function containsAll(text, words) {
  return words.every((word) => text.includes(word));
}

// By page: the words of each run, made once.
const texts = new WeakMap();

function textOf(page, run) {
  if (!texts.has(page)) texts.set(page, []);
  return (texts.get(page)[run] ??= wordsOf(page, run));
}

function wordsOf(page, run) {
  let text = page.problemOf(run) || "";
  for (const one of page.dimensions.values()) text += ` ${one.key}=${one.values[one.of[run]]}`;
  return text.toLowerCase();
}
