/** Each shipment list, and the public lookup, reads along an index (migration 010). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import pg from "pg";

import { SHIPMENT_STATUSES } from "../../src/products/ocean/tracking/shipment-filter.ts";
import * as sql from "../../src/freight/tracking/store/statements.ts";
import { cellsNamed, SCHEMA_PREFIX } from "../../src/store/cell.ts";
import { connectionConfig } from "../../src/store/database.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

const BIG = "01900000-0000-7000-8000-00000000000a";
const OTHER = "01900000-0000-7000-8000-00000000000b";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const ALL = `{${SHIPMENT_STATUSES.join(",")}}`;

const [CELL] = cellsNamed(SCHEMA_PREFIX, 1);

type Plan = {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
};

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

describe("lists of shipments", () => {
  let stored: TestDatabase;
  let client: pg.Client;

  before(async () => {
    stored = await createTestDatabase();
    const { schema } = stored.cells[0]!;
    // Two accounts track the same 6,000 references, all but ten of them delivered, all but ten HRNL's.
    await query(stored.address, `insert into ${schema}.accounts (id) values ('${BIG}'), ('${OTHER}')`);
    await query(
      stored.address,
      `insert into ${schema}.shipments (id, account_id, reference, carrier, carrier_hint, status, record, created_at)
     select gen_random_uuid(), account, 'BOOKING' || n, case when n % 600 = 0 then 'TRNC' else 'HRNL' end, null,
       case when n % 600 = 1 then 'arriving' else 'delivered' end, '{}', now()
     from generate_series(1, 6000) n, unnest('{${BIG},${OTHER}}'::uuid[]) account`,
    );
    await query(
      stored.address,
      `insert into ${schema}.polls (shipment_id, next_poll_at, refreshed_at) select id, now(), now() from ${schema}.shipments`,
    );
    await query(stored.address, `analyze ${schema}.shipments`);
    await query(stored.address, `analyze ${schema}.polls`);
    // The planner settings of all our sessions (store/database.ts).
    const options = "-c plan_cache_mode=force_generic_plan -c enable_hashjoin=off -c enable_mergejoin=off";
    client = new pg.Client({ ...connectionConfig(stored.address), options });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await stored.drop();
  });

  for (const [one, types, given, index, rowsMax] of [
    [
      sql.shipmentList,
      "uuid, uuid, integer, text",
      [BIG, LAST_ID, 50, "tracking"],
      "shipments_by_account",
      50,
    ],
    [
      sql.shipmentListByStatus,
      "uuid, uuid, integer, text, text[]",
      [BIG, LAST_ID, 50, "tracking", "{arriving}"],
      "shipments_by_status",
      10,
    ],
    [
      sql.shipmentListByCarrier,
      "uuid, uuid, integer, text, text, text[]",
      [BIG, LAST_ID, 50, "tracking", "HRNL", ALL],
      "shipments_by_carrier",
      60,
    ],
    [
      sql.shipmentListByCarrier,
      "uuid, uuid, integer, text, text, text[]",
      [BIG, LAST_ID, 50, "tracking", "HRNL", "{arriving}"],
      "shipments_by_carrier",
      10,
    ],
    [
      sql.shipmentListByReference,
      "uuid, uuid, integer, text, text, text, text[]",
      [BIG, LAST_ID, 50, "tracking", "BOOKING77", "HRNL", "{delivered}"],
      "shipments_reference_key",
      1,
    ],
    [
      sql.shipmentGetByReference,
      "uuid, text, text",
      [BIG, "tracking", "BOOKING77"],
      "shipments_reference_key",
      1,
    ],
    [sql.shipmentLookup, "text, text", ["BOOKING77", "tracking"], "shipments_by_reference", 2],
  ] as const) {
    test(`${one(CELL).name.split("@")[0]} for ${given.slice(4).join(" ").slice(0, 30)} reads what it shows, along ${index}`, async () => {
      const { text } = one(stored.cells[0]!);
      await client.query(`prepare one (${types}) as ${text}`);
      const literals = given.map((value) => (typeof value === "number" ? value : `'${value}'`)).join(", ");
      const explained = await client.query(`explain (analyze, format json) execute one (${literals})`);
      await client.query("deallocate one");
      const plan = (explained.rows[0] as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0].Plan;
      const scans = nodesOf(plan).filter((node) => node["Relation Name"] === "shipments");
      assert.deepEqual(
        scans.map((node) => node["Index Name"]),
        [index],
        JSON.stringify(plan, null, 1),
      );
      const read = scans.map(
        (node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
      );
      // PostgreSQL reports rows as the mean of all loops.
      assert.ok(Math.floor(read[0]!) <= rowsMax, `${read[0]} rows were read`);
    });
  }
});
