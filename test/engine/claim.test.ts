/** When deliveries are claimed and how many, with a queue that answers by hand. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createClaimer } from "../../src/engine/claim/claim.ts";
import type { CellQueues } from "../../src/engine/cell-queues.ts";
import type { InFlight } from "../../src/engine/claim/in-flight.ts";
import { createMemoryBudget } from "../../src/engine/claim/memory-budget.ts";
import type { EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import type { EngineContext } from "../../src/engine/engine-context.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../src/engine/settings.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Statement } from "../../src/store/sql.ts";
import type { Database } from "../../src/store/database.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { manualClock, START_MS } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { queueOf } from "./endpoint.ts";

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;

/** The numbers of the ids in PostgreSQL's binary form. */
function numbersIn(parameter: unknown): readonly number[] {
  const hex = (parameter as Buffer).toString("hex");
  return [...hex.matchAll(/00000000000070008000(\d{12})/g)].map(([, number]) => Number(number));
}

type Row = { readonly id: string; readonly dueInMs: number | null };

function start(settings: Partial<EngineSettings> = {}) {
  const [clock, log] = [manualClock(), recordingLog()];
  const queues = new Map<string, EndpointQueue>();
  const memoryBudget = createMemoryBudget(DEFAULT_ENGINE_SETTINGS, 1);
  const [opened, asked] = [[] as number[][], [] as number[][]];
  const seen = { claims: [] as string[], enqueued: 0, opened, asked, unknown: 0 };
  const state = {
    /** How many a claim brings for an endpoint. */
    brings: (_number: number) => 0,
    next: [] as Row[],
    sweep: [] as Row[],
    capacity: 5,
    reservedMost: 0,
    isAway: false,
    before: async () => {},
    unknown: [] as string[],
  };
  const dues = (rows: readonly Row[]) =>
    rows.map(({ id, dueInMs }) => ({
      endpointId: id,
      dueAt: dueInMs === null ? null : new Date(clock.nowMs() + dueInMs),
    }));
  const database = {
    async rows({ name }: Statement, parameters: readonly unknown[]) {
      if (state.isAway) throw new StoreUnavailable("away");
      if (name.startsWith("queue_sweep")) return dues(state.sweep);
      if (name.startsWith("queue_next_due")) {
        seen.asked.push([...numbersIn(parameters[0])]);
        return dues(state.next);
      }
      const numbers = numbersIn(parameters[1]);
      state.reservedMost = Math.max(state.reservedMost, memoryBudget.reserved);
      seen.claims.push(`${clock.nowMs() - START_MS}: ${numbers.join()}`);
      await state.before();
      return numbers.flatMap((number) =>
        Array.from({ length: state.brings(number) }, () => ({
          id: idOf(1),
          endpointId: idOf(number),
          occurredAt: new Date(0),
        })),
      );
    },
  } as unknown as Database;
  const loops = createLoopMonitor(clock, log);
  const engine = {
    settings: { ...DEFAULT_ENGINE_SETTINGS, ...settings },
    database,
    loops,
    clock,
    log,
    memoryBudget,
    delivers: true,
  } as unknown as EngineContext;
  const queuesOfCell = {
    queueOf: (endpointId: string) => queues.get(endpointId),
    async openActive(ids: readonly string[]) {
      seen.opened.push(ids.map((id) => Number(id.slice(-12))));
      for (const id of ids) if (id !== idOf(99)) queues.set(id, queueOf({ id }));
    },
    capacityOf: () => state.capacity,
    enqueueClaimed: (deliveries: readonly unknown[]) => void (seen.enqueued += deliveries.length),
  } as unknown as CellQueues;
  const inFlight = {
    async releaseUnknownClaims() {
      seen.unknown += 1;
      return state.unknown;
    },
    retryReleases: async () => {},
  } as unknown as InFlight;
  const member = { cell: { number: 0, schema: "c", directory: "d" }, node: 1, maySend: () => true };
  const claimer = createClaimer({ engine, member, queues: queuesOfCell, inFlight });
  const expect = (number: number, inMs = 0) => claimer.scheduleClaim(idOf(number), clock.nowMs() + inMs);
  return { clock, log, loops, claimer, queues, memoryBudget, seen, state, expect };
}

