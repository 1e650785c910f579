/** One page of what several cells have, newest first, where each has read a bounded number only. */

type Read<Item> = {
  readonly found: readonly Item[];
  /** Behind it there may be more; null: there is none. */
  readonly readTo: string | null;
};

/** `nextId`: the next page begins behind it; null: there is none. */
export function pageOfCells<Item extends { readonly id: string }>(
  answers: readonly Read<Item>[],
  limit: number,
): { readonly items: readonly Item[]; readonly nextId: string | null } {
  // Behind the newest end of what was read, a cell may have what another has been read past.
  const readTo = answers.flatMap((one) => one.readTo ?? []).reduce((a, b) => (a > b ? a : b), "");
  const found = answers.flatMap((one) => one.found).filter(({ id }) => id >= readTo);
  const items = found.toSorted(newestFirst).slice(0, limit);
  const next = found.length > limit ? items.at(-1)!.id : readTo;
  return { items, nextId: next === "" ? null : next };
}

/** Null: in one of the cells, too many references begin with what is looked for. */
export function unlessTooMany<Answer extends object>(
  answers: readonly (Answer | "too_many")[],
): readonly Answer[] | null {
  const found = answers.filter((answer): answer is Answer => answer !== "too_many");
  return found.length < answers.length ? null : found;
}

/** Ids of later things are greater. */
export function newestFirst(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? 1 : -1;
}
