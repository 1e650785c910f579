/** The public searches on 100,000 calls: each uses an index, and reads little more than it shows. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { readAwaitedCalls } from "../../src/products/schedules/store/awaited-calls.ts";
import {
  listPortCalls,
  listSailings,
  listCallsOfVessel,
} from "../../src/products/schedules/store/schedules-read.ts";
import type { Connection } from "../../src/store/database.ts";
import { START_MS } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
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
