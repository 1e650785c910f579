/**
 * An engine under a clock that the test moves, on a real database, with receivers that answer as the test
 * says. Nothing else is pretended: statements, locks, invalidations and connections are the real ones.
 */
import assert from "node:assert/strict";

import type { AttemptRequest } from "../../src/engine/dispatch/attempt-request.ts";
import { mintSecret, sealSecret, type MasterKeys } from "../../src/engine/secret.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../src/engine/settings.ts";
import { startEngine, type RunningEngine } from "../../src/engine/start.ts";
import type { Outcome, SendResult } from "../../src/model/delivery.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cell } from "../../src/store/cell.ts";
import { deleteEndpoint, type EndpointChange, updateEndpoint } from "../../src/store/endpoints/endpoints.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { recordingLog, type LogLine } from "../support/log.ts";
import { checkDelivery } from "../support/check-deliveries.ts";

export const MASTER_KEYS: MasterKeys = [Buffer.alloc(32, 7)];
export const random = systemRandom();

/** What a receiver saw of one attempt. */
export type Arrival = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly atMs: number;
};

export type Answer = SendResult | "hang";

export type Harness = {
  readonly clock: ManualClock;
  readonly test: TestDatabase;
  readonly cell: Cell;
  readonly engine: RunningEngine;
  readonly arrivals: Arrival[];
  /** What the engines logged. */
  readonly lines: readonly LogLine[];
  /** The products of endpoints that were disabled. */
  readonly disabled: string[];
  /** How receivers answer from now on; by default every attempt succeeds. */
  answer: (request: AttemptRequest) => Answer;
  /** Attempts that hang: call one to end it. */
  readonly hanging: ((outcome: Outcome) => void)[];
  /** One more node on the same database. */
  join(settings?: Partial<EngineSettings>, cells?: readonly Cell[]): Promise<RunningEngine>;
  /** A new account, in the last cell unless another is named. */
  account(cell?: Cell): Promise<string>;
  endpoint(accountId: string, options?: EndpointOptions): Promise<{ id: string; secret: string }>;
  /** A new account with one endpoint. */
  receiver(options?: EndpointOptions): Promise<{ account: string; id: string; secret: string }>;
  /** Raises on the first engine, and moves time until it has answered. */
  raise(events: readonly RaisedEvent[]): ReturnType<RunningEngine["raise"]>;
  /** In the store, as a client would; the engines are not notified. For endpoints on tracking in the last cell. */
  change(accountId: string, endpointId: string, change: EndpointChange): Promise<void>;
  remove(accountId: string, endpointId: string): Promise<void>;
  /** The clock's. */
  until: ManualClock["until"];
  drive: ManualClock["drive"];
  /** Lets everything open end without moving time by more than some milliseconds. */
  settle(): Promise<void>;
  /** Where the last cell lives. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Those to an endpoint of the last cell, the oldest first. */
  deliveries(endpointId: string): Promise<Record<string, unknown>[]>;
  /** Moves time until there are some, and all are delivered. */
  delivered(endpointId: string): Promise<void>;
  /** Deliveries, of all cells. */
  countPending(): Promise<number>;
  stop(): Promise<void>;
};

/** For tests in which hours pass: to do all every ten minutes is enough. */
export const HOURS_PASS = {
  heartbeatIntervalMs: 600_000,
  sweepIntervalMs: 600_000,
  stallMs: 2_400_000,
  leaseMs: 3_600_000,
} satisfies Partial<EngineSettings>;

export type EndpointOptions = {
  readonly product?: string;
  readonly eventTypes?: readonly string[];
  readonly url?: string;
  readonly active?: boolean;
  readonly failureCount?: number;
  /** The account's; the last one unless another is named. */
  readonly cell?: Cell;
};

const PRODUCT = "tracking";

export const OK: Outcome = { kind: "answered", statusCode: 200 };
export const FAIL: Outcome = { kind: "answered", statusCode: 500 };

/** Longer than results are gathered. */
const SETTLE_MS = 50;

