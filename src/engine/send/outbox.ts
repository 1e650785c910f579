/** Passes items on, in order, after the current call stack: when `later`, called once for all of them, says so. */
export type Outbox<T> = { put(item: T): void };

export function createOutbox<T>(later: (flush: () => void) => void, passOn: (item: T) => void): Outbox<T> {
  let items: T[] = [];

  function flush(): void {
    const due = items;
    items = [];
    for (const item of due) passOn(item);
  }

  return {
    put(item) {
      if (items.push(item) === 1) later(flush);
    },
  };
}
