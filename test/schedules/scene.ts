/** A record of schedules on a database of its own, and the events that it raises. */
import { after, before, beforeEach, describe } from "node:test";

import { processDueCalls } from "../../src/products/schedules/events/due-calls.ts";
import type { SchedulePorts, ScheduleSettings } from "../../src/products/schedules/events/broadcasting.ts";
import type { CallRecord } from "../../src/products/schedules/calls/call-record.ts";
import { readCallRecord } from "../../src/products/schedules/calls/call-row.ts";
import type { CallStatement, FeedUpdate } from "../../src/products/schedules/calls/call-statement.ts";
import { RELIABILITY_DEFAULTS } from "../../src/products/schedules/reliability/reliability.ts";
import { ingest, type IngestResult } from "../../src/products/schedules/calls/ingest.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { START_MS } from "../support/clock.ts";
import { realClock } from "../support/real-clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

export const SETTINGS: ScheduleSettings = { cutOffHours: [48, 24], reliability: RELIABILITY_DEFAULTS };

export type RaisedEvent = {
  readonly type: string;
  readonly key: string;
  readonly data: Record<string, unknown>;
};

export type Scene = {
  readonly on: TestDatabase;
  readonly ports: SchedulePorts;
  /** Ingests what a feed says. */
  say(calls: readonly CallStatement[], more?: Partial<FeedUpdate>): Promise<IngestResult>;
  records(): Promise<readonly CallRecord[]>;
  /** All events, oldest first. */
  raised(): Promise<readonly RaisedEvent[]>;
  /** Processes in each cell what is due; true: some is left. */
  processDue(nowMs: number): Promise<boolean>;
  /** Deletes all. */
  clear(): Promise<void>;
};

/** A suite with one scene, which is empty before each test. */
export function describeScene(what: string, suite: (scene: Scene) => void): void {
  describe(what, () => {
    const scene = {} as Scene;
    before(async () => void Object.assign(scene, await openScene()));
    beforeEach(() => scene.clear());
    after(() => scene.on.drop());
    suite(scene);
  });
}

export async function openScene(): Promise<Scene> {
  const on = await createTestDatabase();
  const cells = on.cells as SchedulePorts["cells"];
  const ports: SchedulePorts = {
    database: on.database,
    cells,
    cell: on.productCells.of("schedules"),
    random: systemRandom(),
    clock: realClock,
    check: createEventDataCheck(products),
    wake: () => undefined,
  };
  const own = [ports.cell];
  return {
    on,
    ports,
    say: (calls, more = {}) =>
      ingest(ports, SETTINGS, { feed: "ovs", atMs: START_MS, calls, complete: null, ...more }),
    processDue: (nowMs) => processDueCalls(ports, SETTINGS, nowMs),
    async records() {
      const rows = await on.queryEach(own, "select id, record from cell.port_calls");
      return rows
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .map(({ record }: { record: string }) => readCallRecord(record));
    },
    async raised() {
      await on.forward();
      const { rows } = await on.queryIn(
        cells[0],
        "select type, dedup_key as key, data from cell.broadcasts order by id",
      );
      return rows.map(({ type, key, data }: { type: string; key: string; data: string }) => ({
        type,
        key,
        data: JSON.parse(data) as Record<string, unknown>,
      }));
    },
    async clear() {
      await on.queryEach(
        own,
        "truncate cell.port_calls, cell.routings, cell.service_reliability, cell.schedule_days, cell.outbox, cell.outbox_messages",
      );
      await on.queryEach(on.cells, "truncate cell.broadcasts");
      await query(on.address, `truncate ${cells[0].directory}.schedule_feeds`);
    },
  };
}
