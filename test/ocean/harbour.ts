/** A test's harbour: a database, an account, scripted carriers, and a raise that is recorded. */
import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { products } from "../../src/products/index.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import type { Carrier } from "../../src/products/ocean/sources/carriers.ts";
import { createCarrierClient } from "../../src/products/ocean/sources/carrier-client.ts";
import type { PollerPorts } from "../../src/products/ocean/sources/poll-shipment.ts";
import { createImportedReader } from "../../src/products/ocean/sources/imported/read-imported.ts";
import { POLL_SCHEDULE_DEFAULTS } from "../../src/products/ocean/sources/poll-schedule.ts";
import type { TrackPorts } from "../../src/products/ocean/tracking/track.ts";
import type { HttpAnswer, HttpPort } from "../../src/freight/upstream/http.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cell } from "../../src/store/cell.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { recordingLog } from "../support/log.ts";
import { checkEvents } from "../support/check-deliveries.ts";
import { HERON, TERN } from "./shipping-lines.ts";
import { unwatchedLoops } from "../support/loops.ts";

export type Harbour = {
  readonly stored: TestDatabase;
  readonly cell: Cell;
  readonly clock: ManualClock;
  readonly log: ReturnType<typeof recordingLog>;
  readonly ports: PollerPorts & Omit<TrackPorts, "cells"> & { readonly product: string };
  /** Everything that was committed with a refresh. */
  readonly raised: RaisedEvent[];
  /** What the carriers answer. */
  answer: HttpPort;
  account(): Promise<string>;
};

export function answered(status: number, body: string, headers: Record<string, string> = {}): HttpAnswer {
  return { kind: "answered", status, body, header: (name) => headers[name] ?? null };
}

export async function openHarbour(carriers: readonly Carrier[] = [HERON, TERN]): Promise<Harbour> {
  const stored = await createTestDatabase();
  const cell = stored.cells.at(-1) as Cell;
  const clock = manualClock();
  const random = systemRandom();
  const log = recordingLog();
  const raised: RaisedEvent[] = [];
  const { database } = stored;
  const chance = { uuid: random.uuid, fraction: () => 0.5 };
  const harbour: Harbour = {
    stored,
    cell,
    clock,
    log,
    raised,
    answer: async () => answered(404, ""),
    async account() {
      const id = random.uuid(clock.nowMs());
      await stored.queryIn(cell, "insert into cell.accounts (id) values ($1)", [id]);
      return id;
    },
    ports: {
      database,
      index: createReferenceIndex({ database, cells: stored.cells, clock }),
      product: "tracking",
      carriers,
      clock,
      random: chance,
      log,
      loops: unwatchedLoops,
      polling: POLL_SCHEDULE_DEFAULTS,
      check: createEventDataCheck(products),
      tariffs: () => [],
      readImported: createImportedReader(
        { database, index: createReferenceIndex({ database, cells: stored.cells, clock }), clock },
        { batchMax: 100, gatherMs: 0 },
      ),
      client: createCarrierClient({
        carriers,
        http: (url, options) => harbour.answer(url, options),
        clock,
        random: chance,
      }),
      wake: () => undefined,
      unresolvedMax: 1_000,
      async raiseWithin(_, change) {
        const events = await database.transaction(change);
        if (events === null) return null;
        raised.push(...events);
        checkEvents(events);
        return { accepted: events.length, duplicates: 0, deliveries: 0 };
      },
    },
  };
  return harbour;
}
