/** How much is in memory, and how raising waits for capacity in it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { createInvariants } from "../../src/engine/invariants.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import {
  addPart,
  allocate,
  createBackpressure,
  freeCapacity,
  deallocate,
  createMemoryBudget,
  isShareFree,
  reserve,
} from "../../src/engine/claim/memory-budget.ts";
import { cellsNamed, type Cell } from "../../src/store/cell.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { forAll } from "../support/runs.ts";
import { columns } from "../support/columns.ts";

const SETTINGS = {
  ...DEFAULT_ENGINE_SETTINGS,
  memoryDeliveriesMax: 10,
  memoryBytesMax: 100,
  capacityWaitMsMax: 250,
};

describe("the memory budget", () => {
  test("has capacity for so many deliveries, less those in it and those reserved", () => {
    const memoryBudget = createMemoryBudget(SETTINGS, 1);
    assert.equal(freeCapacity(memoryBudget, 0), 10);
    allocate(memoryBudget, 0, 30);
    allocate(memoryBudget, 0, 30);
    assert.equal(freeCapacity(memoryBudget, 0), 8);
    reserve(memoryBudget, 0, 3);
    assert.equal(freeCapacity(memoryBudget, 0), 5);
    deallocate(memoryBudget, 0, 30);
    assert.deepEqual([freeCapacity(memoryBudget, 0), memoryBudget.bytes], [6, 30]);
    for (let left = 6; left > 0; left -= 1) allocate(memoryBudget, 0, 0);
    assert.equal(freeCapacity(memoryBudget, 0), 0);
  });

  test("is divided again when a cell is added, which gets its part as the others make capacity", () => {
    const memoryBudget = createMemoryBudget({ ...SETTINGS, memoryDeliveriesMax: 40 }, 1);
    for (let taken = 0; taken < 36; taken += 1) allocate(memoryBudget, 0, 1);
    addPart(memoryBudget);
    assert.deepEqual([freeCapacity(memoryBudget, 0), freeCapacity(memoryBudget, 1)], [0, 4]);
    for (let freed = 0; freed < 6; freed += 1) deallocate(memoryBudget, 0, 1);
    assert.deepEqual([freeCapacity(memoryBudget, 0), freeCapacity(memoryBudget, 1)], [0, 10]);
    deallocate(memoryBudget, 0, 1);
    assert.equal(freeCapacity(memoryBudget, 0), 1);
  });

  test("has none once its bytes are used up", () => {
    const memoryBudget = createMemoryBudget(SETTINGS, 1);
    allocate(memoryBudget, 0, 99);
    assert.equal(freeCapacity(memoryBudget, 0), 9);
    allocate(memoryBudget, 0, 1);
    assert.equal(freeCapacity(memoryBudget, 0), 0);
    deallocate(memoryBudget, 0, 1);
    assert.equal(freeCapacity(memoryBudget, 0), 9);
  });

  test("is a cell's for three quarters where there are two, and a quarter stays the other's", () => {
    const memoryBudget = createMemoryBudget({ ...SETTINGS, memoryDeliveriesMax: 40 }, 2);
    for (let taken = 0; taken < 30; taken += 1) {
      assert.equal(freeCapacity(memoryBudget, 0), 30 - taken);
      allocate(memoryBudget, 0, 1);
    }
    assert.deepEqual([freeCapacity(memoryBudget, 0), freeCapacity(memoryBudget, 1)], [0, 10]);
    assert.deepEqual([isShareFree(memoryBudget, 0, 0.1), isShareFree(memoryBudget, 1, 0.1)], [false, true]);
    reserve(memoryBudget, 1, 9);
    assert.deepEqual([freeCapacity(memoryBudget, 1), isShareFree(memoryBudget, 1, 0.1)], [1, false]);
    reserve(memoryBudget, 1, -9);
    for (let freed = 0; freed < 15; freed += 1) deallocate(memoryBudget, 0, 1);
    assert.deepEqual([freeCapacity(memoryBudget, 0), freeCapacity(memoryBudget, 1)], [15, 25]);
  });

  test("leaves a cell bytes of its own as well", () => {
    const memoryBudget = createMemoryBudget({ ...SETTINGS, memoryDeliveriesMax: 40 }, 2);
    allocate(memoryBudget, 0, 80);
    assert.equal(freeCapacity(memoryBudget, 0), 0);
    allocate(memoryBudget, 1, 24);
    assert.ok(freeCapacity(memoryBudget, 1) > 0);
    allocate(memoryBudget, 1, 1);
    assert.equal(freeCapacity(memoryBudget, 1), 0);
  });

  test("never holds more than all, whatever the cells do, and is free again at the end", () => {
    forAll(100, fc.array(fc.tuple(fc.nat(4), fc.boolean()), { maxLength: 300 }), (steps) => {
      const memoryBudget = createMemoryBudget({ ...SETTINGS, memoryDeliveriesMax: 43 }, 5);
      const taken = [0, 0, 0, 0, 0];
      for (const [cell, isTaken] of steps) {
        if (isTaken && freeCapacity(memoryBudget, cell) > 0) {
          allocate(memoryBudget, cell, 1);
          taken[cell]! += 1;
        } else if (!isTaken && taken[cell]! > 0) {
          deallocate(memoryBudget, cell, 1);
          taken[cell]! -= 1;
        }
        assert.ok(memoryBudget.deliveries <= 43);
        for (const one of taken.keys()) {
          const sure = memoryBudget.part.deliveries - taken[one]!;
          assert.ok(freeCapacity(memoryBudget, one) >= sure, "a cell is sure of its part");
        }
      }
      for (const [cell, count] of taken.entries())
        for (let left = count; left > 0; left -= 1) deallocate(memoryBudget, cell, 1);
      assert.equal(freeCapacity(memoryBudget, 0), createFree());
    });
    function createFree(): number {
      return freeCapacity(createMemoryBudget({ ...SETTINGS, memoryDeliveriesMax: 43 }, 5), 0);
    }
  });
});

describe("raising", () => {
  const [CELL, OTHER] = cellsNamed("boathook", 2) as [Cell, Cell];

  function start(isEnough: boolean) {
    const clock = manualClock();
    const state = { isEnough, waited: 0 };
    const room = createBackpressure(SETTINGS, clock, (cell) => cell === OTHER || state.isEnough);
    const wait = (cell = CELL) => void room.wait(cell).then(() => (state.waited += 1));
    return { clock, state, room, wait };
  }

  test("goes on while the cell has capacity, whatever another has", async () => {
    const { clock, state, wait } = start(false);
    wait(OTHER);
    await clock.advance(0);
    assert.equal(state.waited, 1);
    assert.equal(clock.pending(), 0);
  });

  test("waits where it has none, until there is capacity again", async () => {
    const { clock, state, room, wait } = start(false);
    wait();
    wait();
    await clock.advance(249);
    room.capacityFreed();
    await clock.advance(0);
    assert.equal(state.waited, 0);
    state.isEnough = true;
    room.capacityFreed();
    await clock.advance(0);
    assert.equal(state.waited, 2);
    room.capacityFreed();
  });

  test("waits no longer than its bound", async () => {
    const { clock, state, wait } = start(false);
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
    assert.deepEqual(columns(log.lines, "level", "fields"), [
      ["error", { delivery: "d", invariant: "attempt_ends_once", times: 1 }],
      ["error", { delivery: "f", invariant: "attempt_ends_once", times: 3 }],
      ["error", { invariant: "open_count_not_negative", times: 1 }],
    ]);
  });
});
