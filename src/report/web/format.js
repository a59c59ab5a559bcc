// Numbers as text. A missing value is "–".

const MISSING = "–";

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

// Integers in full, with commas; other numbers with at least three significant digits.
export function number(value) {
  if (!Number.isFinite(value)) return MISSING;
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return grouped.format(value);
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 6));
}

export function percent(value) {
  return Number.isFinite(value) ? (100 * value).toFixed(1) + " %" : MISSING;
}

export function speedUp(value) {
  return Number.isFinite(value) ? value.toFixed(3) : MISSING;
}

// A value of a statistic, without its unit unless the unit is the percent sign.
export function quantity(value, unit) {
  if (unit === "ratio") return percent(value);
  if (unit === "times") return speedUp(value);
  return number(value);
}

// 1,200,000 is "1.2 M".
export function short(value, unit, digits = 3) {
  if (unit === "ratio") return +(100 * value).toPrecision(digits) + " %";
  for (const [size, letter] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ])
    if (Math.abs(value) >= size) return +(value / size).toPrecision(digits) + " " + letter;
  return String(+value.toPrecision(digits));
}

// "ratio" is shown as percent.
export function unitWords(unit) {
  return unit === "ratio" ? "%" : unit;
}

// The change from `before` to `after`: "+3.2 %".
export function change(before, after) {
  if (!Number.isFinite(before) || !Number.isFinite(after)) return MISSING;
  if (before === after) return "0 %";
  if (before === 0) return "new";
  const share = after / before - 1;
  return (share > 0 ? "+" : "−") + Math.abs(100 * share).toFixed(1) + " %";
}

// Orders "16KiB" before "1MiB", "4" before "10", and other texts by alphabet.
export function compareTexts(a, b) {
  const x = magnitude(a),
    y = magnitude(b);
  if (Number.isFinite(x) && Number.isFinite(y)) return x - y;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

// The number that a text of a configuration means; NaN for other texts.
export function magnitude(text) {
  const match = /^(-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)\s*(KiB|MiB|GiB|B)?$/i.exec(
    String(text).trim(),
  );
  if (!match) return NaN;
  return (
    Number(match[1]) *
    ({ kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 }[(match[2] || "").toLowerCase()] || 1)
  );
}
