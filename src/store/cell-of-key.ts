/**
 * The number of the cell that a key falls to, of `count` cells. With one cell more, a key stays or falls to the new one
 * (jump consistent hash). What is stored depends on it: the same key must fall to the same cell for ever.
 */
export function cellOfKey(key: string, count: number): number {
  let state = hashOf(key);
  let number = 0;
  for (let next = 0; next < count;) {
    number = next;
    state = (state + GOLDEN) | 0;
    next = Math.floor((number + 1) / fractionOf(state));
  }
  return number;
}

/** The step of Weyl's sequence that splitmix32 takes. */
const GOLDEN = 0x9e3779b9;

/** Above 0, up to 1. */
function fractionOf(state: number): number {
  return ((mixed(state) >>> 0) + 1) / 2 ** 32;
}

/** FNV-1a of the UTF-16 units. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return mixed(hash);
}

/** The finaliser of MurmurHash3. */
function mixed(value: number): number {
  const half = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const most = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return most ^ (most >>> 16);
}
