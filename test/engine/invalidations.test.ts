import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createInvalidations, type InvalidationsPorts } from "../../src/engine/membership/invalidations.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import type { Database } from "../../src/store/database.ts";
import { manualClock } from "../support/clock.ts";

const CELL = { number: 0, schema: "boathook_cell_0", directory: "boathook" };
const change = (number: number) => `"boathook_cell_0".changes ${number} account endpoint-${number}`;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Invalidations whose refresh waits until it is let go; `seen` are the numbers noted in the database. */
function start(refresh?: InvalidationsPorts["refresh"]) {
  const refreshed: string[] = [];
  const seen: unknown[] = [];
  const missed: string[] = [];
  let letGo: () => void = () => undefined;
  const database = { rows: () => assert.fail("nothing is asked") } as unknown as Database;
  const invalidations = createInvalidations(DEFAULT_ENGINE_SETTINGS, {
    database,
    member: { cell: CELL, node: 1, maySend: () => true },
    clock: manualClock(),
    refresh:
      refresh ??
      ((_account, endpointId) =>
        new Promise((resolve) => {
          letGo = () => {
            letGo = () => undefined;
            refreshed.push(endpointId);
            resolve();
          };
        })),
    onRefreshed: async (number) => void seen.push(number),
    onDue: () => undefined,
    onWork: () => undefined,
    onMissed: (reason) => missed.push(reason),
  });
  return { invalidations, refreshed, seen, missed, letGo: () => letGo() };
}

describe("changes notified by other nodes", () => {
  test("are refreshed one after the other, and seen in their order", async () => {
    const { invalidations, refreshed, seen, letGo } = start();
    for (const number of [1, 2, 3]) invalidations.receive(change(number));
    for (let count = 0; count < 3; count += 1) {
      letGo();
      await turn();
    }
    assert.deepEqual(refreshed, ["endpoint-1", "endpoint-2", "endpoint-3"]);
    assert.deepEqual(seen, [1, 2, 3]);
  });

  test("are given up for one reading of everything when too many wait", async () => {
    const { invalidations, refreshed, missed, letGo } = start();
    for (let number = 1; number <= 1_001; number += 1) invalidations.receive(change(number));
    assert.deepEqual(missed, [], "one is being refreshed, a thousand wait");
    invalidations.receive(change(1_002));
    assert.deepEqual(missed, ["too many invalidations wait"]);
    letGo();
    await turn();
    letGo();
    await turn();
    assert.deepEqual(refreshed, ["endpoint-1"], "the waiting ones are not refreshed one by one");
    invalidations.receive(change(1_003));
    letGo();
    await turn();
    assert.deepEqual(refreshed, ["endpoint-1", "endpoint-1003"], "later ones are");
  });

  test("are read as a whole after one could not be refreshed, and later ones are refreshed", async () => {
    let faults = 1;
    const taken: string[] = [];
    const { invalidations, missed } = start(async (_account, endpointId) => {
      if (faults-- > 0) throw new Error("the database is away");
      taken.push(endpointId);
    });
    invalidations.receive(change(1));
    invalidations.receive(change(2));
    await turn();
    assert.deepEqual(missed, ["a changed endpoint could not be read"]);
    invalidations.receive(change(3));
    await turn();
    assert.deepEqual(taken, ["endpoint-3"]);
  });
});
