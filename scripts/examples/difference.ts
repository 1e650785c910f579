/** Where an answer lacks what is shown, or has it in another type; null: nowhere. */
export function differenceOf(shown: unknown, answered: unknown, place = "$"): string | null {
  if (shown === null || answered === null) return null;
  if (Array.isArray(shown) && Array.isArray(answered)) {
    if (shown.length === 0) return null;
    const differences = answered.map((one) => differenceOf(shown[0], one, `${place}[0]`));
    return differences.includes(null) ? null : (differences[0] ?? `${place} is empty`);
  }
  if (typeof shown !== typeof answered || Array.isArray(shown) !== Array.isArray(answered)) {
    return `${place} is ${typeof answered}`;
  }
  if (typeof shown !== "object") return null;
  for (const [name, value] of Object.entries(shown)) {
    if (name === "…") continue;
    if (!(name in (answered as object))) return `${place}.${name} is not there`;
    const difference = differenceOf(value, (answered as Record<string, unknown>)[name], `${place}.${name}`);
    if (difference !== null) return difference;
  }
  return null;
}
