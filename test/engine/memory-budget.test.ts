/** How much is in memory, and how raising waits for capacity in it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createInvariants } from "../../src/engine/invariants.ts";
import { createBackpressure } from "../../src/engine/raise/backpressure.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import {
  allocate,
  freeCapacity,
  deallocate,
  createMemoryBudget,
} from "../../src/engine/claim/memory-budget.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";

const SETTINGS = {
  ...DEFAULT_ENGINE_SETTINGS,
  memoryDeliveriesMax: 10,
  memoryBytesMax: 100,
  capacityWaitMsMax: 250,
};

describe("the memory budget", () => {
  test("has capacity for so many deliveries, less those in it and those reserved", () => {
    const memoryBudget = createMemoryBudget(SETTINGS);
    assert.equal(freeCapacity(memoryBudget), 10);
    allocate(memoryBudget, 30);
    allocate(memoryBudget, 30);
    assert.equal(freeCapacity(memoryBudget), 8);
    memoryBudget.reserved = 3;
    assert.equal(freeCapacity(memoryBudget), 5);
    deallocate(memoryBudget, 30);
    assert.deepEqual([freeCapacity(memoryBudget), memoryBudget.bytes], [6, 30]);
  });

  test("has none once its bytes are used up", () => {
    const memoryBudget = createMemoryBudget(SETTINGS);
    allocate(memoryBudget, 99);
    assert.equal(freeCapacity(memoryBudget), 9);
    allocate(memoryBudget, 1);
    assert.equal(freeCapacity(memoryBudget), 0);
    deallocate(memoryBudget, 1);
    assert.equal(freeCapacity(memoryBudget), 9);
  });
});

describe("raising", () => {
  function start(free: number) {
    const clock = manualClock();
    const state = { free, waited: 0 };
    const room = createBackpressure(SETTINGS, clock, () => state.free);
    const wait = () => void room.wait().then(() => (state.waited += 1));
    return { clock, state, room, wait };
  }

  test("goes on while more than a tenth of the memory budget is free", async () => {
    const { clock, state, wait } = start(2);
    wait();
    await clock.advance(0);
    assert.equal(state.waited, 1);
    assert.equal(clock.pending(), 0);
  });

  test("waits where it is not, until there is capacity again", async () => {
    const { clock, state, room, wait } = start(1);
    wait();
    wait();
    await clock.advance(249);
    room.capacityFreed();
    await clock.advance(0);
    assert.equal(state.waited, 0);
    state.free = 2;
    room.capacityFreed();
    await clock.advance(0);
    assert.equal(state.waited, 2);
    room.capacityFreed();
  });

  test("waits no longer than its bound", async () => {
    const { clock, state, wait } = start(0);
    wait();
    await clock.advance(250);
    assert.equal(state.waited, 1);
  });
});

describe("a broken invariant", () => {
  test("is counted each time, and logged once in ten seconds", async () => {
    const [clock, log] = [manualClock(), recordingLog()];
    const invariants = createInvariants(clock, log);
    const broken = (delivery: string) => invariants.report("attempt_ends_once", { delivery });
    assert.equal(invariants.broken.size, 0);
    broken("d");
    await clock.advance(9_999);
    broken("e");
    assert.equal(log.lines.length, 1);
    await clock.advance(1);
    broken("f");
    invariants.report("open_count_not_negative", {});
    assert.deepEqual(
      [...invariants.broken],
      [
        ["attempt_ends_once", 3],
        ["open_count_not_negative", 1],
      ],
    );
    assert.deepEqual(
      log.lines.map(({ level, fields }) => [level, fields]),
      [
        ["error", { delivery: "d", invariant: "attempt_ends_once", times: 1 }],
        ["error", { delivery: "f", invariant: "attempt_ends_once", times: 3 }],
        ["error", { invariant: "open_count_not_negative", times: 1 }],
      ],
    );
  });
});
