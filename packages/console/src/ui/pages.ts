/** A list that has come in pages, newest first, and what becomes of it when its first page is read again. */

export type Loaded<T> = {
  readonly items: readonly T[];
  /** Where the next page begins; null: there is none. */
  readonly next: string | null;
};

export type Refreshed<T> = Loaded<T> & {
  /** There are newer ones than these, with a gap in between. */
  readonly isBehind: boolean;
};

/**
 * With what was read further down: what follows the first page's last that was known, in whatever order the list is. Where more than a
 * page is new, and the reader has read on, the list does not change: it would jump.
 */
export function refreshed<T extends { readonly id: string }>(
  known: Loaded<T> | null,
  first: Loaded<T>,
  isReadOn: boolean,
): Refreshed<T> {
  if (known === null || !isReadOn || first.items.length === 0 || first.next === null) {
    return { ...first, isBehind: false };
  }
  const places = new Map(known.items.map(({ id }, place) => [id, place]));
  const lastOfBoth = first.items.findLast(({ id }) => places.has(id));
  if (lastOfBoth === undefined && known.items.length > 0) return { ...known, isBehind: true };
  // What has moved up is not there twice.
  const ids = new Set(first.items.map(({ id }) => id));
  const place = lastOfBoth === undefined ? -1 : places.get(lastOfBoth.id)!;
  const below = known.items.slice(place + 1).filter(({ id }) => !ids.has(id));
  return { items: [...first.items, ...below], next: known.next, isBehind: false };
}
