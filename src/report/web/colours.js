// One colour and one mark per policy, the same on every page: they follow from its place in
// Heddle's catalogue (src/report/palette.h), not from what else is on the page.

// Policies with the same colour differ in the symbols of points and the dashes of lines. Pictures
// (src/report/svg.cc) have the same.
export const SYMBOLS = ["circle", "rect", "triangle", "diamond", "pin", "arrow"];
export const DASHES = ["solid", [7, 4], [2, 3], [8, 3, 2, 3], [2, 6], [12, 4]];

export function lookOf(page, policy) {
  const { colour, variant } = page.looks[policy] || { colour: "#7f7f7f", variant: 0 };
  return { colour, variant };
}

// For values of other dimensions, in their order.
const OTHERS = [
  "#0072b2",
  "#e69f00",
  "#009e73",
  "#cc79a7",
  "#56b4e9",
  "#d55e00",
  "#8c6d31",
  "#7f7f7f",
];
export function lookOfValue(page, dimension, value) {
  if (dimension === "policy") return lookOf(page, value);
  const one = page.dimensions.get(dimension);
  const place = one.order.findIndex((index) => one.values[index] === value);
  return {
    colour: OTHERS[place % OTHERS.length],
    variant: Math.floor(place / OTHERS.length),
  };
}
