/** The name that `typed` most likely means; null: none is near. */
export function didYouMean(typed: string, names: readonly string[]): string | null {
  const [nearest] = names
    .map((name) => ({ name, edits: name.startsWith(typed) && typed !== "" ? 1 : editsBetween(typed, name) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((one, other) => one.edits - other.edits);
  return nearest?.name ?? null;
}

/** Damerau's distance: letters added, left out, replaced, or two neighbours swapped. */
function editsBetween(from: string, to: string): number {
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  let beforeLast = last;
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (same ? 0 : 1),
        swapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}
