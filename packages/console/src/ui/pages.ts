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

/** `Failure`: why a page is not there. */
export type Listed<T, Failure> = {
  readonly page: Refreshed<T> | null;
  /** Of the first page, or of the next, which is asked for again. */
  readonly failed: { readonly isOfNext: boolean; readonly failure: Failure } | null;
  readonly isReadOn: boolean;
  readonly isFlowing: boolean;
};

/** With the first page, read again. A next page that was refused is still missing, wherever it begins now. */
export function withFirst<T extends { readonly id: string }, Failure>(
  { page: known, failed, isReadOn: wasReadOn, isFlowing }: Listed<T, Failure>,
  first: Loaded<T>,
  isAnew: boolean,
): Listed<T, Failure> {
  const isReadOn = wasReadOn && !isAnew;
  const page = refreshed(known, first, isReadOn);
  return {
    page,
    failed: failed?.isOfNext === true && page.next !== null ? failed : null,
    isReadOn,
    isFlowing: wasReadOn ? isFlowing : first.items.length > 0,
  };
}

/** With the next page below. */
export function withNext<T, Failure>(
  { items, isBehind }: Refreshed<T>,
  failed: Listed<T, Failure>["failed"],
  next: Loaded<T>,
): Listed<T, Failure> {
  return {
    page: { items: [...items, ...next.items], next: next.next, isBehind },
    failed: failed?.isOfNext === true ? null : failed,
    isReadOn: true,
    isFlowing: next.items.length > 0,
  };
}
