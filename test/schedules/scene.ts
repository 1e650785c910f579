/** A record of schedules on a database of its own, and the events that it raises. */
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
  /** Deletes all. */
  clear(): Promise<void>;
};

export async function openScene(): Promise<Scene> {
  const on = await createTestDatabase();
  const cells = on.cells as SchedulePorts["cells"];
  const ports: SchedulePorts = {
    database: on.database,
    cells,
    random: systemRandom(),
    check: createEventDataCheck(products),
    wake: () => undefined,
  };
  const { directory, schema } = cells[0];
  return {
    on,
    ports,
    say: (calls, more = {}) =>
      ingest(ports, SETTINGS, { feed: "ovs", atMs: START_MS, calls, complete: null, ...more }),
    async records() {
      const { rows } = await query(on.address, `select record from ${directory}.port_calls order by id`);
      return rows.map(({ record }: { record: string }) => readCallRecord(record));
    },
    async raised() {
      await on.forward();
      const { rows } = await query(
        on.address,
        `select type, dedup_key as key, data from ${schema}.broadcasts order by id`,
      );
      return rows.map(({ type, key, data }: { type: string; key: string; data: string }) => ({
        type,
        key,
        data: JSON.parse(data) as Record<string, unknown>,
      }));
    },
    async clear() {
      const tables = ["port_calls", "service_reliability", "schedule_feeds", "schedule_days"];
      const names = tables.map((table) => `${directory}.${table}`);
      await query(
        on.address,
        `truncate ${[...names, `${directory}.outbox`, `${schema}.broadcasts`].join(", ")}`,
      );
    },
  };
}