describe("a claim", () => {
  test("is made when something is due, at once or gathered with what is due about then", async () => {
    const { clock, seen, expect } = start();
    expect(1);
    await clock.advance(0);
    expect(2, 1_000);
    expect(3, 1_015);
    await clock.advance(1_019);
    assert.deepEqual(seen.claims, ["0: 1"]);
    await clock.advance(1);
    assert.deepEqual(seen.claims, ["0: 1", "1020: 2,3"]);
    assert.deepEqual(seen.opened, [[1], [2, 3]]);
  });

  test("is made earlier when something is due earlier", async () => {
    const { clock, seen, expect } = start();
    expect(1, 5_000);
    expect(2, 1_000);
    expect(3, 9_000);
    await clock.advance(1_020);
    assert.deepEqual(seen.claims, ["1020: 2"]);
    await clock.advance(10_000);
    assert.deepEqual(seen.claims.slice(1), ["5020: 1", "9020: 3"]);
  });

  test("is not made for what is due after the next sweeps, what is forgotten, and an endpoint without an endpoint queue", async () => {
    const { clock, claimer, seen, expect } = start();
    expect(1, 60_001);
    expect(2, 60_000);
    expect(3, 1_000);
    claimer.cancelClaim(idOf(3));
    expect(99);
    await clock.advance(70_000);
    assert.deepEqual(seen.claims, ["60020: 2"]);
  });

  test("reserves its capacity only while it runs", async () => {
    const { clock, seen, state, memoryBudget, expect } = start();
    state.brings = () => 2;
    expect(1);
    expect(2);
    await clock.advance(0);
    assert.deepEqual([seen.enqueued, memoryBudget.reserved, state.reservedMost], [4, 0, 10]);
  });

  test("shares a batch among its endpoints", async () => {
    const { clock, state, expect } = start({ claimBatchMax: 6 });
    state.capacity = 100;
    for (const number of [1, 2, 3, 4]) expect(number);
    await clock.advance(0);
    assert.equal(state.reservedMost, 4);
  });

  test("is made again at once for an endpoint that gave all that was asked for, and of others the next is asked", async () => {
    const { clock, seen, state, expect } = start();
    state.brings = (number) => (number === 1 && seen.claims.length < 3 ? 5 : 4);
    state.next = [
      { id: idOf(2), dueInMs: 3_000 },
      { id: idOf(3), dueInMs: -50 },
      { id: idOf(4), dueInMs: null },
      { id: idOf(5), dueInMs: 60_001 },
    ];
    expect(1);
    expect(2);
    await clock.advance(0);
    assert.deepEqual(seen.claims, ["0: 1,2", "0: 1", "0: 1"]);
    assert.deepEqual(seen.asked, [[2], [1]]);
    state.next = [];
    await clock.advance(70_000);
    assert.deepEqual(seen.claims.slice(3), ["1020: 3", "3020: 2"]);
  });
});

describe("claims", () => {
  test("are made one at a time, and the loop that makes them is watched while one is", async () => {
    const { clock, claimer, seen, state, loops, expect } = start();
    const loop = () => loops.silences().map(({ loop: name, silentMs }) => `${name} ${silentMs}`);
    let letGo = () => {};
    state.before = () => new Promise((resolve) => (letGo = resolve));
    await clock.advance(500);
    assert.deepEqual(loop(), ["claiming in cell 0 0"], "it rests while nothing is due");
    expect(1);
    await clock.advance(100);
    expect(2);
    await clock.advance(200);
    assert.deepEqual([seen.claims, loop()], [["500: 1"], ["claiming in cell 0 300"]]);
    letGo();
    state.before = async () => undefined;
    await clock.advance(0);
    assert.deepEqual([seen.claims.slice(1), loop()], [["800: 2"], ["claiming in cell 0 0"]]);
    await claimer.stop();
    assert.deepEqual(loop(), []);
  });

  test("have one timer, the earliest", async () => {
    const { clock, seen, expect } = start();
    for (const inMs of [5_000, 3_000, 4_000, 3_000]) expect(inMs / 1_000, inMs);
    assert.equal(clock.pending(), 1);
    await clock.advance(10_000);
    assert.deepEqual(seen.claims, ["3020: 3", "4020: 4", "5020: 5"]);
  });
});

