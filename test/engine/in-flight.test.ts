/** What a node holds, with a database that answers by hand. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createInFlight, COMMIT_UNKNOWN_MS_MAX } from "../../src/engine/claim/in-flight.ts";
import { createInvariants } from "../../src/engine/invariants.ts";
import type { EngineContext } from "../../src/engine/engine-context.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { createMemoryBudget } from "../../src/engine/claim/memory-budget.ts";
import type { InFlightDelivery } from "../../src/model/delivery.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Statement } from "../../src/store/sql.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { deliveryOf } from "./endpoint.ts";

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const numberOf = (id: string) => Number(id.slice(-12));
const delivery = (number: number, more: Partial<InFlightDelivery> = {}) => deliveryOf(idOf(number), more);

function start() {
  const [clock, log] = [manualClock(), recordingLog()];
  const memoryBudget = createMemoryBudget(DEFAULT_ENGINE_SETTINGS, 1);
  const invariants = createInvariants(clock, log);
  const released: number[][] = [];
  const state = {
    isAway: false,
    /** The deliveries that a release finds. */
    found: (numbers: readonly number[]): readonly number[] => numbers,
    claims: [] as { id: string; endpointId: string }[],
    capacityFreed: 0,
  };
  const member = { cell: { number: 0, schema: "c", directory: "d" }, node: 1, maySend: () => true };
  const database = {
    async rows({ name }: Statement, parameters: readonly unknown[]) {
      if (state.isAway) throw new StoreUnavailable("away");
      if (name.startsWith("delivery_list_claimed")) return state.claims;
      const hex = parameters.find((one) => Buffer.isBuffer(one))!.toString("hex");
      const numbers = [...hex.matchAll(/00000000000070008000(?<number>\d{12})/g)].map(({ groups }) =>
        Number(groups!["number"]),
      );
      released.push(numbers);
      return state.found(numbers).map((number) => ({ id: idOf(number) }));
    },
  };
  const parts = {
    memoryBudget,
    invariants,
    database,
    clock,
    log,
    onCapacityFreed: () => void state.capacityFreed++,
  } as unknown as EngineContext;
  const inFlight = createInFlight(parts, member);
  const memoryUse = () => [memoryBudget.deliveries, memoryBudget.bytes];
  return { clock, log, inFlight, member, memoryUse, released, state, invariants };
}

describe("what a node holds", () => {
  test("counts in the memory budget until its result is written", () => {
    const { inFlight, memoryUse } = start();
    inFlight.addRaised(idOf(1), 10);
    assert.equal(inFlight.addClaimed(delivery(2, { body: "12345" })), true);
    assert.deepEqual([memoryUse(), inFlight.oldestRaised()], [[2, 15], idOf(1)]);
    inFlight.settled(delivery(1));
    assert.deepEqual([memoryUse(), inFlight.oldestRaised()], [[1, 5], null]);
    inFlight.settled(delivery(2));
    assert.deepEqual(memoryUse(), [0, 0]);
  });

  test("is the oldest of the deliveries in flight that were raised here", () => {
    const { inFlight } = start();
    for (const number of [1, 2, 3]) inFlight.addRaised(idOf(number), 1);
    inFlight.rolledBack(delivery(1));
    assert.equal(inFlight.oldestRaised(), idOf(2));
    inFlight.disown([delivery(2)]);
    assert.equal(inFlight.oldestRaised(), idOf(3));
  });

  test("comes once and leaves once: anything else is a bug, and changes nothing", () => {
    const { inFlight, memoryUse, invariants } = start();
    inFlight.addRaised(idOf(1), 10);
    inFlight.addRaised(idOf(1), 10);
    assert.equal(inFlight.addClaimed(delivery(1)), false);
    assert.deepEqual(memoryUse(), [1, 10]);
    inFlight.settled(delivery(1));
    inFlight.settled(delivery(1));
    inFlight.rolledBack(delivery(1));
    assert.deepEqual(memoryUse(), [0, 0]);
    assert.equal(invariants.broken.get("delivery_in_flight_once"), 4);
  });
});

