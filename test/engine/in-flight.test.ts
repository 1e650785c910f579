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
  const memoryBudget = createMemoryBudget(DEFAULT_ENGINE_SETTINGS);
  const invariants = createInvariants(clock, log);
  const released: number[][] = [];
  const state = {
    isAway: false,
    /** Those that a release finds. */
    found: (numbers: readonly number[]): readonly number[] => numbers,
    claims: [] as { id: string; endpointId: string }[],
    capacityFreed: 0,
  };
  const member = { cell: { number: 0, schema: "c", directory: "d" }, node: 1, maySend: () => true };
  const database = {
    async rows({ name }: Statement, parameters: readonly unknown[]) {
      if (state.isAway) throw new StoreUnavailable("away");
      if (name.startsWith("delivery_list_claimed")) return state.claims;
      const hex = (parameters[1] as Buffer).toString("hex");
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
  const held = createInFlight(parts, member);
  const memoryUse = () => [memoryBudget.deliveries, memoryBudget.bytes];
  return { clock, log, held, member, memoryUse, released, state, invariants };
}

describe("what a node holds", () => {
  test("counts in the memory budget until its result is written", () => {
    const { held, memoryUse } = start();
    held.addRaised(idOf(1), 10);
    assert.equal(held.addClaimed(delivery(2, { body: "12345" })), true);
    assert.deepEqual([memoryUse(), held.oldestRaised()], [[2, 15], idOf(1)]);
    held.settled(delivery(1));
    assert.deepEqual([memoryUse(), held.oldestRaised()], [[1, 5], null]);
    held.settled(delivery(2));
    assert.deepEqual(memoryUse(), [0, 0]);
  });

  test("is the oldest of those it has held since they were raised", () => {
    const { held } = start();
    for (const number of [1, 2, 3]) held.addRaised(idOf(number), 1);
    held.rolledBack(delivery(1));
    assert.equal(held.oldestRaised(), idOf(2));
    held.disown([delivery(2)]);
    assert.equal(held.oldestRaised(), idOf(3));
  });

  test("comes once and leaves once: anything else is a bug, and changes nothing", () => {
    const { held, memoryUse, invariants } = start();
    held.addRaised(idOf(1), 10);
    held.addRaised(idOf(1), 10);
    assert.equal(held.addClaimed(delivery(1)), false);
    assert.deepEqual(memoryUse(), [1, 10]);
    held.settled(delivery(1));
    held.settled(delivery(1));
    held.rolledBack(delivery(1));
    assert.deepEqual(memoryUse(), [0, 0]);
    assert.equal(invariants.broken.get("delivery_in_flight_once"), 4);
  });
});

describe("what is released", () => {
  test("goes in one statement, however many release at once, and makes capacity at once", async () => {
    const { held, memoryUse, released, state } = start();
    for (const number of [1, 2, 3]) held.addRaised(idOf(number), 1);
    const all = [held.release([delivery(1)]), held.release([delivery(2)])];
    assert.deepEqual([memoryUse(), state.capacityFreed], [[1, 1], 2]);
    await Promise.all(all);
    assert.deepEqual([released, held.oldestRaised()], [[[1, 2]], idOf(3)]);
    await held.release([]);
    assert.equal(state.capacityFreed, 2);
  });

  test("goes a thousand at a time", async () => {
    const { held, released } = start();
    const many = Array.from({ length: 1_001 }, (_, number) => delivery(number));
    for (const { id } of many) held.addRaised(id, 1);
    await held.release(many);
    assert.deepEqual(
      released.map((numbers) => numbers.length),
      [1_000, 1],
    );
  });

  test("waits while the database is away, and is still this node's meanwhile", async () => {
    const { held, released, state, log } = start();
    held.addRaised(idOf(1), 1);
    state.isAway = true;
    await held.release([delivery(1)]);
    assert.equal(held.oldestRaised(), idOf(1));
    assert.deepEqual(
      log.lines.map(({ level, fields }) => [level, (fields as { deliveries: number }).deliveries]),
      [
        ["warn", 1],
        ["warn", 1],
      ],
    );
    state.isAway = false;
    await held.retryReleases();
    assert.deepEqual([released, held.oldestRaised()], [[[1]], null]);
    await held.retryReleases();
    assert.equal(released.length, 1);
  });

  test("is not this node's where it was held under an earlier number", async () => {
    const { held, member, released, memoryUse } = start();
    held.addRaised(idOf(1), 1);
    member.node = 2;
    held.replaced();
    held.addRaised(idOf(2), 1);
    await held.release([delivery(1), delivery(2, { node: 2 })]);
    assert.deepEqual([released, memoryUse(), held.oldestRaised()], [[[2]], [0, 0], null]);
  });

  test("is another's once this node was replaced", async () => {
    const { held, released, state } = start();
    held.addRaised(idOf(1), 1);
    held.addRaised(idOf(2), 1);
    state.isAway = true;
    await held.release([delivery(1)]);
    held.commitUnknown(delivery(2));
    held.replaced();
    state.isAway = false;
    await held.retryReleases();
    assert.deepEqual([released, held.oldestRaised()], [[], null]);
  });
});

describe("what was of unknown commit", () => {
  test("is looked for until it is found, and then released", async () => {
    const { held, released, memoryUse, state } = start();
    held.addRaised(idOf(1), 5);
    held.commitUnknown(delivery(1));
    assert.deepEqual([memoryUse(), held.oldestRaised()], [[0, 0], idOf(1)]);
    state.found = () => [];
    await held.retryReleases();
    assert.equal(held.oldestRaised(), idOf(1));
    state.found = (numbers) => numbers;
    await held.retryReleases();
    await held.retryReleases();
    assert.deepEqual([released, held.oldestRaised()], [[[1], [1]], null]);
  });

  test("is looked for so long and no longer", async () => {
    const { held, clock, released, state } = start();
    held.addRaised(idOf(1), 5);
    held.commitUnknown(delivery(1));
    state.found = () => [];
    await clock.advance(COMMIT_UNKNOWN_MS_MAX - 1);
    await held.retryReleases();
    assert.equal(held.oldestRaised(), idOf(1));
    await clock.advance(1);
    await held.retryReleases();
    await held.retryReleases();
    assert.deepEqual([released.length, held.oldestRaised()], [2, null]);
  });

  test("waits while the database is away", async () => {
    const { held, state } = start();
    held.addRaised(idOf(1), 5);
    held.commitUnknown(delivery(1));
    state.isAway = true;
    await held.retryReleases();
    assert.equal(held.oldestRaised(), idOf(1));
  });

  test("is not found where the node was replaced while it looked", async () => {
    const { held, member, state } = start();
    held.addRaised(idOf(1), 5);
    held.commitUnknown(delivery(1));
    state.found = (numbers) => {
      member.node = 2;
      return numbers;
    };
    await held.retryReleases();
    assert.equal(held.oldestRaised(), idOf(1));
  });
});

test("of what was claimed, that alone is released which the node does not know of", async () => {
  const { held, released, state } = start();
  held.addClaimed(delivery(1));
  state.claims = [1, 2, 3].map((number) => ({ id: idOf(number), endpointId: `e${number}` }));
  assert.deepEqual(await held.releaseUnknownClaims(), ["e2", "e3"]);
  assert.deepEqual(
    released.map((numbers) => numbers.map((number) => numberOf(idOf(number)))),
    [[2, 3]],
  );
  await held.release([delivery(1)]);
  assert.deepEqual(
    await held.releaseUnknownClaims(),
    ["e1", "e2", "e3"],
    "what was released is not in hand any more",
  );
});

describe("what is claimed", () => {
  test("need not be released any more: that was written, though its answer was lost", async () => {
    const { held, released, state, memoryUse } = start();
    held.addRaised(idOf(1), 4);
    state.isAway = true;
    await held.release([delivery(1)]);
    assert.equal(held.addClaimed(delivery(1, { body: "12345" })), true);
    state.isAway = false;
    await held.retryReleases();
    assert.deepEqual([released, memoryUse(), held.oldestRaised()], [[], [1, 5], null]);
  });

  test("under a new number stands beside what is still sent under the former one", () => {
    const { held, member, memoryUse, invariants } = start();
    held.addRaised(idOf(1), 3);
    member.node = 2;
    held.replaced();
    assert.equal(held.addClaimed(delivery(1, { node: 2, body: "12345" })), true);
    assert.deepEqual(memoryUse(), [2, 8]);
    held.settled(delivery(1));
    assert.deepEqual(memoryUse(), [1, 5]);
    held.commitUnknown(delivery(1, { node: 2 }));
    assert.deepEqual([memoryUse(), invariants.broken.size], [[0, 0], 0]);
  });
});
