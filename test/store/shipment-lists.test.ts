/** Each shipment list, and the public lookup, reads along an index (migration 010). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { SHIPMENT_STATUSES } from "../../src/products/ocean/tracking/shipment-filter.ts";
import * as sql from "../../src/freight/tracking/store/statements.ts";
import { cellsNamed, SCHEMA_PREFIX, type Cell } from "../../src/store/cell.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { type Given, openPlanner } from "./plans-of-statements.ts";

const BIG = "01900000-0000-7000-8000-00000000000a";
const OTHER = "01900000-0000-7000-8000-00000000000b";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const ALL = `{${SHIPMENT_STATUSES.join(",")}}`;

const KEY = "shipments_reference_key";
const [CELL] = cellsNamed(SCHEMA_PREFIX, 1);

describe("lists of shipments", () => {
  let stored: TestDatabase;
  let planner: Awaited<ReturnType<typeof openPlanner>>;

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
    planner = await openPlanner(stored.address);
  });
  after(async () => {
    await planner.close();
    await stored.drop();
  });

  function readsAlong(
    one: (cell: Cell) => { readonly name: string; readonly text: string },
    types: string,
    given: Given,
    index: string,
    rowsMax: number,
  ): void {
    test(`${one(CELL).name.split("@")[0]} for ${given.slice(4).join(" ").slice(0, 30)} reads what it shows, along ${index}`, async () => {
      const plan = await planner.planOf(one(stored.cells[0]!).text, types, given);
      const scans = plan.filter((node) => node["Relation Name"] === "shipments");
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

  const page = [BIG, LAST_ID, 50, "tracking"];
  const types = "uuid, uuid, integer, text";
  for (const [one, rest, given, index, rowsMax] of [
    [sql.shipmentList, "", [], "shipments_by_account", 50],
    [sql.shipmentListByStatus, ", text[]", ["{arriving}"], "shipments_by_status", 10],
    [sql.shipmentListByCarrier, ", text, text[]", ["HRNL", ALL], "shipments_by_carrier", 60],
    [sql.shipmentListByCarrier, ", text, text[]", ["HRNL", "{arriving}"], "shipments_by_carrier", 10],
    [sql.shipmentListByReference, ", text, text, text[]", ["BOOKING77", "HRNL", "{delivered}"], KEY, 1],
  ] as const)
    readsAlong(one, `${types}${rest}`, [...page, ...given], index, rowsMax);
  readsAlong(sql.shipmentGetByReference, "uuid, text, text", [BIG, "tracking", "BOOKING77"], KEY, 1);
  readsAlong(sql.shipmentLookup, "text, text", ["BOOKING77", "tracking"], "shipments_by_reference", 2);
});