describe("an endpoint queue without capacity", () => {
  test("is blocked until there is capacity again", async () => {
    const { clock, claimer, queues, seen, state, expect } = start();
    state.capacity = 0;
    expect(1);
    await clock.advance(0);
    assert.deepEqual([seen.claims, queues.get(idOf(1))!.blocked], [[], true]);
    claimer.retryBlocked();
    state.sweep = [{ id: idOf(1), dueInMs: -1 }];
    await claimer.sweep();
    await clock.advance(100);
    assert.deepEqual(seen.claims, []);
    state.capacity = 1;
    claimer.retryBlocked();
    await clock.advance(0);
    assert.deepEqual([seen.claims, queues.get(idOf(1))!.blocked], [["100: 1"], false]);
  });

  test("is not blocked where its endpoint is inactive", async () => {
    const { clock, claimer, queues, state, expect } = start();
    queues.set(idOf(1), queueOf({ id: idOf(1), active: false }));
    state.capacity = 0;
    expect(1);
    await clock.advance(0);
    assert.equal(queues.get(idOf(1))!.blocked, false);
    const queue = queueOf({ id: idOf(2) });
    queues.set(idOf(2), queue);
    expect(2);
    await clock.advance(0);
    queue.target = { ...queue.target, active: false };
    claimer.retryBlocked();
    assert.equal(queue.blocked, false, "nor any more when it has become so");
  });
});

describe("a sweep", () => {
  // spec 8: sweep
  test("finds what is due, now and until the next", async () => {
    const { clock, claimer, seen, state } = start();
    state.sweep = [
      { id: idOf(1), dueInMs: -5 },
      { id: idOf(2), dueInMs: 10_000 },
    ];
    await claimer.sweep();
    await clock.advance(20_000);
    assert.deepEqual(seen.claims, ["0: 1", "10020: 2"]);
    assert.equal(seen.unknown, 0);
  });
});

describe("a claim that fails", () => {
  test("is made again a second later, when what it may have taken is released", async () => {
    const { clock, log, seen, state, memoryBudget, expect } = start();
    state.isAway = true;
    expect(1);
    await clock.advance(0);
    assert.deepEqual([memoryBudget.reserved, log.lines.map(({ level }) => level)], [0, ["warn"]]);
    state.isAway = false;
    state.unknown = [idOf(7)];
    await clock.advance(999);
    assert.deepEqual([seen.claims, seen.unknown], [[], 0]);
    await clock.advance(1);
    assert.deepEqual([seen.claims, seen.unknown], [["1000: 1,7"], 1]);
    await clock.advance(100);
    assert.equal(seen.unknown, 1);
  });

  test("is looked after with each sweep for twenty minutes", async () => {
    const { clock, claimer, seen, state, expect } = start();
    state.isAway = true;
    expect(1);
    await clock.advance(0);
    state.isAway = false;
    await clock.advance(10_000);
    assert.equal(seen.unknown, 1);
    await claimer.sweep();
    await clock.advance(0);
    assert.equal(seen.unknown, 2);
    await clock.advance(1_190_000);
    await claimer.sweep();
    await clock.advance(0);
    assert.equal(seen.unknown, 2);
  });
});

test("nothing is claimed once claiming has stopped", async () => {
  const { clock, claimer, seen, expect } = start();
  expect(1, 1_000);
  await claimer.stop();
  expect(2);
  await claimer.sweep();
  await clock.advance(10_000);
  assert.deepEqual([seen.claims, clock.pending()], [[], 0]);
});
