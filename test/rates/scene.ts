/** Rates on a database of a test's own, under its clock, and the events that they raise. */
import { after, afterEach, before, describe } from "node:test";

import { FILE_BOUNDS } from "../../src/products/rates/lanes/read-rates.ts";
import type { LaneRate } from "../../src/products/rates/lanes/lane.ts";
import { laneView, type LaneView } from "../../src/products/rates/lanes/lane-view.ts";
import { loadRates, type LoadResult, type RatePorts } from "../../src/products/rates/lanes/load.ts";
import { readRates } from "../../src/products/rates/lanes/read-rates.ts";
import type { Terms } from "../../src/products/rates/lanes/terms.ts";
import { createRateUpdater } from "../../src/products/rates/rate-updater.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cell } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { listLanes } from "../../src/products/rates/store/reading/rate-lanes-read.ts";
import { manualClock, START_MS, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { recordingLog } from "../support/log.ts";
import { checkEvents } from "../support/check-deliveries.ts";
import { unwatchedLoops } from "../support/loops.ts";

export const DAY_MS = 24 * 60 * 60 * 1000;

/** A rate; by default of a lane from Shanghai to Rotterdam. */
export type TestRate = {
  readonly from: string;
  readonly to?: string | null;
  readonly total: string;
  readonly origin?: string;
  readonly destination?: string;
  readonly equipment?: string;
  readonly carrier?: string;
  readonly currency?: string;
  readonly surcharges?: string;
  readonly layer?: string;
  readonly kind?: string;
  readonly contract?: string;
  readonly commodity?: string;
  readonly terms?: Partial<Terms>;
};

// oxlint-disable-next-line typescript/no-explicit-any -- checked against its schema
export type RaisedEvent = { readonly type: string; readonly dedupKey: string; readonly data: any };

export type RateScene = RatePorts & {
  readonly clock: ManualClock;
  readonly test: TestDatabase;
  readonly log: ReturnType<typeof recordingLog>;
  loadInto(database: Database, ...rates: readonly TestRate[]): Promise<LoadResult>;
  load(...rates: readonly TestRate[]): Promise<LoadResult>;
  /** One node updates the rates once, and stops. */
  tick(database?: Database): Promise<void>;
  /** The events since the last call, oldest first, the same in every cell. */
  raised(): Promise<readonly RaisedEvent[]>;
  lanesOn(day: string): Promise<readonly LaneView[]>;
  drop(): Promise<void>;
};

/** A suite with one scene, which each test leaves empty, at the start of its clock. */
export function describeScene(what: string, suite: (scene: RateScene) => void): void {
  describe(what, () => {
    const scene = {} as RateScene;
    before(async () => void Object.assign(scene, await openScene()));
    after(() => scene.drop());
    afterEach(async () => {
      const all = [scene.productCells.of("rates")];
      await scene.test.queryEach(all, `truncate ${TABLES.map((table) => `cell.${table}`).join(", ")}`);
      await scene.test.queryEach(all, "update cell.rate_day set day = '1970-01-01'");
      await scene.raised();
      scene.clock.jump(START_MS - scene.clock.nowMs());
    });
    suite(scene);
  });
}

const TABLES = [
  ...["rate_lanes", "lane_rates", "rate_indices", "rate_index_values", "exchange_sources", "exchange_rates"],
];

export async function openScene(): Promise<RateScene> {
  const test = await createTestDatabase();
  const cells = test.cells as RatePorts["cells"];
  const clock = manualClock();
  const log = recordingLog();
  const { productCells } = test;
  const ports: RatePorts = { database: test.database, cells, productCells, clock, random: systemRandom() };
  return {
    ...ports,
    clock,
    test,
    log,
    loadInto: (database, ...rates) => loadRates({ ...ports, database }, rates.map(rateOf)),
    load: (...rates) => loadRates(ports, rates.map(rateOf)),
    async tick(database = test.database) {
      const ticker = createRateUpdater({
        ...ports,
        database,
        log,
        loops: unwatchedLoops,
        wakeForwarder: () => undefined,
      });
      const waiting = clock.pending();
      ticker.start();
      await clock.atOnce(() => clock.pending() > waiting, "an update is over");
      await ticker.stop();
    },
    async raised() {
      await test.forward();
      const all = await Promise.all(cells.map((cell) => takeEvents(test, cell)));
      const atMs = clock.nowMs();
      const events = all[0]!.map(({ type, data }) => ({ type, data: JSON.stringify(data) }));
      checkEvents(events.map((event) => ({ ...event, product: "rates", accountId: "", occurredAtMs: atMs })));
      if (all.some((one) => JSON.stringify(one) !== JSON.stringify(all[0]))) throw new Error("cells differ");
      return all[0]!;
    },
    async lanesOn(day) {
      const anywhere = { origin: null, destination: null, equipment: null, carrier: null };
      const filter = { ...anywhere, kind: null, contract: null, commodity: null, day };
      const page = { afterId: null, limit: 10_000 };
      const lanes = await listLanes(test.database, productCells.of("rates"), filter, page);
      return lanes.map(laneView);
    },
    drop: () => test.drop(),
  };
}

async function takeEvents(test: TestDatabase, cell: Cell): Promise<readonly RaisedEvent[]> {
  const { rows } = await test.queryIn(
    cell,
    `with taken as (delete from cell.broadcasts returning *)
     select type, dedup_key as "dedupKey", data from taken order by id`,
  );
  return rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) }));
}

/** Reads it as a file, so that no test loads what no file could. */
function rateOf(rate: TestRate): LaneRate {
  const { from, to = null, total, origin = "CNSHA", destination = "NLRTM", equipment = "40HC" } = rate;
  const { carrier = null, currency = "USD", surcharges = "", layer, kind, contract, commodity, terms } = rate;
  const fields = { origin, destination, equipment, carrier, currency, valid_from: from, valid_to: to };
  const file = Buffer.from(
    JSON.stringify([{ ...fields, base: total, surcharges, layer, kind, contract, commodity, ...terms }]),
  );
  const read = runToEnd(readRates(file, "json", FILE_BOUNDS));
  if (read.kind !== "rates" || read.rates[0] === undefined) throw new Error(JSON.stringify(read));
  return read.rates[0];
}