describe("a claim ahead of the answer to a settlement", () => {
  const next = delivery(1, { attemptCount: 1, queued: true, body: "123" });

  test("waits for that answer, and is in flight from then on", () => {
    const { inFlight, memoryUse, invariants } = start();
    inFlight.addRaised(idOf(1), 10);
    assert.equal(inFlight.addClaimed(next), false, "the earlier attempt is still being settled");
    assert.deepEqual(memoryUse(), [1, 10]);
    assert.equal(inFlight.settled(delivery(1)), next);
    assert.deepEqual([memoryUse(), inFlight.oldestRaised()], [[1, 3], null]);
    assert.equal(inFlight.settled(next), null);
    assert.deepEqual([memoryUse(), [...invariants.broken]], [[0, 0], []]);
  });

  test("is no unknown one, and ends with the node number", async () => {
    const { inFlight, state, memoryUse, released } = start();
    inFlight.addRaised(idOf(1), 10);
    inFlight.addClaimed(next);
    state.claims = [{ id: idOf(1), endpointId: "e" }];
    assert.deepEqual(await inFlight.releaseUnknownClaims(), []);
    assert.deepEqual(released, [], "it is not given to another node");
    inFlight.replaced();
    assert.equal(inFlight.settled(delivery(1)), null);
    assert.deepEqual(memoryUse(), [0, 0]);
  });

  test("that brings it under an earlier node number leaves nothing behind", async () => {
    const { inFlight, member, state, released, memoryUse } = start();
    inFlight.addRaised(idOf(1), 10);
    inFlight.replaced();
    member.node = 2;
    inFlight.addClaimed(next);
    const claimed = inFlight.settled(delivery(1));
    assert.equal(claimed, next);
    inFlight.disown([next]);
    assert.deepEqual(memoryUse(), [0, 0]);
    state.claims = [{ id: idOf(1), endpointId: "e" }];
    assert.deepEqual(await inFlight.releaseUnknownClaims(), ["e"], "a later claim of it is unknown");
    assert.deepEqual(released, [[1]]);
  });
});

describe("what is released", () => {
  test("goes in one statement, however many release at once, and makes capacity at once", async () => {
    const { inFlight, memoryUse, released, state } = start();
    for (const number of [1, 2, 3]) inFlight.addRaised(idOf(number), 1);
    const all = [inFlight.release([delivery(1)]), inFlight.release([delivery(2)])];
    assert.deepEqual([memoryUse(), state.capacityFreed], [[1, 1], 2]);
    await Promise.all(all);
    assert.deepEqual([released, inFlight.oldestRaised()], [[[1, 2]], idOf(3)]);
    await inFlight.release([]);
    assert.equal(state.capacityFreed, 2);
  });

  test("goes a thousand at a time", async () => {
    const { inFlight, released } = start();
    const many = Array.from({ length: 1_001 }, (_, number) => delivery(number));
    for (const { id } of many) inFlight.addRaised(id, 1);
    await inFlight.release(many);
    assert.deepEqual(
      released.map((numbers) => numbers.length),
      [1_000, 1],
    );
  });

  test("waits while the database is away, and stays this node's", async () => {
    const { inFlight, released, state, log } = start();
    inFlight.addRaised(idOf(1), 1);
    state.isAway = true;
    await inFlight.release([delivery(1)]);
    assert.equal(inFlight.oldestRaised(), idOf(1));
    assert.deepEqual(
      log.lines.map(({ level, fields }) => [level, (fields as { deliveries: number }).deliveries]),
      [["warn", 1]],
    );
    state.isAway = false;
    await inFlight.retryReleases();
    assert.deepEqual([released, inFlight.oldestRaised()], [[[1]], null]);
    await inFlight.retryReleases();
    assert.equal(released.length, 1);
  });

  test("is not this node's where it was inFlight under an earlier number", async () => {
    const { inFlight, member, released, memoryUse } = start();
    inFlight.addRaised(idOf(1), 1);
    member.node = 2;
    inFlight.replaced();
    inFlight.addRaised(idOf(2), 1);
    await inFlight.release([delivery(1), delivery(2, { node: 2 })]);
    assert.deepEqual([released, memoryUse(), inFlight.oldestRaised()], [[[2]], [0, 0], null]);
  });

  test("is another's once this node was replaced", async () => {
    const { inFlight, released, state } = start();
    inFlight.addRaised(idOf(1), 1);
    inFlight.addRaised(idOf(2), 1);
    state.isAway = true;
    await inFlight.release([delivery(1)]);
    inFlight.commitUnknown(delivery(2));
    inFlight.replaced();
    state.isAway = false;
    await inFlight.retryReleases();
    assert.deepEqual([released, inFlight.oldestRaised()], [[], null]);
  });
});

