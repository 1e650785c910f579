/** Lists of shipments (migration 010), the public lookup and the operator's searches read along an index. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import pg from "pg";

import { firstUuidOf } from "../../src/model/uuid.ts";
import { SHIPMENT_STATUSES } from "../../src/products/ocean/tracking/shipment-filter.ts";
import { connectionConfig } from "../../src/store/database.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { queryText } from "../support/query-text.ts";
import { idOf } from "./store-rows.ts";

const SHIPMENTS = "freight/tracking/store/shipments.sql";
const POLLS = "freight/polling/store/polls.sql";
const DELIVERIES = "store/deliveries/deliveries.sql";
const SEARCH = "store/search/search.sql";

type PlanNode = {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
};
type Named = readonly [file: string, name: string];
type Given = readonly (string | number | Date | null)[];

const [BIG, OTHER] = [idOf(10), idOf(11)];
const LAST_ID = firstUuidOf(Number.POSITIVE_INFINITY);
const FIRST_ID = firstUuidOf(0);
const ALL = `{${SHIPMENT_STATUSES.join(",")}}`;
const ID_OF_N = "('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";

describe("along an index", () => {
  let stored: TestDatabase;
  let client: pg.Client;
  before(async () => {
    stored = await createTestDatabase();
    const { schema } = stored.cells[0]!;
    // Two accounts track the same 6,000 references, all but ten of them delivered, all but ten HRNL's.
    await query(
      stored.address,
      `set search_path = ${schema};
       insert into accounts (id) values ('${BIG}'), ('${OTHER}');
       insert into shipments (id, account_id, reference, carrier, carrier_hint, status, record, created_at)
       select gen_random_uuid(), account, 'BOOKING' || n, case when n % 600 = 0 then 'TRNC' else 'HRNL' end, null,
         case when n % 600 = 1 then 'arriving' else 'delivered' end, '{}', now()
       from generate_series(1, 6000) n, unnest('{${BIG},${OTHER}}'::uuid[]) account;
       insert into polls (shipment_id, source, next_poll_at, refreshed_at)
       select id, 'S' || (row_number() over ()) % 50, now(), now() from shipments;
       insert into endpoints (id, account_id, product, url, event_types, description, sealed_secret_hash, active, failure_count, created_at)
       select ${ID_OF_N}, '${BIG}', 'air', 'https://x.example', '{}', '', '', true, 0, now() from generate_series(11, 60) n;
       insert into events (id, account_id, product, type, occurred_at, data)
       select ${ID_OF_N}, case when n % 2 = 0 then '${BIG}' else '${OTHER}' end::uuid, 'air', 't' || n % 7, now(), repeat('x', 100)
       from generate_series(1, 20000) n;
       insert into deliveries (id, event_id, endpoint_id, attempt_count, status, last_error, created_at)
       select id, id, ('01900000-0000-7000-8000-' || lpad(to_hex(11 + (row_number() over ()) % 50), 12, '0'))::uuid, 1, 'dead', 'timeout: x', now() from events;
       insert into attempts (delivery_id, number, ended_at, duration_ms, error, answer_bytes)
       select id, 1, now(), 1, 'timeout: x', 0 from deliveries;
       analyze shipments; analyze polls; analyze events; analyze deliveries; analyze attempts; analyze endpoints`,
    );
    // The planner's settings of all our sessions (store/database.ts).
    const options = "-c plan_cache_mode=force_generic_plan -c enable_hashjoin=off -c enable_mergejoin=off";
    client = new pg.Client({ ...connectionConfig(stored.address), options });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await stored.drop();
  });

  /** All nodes of its plan once it has run; `types` are those of its parameters. */
  async function planOf(statement: Named, types: string, given: Given): Promise<readonly PlanNode[]> {
    const nodesOf = (plan: PlanNode): readonly PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
    await client.query(`prepare asked (${types}) as ${queryText(...statement, stored.cells[0]!)}`);
    const literals = given.map((value) =>
      value === null ? "null" : pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
    );
    const { rows } = await client.query(
      `explain (analyze, format json) execute asked (${literals.join(", ")})`,
    );
    await client.query("deallocate asked");
    return nodesOf(rows[0]["QUERY PLAN"][0].Plan as PlanNode);
  }

  const page = [BIG, LAST_ID, 50, "tracking"];
  const types = "uuid, uuid, integer, text";
  const [ofStatus, ofCarrier] = [`${types}, text[]`, `${types}, text, text[]`];
  const ofReference = `${types}, text, text, text[]`;
  const named = [...page, "BOOKING77", "HRNL", "{delivered}"];
  for (const [what, one, asked, given, index, rowsMax] of [
    ["a list", [SHIPMENTS, "shipment_list"], types, page, "by_account", 50],
    [
      "a list by status",
      [SHIPMENTS, "shipment_list_by_status"],
      ofStatus,
      [...page, "{arriving}"],
      "by_status",
      10,
    ],
    [
      "a list by carrier",
      [SHIPMENTS, "shipment_list_by_carrier"],
      ofCarrier,
      [...page, "HRNL", ALL],
      "by_carrier",
      60,
    ],
    [
      "one by both",
      [SHIPMENTS, "shipment_list_by_carrier"],
      ofCarrier,
      [...page, "HRNL", "{arriving}"],
      "by_carrier",
      10,
    ],
    [
      "a list by reference",
      [SHIPMENTS, "shipment_list_by_reference"],
      ofReference,
      named,
      "reference_key",
      1,
    ],
    [
      "one",
      [SHIPMENTS, "shipment_get_by_reference"],
      "uuid, text, text",
      [BIG, "tracking", "BOOKING77"],
      "reference_key",
      1,
    ],
    ["a lookup", [SHIPMENTS, "shipment_lookup"], "text, text", ["BOOKING77", "tracking"], "by_reference", 2],
  ] as const satisfies readonly (readonly [string, Named, string, Given, string, number])[])
    test(`${what} of shipments reads what it shows, along the index ${index}`, async () => {
      const scans = (await planOf(one, asked, given)).filter((node) => node["Relation Name"] === "shipments");
      assert.deepEqual(
        scans.map((node) => node["Index Name"]),
        [`shipments_${index}`],
      );
      // PostgreSQL reports rows as the mean of all loops.
      const [read] = scans.map(
        (node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
      );
      assert.ok(Math.floor(read!) <= rowsMax, `${read} rows were read`);
    });

  const pageTypes = "uuid, uuid, text, text, integer, integer";
  const pageOfAccount = "uuid, uuid, text, text[], integer, integer, uuid";
  const [ofEvent, ofEndpoint] = [
    "uuid, uuid, text, uuid, uuid, integer",
    "uuid, uuid, timestamptz, integer, integer",
  ];
  const [byTime, ofSources] = ["uuid, text, text, integer, integer, uuid", "text[], timestamptz, integer"];
  const airs = [LAST_ID, FIRST_ID, null, "{air,rates}", 51, 51, BIG];
  const thousand = idOf(1_000);
  for (const [what, one, asked, given] of [
    ["events of all", [SEARCH, "event_page"], pageTypes, [LAST_ID, FIRST_ID, "t3", null, 2_000, 50]],
    ["events of an account", [SEARCH, "event_page_of_account"], pageOfAccount, airs],
    ["an event", [SEARCH, "event_find"], "uuid", [thousand]],
    [
      "its deliveries",
      [SEARCH, "delivery_list_of_event"],
      ofEvent,
      [thousand, BIG, "air", thousand, idOf(1_400), 5_000],
    ],
    ["what signs a delivery", [SEARCH, "delivery_signing"], "uuid", [thousand]],
    ["attempts", [SEARCH, "attempt_count_steps"], ofEndpoint, [idOf(12), FIRST_ID, new Date(0), 1_800, 100]],
    [
      "deliveries by time",
      [DELIVERIES, "delivery_page"],
      byTime,
      [idOf(3_000), null, null, 50, 50, idOf(2_000)],
    ],
    ["polls of sources", [POLLS, "poll_count_of_sources"], ofSources, ["{HRNL,TRNC}", new Date(), 1_000]],
  ] as const satisfies readonly (readonly [string, Named, string, Given])[])
    test(`${what} are searched by the operator without reading a table`, async () => {
      const scanned = (await planOf(one, asked, given)).filter(
        (node) =>
          node["Node Type"] === "Seq Scan" &&
          /events|deliveries|attempts|polls/.test(node["Relation Name"] ?? ""),
      );
      assert.deepEqual(scanned, []);
    });
});
