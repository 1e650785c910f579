/** What age takes away: parked deliveries, keys, the history of deleted endpoints, and orphans in the queue. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { dropOrphans } from "../../src/store/deliveries/partitions.ts";
import { pruneDeletedEndpoints } from "../../src/store/endpoints/deleted-endpoints.ts";
import { expireParked, pruneDedupKeys } from "../../src/store/deliveries/pruning.ts";
import { dateOf, idOf, storeRows, timeOf } from "./store-rows.ts";

const NODE = 7;
const NOW = 5_000;
const STEP = 2_000;
const INACTIVE = { active: false, inactive_since: dateOf(NOW - 1) };

describe("pruning", () => {
  const rows = storeRows();
  beforeEach(() => rows.account(1));

  const queue = () => rows.read("select delivery_id from cell.queue order by 1");
  const count = async (table: string) =>
    Number(((await rows.read(`select count(*) from cell.${table}`)) as [[string]])[0][0]);
  const deleted = (endpoint: number, ms: number) =>
    rows.insert("deleted_endpoints", { endpoint_id: idOf(endpoint), deleted_at: dateOf(ms) });
  const expire = () => expireParked(rows.database, rows.cell, timeOf(NOW), timeOf(NOW + 1), ["air"]);
  const forget = () => pruneDeletedEndpoints(rows.database, rows.cell, timeOf(NOW));

  test("what has been parked for too long is dead, and says why unless it failed before", async () => {
    await rows.endpoint(1, INACTIVE);
    await rows.endpoint(2, { active: false, inactive_since: dateOf(NOW) });
    await rows.endpoint(3);
    for (const [id, endpoint, row, node] of [
      [1, 1, {}, null],
      [2, 1, { last_error: "timeout: late" }, null],
      [3, 1, {}, NODE],
      [4, 2, {}, null],
      [5, 3, {}, null],
      [6, 1, { status: "delivered", attempt_count: 1 }, null],
    ] as const) {
      await rows.delivery(id, { endpoint_id: idOf(endpoint), ...row });
      await rows.queued(id, { endpoint_id: idOf(endpoint), node });
    }
    await rows.delivery(7, { node: NODE });
    const { products, isMore } = await expire();
    assert.deepEqual([products, isMore], [["tracking", "tracking"], false]);
    assert.deepEqual(await rows.read("select id, status, last_error from cell.deliveries order by 1"), [
      [1, "dead", "parked: the endpoint stayed inactive for too long"],
      [2, "dead", "timeout: late"],
      ...[3, 4, 5].map((id) => [id, "pending", null]),
      [6, "delivered", null],
      [7, "pending", null],
    ]);
    assert.deepEqual(await queue(), [[3], [4], [5]]);
    assert.deepEqual(
      await rows.read("select at, kind, subject, account_id, endpoint_id from cell.reports order by 3"),
      [
        [NOW + 1, "delivery_dead", 1, 1, 1],
        [NOW + 1, "delivery_dead", 2, 1, 1],
      ],
    );
  });

  test("expiry neither waits for an open claim nor expires it", async () => {
    await rows.endpoint(1, INACTIVE);
    for (const id of [1, 2]) await rows.delivery(id).then(() => rows.queued(id));
    await rows.database.transaction(async (tx) => {
      const text = `select from "${rows.cell.schema}".queue where delivery_id = '${idOf(1)}' for update`;
      await tx.rows({ name: "hold", text }, []);
      await expire();
    });
    assert.deepEqual(await queue(), [[1]]);
  });

  test("keys older than the history are forgotten, the oldest first, so many a step", async () => {
    // 2,001 keys that are older, the one of the greatest number last, and one that is not.
    const now = dateOf(NOW).toISOString();
    await rows.run(
      `insert into cell.event_keys
       select '${idOf(1)}', 'air', n::text, '${idOf(1)}', timestamptz '${now}' + (n - ${STEP + 2}) * interval '1 ms'
       from generate_series(1, ${STEP + 2}) n
       order by n desc`,
    );
    await rows.run(
      `insert into cell.event_keys
       values ('${idOf(1)}', 'rates', '1', '${idOf(1)}', '${now}'), ('${idOf(2)}', 'air', '1', '${idOf(1)}', '${now}')`,
    );
    const left = () =>
      rows.read("select account_id, product, dedup_key from cell.event_keys order by 1, 2, dedup_key::int");
    const kept = [
      [1, "air", `${STEP + 2}`],
      [1, "rates", "1"],
      [2, "air", "1"],
    ];
    assert.equal(await pruneDedupKeys(rows.database, rows.cell, timeOf(NOW)), true);
    assert.deepEqual(await left(), [[1, "air", `${STEP + 1}`], ...kept]);
    assert.equal(await pruneDedupKeys(rows.database, rows.cell, timeOf(NOW)), false);
    assert.deepEqual(await left(), kept);
  });

  test("the history of a deleted endpoint goes once nobody raises for it any more, with what is in the queue", async () => {
    await deleted(1, NOW - 1);
    await deleted(2, NOW);
    for (const [id, endpoint] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [7, 1],
    ] as const)
      await rows.delivery(id, { endpoint_id: idOf(endpoint) });
    await rows.queued(1);
    await rows.queued(2, { endpoint_id: idOf(2) });
    await rows.queued(7, { node: NODE });
    // Of deliveries that are gone already: what another node has claimed is its own to end.
    await rows.queued(4);
    await rows.queued(5, { node: NODE });
    await rows.queued(6, { endpoint_id: idOf(2) });
    assert.equal(await forget(), false);
    assert.deepEqual(await rows.read("select id from cell.deliveries order by 1"), [[2], [3]]);
    assert.deepEqual(await queue(), [[2], [5], [6]]);
    assert.deepEqual(await rows.read("select endpoint_id from cell.deleted_endpoints"), [[2]]);
  });

  const today = Date.UTC(2026, 10, 2);

  test("rows of the queue that nobody will send are removed, those of days before only", async () => {
    await rows.endpoint(1);
    for (const [number, timeMs, row] of [
      [1, today - 1, {}],
      [2, today - 1, { status: "dead" }],
      [3, today - 1, { endpoint_id: idOf(9) }],
      [4, today - 1, null],
      [5, today, null],
      [6, today - 86_400_000, null],
    ] as const) {
      const hex = timeMs.toString(16).padStart(12, "0");
      const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${number.toString().padStart(12, "0")}`;
      const endpoint = { endpoint_id: idOf(1), ...(row !== null && "endpoint_id" in row ? row : {}) };
      await rows.insert("queue", { delivery_id: id, ...endpoint, due_at: dateOf(0) });
      if (row !== null)
        await rows.insert("deliveries", { id, event_id: id, created_at: dateOf(0), ...endpoint, ...row });
    }
    assert.equal(await dropOrphans(rows.database, rows.cell, today), false);
    assert.deepEqual(await rows.read("select right(delivery_id::text, 1) from cell.queue order by 1"), [
      ["1"],
      ["5"],
    ]);
  });

  const IDS = `(lpad(n::text, 8, '0') || '-0000-7000-8000-000000000000')::uuid`;
  for (const [what, table, columns, prune] of [
    ["parked deliveries", "queue", `${IDS}, '${idOf(1)}', now(), null`, async () => (await expire()).isMore],
    [
      "orphans",
      "queue",
      `${IDS}, '${idOf(9)}', now(), null`,
      () => dropOrphans(rows.database, rows.cell, today),
    ],
    ["the history of a deleted endpoint", "deliveries", `${IDS}, ${IDS}, '${idOf(2)}', now()`, forget],
  ] as const) {
    test(`${what}: so many end in one step`, async () => {
      await rows.endpoint(1, INACTIVE);
      await deleted(2, 0);
      const names =
        table === "queue"
          ? "delivery_id, endpoint_id, due_at, node"
          : "id, event_id, endpoint_id, created_at";
      await rows.run(
        `insert into cell.${table} (${names}) select ${columns} from generate_series(1, ${STEP + 1}) n`,
      );
      assert.equal(await prune(), true);
      assert.deepEqual([await count(table), await count("deleted_endpoints")], [1, 1]);
      assert.equal(await prune(), false);
      const isNoted = table === "queue";
      assert.deepEqual([await count(table), await count("deleted_endpoints")], [0, Number(isNoted)]);
    });
  }
});
