/**
 * Passes items on, in order, after the current call stack: by then undici's parser has returned and knows
 * whether the receiver allows another request on the connection. One microtask serves all items of a turn.
 */
export type Outbox<T> = { put(item: T): void };

export function createOutbox<T>(passOn: (item: T) => void): Outbox<T> {
  let items: T[] = [];

  function flush(): void {
    for (let i = 0; i < items.length; i++) passOn(items[i]!);
    items = [];
  }

  return {
    put(item) {
      if (items.push(item) === 1) queueMicrotask(flush);
    },
  };
}
