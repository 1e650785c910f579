import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { monotonicUuids, systemRandom } from "../../src/runtime/system-random.ts";

const NOW_MS = Date.UTC(2026, 10, 2, 12);

function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

test("an id is a UUID of version 7 that holds its time", () => {
  const { uuid } = systemRandom();
  for (const atMs of [0, 1, NOW_MS, 2 ** 48 - 1]) {
    const id = systemRandom().uuid(atMs);
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(timeOf(id), atMs);
  }
  assert.equal(timeOf(uuid(NOW_MS + 0.7)), NOW_MS);
});

test("each id is greater than the last whatever time does", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 200 }), (steps) => {
      const uuid = monotonicUuids();
      let atMs = NOW_MS;
      let last = "";
      for (const step of steps) {
        atMs += step;
        const id = uuid(atMs);
        assert.ok(id > last, `${id} after ${last}`);
        last = id;
      }
    }),
  );
});

test("ten thousand ids of one millisecond are all of that millisecond, in order", () => {
  const { uuid } = systemRandom();
  const ids = Array.from({ length: 10_000 }, () => uuid(NOW_MS));
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => timeOf(id) === NOW_MS));
});

test("the counter starts low enough for 33 million ids of one millisecond", () => {
  const uuid = monotonicUuids((pool) => pool.fill(0xff));
  // The upper part of the counter follows the version; its first bit is clear at the start.
  assert.equal(uuid(NOW_MS).slice(14, 18), "77ff");
});

test("two generators do not meet", () => {
  const first = systemRandom();
  const second = systemRandom();
  const ids = Array.from({ length: 10_000 }, () => [first.uuid(NOW_MS), second.uuid(NOW_MS)]).flat();
  assert.equal(new Set(ids).size, ids.length);
});

test("bytes come in the number asked for, and fractions below one", () => {
  const { bytes, fraction } = systemRandom();
  assert.equal(bytes(48).length, 48);
  assert.notDeepEqual(bytes(48), bytes(48));
  const value = fraction();
  assert.ok(value >= 0 && value < 1);
});
