/**
 * A `Set` and a `Map` whose members come and go, each within milliseconds. V8 links a table that it gives up to the one
 * that it makes instead, for iterators (OrderedHashTable, `NextTable`). A table that has died in the old generation so
 * keeps alive all tables after it, with what they held: of single events, eight times as much came into the old
 * generation (docs/benchmarks.md). A copy begins without that link.
 *
 * An iteration that has begun may miss what is added, and still visit what is deleted.
 */
export class TransientSet<T> {
  #members = new Set<T>();
  #addsLeft = ADDS_MIN;

  get size(): number {
    return this.#members.size;
  }

  has(member: T): boolean {
    return this.#members.has(member);
  }

  add(member: T): void {
    if (--this.#addsLeft === 0) {
      this.#members = new Set(this.#members);
      this.#addsLeft = addsUntilCopy(this.size);
    }
    this.#members.add(member);
  }

  delete(member: T): boolean {
    return this.#members.delete(member);
  }

  clear(): void {
    this.#members = new Set();
  }

  values(): SetIterator<T> {
    return this.#members.values();
  }

  [Symbol.iterator](): SetIterator<T> {
    return this.#members.values();
  }
}

/** {@link TransientSet} */
export class TransientMap<Key, Value> {
  #entries = new Map<Key, Value>();
  #addsLeft = ADDS_MIN;

  get size(): number {
    return this.#entries.size;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    if (--this.#addsLeft === 0) {
      this.#entries = new Map(this.#entries);
      this.#addsLeft = addsUntilCopy(this.size);
    }
    this.#entries.set(key, value);
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries = new Map();
  }
}

const ADDS_MIN = 64;

/** So that a member is copied once, on average. */
const addsUntilCopy = (size: number): number => Math.max(ADDS_MIN, size);
