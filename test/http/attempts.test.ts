/** The attempts that a client and the operator read of one delivery. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { query } from "../support/database.ts";
import { createCaller, sendAsOperator, sendWithKey, startService } from "../support/service.ts";

test("a delivery shows its attempts, and no address or range of the operator's networks", async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const { key } = await createCaller(service, "tracking");
  const url = "/tracking/v1/webhooks";
  const made = await sendWithKey(service, key, "POST", url, { url: "https://example.com/" });
  const id = "00000000-9c40-7000-8000-000000000001";
  const everywhere = async (sql: string, values: unknown[]) => {
    for (const { schema } of service.test.cells)
      await query(service.test.address, sql.replaceAll("cell.", `${schema}.`), values);
  };
  await everywhere(
    `with event as (
       insert into cell.events (id, account_id, product, type, occurred_at, data)
       select $1, account_id, product, 'eta_changed', $3, '{}' from cell.endpoints where id = $2
     )
     insert into cell.deliveries
       (id, event_id, endpoint_id, attempt_count, last_status_code, status, created_at, delivered_at)
     select $1, $1, id, 5, 204, 'delivered', $3, $3 from cell.endpoints where id = $2`,
    [id, made.body.data.id, new Date(40_000)],
  );
  const blocked = "blocked_address: Deliveries go to public addresses only. (10.0.0.9 is private)";
  for (const [number, address, error] of [
    [1, "203.0.114.7", "http_500: no"],
    [2, "10.0.0.9", blocked],
    [3, "::ffff:10.0.0.9", "timeout: no"],
    [4, null, "dns_failed: no"],
  ] as const)
    await everywhere("insert into cell.attempts values ($1, $2, $3, 41, $4, null, $5, 0)", [
      id,
      number,
      new Date(40_000 + number),
      address,
      error,
    ]);
  const path = `${url}/${made.body.data.id}/deliveries/${id}`;
  const { data } = (await sendWithKey(service, key, "GET", path)).body;
  const kept = { duration_ms: 41, status_code: null, answer_bytes: 0 };
  const at = (ms: number) => new Date(ms).toISOString();
  const plain = "blocked_address: Deliveries go to public addresses only.";
  assert.deepEqual(data.attempts, [
    { number: 1, ended_at: at(40_001), address: "203.0.114.7", error: "http_500: no", ...kept },
    { number: 2, ended_at: at(40_002), address: null, error: plain, ...kept },
    { number: 3, ended_at: at(40_003), address: null, error: "timeout: no", ...kept },
    { number: 4, ended_at: at(40_004), address: null, error: "dns_failed: no", ...kept },
    {
      ...{ number: 5, ended_at: at(40_000), duration_ms: null, address: null, status_code: 204 },
      ...{ error: null, answer_bytes: null },
    },
  ]);
  const shown = await sendAsOperator(service, "GET", `/v1/deliveries/${id}`);
  assert.deepEqual(
    shown.body.attempts
      .map(({ address, error }: { address: string; error: string }) => [address, error])
      .slice(1, 3),
    [
      ["10.0.0.9", blocked],
      ["::ffff:10.0.0.9", "timeout: no"],
    ],
  );
});
