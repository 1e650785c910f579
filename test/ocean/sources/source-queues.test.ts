import assert from "node:assert/strict";
import { test } from "node:test";

import type { Claim } from "../../../src/freight/polling/poll-handler.ts";
import type { ClaimedShipment } from "../../../src/freight/polling/store/polls.ts";
import { createSourceQueues } from "../../../src/freight/work/source-queues.ts";

const CELL = { number: 0, schema: "cell", directory: "directory" };

function claimOf(carrier: string | null, id: string, dueMs = 1_000_000): Claim {
  const claimed = { id, carrier, source: carrier ?? "", nextPollAt: new Date(dueMs) } as ClaimedShipment;
  return { cell: CELL, claimed, deadlineMs: 0 };
}

const OF_CLAIMS = {
  claims: "ahead",
  sourceOf: ({ claimed }: Claim) => claimed.source,
  isUrgent: ({ claimed }: Claim) => claimed.nextPollAt!.getTime() < 1_000,
} as const;

function lanesOf(
  slots: Readonly<Record<string, number>>,
  isBreakerOpen: (carrier: string) => boolean = () => false,
) {
  return createSourceQueues({ ...OF_CLAIMS, slots: new Map(Object.entries(slots)), isBreakerOpen });
}

const idOf = (claim: Claim | null) => claim?.claimed.id ?? null;

test("source queues take turns, and none has more polls open than slots", () => {
  const lanes = lanesOf({ HRNL: 2, TRNC: 1 });
  const wanted = lanes.toClaim(0);
  assert.deepEqual(wanted, [
    { source: "HRNL", limit: 4 },
    { source: "TRNC", limit: 2 },
  ]);
  const claims = ["h1", "h2", "h3", "h4"].map((id) => claimOf("HRNL", id));
  lanes.enqueue(wanted, [...claims, claimOf("TRNC", "t1"), claimOf("TRNC", "t2")]);
  assert.deepEqual([idOf(lanes.next()), idOf(lanes.next()), idOf(lanes.next())], ["h1", "t1", "h2"]);
  assert.equal(lanes.next(), null);
  lanes.ended(claims[0]!, true);
  assert.equal(idOf(lanes.next()), "h3");
});

test("nothing is claimed while every source queue is half full, nor again where nothing was due", () => {
  const lanes = lanesOf({ HRNL: 2 });
  lanes.enqueue(
    lanes.toClaim(0),
    ["h1", "h2", "h3", "h4"].map((id) => claimOf("HRNL", id)),
  );
  assert.deepEqual(lanes.toClaim(0), []);
  lanes.next();
  assert.deepEqual(lanes.toClaim(0), [], "three wait");
  lanes.next();
  assert.deepEqual(lanes.toClaim(0), [{ source: "HRNL", limit: 2 }]);
  lanes.enqueue(lanes.toClaim(0), []);
  assert.deepEqual(lanes.toClaim(0), []);
  lanes.markDue();
  assert.deepEqual(lanes.toClaim(0), [{ source: "HRNL", limit: 2 }]);
});

test("what a client asked for goes before what waits", () => {
  const lanes = lanesOf({ "": 1 });
  lanes.enqueue(lanes.toClaim(0), [claimOf(null, "due")]);
  lanes.markDue();
  lanes.enqueue(lanes.toClaim(0), [claimOf(null, "asked for", 1)]);
  assert.equal(idOf(lanes.next()), "asked for");
});

test("a carrier whose breaker is open is not claimed for", () => {
  let open = true;
  const lanes = lanesOf({ HRNL: 1, TRNC: 1 }, (carrier) => open && carrier === "HRNL");
  assert.deepEqual(
    lanes.toClaim(0).map(({ source }) => source),
    ["TRNC"],
  );
  open = false;
  assert.equal(lanes.toClaim(0).length, 2);
});

test("a carrier that asks for patience gets back all that waits, and one look goes ahead when its time is over", () => {
  const lanes = lanesOf({ HRNL: 2 });
  lanes.enqueue(
    lanes.toClaim(0),
    ["h1", "h2", "h3", "h4"].map((id) => claimOf("HRNL", id)),
  );
  const first = lanes.next()!;
  lanes.ended(first, false);
  assert.deepEqual(lanes.pause(first, 5_000).map(idOf), ["h2", "h3", "h4"]);
  assert.equal(lanes.next(), null);
  assert.deepEqual(lanes.toClaim(4_999), []);
  assert.deepEqual(lanes.toClaim(5_000), [{ source: "HRNL", limit: 1 }]);
  lanes.enqueue(lanes.toClaim(5_000), [claimOf("HRNL", "h2")]);
  const probe = lanes.next()!;
  assert.deepEqual(lanes.toClaim(5_000), []);
  lanes.ended(probe, true);
  assert.deepEqual(lanes.toClaim(5_000), [{ source: "HRNL", limit: 4 }]);
});

test("what is stored under several names of one carrier shares its places and its room", () => {
  const lanes = createSourceQueues({
    ...OF_CLAIMS,
    slots: new Map([["EK", 2]]),
    isBreakerOpen: () => false,
    sourcesOf: () => ["176", "901"],
  });
  const both = lanes.toClaim(0);
  assert.deepEqual(both, [
    { source: "176", limit: 2 },
    { source: "901", limit: 2 },
  ]);
  lanes.enqueue(both, [claimOf("176", "a"), claimOf("176", "b"), claimOf("901", "c")]);
  assert.deepEqual([idOf(lanes.next()), idOf(lanes.next()), lanes.next()], ["a", "b", null]);
  assert.deepEqual(lanes.toClaim(0), [{ source: "176", limit: 3 }], "nothing more is due of the other");
  lanes.ended(claimOf("176", "a"), true);
  assert.equal(idOf(lanes.next()), "c");
  lanes.markDue();
  assert.equal(lanes.toClaim(0).length, 2);
  lanes.enqueue(lanes.toClaim(0), [claimOf("176", "d"), claimOf("901", "e")]);
  assert.deepEqual(lanes.pause(claimOf("901", "e"), 1_000).map(idOf), ["d", "e"]);
  assert.deepEqual(lanes.toClaim(999), []);
});
