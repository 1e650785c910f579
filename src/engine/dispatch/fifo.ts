/** A queue that gives up its head in constant time; `Array.shift` moves every element. */
export type Fifo<T> = { items: T[]; head: number };

/** Removed heads pile up to this many, then one slice drops them. */
const SLACK = 256;

export function fifo<T>(): Fifo<T> {
  return { items: [], head: 0 };
}

export function lengthOf(queue: Fifo<unknown>): number {
  return queue.items.length - queue.head;
}

export function push<T>(queue: Fifo<T>, item: T): void {
  queue.items.push(item);
}

export function shift<T>(queue: Fifo<T>): T | undefined {
  if (queue.head === queue.items.length) return undefined;
  const item = queue.items[queue.head];
  queue.items[queue.head++] = undefined as T;
  if (queue.head === queue.items.length) {
    queue.items.length = 0;
    queue.head = 0;
  } else if (queue.head > SLACK && queue.head * 2 > queue.items.length) {
    queue.items = queue.items.slice(queue.head);
    queue.head = 0;
  }
  return item;
}

/** Empties the queue and returns its items. */
export function takeAll<T>(queue: Fifo<T>): T[] {
  const items = queue.items.slice(queue.head);
  queue.items = [];
  queue.head = 0;
  return items;
}
