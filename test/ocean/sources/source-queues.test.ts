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
const HERONS = ["h1", "h2", "h3", "h4"].map((id) => claimOf("HRNL", id));

test("source queues take turns, and none has more polls open than slots", () => {
  const queues = lanesOf({ HRNL: 2, TRNC: 1 });
  const wanted = queues.toClaim(0);
  assert.deepEqual(wanted, [
    { source: "HRNL", limit: 4 },
    { source: "TRNC", limit: 2 },
  ]);
  queues.enqueue(wanted, [...HERONS, claimOf("TRNC", "t1"), claimOf("TRNC", "t2")]);
  assert.deepEqual([idOf(queues.next()), idOf(queues.next()), idOf(queues.next())], ["h1", "t1", "h2"]);
  assert.equal(queues.next(), null);
  queues.ended(HERONS[0]!, true);
  assert.equal(idOf(queues.next()), "h3");
});

test("nothing is claimed while every source queue is half full, nor again where nothing was due", () => {
  const queues = lanesOf({ HRNL: 2 });
  queues.enqueue(queues.toClaim(0), HERONS);
  assert.deepEqual(queues.toClaim(0), []);
  queues.next();
  assert.deepEqual(queues.toClaim(0), [], "three wait");
  queues.next();
  assert.deepEqual(queues.toClaim(0), [{ source: "HRNL", limit: 2 }]);
  queues.enqueue(queues.toClaim(0), []);
  assert.deepEqual(queues.toClaim(0), []);
  queues.markDue();
  assert.deepEqual(queues.toClaim(0), [{ source: "HRNL", limit: 2 }]);
});

test("what a client asked for goes before what waits", () => {
  const queues = lanesOf({ "": 1 });
  queues.enqueue(queues.toClaim(0), [claimOf(null, "due")]);
  queues.markDue();
  queues.enqueue(queues.toClaim(0), [claimOf(null, "asked for", 1)]);
  assert.equal(idOf(queues.next()), "asked for");
});

test("a carrier whose breaker is open is not claimed for", () => {
  let open = true;
  const queues = lanesOf({ HRNL: 1, TRNC: 1 }, (carrier) => open && carrier === "HRNL");
  assert.equal(
    queues
      .toClaim(0)
      .map(({ source }) => source)
      .join(),
    "TRNC",
  );
  open = false;
  assert.equal(queues.toClaim(0).length, 2);
});

test("a carrier that asks for patience gets back all that waits, and one look goes ahead when its time is over", () => {
  const queues = lanesOf({ HRNL: 2 });
  queues.enqueue(queues.toClaim(0), HERONS);
  const first = queues.next()!;
  queues.ended(first, false);
  assert.deepEqual(queues.pause(first, 5_000).map(idOf), ["h2", "h3", "h4"]);
  assert.equal(queues.next(), null);
  assert.deepEqual(queues.toClaim(4_999), []);
  assert.deepEqual(queues.toClaim(5_000), [{ source: "HRNL", limit: 1 }]);
  queues.enqueue(queues.toClaim(5_000), [claimOf("HRNL", "h2")]);
  const probe = queues.next()!;
  assert.deepEqual(queues.toClaim(5_000), []);
  queues.ended(probe, true);
  assert.deepEqual(queues.toClaim(5_000), [{ source: "HRNL", limit: 4 }]);
});

test("what is stored under several names of one carrier shares its places and its room", () => {
  const queues = createSourceQueues({
    ...OF_CLAIMS,
    slots: new Map([["EK", 2]]),
    isBreakerOpen: () => false,
    sourcesOf: () => ["176", "901"],
  });
  const both = queues.toClaim(0);
  assert.deepEqual(both, [
    { source: "176", limit: 2 },
    { source: "901", limit: 2 },
  ]);
  queues.enqueue(both, [claimOf("176", "a"), claimOf("176", "b"), claimOf("901", "c")]);
  assert.deepEqual([idOf(queues.next()), idOf(queues.next()), queues.next()], ["a", "b", null]);
  assert.deepEqual(queues.toClaim(0), [{ source: "176", limit: 3 }], "nothing more is due of the other");
  queues.ended(claimOf("176", "a"), true);
  assert.equal(idOf(queues.next()), "c");
  queues.markDue();
  assert.equal(queues.toClaim(0).length, 2);
  queues.enqueue(queues.toClaim(0), [claimOf("176", "d"), claimOf("901", "e")]);
  assert.deepEqual(queues.pause(claimOf("901", "e"), 1_000).map(idOf), ["d", "e"]);
  assert.deepEqual(queues.toClaim(999), []);
});
