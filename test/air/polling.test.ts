/** Waybills and containers in one store: each product's polling sees its own. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { AIR_PRODUCT, sourceQueueOf } from "../../src/products/air/air-product.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cell } from "../../src/store/cell.ts";
import {
  claimReevaluations,
  claimDuePolls,
  writePolls,
  type ClaimedShipment,
} from "../../src/freight/polling/store/polls.ts";
import { makeDueByMessage, makeDueByReference } from "../../src/freight/tracking/store/shipments-due.ts";
import { insertOrGetShipment } from "../../src/freight/tracking/store/shipments.ts";
import { getShipmentByReference, listShipments } from "../../src/freight/tracking/store/shipments-read.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

const NOW_MS = Date.UTC(2026, 10, 2, 12);
const LEASE_MS = 60_000;
const AWB = "17612345675";
const LANES = ["", sourceQueueOf("176")].map((source) => ({ source, limit: 10 }));

const random = systemRandom();

describe("waybills beside containers", () => {
  let stored: TestDatabase;
  let cell: Cell;
  let accountId: string;
  before(async () => {
    stored = await createTestDatabase();
    cell = stored.cells[0]!;
    accountId = random.uuid(NOW_MS);
    await query(stored.address, `insert into ${cell.schema}.accounts (id) values ($1)`, [accountId]);
    // A booking may have the number of an air waybill.
    for (const [product, lane] of [
      ["tracking", ""],
      [AIR_PRODUCT, sourceQueueOf("176")],
    ] as const) {
      const shipment = { product, accountId, reference: AWB, identifierType: null, carrierHint: null };
      const first = {
        id: random.uuid(NOW_MS),
        atMs: NOW_MS,
        source: lane,
        isUrgent: product === AIR_PRODUCT,
      };
      const { created } = await insertOrGetShipment(stored.database, cell, { ...shipment, ...first });
      assert.ok(created, "an account tracks a reference once with each product");
    }
  });
  after(() => stored.drop());

  const claim = (lanes: typeof LANES, atMs: number): Promise<readonly ClaimedShipment[]> =>
    claimDuePolls(stored.database, cell, lanes, atMs, LEASE_MS);
  const awb = () => getShipmentByReference(stored.database, cell, { product: AIR_PRODUCT, accountId }, AWB);

  test("each product's source queues claim its own shipments, and lists show them", async () => {
    const [ocean, ...noMore] = await claim(LANES.slice(0, 1), NOW_MS);
    assert.deepEqual([ocean?.source, noMore], ["", []]);
    const [air, ...none] = await claim(LANES.slice(1), NOW_MS);
    assert.deepEqual([air?.source, air?.reference, none], ["air:176", AWB, []]);
    const filter = { reference: null, carrier: null, statuses: null };
    for (const [product, id] of [
      ["tracking", ocean?.id],
      [AIR_PRODUCT, air?.id],
    ] as const) {
      const page = { afterId: null, limit: 10 };
      const listed = await listShipments(stored.database, cell, { product, accountId }, filter, page);
      assert.deepEqual(
        listed.map((one) => one.id),
        [id],
      );
    }
  });

  test("a carrier's callback makes no waybill due, nor an airline's message a container", async () => {
    assert.equal(await makeDueByReference(stored.database, cell, "tracking", "HRNL", [AWB]), 1);
    assert.equal(await makeDueByMessage(stored.database, cell, AIR_PRODUCT, [AWB, "02012345675"], NOW_MS), 1);
    assert.equal((await awb())?.nextPollAt?.getTime(), 1, "it has no record: its airline is polled");
  });

  test("messages about a known waybill are ingested without polling its airline, and none is lost", async () => {
    const [claimed] = await claim(LANES.slice(1), NOW_MS + LEASE_MS);
    assert.ok(claimed);
    const known = {
      carrier: claimed.source,
      identifierType: null,
      status: "booked",
      etaMs: null,
      record: "{}",
      endedAtMs: null,
      changesAtMs: null,
    };
    const polled = { failures: 0, failure: null, refreshedAtMs: NOW_MS, answerDigest: null };
    await writePolls(stored.database, cell, [{ claimed, nextPollAtMs: null, ...polled, state: known }]);
    const atMs = NOW_MS + 2 * LEASE_MS;
    const changing = (product: string) =>
      claimReevaluations(stored.database, cell, product, 10, atMs, LEASE_MS);
    assert.equal(await makeDueByMessage(stored.database, cell, AIR_PRODUCT, [AWB], atMs), 1);
    assert.deepEqual(await changing("tracking"), []);
    const [due] = await changing(AIR_PRODUCT);
    assert.equal(due?.id, claimed.id);
    await makeDueByMessage(stored.database, cell, AIR_PRODUCT, [AWB], atMs);
    await writePolls(stored.database, cell, [{ claimed: due, nextPollAtMs: null, ...polled, state: known }]);
    const later = await claimReevaluations(stored.database, cell, AIR_PRODUCT, 10, atMs + 1, LEASE_MS);
    assert.deepEqual(
      later.map(({ id }) => id),
      [claimed.id],
      "a message that came during the poll is ingested again",
    );
    assert.equal((await awb())?.nextPollAt, null, "its airline is not polled");
  });
});