describe("what was of unknown commit", () => {
  test("is looked for until it is found, and then released", async () => {
    const { inFlight, released, memoryUse, state } = start();
    inFlight.addRaised(idOf(1), 5);
    inFlight.commitUnknown(delivery(1));
    assert.deepEqual([memoryUse(), inFlight.oldestRaised()], [[0, 0], idOf(1)]);
    state.found = () => [];
    await inFlight.retryReleases();
    assert.equal(inFlight.oldestRaised(), idOf(1));
    state.found = (numbers) => numbers;
    await inFlight.retryReleases();
    await inFlight.retryReleases();
    assert.deepEqual([released, inFlight.oldestRaised()], [[[1], [1]], null]);
  });

  test("is looked for so long and no longer", async () => {
    const { inFlight, clock, released, state } = start();
    inFlight.addRaised(idOf(1), 5);
    inFlight.commitUnknown(delivery(1));
    state.found = () => [];
    await clock.advance(COMMIT_UNKNOWN_MS_MAX - 1);
    await inFlight.retryReleases();
    assert.equal(inFlight.oldestRaised(), idOf(1));
    await clock.advance(1);
    await inFlight.retryReleases();
    await inFlight.retryReleases();
    assert.deepEqual([released.length, inFlight.oldestRaised()], [2, null]);
  });

  test("waits while the database is away", async () => {
    const { inFlight, state } = start();
    inFlight.addRaised(idOf(1), 5);
    inFlight.commitUnknown(delivery(1));
    state.isAway = true;
    await inFlight.retryReleases();
    assert.equal(inFlight.oldestRaised(), idOf(1));
  });

  test("is not found where the node was replaced while it looked", async () => {
    const { inFlight, member, state } = start();
    inFlight.addRaised(idOf(1), 5);
    inFlight.commitUnknown(delivery(1));
    state.found = (numbers) => {
      member.node = 2;
      return numbers;
    };
    await inFlight.retryReleases();
    assert.equal(inFlight.oldestRaised(), idOf(1));
  });
});

test("of what was claimed, that alone is released which the node does not know of", async () => {
  const { inFlight, released, state } = start();
  inFlight.addClaimed(delivery(1));
  state.claims = [1, 2, 3].map((number) => ({ id: idOf(number), endpointId: `e${number}` }));
  assert.deepEqual(await inFlight.releaseUnknownClaims(), ["e2", "e3"]);
  assert.deepEqual(
    released.map((numbers) => numbers.map((number) => numberOf(idOf(number)))),
    [[2, 3]],
  );
  await inFlight.release([delivery(1)]);
  assert.deepEqual(
    await inFlight.releaseUnknownClaims(),
    ["e1", "e2", "e3"],
    "what was released is not in hand any more",
  );
});

describe("what is claimed", () => {
  test("need not be released any more: that was written, though its answer was lost", async () => {
    const { inFlight, released, state, memoryUse } = start();
    inFlight.addRaised(idOf(1), 4);
    state.isAway = true;
    await inFlight.release([delivery(1)]);
    assert.equal(inFlight.addClaimed(delivery(1, { body: "12345" })), true);
    state.isAway = false;
    await inFlight.retryReleases();
    assert.deepEqual([released, memoryUse(), inFlight.oldestRaised()], [[], [1, 5], null]);
  });

  test("need not be looked for any more: that was found and released, though its answer was lost", async () => {
    const { inFlight, released, state } = start();
    inFlight.addRaised(idOf(1), 4);
    inFlight.commitUnknown(delivery(1));
    state.isAway = true;
    await inFlight.retryReleases();
    assert.equal(inFlight.addClaimed(delivery(1)), true);
    state.isAway = false;
    await inFlight.retryReleases();
    assert.deepEqual([released, inFlight.oldestRaised()], [[], null], "its attempt goes on");
  });

  test("under a new number stands beside what is still sent under the former one", () => {
    const { inFlight, member, memoryUse, invariants } = start();
    inFlight.addRaised(idOf(1), 3);
    member.node = 2;
    inFlight.replaced();
    assert.equal(inFlight.addClaimed(delivery(1, { node: 2, body: "12345" })), true);
    assert.deepEqual(memoryUse(), [2, 8]);
    inFlight.settled(delivery(1));
    assert.deepEqual(memoryUse(), [1, 5]);
    inFlight.commitUnknown(delivery(1, { node: 2 }));
    assert.deepEqual([memoryUse(), invariants.broken.size], [[0, 0], 0]);
  });
});
