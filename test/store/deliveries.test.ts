/** Deliveries of one endpoint, and of some as the command `boathook deliveries` lists them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { DeliveryStatus } from "../../src/model/delivery.ts";
import { listRecentDeliveries, searchDeliveries } from "../../src/store/deliveries/deliveries-read.ts";
import { dateOf, idOf, plain, storeRows } from "./store-rows.ts";

describe("deliveries", () => {
  const rows = storeRows();

  test("the newest of an endpoint are found, and of some by status with the time that each is due at", async () => {
    for (const [index, endpoint] of [1, 2, 1, 1, 3, 2, 2].entries())
      await rows.delivery(index + 1, {
        endpoint_id: idOf(endpoint),
        status: index === 2 ? "dead" : "pending",
      });
    await rows.queued(4, { due_at: dateOf(900) });
    await rows.queued(2, { due_at: dateOf(800) });
    const search = async (endpoints: readonly number[], status: DeliveryStatus | null, limit: number) =>
      plain(
        await searchDeliveries(rows.database, rows.cell, endpoints.map(idOf), status, limit),
      ) as readonly { readonly id: number; readonly dueAt: number | null }[];
    const ids = async (...given: Parameters<typeof search>) => (await search(...given)).map(({ id }) => id);
    assert.deepEqual(await ids([1, 2], null, 10), [7, 6, 4, 3, 2, 1]);
    assert.deepEqual(await ids([1], null, 2), [4, 3]);
    assert.deepEqual(await ids([1, 2], "pending", 10), [7, 6, 4, 2, 1]);
    assert.deepEqual(await ids([2, 1], "dead", 10), [3]);
    const due = (await search([1, 2], "pending", 3)).map(({ dueAt }) => dueAt);
    assert.deepEqual(due, [null, null, 900]);
    const recent = await listRecentDeliveries(rows.database, rows.cell, idOf(2), 2);
    assert.deepEqual(plain(recent.map(({ id }) => id)), [7, 6]);
  });
});