/** Each engine has the time from `asSeen`; by default, it is the test's own. */
export async function startHarness(
  settings: Partial<EngineSettings> = {},
  where: Pick<NonNullable<Parameters<typeof createTestDatabase>[0]>, "cells" | "homes"> = {},
  asSeen: (clock: ManualClock) => Clock = (clock) => clock,
): Promise<Harness> {
  const test = await createTestDatabase({ connectionsMax: 20, ...where });
  const clock = manualClock();
  const engines: RunningEngine[] = [];
  const log = recordingLog();
  const cell = test.cells.at(-1)!;

  async function join(
    own: Partial<EngineSettings> = {},
    known: readonly Cell[] = test.cells,
  ): Promise<RunningEngine> {
    const engine = await startEngine(
      { ...DEFAULT_ENGINE_SETTINGS, ...settings, ...own },
      {
        database: test.database,
        cells: known,
        clock: asSeen(clock),
        random,
        log,
        masterKeys: MASTER_KEYS,
        headerTag: (product) => product[0]!.toUpperCase() + product.slice(1),
        pingData: '{"message":"ping"}',
        referencesOf: (_product, _type, { identifier }) =>
          typeof identifier === "string" ? [identifier] : [],
        delivers: true,
        onDisabled: (product) => void harness.disabled.push(product),
        send(request, done) {
          const arrival = arrivalOf(request, clock.nowMs());
          harness.arrivals.push(arrival);
          checkDelivery(arrival.headers, arrival.body);
          const answer = harness.answer(request);
          if (answer === "hang") harness.hanging.push(done);
          else setImmediate(() => done(answer));
        },
      },
    );
    engines.push(engine);
    return engine;
  }

  const sqlIn = async (on: Cell, text: string, values: unknown[]) =>
    (await test.queryIn(on, text, values)).rows as Record<string, unknown>[];
  const sql = (text: string, values: unknown[] = []) => sqlIn(cell, text, values);

  const harness: Harness = {
    clock,
    test,
    cell,
    engine: undefined as unknown as RunningEngine,
    arrivals: [],
    lines: log.lines,
    disabled: [],
    answer: () => OK,
    hanging: [],
    join,
    sql,
    deliveries: (endpointId) =>
      sql(
        `select status, attempt_count, last_status_code, last_error, delivered_at
         from cell.deliveries where endpoint_id = $1 order by id`,
        [endpointId],
      ),
    delivered(endpointId) {
      const areDelivered = async () => {
        const found = await harness.deliveries(endpointId);
        return found.length > 0 && found.every(({ status }) => status === "delivered");
      };
      return clock.until(areDelivered, "every delivery to the endpoint is delivered");
    },
    async countPending() {
      const pending = "select from cell.deliveries where status = 'pending'";
      const found = await Promise.all(test.cells.map((one) => sqlIn(one, pending, [])));
      return found.flat().length;
    },
    async account(home = cell) {
      const id = random.uuid(clock.nowMs());
      await query(test.address, `insert into ${home.schema}.accounts (id) values ($1)`, [id]);
      await query(
        test.address,
        `insert into ${home.directory}.accounts (id, name, cell, created_at) values ($1, 'Test', $2, now())`,
        [id, home.number],
      );
      return id;
    },
    async endpoint(accountId, options = {}) {
      const id = random.uuid(clock.nowMs());
      const secret = mintSecret(random);
      const home = options.cell ?? cell;
      await sqlIn(
        home,
        `insert into cell.endpoints (id, account_id, product, url, event_types, description,
           sealed_secret_hash, active, failure_count, inactive_since, created_at)
         values ($1, $2, $3, $4, $5, '', $6, $7, $8, $9, now())`,
        [
          id,
          accountId,
          options.product ?? PRODUCT,
          options.url ?? `https://receiver.test/${id}`,
          options.eventTypes ?? [],
          sealSecret(secret, { accountId, endpointId: id }, MASTER_KEYS, random),
          options.active ?? true,
          options.failureCount ?? 0,
          options.active === false ? new Date(clock.nowMs()) : null,
        ],
      );
      await sqlIn(home, "update cell.accounts set routing_version = routing_version + 1 where id = $1", [
        accountId,
      ]);
      return { id, secret };
    },
    async receiver(options) {
      const account = await harness.account();
      return { account, ...(await harness.endpoint(account, options)) };
    },
    raise: (events) => clock.drive(harness.engine.raise(events)),
    async change(accountId, endpointId, change) {
      const at = new Date(clock.nowMs());
      const owner = { accountId, product: PRODUCT };
      assert.ok(await updateEndpoint(test.database, cell, owner, endpointId, change, at));
    },
    async remove(accountId, endpointId) {
      const at = new Date(clock.nowMs());
      assert.ok(await deleteEndpoint(test.database, cell, { accountId, product: PRODUCT }, endpointId, at));
    },
    until: clock.until,
    drive: clock.drive,
    async settle() {
      const seen = () =>
        engines.map((engine) => JSON.stringify(engine.gauges())).join() + harness.arrivals.length;
      for (let before = ""; before !== seen();) {
        before = seen();
        await clock.advance(SETTLE_MS);
      }
    },
    async stop() {
      harness.answer = () => OK;
      for (const done of harness.hanging.splice(0)) done(OK);
      await harness.drive(Promise.all(engines.map((engine) => engine.stop())));
      const broken = engines.flatMap((engine) => [...engine.brokenInvariants()]);
      assert.deepEqual(broken, [], "invariants of the engine");
      await test.drop();
    },
  };
  Object.assign(harness, { engine: await join() });
  return harness;
}

const DATA = {
  container_id: "01900000-0000-7000-8000-00000000000c",
  previous_status: "pre_departure",
  new_status: "in_transit",
  new_eta: null,
};

/** Of any type about a shipment: the data is what all of them take. */
export function eventFor(accountId: string, fields: Partial<RaisedEvent> = {}): RaisedEvent {
  return {
    product: "tracking",
    accountId,
    type: "vessel_departed",
    data: JSON.stringify(DATA),
    occurredAtMs: Date.UTC(2026, 10, 2, 11),
    ...fields,
  };
}

export function eventsFor(
  count: number,
  accountId: string,
  fields: Partial<RaisedEvent> = {},
): readonly RaisedEvent[] {
  return Array.from({ length: count }, () => eventFor(accountId, fields));
}

function arrivalOf(request: AttemptRequest, atMs: number): Arrival {
  const headers: Record<string, string> = {};
  for (let index = 0; index < request.headers.length; index += 2) {
    headers[request.headers[index]!.toLowerCase()] = request.headers[index + 1]!;
  }
  return { url: request.url, headers, body: request.body.toString(), atMs };
}
