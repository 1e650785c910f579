/** How much stands on each metre along a container: a piece's weight is spread evenly over its length. */

/** What stands from `x` over `dx` millimetres. */
export type Weight = { readonly x: number; readonly dx: number; readonly weightG: number };

const METRE_MM = 1_000;

/** Of each metre from the front wall, in grams; the last may be shorter. */
export function loadPerMetre(weights: readonly Weight[], lengthMm: number): readonly number[] {
  const metres = new Float64Array(Math.ceil(lengthMm / METRE_MM));
  for (const { x, dx, weightG } of weights) {
    for (let at = Math.floor(x / METRE_MM); at * METRE_MM < x + dx; at += 1) {
      const part = Math.min(x + dx, (at + 1) * METRE_MM) - Math.max(x, at * METRE_MM);
      metres[at]! += (weightG * part) / dx;
    }
  }
  return [...metres];
}

/** The most grams on any metre, wherever it begins. */
export function mostOnAMetre(weights: readonly Weight[]): number {
  const edges = new Map<number, number>();
  const add = (at: number, slope: number) => edges.set(at, (edges.get(at) ?? 0) + slope);
  for (const { x, dx, weightG } of weights) {
    // What a metre that ends here has gained, and what it loses when it begins here.
    add(x, weightG / dx);
    add(x + dx, -weightG / dx);
    add(x + METRE_MM, -weightG / dx);
    add(x + dx + METRE_MM, weightG / dx);
  }
  let most = 0;
  let load = 0;
  let slope = 0;
  let from = 0;
  // Between edges the load grows evenly, so it is the most at one of them.
  for (const at of [...edges.keys()].toSorted((a, b) => a - b)) {
    load += slope * (at - from);
    most = Math.max(most, load);
    slope += edges.get(at)!;
    from = at;
  }
  return most;
}
