import assert from "node:assert/strict";
import { test } from "node:test";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { TransientMap, TransientSet } from "../../src/runtime/transient.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options: { type: "major" | "minor" }) => void;

/** Enough for several copies, and for several tables of V8. */
const PASSING = 2_000;
/** Members that are there at a time: what a table that is given up still holds. */
const STAYING = 100;
const MEMBER_BYTES = 8_000;

type Collection = { add(member: object): unknown; delete(member: object): unknown };

/** Bytes that come into the old generation while members come and go and the young one is collected now and then. */
function madeOld(collection: Collection): number {
  const members: object[] = [];
  let before = 0;
  for (let count = 0; count < PASSING; count++) {
    const member = Array.from({ length: MEMBER_BYTES / 8 }, () => 0.5);
    collection.add(member);
    members.push(member);
    if (members.length > STAYING) collection.delete(members.shift()!);
    if (count % STAYING === 0) collect({ type: "minor" });
    // From here on a table is old, and the room for young objects has its size.
    if (count === PASSING / 4) {
      collect({ type: "major" });
      before = oldBytes();
    }
  }
  return oldBytes() - before;
}

const oldBytes = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name === "old_space" || name === "large_object_space")
    .reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);

test("what leaves a transient collection stays young garbage; plain ones carry it into the old generation", () => {
  const map = new TransientMap<object, object>();
  const mapped = {
    add: (member: object) => map.set(member, member),
    delete: (member: object) => map.delete(member),
  };
  const little = 4 * STAYING * MEMBER_BYTES;
  const bytes = [new TransientSet(), mapped, new Set()].map(madeOld) as [number, number, number];
  assert.ok(
    bytes[0] < little && bytes[1] < little,
    `a transient set ${bytes[0]}, a transient map ${bytes[1]}`,
  );
  assert.ok(
    bytes[2] > 2 * little,
    `a plain set ${bytes[2]}: V8 no longer links its tables, so TransientSet and TransientMap can go`,
  );
});

test("a transient collection holds what was added and not deleted, in the order of addition, over any number of copies", () => {
  const set = new TransientSet<number>();
  const map = new TransientMap<number, string>();
  for (let count = 0; count < PASSING; count++) {
    set.add(count);
    map.set(count, `${count}`);
    if (count >= 100) assert.ok(set.delete(count - 100) && map.delete(count - 100));
  }
  const expected = Array.from({ length: 100 }, (_, index) => PASSING - 100 + index);
  assert.deepEqual([...set], expected);
  assert.deepEqual([...set.values()], expected);
  assert.deepEqual(
    expected.map((key) => map.get(key)),
    expected.map(String),
  );
  assert.deepEqual([set.size, map.size], [100, 100]);
  assert.ok(!set.has(0) && !map.has(0) && map.get(0) === undefined && !set.delete(0) && !map.delete(0));
  assert.ok(set.has(PASSING - 1) && map.has(PASSING - 1));
  set.clear();
  map.clear();
  assert.deepEqual([set.size, map.size, [...set]], [0, 0, []]);
});

test("what an iteration deletes before it comes there is not visited, while nothing is added", () => {
  const set = new TransientSet<number>();
  for (let count = 0; count < 1_000; count++) set.add(count);
  const visited: number[] = [];
  for (const member of set) {
    visited.push(member);
    set.delete(member + 1);
  }
  assert.equal(visited.length, 500);
});
