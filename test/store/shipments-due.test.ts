/** What makes shipments due before all others: callbacks and changes. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import {
  makeDueByMessage,
  makeDueByReference,
  makeDueByVessel,
} from "../../src/freight/tracking/store/shipments-due.ts";
import { dateOf, idOf, openStoreRows, type StoreRows, timeOf } from "./store-rows.ts";

const PRODUCT = "tracking";
const NOW = 5_000;
/** What `plain` makes of the moment that sorts before all that is merely due, and of the one after it. */
const AT_ONCE = -timeOf(0);
const AT_ONCE_AGAIN = AT_ONCE + 1;

const HOUR_MS = 3_600_000;

describe("shipments are due before all others", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
  });
  after(() => rows.drop());
  beforeEach(async () => {
    await rows.clear();
    await rows.account(1);
    await rows.account(2);
  });

  const dueTimes = () => rows.read("select shipment_id, next_poll_at from cell.polls order by 1");

  test("by a reference to them or to their transport documents, if the carrier is or may be theirs", async () => {
    const references = ["REFERENCE", "PAPER1"];
    await rows.shipment(1, { reference: "REFERENCE" });
    for (const id of [3, 4, 5, 6, 7, 8]) await rows.account(id);
    const same = (account: number) => ({ reference: "REFERENCE", account_id: idOf(account) });
    await rows.shipment(2, { ...same(2), carrier: "TRNC" });
    await rows.shipment(3, { ...same(3), status: "pending" });
    await rows.shipment(4, { ...same(4), status: "pending", carrier_hint: "HRNL" });
    await rows.shipment(5, { ...same(5), status: "pending", carrier_hint: "TRNC" });
    await rows.shipment(6, { ...same(6), product: "air" });
    await rows.shipment(7, { ...same(7), product: "air", status: "pending" });
    await rows.shipment(8, { transport_documents: ["PAPER0", "PAPER1"] }, { next_poll_at: null });
    await rows.shipment(9, { transport_documents: ["PAPER1"], carrier: "TRNC" });
    await rows.shipment(10, { transport_documents: ["PAPER1"], product: "air" });
    await rows.shipment(11, { transport_documents: ["PAPER2"] });
    await rows.shipment(12, { status: "pending", reference: "ANOTHER" });
    await rows.shipment(13, { ...same(8), status: "pending", carrier: "TRNC", carrier_hint: "HRNL" });
    const due = () => makeDueByReference(rows.database, rows.cell, PRODUCT, "HRNL", references);
    const times = (at: number) => [
      [1, at],
      [2, 0],
      [3, at],
      [4, at],
      [5, 0],
      [6, 0],
      [7, 0],
      [8, at],
      [9, 0],
      [10, 0],
      [11, 0],
      [12, 0],
      [13, 0],
    ];
    assert.equal(await due(), 4);
    assert.deepEqual(await dueTimes(), times(AT_ONCE));
    await due();
    assert.deepEqual(await dueTimes(), times(AT_ONCE_AGAIN));
  });

  test("by the vessel that carries them, if the carrier has never named their transport documents", async () => {
    const aboard = { vessels: ["9000001", "9000002"] };
    await rows.shipment(1, aboard);
    await rows.shipment(2, { ...aboard, transport_documents: ["PAPER"] });
    await rows.shipment(3, { ...aboard, carrier: "TRNC" });
    await rows.shipment(4, { ...aboard, product: "air" });
    await rows.shipment(5, { vessels: ["9000003"] });
    await rows.shipment(6);
    const due = () => makeDueByVessel(rows.database, rows.cell, PRODUCT, "HRNL", ["9000002", "9000009"]);
    const times = (at: number) => [
      [1, at],
      [2, 0],
      [3, 0],
      [4, 0],
      [5, 0],
      [6, 0],
    ];
    assert.equal(await due(), 1);
    assert.deepEqual(await dueTimes(), times(AT_ONCE));
    await due();
    assert.deepEqual(await dueTimes(), times(AT_ONCE_AGAIN));
  });

  test("or change at once, if the change needs no request to a carrier", async () => {
    await rows.shipment(1, { changes_at: dateOf(NOW + 9) });
    await rows.shipment(2, { status: "pending" });
    await rows.shipment(3);
    await rows.shipment(4, { status: "pending" });
    await rows.shipment(5, { product: "air", changes_at: dateOf(1) });
    await rows.shipment(6, { product: "air", status: "pending" });
    await rows.shipment(7, { changes_at: dateOf(NOW) });
    await rows.shipment(8, { changes_at: dateOf(NOW - 5) });
    await rows.shipment(9, { changes_at: dateOf(NOW + 2 * HOUR_MS) });
    await rows.shipment(10, { transport_documents: ["BOOKING77"] });
    const references = [1, 2, 5, 6, 7, 8, 9, 77].map((id) => `BOOKING${id}`);
    const news = () => makeDueByMessage(rows.database, rows.cell, PRODUCT, references, timeOf(NOW));
    const state = () =>
      rows.read(
        `select id, changes_at, next_poll_at
           from cell.shipments join cell.polls on shipment_id = id order by 1`,
      );
    assert.equal(await news(), 6);
    assert.deepEqual(await state(), [
      [1, NOW + 10, 0],
      [2, null, AT_ONCE],
      [3, null, 0],
      [4, null, 0],
      [5, 1, 0],
      [6, null, 0],
      [7, NOW + 1, 0],
      [8, NOW, 0],
      [9, NOW, 0],
      [10, NOW, 0],
    ]);
    await news();
    assert.deepEqual(
      await rows.read("select next_poll_at from cell.polls where next_poll_at < '2000-01-01'"),
      [[AT_ONCE_AGAIN]],
    );
  });
});
