/** Pages, and what an endpoint's detail shows of its deliveries (spec 2.2, 4.1, 8). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { products } from "../../src/products/index.ts";
import { assertRefused } from "../support/answers.ts";
import { createClient, startService } from "../support/service.ts";
import { storeDeliveries } from "../support/stored.ts";
import { ofSuite } from "../support/suite.ts";
import { column, columns } from "../support/columns.ts";

const at = (ms: number): string => new Date(ms).toISOString();

describe("lists and details", () => {
  const service = ofSuite(() => startService());

  async function withEndpoints(count: number) {
    const { request, register } = await createClient(service, products[0]!);
    const ids: string[] = [];
    for (let made = 0; made < count; made++) ids.unshift((await register()).id);
    return {
      ids,
      register,
      get: async (path: string) => (await request("GET", `/webhooks${path}`)).body,
      request,
    };
  }
  /** Even numbers were delivered, odd ones wait for another attempt. */
  const deliver = (endpointId: string, count: number) =>
    storeDeliveries(
      service.test,
      endpointId,
      Array.from({ length: count }, (_, n) => ({
        ...{ atMs: n * 1_000, type: "eta_changed" },
        ...(n % 2 === 0
          ? { statusCode: 204, deliveredMs: n * 1_000 + 500 }
          : { status: "pending" as const, attempts: 2, error: "timeout: no answer within 10 s" }),
      })),
    );

  test("pages show each endpoint once, newest first, even if endpoints are created between pages", async () => {
    const { ids, get, register } = await withEndpoints(7);
    const seen: string[] = [];
    for (let path = "?limit=3"; path !== "";) {
      const body = await get(path);
      seen.push(...column(body.data, "id"));
      assert.ok(body.data.length <= 3);
      path = body.next_cursor === undefined ? "" : `?limit=3&cursor=${body.next_cursor}`;
      await register();
    }
    assert.deepEqual(seen, ids);
  });

  test("fifty are shown unless asked otherwise, and a page that is exactly full has no next one", async () => {
    const { get } = await withEndpoints(51);
    const { data, next_cursor } = await get("");
    assert.deepEqual([data.length, typeof next_cursor], [50, "string"]);
    const whole = await get("?limit=51");
    assert.deepEqual([whole.data.length, "next_cursor" in whole], [51, false]);
  });

  test("a limit or a cursor that is none is refused", async () => {
    const { request } = await withEndpoints(0);
    for (const wrong of [
      ...["limit=0", "limit=101", "limit=-1", "limit=1.5", "limit=", "limit=ten", "limit=0x10"],
      ...["limit=1&limit=2", "limit=9999999999999999999999"],
      ...["cursor=", "cursor=abc", "cursor=%00", "cursor=a&cursor=b", `cursor=${"!".repeat(22)}`],
    ])
      assertRefused(await request("GET", `/webhooks?${wrong}`), 400, "INVALID_REQUEST");
  });

  // spec 8: recent_deliveries; 4.1: detail_response; 2.1: last_delivery_at, recent_deliveries
  // spec 2.2: id, event_type, status, attempt_count, last_status_code, last_error, created_at, delivered_at
  // spec 7: last_error
  test("the detail shows the twenty newest deliveries with all their fields, and the last success", async () => {
    const { ids, get } = await withEndpoints(1);
    const made = column(await deliver(ids[0]!, 25), "id").toReversed();
    const { data } = await get(`/${ids[0]}`);
    const [first, second] = data.recent_deliveries;
    assert.deepEqual(column(data.recent_deliveries, "id"), made.slice(0, 20));
    assert.deepEqual(first, {
      ...{ id: made[0], event_type: "eta_changed", status: "delivered", attempt_count: 1 },
      ...{ last_status_code: 204, last_error: null, created_at: at(24_000), delivered_at: at(24_500) },
      parked_until: null,
    });
    assert.deepEqual(second, {
      ...{ id: made[1], event_type: "eta_changed", status: "pending", attempt_count: 2 },
      ...{ last_status_code: null, last_error: "timeout: no answer within 10 s", created_at: at(23_000) },
      ...{ delivered_at: null, parked_until: null },
    });
    assert.equal(data.last_delivery_at, at(24_500));
  });

  test("a disabled endpoint says since when, why and what it missed, and what is parked when it ends", async () => {
    const { ids, get } = await withEndpoints(1);
    await deliver(ids[0]!, 2);
    await service.test.queryEach(
      service.test.cells,
      `update cell.endpoints set active = false, inactive_since = $2, disabled_reason = 'failures', missed_events = 3
       where id = $1`,
      [ids[0], new Date(30_000)],
    );
    const { data } = await get(`/${ids[0]}`);
    const rows = [data, (await get("")).data[0]];
    const said = [at(30_000), "failures", 3];
    assert.deepEqual(columns(rows, "disabled_at", "disabled_reason", "missed_events"), [said, said]);
    assert.deepEqual(columns(data.recent_deliveries, "status", "parked_until"), [
      ["pending", at(30_000 + DEFAULT_ENGINE_SETTINGS.parkedMs)],
      ["delivered", null],
    ]);
  });

  test("an id in capitals is the same id", async () => {
    const { ids, get } = await withEndpoints(1);
    assert.equal((await get(`/${ids[0]!.toUpperCase()}`)).data.id, ids[0]);
  });
});
