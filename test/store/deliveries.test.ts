/** Deliveries as a client and an operator read them. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import type { DeliveryStatus } from "../../src/model/delivery.ts";
import { listRecentDeliveries } from "../../src/store/deliveries/deliveries-read.ts";
import { searchDeliveries } from "../../src/store/deliveries/deliveries-read.ts";
import { dateOf, type StoreRows, idOf, openStoreRows, plain } from "./store-rows.ts";

describe("deliveries", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
  });
  after(() => rows.drop());
  beforeEach(() => rows.clear());

  test("an operator's search finds the newest deliveries of some endpoints, and when each is due", async () => {
    const search = async (endpointIds: readonly number[], status: DeliveryStatus | null, limit: number) => {
      const asked = { endpointIds: endpointIds.map(idOf), status, limit };
      const found = await searchDeliveries(
        rows.database,
        rows.cell,
        asked.endpointIds,
        asked.status,
        asked.limit,
      );
      return plain(found) as { id: number; endpointId: number; dueAt: number | null }[];
    };
    const ids = async (...given: Parameters<typeof search>) => (await search(...given)).map(({ id }) => id);
    for (const [id, endpoint, row] of [
      [1, 1, {}],
      [2, 2, {}],
      [3, 1, { status: "dead" }],
      [4, 1, {}],
      [5, 3, {}],
      [6, 2, {}],
      [7, 2, {}],
    ] as const)
      await rows.delivery(id, { endpoint_id: idOf(endpoint), ...row });
    await rows.queued(4, { due_at: dateOf(900) });
    await rows.queued(2, { due_at: dateOf(800) });
    assert.deepEqual(await ids([1, 2], null, 10), [7, 6, 4, 3, 2, 1]);
    assert.deepEqual(await ids([1, 2], null, 2), [7, 6]);
    assert.deepEqual(await ids([1], null, 2), [4, 3]);
    assert.deepEqual(await ids([1, 2], "pending", 10), [7, 6, 4, 2, 1]);
    assert.deepEqual(await ids([2, 1], "dead", 10), [3]);
    const [found] = await search([1], "pending", 1);
    assert.deepEqual(found, {
      id: 4,
      eventId: 4,
      eventType: "eta_changed",
      status: "pending",
      attemptCount: 0,
      lastStatusCode: null,
      lastError: null,
      createdAt: 0,
      deliveredAt: null,
      endpointId: 1,
      dueAt: 900,
      disabledAt: null,
    });
  });

  test("the recent deliveries of an endpoint are its newest, newest first", async () => {
    await rows.delivery(1);
    await rows.delivery(2, { status: "delivered", attempt_count: 2, last_status_code: 204 });
    await rows.delivery(3, { status: "dead", attempt_count: 6, last_error: "timeout: late" });
    await rows.delivery(4, { endpoint_id: idOf(2) });
    assert.deepEqual(plain(await listRecentDeliveries(rows.database, rows.cell, idOf(1), 2)), [
      {
        id: 3,
        eventType: "eta_changed",
        status: "dead",
        attemptCount: 6,
        lastStatusCode: null,
        lastError: "timeout: late",
        createdAt: 0,
        deliveredAt: null,
      },
      {
        id: 2,
        eventType: "eta_changed",
        status: "delivered",
        attemptCount: 2,
        lastStatusCode: 204,
        lastError: null,
        createdAt: 0,
        deliveredAt: 1,
      },
    ]);
  });
});
