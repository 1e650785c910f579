const ADDS_MIN = 64;

/**
 * A `Set`, and a `Map`, whose members come and go all the time. When V8 replaces its table, the old one points to the
 * new one, for iterators (OrderedHashTable, `NextTable`). An old table that has died in the old generation so keeps alive
 * all that follow it, with what they held, until that generation is collected (docs/decisions/runtime.md). A copy has no
 * such pointer. It comes after as many additions as there are members, so each costs one more at most.
 *
 * Where something is added during an iteration, the iteration may miss it, and visit what is deleted after it.
 */
export class TransientSet<T> {
  #members = new Set<T>();
  #adds = 0;

  get size(): number {
    return this.#members.size;
  }

  has(member: T): boolean {
    return this.#members.has(member);
  }

  add(member: T): void {
    if (++this.#adds > Math.max(ADDS_MIN, this.#members.size)) {
      this.#members = new Set(this.#members);
      this.#adds = 0;
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
  #adds = 0;

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
    if (++this.#adds > Math.max(ADDS_MIN, this.#entries.size)) {
      this.#entries = new Map(this.#entries);
      this.#adds = 0;
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
