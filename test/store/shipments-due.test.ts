/** What makes shipments due before all others: callbacks and changes. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import {
  makeDueByMessage,
  makeDueByReference,
  makeDueByVessel,
} from "../../src/freight/tracking/store/shipments-due.ts";
import { AT_ONCE, AT_ONCE_AGAIN, dateOf, idOf, storeRows, timeOf } from "./store-rows.ts";

const PRODUCT = "tracking";
const NOW = 5_000;
const HOUR_MS = 3_600_000;

describe("shipments are due before all others", () => {
  const rows = storeRows();
  beforeEach(async () => {
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) await rows.account(id);
  });

  /** Shipments due before all that is merely due. */
  const due = () =>
    rows.read(
      "select shipment_id, next_poll_at from cell.polls where next_poll_at < '2000-01-01' order by 1",
    );

  /** `makeDue` makes these due at once, the next time behind what was due so before, and no others ever. */
  async function assertMakesDue(makeDue: () => Promise<number>, ids: readonly number[]) {
    for (const at of [AT_ONCE, AT_ONCE_AGAIN]) {
      assert.equal(await makeDue(), ids.length);
      assert.deepEqual(
        await due(),
        ids.map((id) => [id, at]),
      );
    }
    const left = await rows.read(
      "select distinct next_poll_at from cell.polls where next_poll_at > '2000-01-01'",
    );
    assert.deepEqual(left, [[0]]);
  }

  test("by a reference to them or to their transport documents, if the carrier is or may be theirs", async () => {
    const known = (account: number) => ({ reference: "REFERENCE", account_id: idOf(account) });
    const pending = (account: number) => ({ ...known(account), status: "pending" });
    for (const [id, row] of [
      [1, known(1)],
      [2, { ...known(2), carrier: "TRNC" }],
      [3, pending(3)],
      [4, { ...pending(4), carrier_hint: "HRNL" }],
      [5, { ...pending(5), carrier_hint: "TRNC" }],
      [6, { ...known(6), product: "air" }],
      [7, { ...pending(7), product: "air" }],
      [9, { transport_documents: ["PAPER1"], carrier: "TRNC" }],
      [10, { transport_documents: ["PAPER1"], product: "air" }],
      [11, { transport_documents: ["PAPER2"] }],
      [12, { status: "pending", reference: "ANOTHER" }],
      [13, { ...pending(8), carrier: "TRNC", carrier_hint: "HRNL" }],
    ] as const)
      await rows.shipment(id, row);
    await rows.shipment(8, { transport_documents: ["PAPER0", "PAPER1"] }, { next_poll_at: null });
    const references = ["REFERENCE", "PAPER1"];
    const byReference = () => makeDueByReference(rows.database, rows.cell, PRODUCT, "HRNL", references);
    await assertMakesDue(byReference, [1, 3, 4, 8]);
  });

  test("by the vessel that carries them, if the carrier has never named their transport documents", async () => {
    const aboard = { vessels: ["9000001", "9000002"] };
    for (const [index, row] of [
      aboard,
      { ...aboard, transport_documents: ["PAPER"] },
      { ...aboard, carrier: "TRNC" },
      { ...aboard, product: "air" },
      { vessels: ["9000003"] },
      {},
    ].entries())
      await rows.shipment(index + 1, row);
    const vessels = ["9000002", "9000009"];
    const byVessel = () => makeDueByVessel(rows.database, rows.cell, PRODUCT, "HRNL", vessels);
    await assertMakesDue(byVessel, [1]);
  });

  test("or change at once, if the change needs no request to a carrier", async () => {
    for (const [id, row] of [
      [1, { changes_at: dateOf(NOW + 9) }],
      [2, { status: "pending" }],
      [3, {}],
      [4, { status: "pending" }],
      [5, { product: "air", changes_at: dateOf(1) }],
      [6, { product: "air", status: "pending" }],
      [7, { changes_at: dateOf(NOW) }],
      [8, { changes_at: dateOf(NOW - 5) }],
      [9, { changes_at: dateOf(NOW + 2 * HOUR_MS) }],
      [10, { transport_documents: ["BOOKING77"] }],
    ] as const)
      await rows.shipment(id, row);
    const references = [1, 2, 5, 6, 7, 8, 9, 77].map((id) => `BOOKING${id}`);
    const news = () => makeDueByMessage(rows.database, rows.cell, PRODUCT, references, timeOf(NOW));
    assert.equal(await news(), 6);
    assert.deepEqual(await rows.read("select id, changes_at from cell.shipments order by 1"), [
      [1, NOW + 10],
      [2, null],
      [3, null],
      [4, null],
      [5, 1],
      [6, null],
      [7, NOW + 1],
      [8, NOW],
      [9, NOW],
      [10, NOW],
    ]);
    assert.deepEqual(await due(), [[2, AT_ONCE]]);
    await news();
    assert.deepEqual(await due(), [[2, AT_ONCE_AGAIN]]);
  });
});
