/** Lists of shipments (migration 010), the public lookup and the operator's searches read along an index. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import pg from "pg";

import { firstUuidOf } from "../../src/model/uuid.ts";
import { SHIPMENT_STATUSES } from "../../src/products/ocean/tracking/shipment-filter.ts";
import { pollCountOfSources } from "../../src/freight/polling/store/polls.sql.ts";
import {
  shipmentGetByReference,
  shipmentList,
  shipmentListByCarrier,
  shipmentListByReference,
  shipmentListByStatus,
  shipmentLookup,
} from "../../src/freight/tracking/store/shipments.sql.ts";
import type { Cell } from "../../src/store/cell.ts";
import { connectionConfig, type Connection } from "../../src/store/database.ts";
import { deliveryListOfEvents, deliveryPage } from "../../src/store/deliveries/deliveries.sql.ts";
import { settleAttempts } from "../../src/store/deliveries/settling.ts";
import { eventListByReference, referenceList } from "../../src/store/search/references.sql.ts";
import {
  attemptCountSteps,
  deliverySigning,
  eventFind,
  eventPage,
  eventPageOfAccount,
} from "../../src/store/search/search.sql.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { idOf } from "./store-rows.ts";

type PlanNode = {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
};
type Read = (db: Connection, cell: Cell) => Promise<unknown>;

const [BIG, OTHER] = [idOf(10), idOf(11)];
const LAST_ID = firstUuidOf(Number.POSITIVE_INFINITY);
const FIRST_ID = firstUuidOf(0);
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
       insert into event_references (account_id, reference, event_id) select account_id, 'BOX' || right(id::text, 3), id from events;
       insert into deliveries (id, event_id, endpoint_id, attempt_count, status, last_error, created_at)
       select id, id, ('01900000-0000-7000-8000-' || lpad(to_hex(11 + (row_number() over ()) % 50), 12, '0'))::uuid, 1, 'dead', 'timeout: x', now() from events;
       insert into attempts (delivery_id, number, ended_at, duration_ms, error, answer_bytes)
       select id, 1, now(), 1, 'timeout: x', 0 from deliveries;
       analyze shipments; analyze polls; analyze events; analyze deliveries; analyze attempts; analyze endpoints; analyze event_references`,
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

  /** All nodes of the plan that nodes have for it, once it has run. */
  async function planOf(read: Read): Promise<readonly PlanNode[]> {
    const nodesOf = (plan: PlanNode): readonly PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
    let nodes: readonly PlanNode[] = [];
    const explaining: Connection = {
      async rows({ text }, parameters) {
        await client.query(`prepare asked as ${text}`);
        const prepared =
          "select parameter_types::text[] as types from pg_prepared_statements where name = 'asked'";
        const { types } = (await client.query(prepared)).rows[0] as { types: readonly string[] };
        const casts = types.map((type, nth) => `quote_nullable($${nth + 1}::${type})`);
        const given = await client.query(`select concat_ws(', ', ${casts.join(", ")}) as literals`, [
          ...parameters,
        ]);
        const explain = `explain (analyze, format json) execute asked (${given.rows[0].literals})`;
        nodes = nodesOf((await client.query(explain)).rows[0]["QUERY PLAN"][0].Plan as PlanNode);
        await client.query("deallocate asked");
        return [];
      },
    };
    await read(explaining, stored.cells[0]!);
    return nodes;
  }

  const page = { accountId: BIG, afterId: LAST_ID, limit: 50, product: "tracking" };
  const hrnl = { ...page, carrier: "HRNL" };
  const named = { ...hrnl, reference: "BOOKING77", statuses: ["delivered"] };
  for (const [what, read, index, rowsMax] of [
    ["a list", (db, cell) => shipmentList(db, cell, page), "by_account", 50],
    [
      "a list by status",
      (db, cell) => shipmentListByStatus(db, cell, { ...page, statuses: ["arriving"] }),
      "by_status",
      10,
    ],
    [
      "a list by carrier",
      (db, cell) => shipmentListByCarrier(db, cell, { ...hrnl, statuses: SHIPMENT_STATUSES }),
      "by_carrier",
      60,
    ],
    [
      "one by both",
      (db, cell) => shipmentListByCarrier(db, cell, { ...hrnl, statuses: ["arriving"] }),
      "by_carrier",
      10,
    ],
    ["a list by reference", (db, cell) => shipmentListByReference(db, cell, named), "reference_key", 1],
    ["one", (db, cell) => shipmentGetByReference(db, cell, named), "reference_key", 1],
    ["a lookup", (db, cell) => shipmentLookup(db, cell, named), "by_reference", 2],
  ] as const satisfies readonly (readonly [string, Read, string, number])[])
    test(`${what} of shipments reads what it shows, along the index ${index}`, async () => {
      const scans = (await planOf(read)).filter((node) => node["Relation Name"] === "shipments");
      assert.deepEqual(
        scans.map((node) => node["Index Name"]),
        [`shipments_${index}`],
      );
      // PostgreSQL reports rows as the mean of all loops.
      const [rows] = scans.map(
        (node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
      );
      assert.ok(Math.floor(rows!) <= rowsMax, `${rows} rows were read`);
    });

  const bounds = { readMax: 51, limit: 51 };
  const thousand = idOf(1_000);
  const referring = {
    accountId: null,
    references: ["BOX1", "BOX2"],
    beforeId: LAST_ID,
    fromId: FIRST_ID,
    readMax: 51,
  };
  for (const [what, read] of [
    [
      "events of all",
      (db, cell) =>
        eventPage(db, cell, {
          ...{ beforeId: LAST_ID, fromId: FIRST_ID, type: "t3", product: null },
          ...{ readMax: 2_000, limit: 50, dataBytesMax: 8_192 },
        }),
    ],
    [
      "events of an account",
      (db, cell) =>
        eventPageOfAccount(db, cell, {
          ...{ accountId: BIG, beforeId: LAST_ID, fromId: FIRST_ID, type: null, products: ["air", "rates"] },
          ...{ ...bounds, dataBytesMax: 8_192 },
        }),
    ],
    ["an event", (db, cell) => eventFind(db, cell, thousand)],
    [
      "its deliveries",
      (db, cell) =>
        deliveryListOfEvents(db, cell, {
          wanted: [{ id: thousand, accountId: BIG, product: "air", fromId: thousand, beforeId: idOf(1_400) }],
          nearMax: 5_000,
        }),
    ],
    [
      "references that begin",
      (db, cell) => referenceList(db, cell, { accountId: null, text: "BOX1", limit: 51 }),
    ],
    ["events by reference", (db, cell) => eventListByReference(db, cell, referring)],
    ["what signs a delivery", (db, cell) => deliverySigning(db, cell, thousand)],
    [
      "attempts",
      (db, cell) =>
        attemptCountSteps(db, cell, {
          ...{ endpointId: idOf(12), fromId: FIRST_ID, start: 0, stepS: 1_800 },
          countedMax: 100,
        }),
    ],
    [
      "deliveries by time",
      (db, cell) =>
        deliveryPage(db, cell, {
          ...{ beforeId: idOf(3_000), fromId: idOf(2_000), status: null, type: null },
          ...bounds,
        }),
    ],
    [
      "polls of sources",
      (db, cell) =>
        pollCountOfSources(db, cell, { queues: ["HRNL", "TRNC"], now: Date.now(), countMax: 1_000 }),
    ],
  ] as const satisfies readonly (readonly [string, Read])[])
    test(`${what} are searched by the operator without reading a table`, async () => {
      const scanned = (await planOf(read)).filter(
        (node) =>
          node["Node Type"] === "Seq Scan" &&
          /event|deliveries|attempts|polls/.test(node["Relation Name"] ?? ""),
      );
      assert.deepEqual(scanned, []);
    });

  test("settling reads what it settles once for each step, however many endpoints it is for", async () => {
    const ids = Array.from({ length: 50 }, (_, n) => idOf(n + 11));
    const { schema } = stored.cells[0]!;
    await query(
      stored.address,
      `set search_path = ${schema};
       insert into nodes (id, started_at, oldest_held) overriding system value values (7, now(), '${FIRST_ID}');
       insert into deliveries (id, event_id, endpoint_id, node, created_at)
       select ('01900000-0000-7000-8001-' || right(id::text, 12))::uuid, id, id, 7, now() from endpoints`,
    );
    const ended = {
      status: "pending",
      attemptCount: 1,
      lastStatusCode: 503,
      lastError: "http_503: x",
    } as const;
    const nodes = await planOf((db, cell) =>
      settleAttempts(db, cell, {
        ...{ node: 7, atMs: 5_000, disableAfterFailures: 20, disableAfterMs: 0 },
        ...{ failingAfterFailures: 5, unreported: ["operations"] },
        attempts: ids.map((id) => ({
          deliveryId: id.replace("-8000-", "-8001-"),
          queued: false,
          settlement: { ...ended, deliveredAtMs: null, dueAtMs: 9_000 },
        })),
        counts: ids.map((endpointId) => ({
          ...{ endpointId, delivered: false, leadingFailures: 1, longestRun: 0, trailingFailures: 1 },
          lastDeliveredAtMs: null,
        })),
      }),
    );
    const read = nodes.map(
      (node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
    );
    assert.ok(Math.max(...read) <= 2 * ids.length, `${Math.max(...read)} rows for ${ids.length}`);
  });
});
