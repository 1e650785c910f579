/** Whether a value has come before, for each value in turn: in proportion to their number, as `indexOf` for each is not. */
export function createRepeatedCheck(): (value: string) => boolean {
  const seen = new Set<string>();
  return (value) => seen.size === seen.add(value).size;
}
