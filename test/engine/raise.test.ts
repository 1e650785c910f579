/** How events become durable: the places that they reserve, and the transactions that they share. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { raise } from "../../src/engine/raise/accept.ts";
import type { CellQueues } from "../../src/engine/cell-queues.ts";
import type { Claimer } from "../../src/engine/claim/claim.ts";
import type { InFlight } from "../../src/engine/claim/in-flight.ts";
import type { EngineContext } from "../../src/engine/engine-context.ts";
import { commit, createRaiser, type PendingWrite, type Raiser } from "../../src/engine/raise/raise.ts";
import type { Route, Routes } from "../../src/engine/raise/routes.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import type { InFlightDelivery } from "../../src/model/delivery.ts";
import type { Target } from "../../src/model/endpoint.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cell } from "../../src/store/cell.ts";
import type { Connection, Database } from "../../src/store/database.ts";
import { manualClock } from "../support/clock.ts";
import { silentLog } from "../support/log.ts";
import { CELL, memberOf, queueOf, TARGET } from "./endpoint.ts";

const eventFor = (accountId: string): RaisedEvent => ({
  product: "tracking",
  accountId,
  type: "vessel_departed",
  data: "{}",
  occurredAtMs: 0,
});

/** A database whose transactions do no more than to run; `end` is what committing does. */
function databaseThat(end: () => void = () => undefined, more: Partial<Database> = {}): Database {
  return {
    async transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
      const result = await work({} as Connection);
      end();
      return result;
    },
    ...more,
  } as unknown as Database;
}

test("an event releases every place that it reserved when it breaks off before the database is asked", async () => {
  const targets = ["first", "second", "third"].map((id) => ({ ...TARGET, id }));
  const route: Route = {
    accountId: "a",
    cell: CELL,
    version: 1,
    targets,
    receivers: new Map(),
    inactive: [],
  };
  const opened = new Map(targets.map((target) => [target.id, queueOf(target)]));
  const [seen, counts] = [[] as string[], () => [...opened.values()].map((queue) => queue.reserved)];
  const engine = {
    settings: DEFAULT_ENGINE_SETTINGS,
    database: { rows: () => assert.fail("nothing is written") },
    routes: { cached: () => route },
    dispatch: { queueOf: (id: string) => opened.get(id) },
    clock: manualClock(),
    random: systemRandom(),
    log: silentLog,
    delivers: true,
    waitForCapacity: () => Promise.resolve(),
  } as unknown as EngineContext;
  const queues = {
    open({ id }: Target) {
      if (id !== "third") return opened.get(id);
      assert.deepEqual(counts(), [1, 1, 0]);
      throw new Error("our own fault");
    },
    capacityOf: () => 1,
  } as unknown as CellQueues;
  const inFlight = {
    addRaised: () => true,
    rolledBack: ({ endpointId }: InFlightDelivery) => void seen.push(endpointId),
    commitUnknown: () => assert.fail("it is known not to be written"),
  } as unknown as InFlight;
  const claimer = {} as unknown as Claimer;
  const onMissed = () => undefined;
  const raiser = createRaiser({ engine, member: memberOf(), queues, inFlight, claimer, onMissed });
  await assert.rejects(raiser.raise([eventFor("a")]), /our own fault/);
  assert.deepEqual(
    [seen, counts()],
    [
      ["first", "second"],
      [0, 0, 0],
    ],
  );
});

test("a cell that leaves the server of the others makes a call over both fail for now, as any move does", async () => {
  const [first, second] = ["first", "second"].map((schema, number) => ({ ...CELL, number, schema }));
  const here = { url: "here" };
  const homes = new Map<Cell, { url: string }>([
    [first!, here],
    [second!, here],
  ]);
  const raisedIn: string[] = [];
  const rolledBack: boolean[] = [];
  const raiserOf = ({ schema }: Cell): Raiser => ({
    raise: () => assert.fail(),
    async raiseIn() {
      raisedIn.push(schema);
      homes.set(second!, { url: "there" });
      const end = {
        committed: () => assert.fail(),
        rolledBack: (unknown: boolean) => rolledBack.push(unknown),
      };
      return { accepted: 1, duplicates: new Set(), deliveryIds: [], made: new Map(), atMs: 0, ...end };
    },
  });
  const database = databaseThat(undefined, { homeOf: (cell) => homes.get(cell)! });
  const cellOf = { first, second };
  const routes = { cached: (id: "first" | "second") => ({ cell: cellOf[id] }) } as unknown as Routes;
  const ports = { database, routes, raiserOf, clock: manualClock(), pingData: "{}" };
  await assert.rejects(raise(ports, [eventFor("first"), eventFor("second")]), (cause) => {
    assert.ok(cause instanceof StoreUnavailable, String(cause));
    assert.deepEqual([cause.reason, cause.commitUnknown], ["moved", false]);
    return true;
  });
  assert.deepEqual([raisedIn, rolledBack], [["first"], [false]]);
});

describe("what is written in a transaction learns", () => {
  const FAILURES = {
    refused: new Error("refused"),
    away: new StoreUnavailable("away", { commitUnknown: false }),
    lost: new StoreUnavailable("lost", { commitUnknown: true }),
  };
  for (const [what, goesOn, failure, expected] of [
    ["that it is committed", true, null, "committed"],
    ["that it is rolled back where it is withdrawn, which is no fault", false, null, "rolled back"],
    ["that it is rolled back where a statement fails", true, FAILURES.refused, "rolled back"],
    ["that it is rolled back where the database is away", true, FAILURES.away, "rolled back"],
    ["that this is unknown where the answer is lost", true, FAILURES.lost, "unknown"],
  ] as const)
    test(what, async () => {
      const heard: string[] = [];
      const pending: PendingWrite = {
        committed: () => void heard.push("committed"),
        rolledBack: (unknown) => void heard.push(unknown ? "unknown" : "rolled back"),
      };
      const end = () => {
        if (failure !== null) throw failure;
      };
      const done = commit<PendingWrite>(databaseThat(end), async (_tx, all) => {
        all.push(pending);
        return goesOn;
      });
      if (failure !== null) await assert.rejects(done, failure);
      else assert.deepEqual(await done, goesOn && [pending]);
      assert.deepEqual(heard, [expected]);
    });
});
