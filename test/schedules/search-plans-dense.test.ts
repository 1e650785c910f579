/** The statements of a search of connections where one service has as many calls as a search reads. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import {
  listCallsBetween,
  listCallsOfEnds,
  listDepartures,
} from "../../src/products/schedules/store/connections.ts";
import { listSailings } from "../../src/products/schedules/store/schedules-read.ts";
import { START_MS } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { DAY_MS } from "./statements.ts";

/** Each of 100 vessels calls every day at one of 60 ports, all of one service; every fourth is without a number. */
const DENSE = `
  insert into cell.port_calls (
    id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, arrival_at, departure_at, calls_at, record,
    updated_at
  )
  select
    gen_random_uuid(), 'CA', 'S', vessel || 'V' || call / 19,
    case when vessel % 4 = 0 then vessel || 'V' || (call - 9) / 19 else '' end,
    'XX' || chr(65 + port / 10) || chr(65 + port % 10) || 'A', call + 1,
    case when vessel % 4 > 0 then (9000000 + vessel)::text end, came, came + interval '12 hours', came + interval '12 hours', '{}', came
  from generate_series(0, 99) as vessel, generate_series(0, 189) as call,
    lateral (
      select (vessel * 7 + call) % 60 as port, $1::timestamptz + make_interval(days => call, mins => vessel) as came
    ) as made`;

describe("searches of connections in a dense trade", () => {
  let on: TestDatabase;
  before(async () => {
    on = await createTestDatabase({ cells: 1 });
    await on.queryIn(on.productCells.of("schedules").all[0], DENSE, [new Date(START_MS)]);
  });
  after(() => on.drop());

  for (const analyzed of [false, true]) {
    test(`no statement compares all calls with all voyages, ${analyzed ? "with" : "without"} statistics`, async (t) => {
      const [cell] = on.productCells.of("schedules").all;
      if (analyzed) await on.queryIn(cell, "analyze cell.port_calls");
      /** Comparing all with all takes ten seconds; what is bounded takes a third of one. */
      const timed = async <T>(what: string, read: () => Promise<readonly T[]>): Promise<readonly T[]> => {
        const startedMs = performance.now();
        const found = await read();
        const tookMs = performance.now() - startedMs;
        t.diagnostic(`${what}: ${found.length} in ${tookMs.toFixed()} ms`);
        assert.ok(tookMs < 6_000, `${what} took ${tookMs.toFixed()} ms`);
        return found;
      };
      const db = on.database;
      const leaving = { fromMs: START_MS, beforeMs: START_MS + 60 * DAY_MS };
      const within = { fromMs: START_MS, beforeMs: START_MS + 180 * DAY_MS };
      const departures = await timed("departures", () =>
        listDepartures(db, cell, { ...leaving, origin: "XXAAA", carrier: null }, null, 301),
      );
      const further = departures.map((call) => ({ ...call, voyages: [call.voyage, call.importVoyage] }));
      const ports = Array.from(
        { length: 60 },
        (_, at) => `XX${"ABCDEF"[Math.floor(at / 10)]!}${"ABCDEFGHIJ"[at % 10]!}A`,
      );
      for (const carriers of [["CA"], null]) {
        const ends = await timed("calls of the ends", () =>
          listCallsOfEnds(db, cell, { port: "XXFJA", carriers, further }, within, 20_000),
        );
        const between = await timed("calls between", () =>
          listCallsBetween(db, cell, { ...within, carriers, ports, stayMsMax: 21 * DAY_MS }, 20_000),
        );
        assert.deepEqual([ends.length > 14_000, between.length > 17_000], [true, true]);
      }
      const filter = {
        ...leaving,
        carrier: null,
        vessel: null,
        withCancelled: false,
        origin: "XXAAA",
        destination: "XXFJA",
      };
      await timed("sailings", () => listSailings(db, [cell], filter, null, null, 51));
    });
  }
});
