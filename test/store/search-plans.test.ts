/** What the operator searches is read along an index. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { firstUuidOf } from "../../src/model/uuid.ts";
import { cellsNamed, SCHEMA_PREFIX } from "../../src/store/cell.ts";
import * as delivered from "../../src/store/deliveries/statements.ts";
import * as sql from "../../src/store/search/statements.ts";
import * as polls from "../../src/freight/polling/store/statements.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { openPlanner } from "./plans-of-statements.ts";

const [CELL] = cellsNamed(SCHEMA_PREFIX, 1);
const ACCOUNT = "01900000-0000-7000-8000-00000000000a";
const ENDPOINT = "01900000-0000-7000-8000-00000000000b";
const EVENT = "01900000-0000-7000-8000-0000000003e8";
const LAST_ID = firstUuidOf(Number.POSITIVE_INFINITY);
const FIRST_ID = firstUuidOf(0);
const ROWS = 20_000;
describe("the operator's searches", () => {
  let stored: TestDatabase;
  let planner: Awaited<ReturnType<typeof openPlanner>>;
  before(async () => {
    stored = await createTestDatabase();
    const { schema } = stored.cells[0]!;
    await query(
      stored.address,
      `insert into ${schema}.accounts (id) values ('${ACCOUNT}');
       insert into ${schema}.endpoints (id, account_id, product, url, event_types, description, sealed_secret_hash, active, failure_count, created_at)
       select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '${ACCOUNT}', 'air', 'https://x.example', '{}', '', '', true, 0, now()
       from generate_series(11, 60) n;
       insert into ${schema}.events (id, account_id, product, type, occurred_at, data)
       select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, case when n % 2 = 0 then '${ACCOUNT}' else '${ENDPOINT}' end::uuid, 'air', 't' || n % 7, now(), repeat('x', 100)
       from generate_series(1, ${ROWS}) n;
       insert into ${schema}.deliveries (id, event_id, endpoint_id, attempt_count, status, last_error, created_at)
       select id, id, ('01900000-0000-7000-8000-' || lpad(to_hex(11 + (row_number() over ()) % 50), 12, '0'))::uuid, 1, 'dead', 'timeout: x', now() from ${schema}.events;
       insert into ${schema}.attempts (delivery_id, number, ended_at, duration_ms, error, answer_bytes)
       select id, 1, now(), 1, 'timeout: x', 0 from ${schema}.deliveries;`,
    );
    for (const table of ["events", "deliveries", "attempts", "endpoints"])
      await query(stored.address, `analyze ${schema}.${table}`);
    planner = await openPlanner(stored.address);
  });
  after(async () => {
    await planner.close();
    await stored.drop();
  });

  const id = (n: number): string => `01900000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;

  for (const [name, one, types, given] of [
    [
      "events of all",
      sql.eventPage,
      "uuid, uuid, text, text, integer, integer",
      [LAST_ID, FIRST_ID, "t3", null, 2_000, 50],
    ],
    [
      "events of an account",
      sql.eventPageOfAccount,
      "uuid, uuid, text, text[], integer, integer, uuid",
      [LAST_ID, FIRST_ID, null, "{air,rates}", 51, 51, ACCOUNT],
    ],
    ["an event", sql.eventFind, "uuid", [EVENT]],
    [
      "the deliveries of an event",
      sql.deliveryListOfEvent,
      "uuid, uuid, text, uuid, uuid, integer",
      [EVENT, ACCOUNT, "air", id(1_000), id(1_400), 5_000],
    ],
    ["what signs a delivery", sql.deliverySigning, "uuid", [EVENT]],
    [
      "an endpoint's attempts",
      sql.attemptCountSteps,
      "uuid, uuid, timestamptz, integer, integer",
      [id(12), FIRST_ID, new Date(0), 1_800, 100],
    ],
    [
      "deliveries by time",
      delivered.deliveryPage,
      "uuid, text, text, integer, integer, uuid",
      [id(3_000), null, null, 50, 50, id(2_000)],
    ],
    [
      "polls of sources",
      polls.pollCountOfSources,
      "text[], timestamptz, integer",
      ["{HRNL,TRNC}", new Date(), 1_000],
    ],
  ] as const)
    test(`${name} are read along an index`, async () => {
      const plan = await planner.planOf(one(CELL).text, types, given);
      const scanned = plan.filter(
        (node) =>
          node["Node Type"] === "Seq Scan" &&
          /events|deliveries|attempts|polls/.test(node["Relation Name"] ?? ""),
      );
      assert.deepEqual(scanned, [], JSON.stringify(plan));
    });
});
