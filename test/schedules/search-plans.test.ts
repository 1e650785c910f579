/** The public searches on many calls, in a usual trade and in a dense one: each reads little more than it shows. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import {
  listCallsBetween,
  listCallsOfEnds,
  listDepartures,
} from "../../src/products/schedules/store/connections.ts";
import { readAwaitedCalls } from "../../src/products/schedules/store/awaited-calls.ts";
import {
  listPortCalls,
  listSailings,
  listCallsOfVessel,
  type CallListKey,
} from "../../src/products/schedules/store/schedules-read.ts";
import { searchConnections } from "../../src/products/schedules/search/search-connections.ts";
import type { Connection } from "../../src/store/database.ts";
import { START_MS } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { realClock } from "../support/real-clock.ts";
import { DAY_MS } from "./statements.ts";

const COLUMNS = `id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, arrival_at, departure_at, calls_at,
  record, updated_at`;

/** 1,000 vessels with 100 calls three days apart; each sails loops of 20 of the 40 ports, each loop a voyage. */
const USUAL = `
  insert into cell.port_calls (${COLUMNS})
  select
    gen_random_uuid(), 'C' || chr(65 + vessel % 4), 'S' || vessel % 100, vessel || 'V' || call / 20, '',
    'XX' || chr(65 + port / 10) || chr(65 + port % 10) || 'A', 1, (9000000 + vessel)::text,
    came, came + interval '1 day', came + interval '1 day', '{}', came
  from generate_series(0, 999) as vessel, generate_series(0, 99) as call,
    lateral (
      select (call % 20 + vessel % 20) % 40 as port,
        $1::timestamptz + make_interval(days => call * 3 - 150 - vessel % 61, mins => vessel) as came
    ) as made`;

/** Each of 100 vessels calls every day at one of 60 ports, all of one service; every fourth is without a number. */
const DENSE = `
  insert into cell.port_calls (${COLUMNS})
  select
    gen_random_uuid(), 'CA', 'S', vessel || 'V' || call / 19,
    case when vessel % 4 = 0 then vessel || 'V' || (call - 9) / 19 else '' end,
    'XX' || chr(65 + port / 10) || chr(65 + port % 10) || 'A', call + 1,
    case when vessel % 4 > 0 then (9000000 + vessel)::text end,
    came, came + interval '12 hours', came + interval '12 hours', '{}', came
  from generate_series(0, 99) as vessel, generate_series(0, 189) as call,
    lateral (
      select (vessel * 7 + call) % 60 as port, $1::timestamptz + make_interval(days => call, mins => vessel) as came
    ) as made`;

const until = (days: number) => ({ fromMs: START_MS, beforeMs: START_MS + days * DAY_MS });
const within = until(28);
const any = { carrier: null, vessel: null, withCancelled: false };

