// Arithmetic over runs. Values that are not finite are left out.

export function mean(values) {
  const kept = values.filter(Number.isFinite);
  return kept.length ? kept.reduce((sum, value) => sum + value, 0) / kept.length : NaN;
}

// NaN when a value is not positive, because there is no logarithm.
export function geometricMean(values) {
  const kept = values.filter(Number.isFinite);
  if (!kept.length || kept.some((value) => value <= 0)) return NaN;
  return Math.exp(kept.reduce((sum, value) => sum + Math.log(value), 0) / kept.length);
}

// Cycles and speed-ups of different programs are multiplied, other statistics added.
export function average(values, unit) {
  if (unit !== "cycles" && unit !== "times") return mean(values);
  const result = geometricMean(values);
  return Number.isFinite(result) ? result : mean(values);
}

// The least-squares line of points [x, y]: { slope, intercept, r2 }; null with fewer than two
// different x. r2: the share of the variance of y that the line explains.
export function fitLine(points) {
  const kept = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  const mx = mean(kept.map((point) => point[0])),
    my = mean(kept.map((point) => point[1]));
  let xx = 0,
    xy = 0,
    yy = 0;
  for (const [x, y] of kept) {
    xx += (x - mx) ** 2;
    xy += (x - mx) * (y - my);
    yy += (y - my) ** 2;
  }
  if (!(xx > 0)) return null;
  return { slope: xy / xx, intercept: my - (xy / xx) * mx, r2: yy > 0 ? xy ** 2 / (xx * yy) : 1 };
}

// Mean of |simulated / reference - 1|, over references other than 0.
export function meanAbsoluteError(points) {
  return mean(points.filter(([x]) => x !== 0).map(([x, y]) => Math.abs(y / x - 1)));
}

// Map of key -> items, in the order of their first appearance.
export function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
