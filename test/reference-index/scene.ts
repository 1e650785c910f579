/** Two cells, each on a server of its own, one of which may be gone; and containers that accounts track there. */
import { after, before, beforeEach } from "node:test";

import {
  createReferenceIndex,
  type ReferenceIndex,
} from "../../src/freight/reference-index/reference-index.ts";
import { fillParts } from "../../src/freight/reference-index/reindex.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { lookupContainer, type LookupResult } from "../../src/products/ocean/tracking/lookup.ts";
import { startTracking, type TrackPorts } from "../../src/products/ocean/tracking/track.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { cellOfKey } from "../../src/store/cell-of-key.ts";
import { cellsNamed, SCHEMA_PREFIX, type Cell } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { record } from "../ocean/records.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";

export const CELLS = cellsNamed(SCHEMA_PREFIX, 2);

export type Scene = {
  readonly stored: TestDatabase;
  readonly cells: typeof CELLS;
  readonly database: Database;
  readonly clock: ManualClock;
  readonly index: ReferenceIndex;
  readonly ports: TrackPorts;
  /** Its server does not answer; null: all do. */
  gone: Cell | null;
  /** Its server takes statements, and never answers. */
  hung: Cell | null;
  /** Numbers of cells and "directory", one for each statement since it was emptied. */
  readonly asked: string[];
  newAccount(cell: Cell): Promise<string>;
  /** Tracks a container for a new account, whose carrier has answered. */
  track(cell: Cell, reference: string): Promise<string>;
  lookUp(reference: string): Promise<LookupResult["kind"]>;
  /** As the round of a node does some minutes after a part became incomplete. */
  reindex(filledMs?: number): Promise<void>;
};

const random = systemRandom();

/** An air waybill of the airline's prefix that falls to this one of two cells. */
export function awbIn(prefix: string, number: 0 | 1): string {
  // Serial numbers with their check digit.
  const awbs = Array.from({ length: 8 }, (_, nth) => 1_111_111 * (nth + 1)).map(
    (serial) => `${prefix}${serial}${serial % 7}`,
  );
  return awbs.find((awb) => cellOfKey(awb, 2) === number)!;
}

/** Begins again for each test of the `describe` that calls it, on one database. */
export function useScene(): Scene {
  const scene = {} as Scene;
  let stored: TestDatabase;
  before(async () => {
    stored = await createTestDatabase({ cells: 2, homes: 2 });
    await query(stored.address, "create table public.listed as table boathook.cells");
  });
  after(() => stored.drop());
  beforeEach(async () => {
    await stored.queryEach(CELLS, "truncate cell.accounts, cell.reference_index, cell.air_messages cascade");
    await query(
      stored.address,
      "truncate boathook.vessels; delete from boathook.cells; insert into boathook.cells table public.listed",
    );
    await begin(scene, stored);
  });
  return scene;
}

async function begin(scene: Scene, stored: TestDatabase): Promise<void> {
  const cells = CELLS;
  const clock = manualClock();
  const asked: string[] = [];
  const database: Database = {
    ...stored.database,
    async rows(statement, parameters) {
      const number = cells.findIndex(({ schema }) => schema === statement.schema);
      asked.push(number === -1 ? "directory" : `${number}`);
      if (number !== -1 && scene.gone === cells[number]) throw new StoreUnavailable("the cell is gone");
      if (number !== -1 && scene.hung === cells[number]) return new Promise(() => undefined);
      return stored.database.rows(statement, parameters);
    },
  };
  const index = createReferenceIndex({ database, cells, clock });
  const ports = { database, index, clock, random, carriers: [], unresolvedMax: 1_000, wake: () => undefined };
  Object.assign(scene, {
    stored,
    cells,
    database,
    clock,
    index,
    ports,
    gone: null,
    hung: null,
    asked,
    async newAccount(cell: Cell) {
      const id = random.uuid(clock.nowMs());
      await stored.queryIn(cell, "insert into cell.accounts (id) values ($1)", [id]);
      return id;
    },
    async track(cell: Cell, reference: string) {
      const accountId = await scene.newAccount(cell);
      const started = await startTracking(ports, cell, { accountId, reference });
      if (started.kind !== "tracked") throw new Error(started.message);
      const { id } = started.shipment;
      await stored.queryIn(
        cell,
        "update cell.shipments set record = $2, carrier = 'HRNL', status = 'in_transit' where id = $1",
        [id, JSON.stringify(record())],
      );
      const answered = "update cell.polls set refreshed_at = $2, next_poll_at = $2 where shipment_id = $1";
      await stored.queryIn(cell, answered, [id, new Date(clock.nowMs())]);
      return id;
    },
    lookUp: async (reference: string) => (await lookupContainer(ports, reference)).kind,
    async reindex(filledMs = 0) {
      await clock.advance(15 * 60_000);
      await fillParts({ database, cells, clock, index, log: silentLog }, filledMs, () => false);
    },
  } satisfies Scene);
  await index.refresh();
}