describe("searches of many calls", () => {
  let on: TestDatabase;
  before(async () => {
    on = await createTestDatabase({ cells: 1 });
    await on.queryIn(cell(), USUAL, [new Date(START_MS)]);
    await on.queryIn(cell(), "analyze cell.port_calls");
  });
  after(() => on.drop());
  const cell = () => on.productCells.of("schedules");

  /** The plan of the statement that the store's function runs. */
  async function explained(read: (connection: Connection) => Promise<unknown>): Promise<Plan> {
    let plan: Plan | null = null;
    await read({
      async rows({ text }: { readonly text: string }, parameters: readonly unknown[]) {
        const explain = `explain (analyze, timing off, buffers, format json) ${text}`;
        plan = (await query(on.address, explain, [...parameters])).rows[0]["QUERY PLAN"][0].Plan as Plan;
        return [];
      },
    });
    assert.ok(plan !== null);
    return plan;
  }

  const ofBoxes = Array.from({ length: 100 }, (_, nth) => ({
    ...{
      carrier: `C${"ABCD"[nth % 4]!}`,
      port: "XXAFA",
      imo: String(9_000_000 + nth),
      name: "NOBODY",
      voyage: "0",
    },
    ...{ fromMs: START_MS - 30 * DAY_MS, toMs: START_MS + 90 * DAY_MS },
  }));
  const sailings = (connection: Connection, destination: string) =>
    listSailings(connection, cell(), { ...within, ...any, origin: "XXAFA", destination }, null, null, 51);

  for (const [what, rows, pagesMax, read] of [
    ["sailings from port to port", 51, 15_000, (connection) => sailings(connection, "XXBFA")],
    ["sailings between ports that no vessel joins", 0, 5_000, (connection) => sailings(connection, "XXZZZ")],
    [
      "the calls at a port",
      51,
      500,
      (connection) =>
        listPortCalls(connection, cell(), { ...within, ...any, port: "XXAFA", kind: "arrival" }, null, 51),
    ],
    [
      "the calls of a vessel",
      98,
      300,
      (connection) => listCallsOfVessel(connection, cell(), "9000007", START_MS, 50),
    ],
    [
      "the calls that boxes are to sail from",
      60,
      25_000,
      (connection) => readAwaitedCalls(connection, on.productCells.of("schedules"), ofBoxes),
    ],
  ] as readonly (readonly [string, number, number, (connection: Connection) => Promise<unknown>])[]) {
    test(`${what} are found without reading all calls`, async () => {
      const plan = await explained(read);
      const scanned = nodesOf(plan).filter(
        (node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === "port_calls",
      );
      assert.deepEqual([scanned, plan["Actual Rows"]], [[], rows]);
      const pages = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
      assert.ok(pages <= pagesMax, `${pages} pages were read`);
    });
  }

  /** Calls a minute apart of vessels that call nowhere else. */
  const fill = (port: string, calls: number) =>
    on.queryIn(
      cell(),
      `insert into cell.port_calls (${COLUMNS})
       select gen_random_uuid(), 'CA', 'S', port.name || nth, '', port.name, 1, null, at, at + interval '1 hour',
         at + interval '1 hour', '{}', at
       from (select $1::text as name) as port, generate_series(1, $2::integer) as nth,
         lateral (select $3::timestamptz + make_interval(mins => nth) as at) as made`,
      [port, calls, new Date(START_MS)],
    );
  const connections = (
    origin: string,
    destination: string,
    more: { transshipmentsMax?: number; behind?: CallListKey | null } = {},
  ) => {
    const { transshipmentsMax = 1, behind = null } = more;
    const rules = { destination, transshipmentsMax, waitMsMin: DAY_MS, waitMsMax: 21 * DAY_MS };
    const search = { filter: { ...within, origin, carrier: null }, rules, carriers: "one" as const };
    return searchConnections(on.database, cell(), { ...search, behind, limit: 50 }, realClock);
  };

  test("a page that finds no connection among its departures says where the next one goes on", async () => {
    await fill("XXYYA", 700);
    const pages: number[] = [];
    for (let behind: CallListKey | null = null; ;) {
      const found = await connections("XXYYA", "XXDFA", { behind });
      assert.ok(found !== "too_many");
      pages.push(found.connections.length);
      if (found.next === null) break;
      assert.ok(behind === null || found.next.ms > behind.ms);
      behind = found.next;
    }
    assert.deepEqual(pages, [0, 0, 0]);
  });

  test("more calls than a page may read are refused, not left out", async () => {
    await fill("XXYZA", 20_000);
    assert.equal(await connections("XXAAA", "XXYZA"), "too_many");
  });

  test("connections are searched among some thousand of the calls", async () => {
    for (const transshipmentsMax of [1, 2]) {
      const found = await connections("XXAAA", "XXDFA", { transshipmentsMax });
      assert.ok(found !== "too_many" && found.connections.length >= 20);
    }
  });

  for (const isAnalyzed of [false, true]) {
    test(`in a dense trade no statement compares all calls with all voyages, statistics: ${isAnalyzed}`, async () => {
      if (!isAnalyzed) {
        await on.queryIn(cell(), "truncate cell.port_calls");
        await on.queryIn(cell(), DENSE, [new Date(START_MS)]);
      } else await on.queryIn(cell(), "analyze cell.port_calls");
      const leaving = { ...until(60), origin: "XXAAA", carrier: null };
      const departures = await listDepartures(on.database, cell(), leaving, null, 301);
      const further = departures.map((call) => ({ ...call, voyages: [call.voyage, call.importVoyage] }));
      const letters = "ABCDEFGHIJ".split("");
      const ports = letters.slice(0, 6).flatMap((one) => letters.map((other) => `XX${one}${other}A`));
      const whole = until(180);
      const toSail = { ...leaving, vessel: null, withCancelled: false, destination: "XXFJA" };
      const reads: readonly (readonly [string, (connection: Connection) => Promise<unknown>])[] = [
        ["departures", (connection) => listDepartures(connection, cell(), leaving, null, 301)],
        ...[["CA"], null].flatMap((carriers) => {
          const ends = { port: "XXFJA", carriers, further };
          const between = { ...whole, carriers, ports, stayMsMax: 21 * DAY_MS };
          return [
            ["ends", (connection: Connection) => listCallsOfEnds(connection, cell(), ends, whole, 20_000)],
            ["between", (connection: Connection) => listCallsBetween(connection, cell(), between, 20_000)],
          ] as const;
        }),
        ["sailings", (connection) => listSailings(connection, cell(), toSail, null, null, 51)],
      ];
      for (const [what, read] of reads) {
        const plan = await explained(read);
        const rows = nodesOf(plan).reduce((sum, node) => sum + rowsOf(node), 0);
        if (what === "ends") assert.ok(plan["Actual Rows"] > 14_000);
        if (what === "between") assert.ok(plan["Actual Rows"] > 17_000);
        assert.ok(rows < 200_000, `${what} goes through ${rows} rows`);
      }
    });
  }
});

type Plan = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly Plan[];
};

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** All that a node gave on or dropped. */
function rowsOf(node: Plan): number {
  const dropped = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0);
  return (node["Actual Rows"] + dropped) * node["Actual Loops"];
}
