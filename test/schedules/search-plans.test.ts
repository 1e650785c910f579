/** The public searches on 100,000 calls: each uses an index, and reads little more than it shows. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

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

const [PORTS, VESSELS, CALLS] = [40, 1_000, 100];

/** Calls three days apart: each vessel sails loops of 20 of the 40 ports, each loop a voyage. */
const FILL = `
  insert into cell.port_calls (
    id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, arrival_at, departure_at, calls_at, record,
    updated_at
  )
  select
    gen_random_uuid(), 'C' || chr(65 + vessel % 4), 'S' || vessel % 100, vessel || 'V' || call / 20, '',
    'XX' || chr(65 + port / 10) || chr(65 + port % 10) || 'A', 1, (9000000 + vessel)::text,
    came, came + interval '1 day', came + interval '1 day', '{}', came
  from generate_series(0, ${VESSELS - 1}) as vessel, generate_series(0, ${CALLS - 1}) as call,
    lateral (
      select (call % 20 + vessel % ${PORTS / 2}) % ${PORTS} as port,
        $1::timestamptz + make_interval(days => call * 3 - 150 - vessel % 61, mins => vessel) as came
    ) as made`;

describe("searches of many calls", () => {
  let on: TestDatabase;
  before(async () => {
    on = await createTestDatabase({ cells: 1 });
    const [cell] = on.productCells.of("schedules").all;
    await on.queryIn(cell, FILL, [new Date(START_MS)]);
    await on.queryIn(cell, "analyze cell.port_calls");
  });
  after(() => on.drop());

  /** The plan of the statement that the store's function runs. */
  async function explained(read: (connection: Connection) => Promise<unknown>): Promise<Plan> {
    let plan: Plan | null = null;
    const connection = {
      async rows({ text }: { readonly text: string }, parameters: readonly unknown[]) {
        const { rows } = await query(on.address, `explain (analyze, buffers, format json) ${text}`, [
          ...parameters,
        ]);
        plan = rows[0]["QUERY PLAN"][0].Plan as Plan;
        return [];
      },
    };
    await read(connection);
    assert.ok(plan !== null);
    return plan;
  }

  const within = { fromMs: START_MS, beforeMs: START_MS + 28 * DAY_MS };
  const any = { carrier: null, vessel: null, withCancelled: false };

  for (const [what, rows, pagesMax, read] of [
    [
      "sailings from port to port",
      51,
      15_000,
      (connection: Connection, on_: TestDatabase) =>
        listSailings(
          connection,
          on_.productCells.of("schedules").all,
          { ...within, ...any, origin: "XXAFA", destination: "XXBFA" },
          null,
          null,
          51,
        ),
    ],
    [
      "sailings between ports that no vessel joins",
      0,
      5_000,
      (connection: Connection, on_: TestDatabase) =>
        listSailings(
          connection,
          on_.productCells.of("schedules").all,
          { ...within, ...any, origin: "XXAFA", destination: "XXZZZ" },
          null,
          null,
          51,
        ),
    ],
    [
      "the calls at a port",
      51,
      500,
      (connection: Connection, on_: TestDatabase) =>
        listPortCalls(
          connection,
          on_.productCells.of("schedules").all,
          { ...within, ...any, port: "XXAFA", kind: "arrival" },
          null,
          51,
        ),
    ],
    [
      "the calls of a vessel",
      98,
      300,
      (connection: Connection, on_: TestDatabase) =>
        listCallsOfVessel(connection, on_.productCells.of("schedules").all, "9000007", START_MS, 50),
    ],
    [
      "the calls that boxes are to sail from",
      60,
      25_000,
      (connection: Connection, on_: TestDatabase) =>
        readAwaitedCalls(
          connection,
          on_.productCells.of("schedules"),
          Array.from({ length: 100 }, (_, nth) => ({
            carrier: `C${"ABCD"[nth % 4]!}`,
            port: "XXAFA",
            fromMs: START_MS - 30 * DAY_MS,
            toMs: START_MS + 90 * DAY_MS,
            imo: String(9_000_000 + nth),
            name: "NOBODY",
            voyage: "0",
          })),
        ),
    ],
  ] as const) {
    test(`${what} are found without reading all calls`, async () => {
      const plan = await explained((connection) => read(connection, on));
      const nodes = nodesOf(plan);
      const scanned = nodes.filter(
        (node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === "port_calls",
      );
      assert.deepEqual([scanned, plan["Actual Rows"]], [[], rows]);
      const pages = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
      assert.ok(pages <= pagesMax, `${pages} pages were read`);
    });
  }

  const rules = { transshipmentsMax: 1, waitMsMin: DAY_MS, waitMsMax: 21 * DAY_MS };
  /** Calls a minute apart of vessels that call nowhere else. */
  const fill = (port: string, carrier: string, calls: number) =>
    on.queryIn(
      on.productCells.of("schedules").all[0],
      `insert into cell.port_calls (
         id, carrier, service, voyage, import_voyage, port, nth, arrival_at, departure_at, calls_at, record, updated_at
       )
       select gen_random_uuid(), $1, 'S', port.name || nth, '', port.name, 1, at, at + interval '1 hour',
         at + interval '1 hour', '{}', at
       from (select $2::text as name) as port, generate_series(1, $3::integer) as nth,
         lateral (select $4::timestamptz + make_interval(mins => nth) as at) as made`,
      [carrier, port, calls, new Date(START_MS)],
    );

  test("a page that finds no connection among its departures says where the next one goes on", async () => {
    await fill("XXYYA", "CA", 700);
    const pages: number[] = [];
    for (let behind: CallListKey | null = null; ;) {
      const filter = { ...within, origin: "XXYYA", carrier: null };
      const search = {
        filter,
        rules: { ...rules, destination: "XXDFA" },
        carriers: "one" as const,
        behind,
        limit: 50,
      };
      const found = await searchConnections(
        on.database,
        on.productCells.of("schedules").all,
        search,
        realClock,
      );
      assert.ok(found !== "too_many");
      pages.push(found.connections.length);
      if (found.next === null) break;
      assert.ok(behind === null || found.next.ms > behind.ms);
      behind = found.next;
    }
    assert.deepEqual(pages, [0, 0, 0]);
  });

  test("more calls than a page may read are refused, not left out", async () => {
    await fill("XXYZA", "CA", 20_000);
    const filter = { ...within, origin: "XXAAA", carrier: null };
    const search = {
      filter,
      rules: { ...rules, destination: "XXYZA" },
      carriers: "one" as const,
      behind: null,
      limit: 50,
    };
    const cells = on.productCells.of("schedules").all;
    assert.equal(await searchConnections(on.database, cells, search, realClock), "too_many");
  });

  test("connections are searched among some thousand of the calls", async (t) => {
    for (const transshipmentsMax of [1, 2]) {
      const startedMs = performance.now();
      const found = await searchConnections(
        on.database,
        on.productCells.of("schedules").all,
        {
          filter: { ...within, origin: "XXAAA", carrier: null },
          rules: { ...rules, destination: "XXDFA", transshipmentsMax },
          carriers: "one",
          behind: null,
          limit: 50,
        },
        realClock,
      );
      const tookMs = performance.now() - startedMs;
      assert.ok(found !== "too_many");
      t.diagnostic(`${transshipmentsMax}: ${found.connections.length} in ${tookMs.toFixed()} ms`);
      assert.ok(found.connections.length >= 20);
    }
  });
});

type Plan = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly Plan[];
};

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
