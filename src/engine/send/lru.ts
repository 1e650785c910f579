/**
 * A bounded map that drops the least recently used entry. `Map` keeps the order of insertion; a hit inserts
 * again.
 */
export type Lru<V> = {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
};

export function createLru<V>(entriesMax: number): Lru<V> {
  const entries = new Map<string, V>();
  return {
    get(key) {
      const value = entries.get(key);
      // The order matters only once the map is half full; until then a hit is one lookup.
      if (value !== undefined && entries.size * 2 > entriesMax) {
        entries.delete(key);
        entries.set(key, value);
      }
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > entriesMax) entries.delete(entries.keys().next().value!);
    },
    delete(key) {
      entries.delete(key);
    },
  };
}
