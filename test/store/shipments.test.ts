/** Shipments as clients track, read and remove them. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import {
  deleteShipment,
  insertOrGetShipment,
  type NewShipment,
  recheckShipment,
} from "../../src/freight/tracking/store/shipments.ts";
import {
  findShipmentOwner,
  findShipmentOwners,
  getShipment,
  getShipmentByReference,
  listShipments,
  lookupReference,
  type ShipmentFilter,
} from "../../src/freight/tracking/store/shipments-read.ts";
import { dateOf, idOf, openStoreRows, plain, type StoreRows, timeOf } from "./store-rows.ts";

const PRODUCT = "tracking";
const OWNER = { accountId: idOf(1), product: PRODUCT };
/** Nobody else's, and of no other product. */
const OTHERS = [
  { ...OWNER, accountId: idOf(2) },
  { ...OWNER, product: "air" },
];
const NOW = 5_000;
/** What `plain` makes of the moment that sorts before all that is merely due, and of the one after it. */
const AT_ONCE = -timeOf(0);
const AT_ONCE_AGAIN = AT_ONCE + 1;

describe("shipments", () => {
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
  const shown = (id: number, fields: object = {}) => ({
    id,
    reference: `BOOKING${id}`,
    identifierType: null,
    carrierHint: null,
    carrier: "HRNL",
    status: "in_transit",
    eta: null,
    attention: null,
    failure: null,
    refreshedAt: null,
    createdAt: id,
    ...fields,
  });

  test("a reference is tracked once for an account and a product", async () => {
    const insert = async (id: number, fields: Partial<NewShipment> = {}) =>
      plain(
        await insertOrGetShipment(rows.database, rows.cell, {
          ...OWNER,
          id: idOf(id),
          reference: "REFERENCE",
          identifierType: "booking",
          carrierHint: "HINT",
          atMs: timeOf(NOW),
          source: "OTHR",
          isUrgent: false,
          ...fields,
        }),
      );
    const made = (id: number) =>
      shown(id, {
        reference: "REFERENCE",
        identifierType: "booking",
        carrierHint: "HINT",
        carrier: null,
        status: "pending",
        createdAt: NOW,
      });
    assert.deepEqual(await insert(1), { created: true, shipment: made(1) });
    await rows.run(
      "update cell.polls set failures = 1, failure = 'timeout', refreshed_at = created_at from cell.shipments",
    );
    const there = { ...made(1), failure: "timeout", refreshedAt: NOW };
    assert.deepEqual(await insert(2), { created: false, shipment: there });
    assert.deepEqual(await insert(3, { accountId: idOf(2), isUrgent: true }), {
      created: true,
      shipment: made(3),
    });
    assert.deepEqual(await insert(4, { product: "air" }), { created: true, shipment: made(4) });
    assert.deepEqual(await insert(5, { reference: "REFERENCE2" }), {
      created: true,
      shipment: { ...made(5), reference: "REFERENCE2" },
    });
    // Each finds its own again, among the others.
    for (const [id, fields] of [
      [1, {}],
      [3, { accountId: idOf(2) }],
      [4, { product: "air" }],
      [5, { reference: "REFERENCE2" }],
    ] as const) {
      const found = (await insert(9, fields)) as { created: boolean; shipment: { id: number } };
      assert.deepEqual([found.created, found.shipment.id], [false, id]);
    }
    assert.deepEqual(await rows.read("select shipment_id, source, next_poll_at from cell.polls order by 1"), [
      [1, "OTHR", NOW],
      [3, "OTHR", AT_ONCE],
      [4, "OTHR", NOW],
      [5, "OTHR", NOW],
    ]);
    assert.deepEqual(await rows.read("select id, account_id, product from cell.shipments order by 1"), [
      [1, 1, PRODUCT],
      [3, 2, PRODUCT],
      [4, 1, "air"],
      [5, 1, PRODUCT],
    ]);
  });

  test("one is read, due at once and removed by its owner on its product only", async () => {
    const fields = { identifier_type: "booking", carrier_hint: "HINT", eta: dateOf(9) };
    await rows.shipment(1, fields, { failures: 1, failure: "timeout", refreshed_at: dateOf(8) });
    await rows.shipment(2);
    const { database, cell } = rows;
    const one = shown(1, {
      identifierType: "booking",
      carrierHint: "HINT",
      eta: 9,
      failure: "timeout",
      refreshedAt: 8,
      record: '{"n":1}',
      vessels: null,
      nextPollAt: 0,
    });
    assert.deepEqual(plain(await getShipment(database, cell, OWNER, idOf(1))), one);
    assert.deepEqual(plain(await getShipmentByReference(database, cell, OWNER, "BOOKING1")), one);
    const second = await getShipmentByReference(database, cell, OWNER, "BOOKING2");
    assert.equal(plain(second?.id), 2);
    for (const other of OTHERS) {
      assert.equal(await getShipment(database, cell, other, idOf(1)), null);
      assert.equal(await getShipmentByReference(database, cell, other, "BOOKING1"), null);
      assert.equal(await recheckShipment(database, cell, other, idOf(1)), false);
      assert.equal(await deleteShipment(database, cell, other, idOf(1)), false);
    }
    assert.equal(await getShipment(database, cell, OWNER, idOf(3)), null);
    assert.equal(await recheckShipment(database, cell, OWNER, idOf(1)), true);
    assert.deepEqual(await dueTimes(), [
      [1, AT_ONCE],
      [2, 0],
    ]);
    await recheckShipment(database, cell, OWNER, idOf(1));
    assert.deepEqual(await dueTimes(), [
      [1, AT_ONCE_AGAIN],
      [2, 0],
    ]);
    assert.equal(await deleteShipment(database, cell, OWNER, idOf(1)), true);
    assert.deepEqual(await rows.read("select id from cell.shipments"), [[2]]);
    assert.deepEqual(await dueTimes(), [[2, 0]]);
  });

  test("lists are newest first, of one owner, and as narrow as they are asked for", async () => {
    await rows.shipment(1);
    await rows.shipment(2, { status: "arriving" });
    await rows.shipment(3, { carrier: "TRNC" });
    await rows.shipment(4, { status: "pending", carrier_hint: "HRNL" });
    await rows.shipment(5, { status: "pending" });
    await rows.shipment(6, { carrier_hint: "TRNC" });
    await rows.shipment(7, { account_id: idOf(2), reference: "BOOKING1" });
    await rows.shipment(8, { product: "air", reference: "BOOKING1" });
    const list = async (filter: Partial<ShipmentFilter>, afterId: number | null = null, limit = 10) => {
      const page = { afterId: afterId === null ? null : idOf(afterId), limit };
      const all = { reference: null, carrier: null, statuses: null, ...filter };
      return (await listShipments(rows.database, rows.cell, OWNER, all, page)).map(({ id }) => plain(id));
    };
    assert.deepEqual(await list({}), [6, 5, 4, 3, 2, 1]);
    assert.deepEqual(await list({}, 5, 2), [4, 3]);
    const statuses = ["in_transit", "arriving"];
    assert.deepEqual(await list({ statuses }), [6, 3, 2, 1]);
    assert.deepEqual(await list({ statuses }, 6, 2), [3, 2]);
    assert.deepEqual(await list({ statuses: ["in_transit"] }, null, 2), [6, 3]);
    assert.deepEqual(await list({ statuses: ["in_transit"] }, 3), [1]);
    const all = ["in_transit", "arriving", "pending"];
    assert.deepEqual(await list({ carrier: "HRNL", statuses: all }), [6, 4, 2, 1]);
    assert.deepEqual(await list({ carrier: "HRNL", statuses: all }, 6, 2), [4, 2]);
    assert.deepEqual(await list({ carrier: "HRNL", statuses: ["in_transit"] }, null, 1), [6]);
    assert.deepEqual(await list({ carrier: "HRNL", statuses: ["in_transit"] }, 6), [1]);
    assert.deepEqual(await list({ carrier: "", statuses: all }), [5]);
    assert.deepEqual(await list({ reference: "BOOKING1" }), [1]);
    assert.deepEqual(await list({ reference: "BOOKING1" }, 1), []);
    assert.deepEqual(await list({ reference: "BOOKING1" }, 2), [1]);
    assert.deepEqual(await list({ reference: "BOOKING1", carrier: "TRNC" }), []);
    assert.deepEqual(await list({ reference: "BOOKING1", carrier: "HRNL", statuses }), [1]);
    assert.deepEqual(await list({ reference: "BOOKING1", statuses: ["arriving"] }), []);
    assert.deepEqual(await list({ reference: "BOOKING4", carrier: "HRNL" }), [4]);
    assert.deepEqual(await list({ reference: "BOOKING5", carrier: "" }), [5]);
    assert.deepEqual(await list({ reference: "BOOKING5", carrier: "HRNL" }), []);
  });

  test("a reference is looked up while it is polled, in the record that was refreshed last", async () => {
    const same = { reference: "SAMESAME" };
    await rows.shipment(1, same, { refreshed_at: dateOf(300) });
    await rows.shipment(2, { ...same, account_id: idOf(2) }, { refreshed_at: dateOf(400) });
    await rows.account(3);
    await rows.account(4);
    await rows.account(5);
    await rows.shipment(
      3,
      { ...same, account_id: idOf(3) },
      { refreshed_at: dateOf(900), next_poll_at: null },
    );
    await rows.shipment(4, { ...same, product: "air" }, { refreshed_at: dateOf(900) });
    await rows.shipment(
      5,
      { ...same, account_id: idOf(4), status: "pending" },
      { refreshed_at: dateOf(950) },
    );
    await rows.shipment(6, {}, { refreshed_at: dateOf(999) });
    const lookUp = async () => plain(await lookupReference(rows.database, rows.cell, PRODUCT, "SAMESAME"));
    assert.deepEqual(await lookUp(), { record: '{"n":2}', refreshedAt: 400 });
    await rows.shipment(7, { ...same, account_id: idOf(5) }, { refreshed_at: dateOf(400) });
    assert.deepEqual(await lookUp(), { record: '{"n":7}', refreshedAt: 400 });
    assert.equal(await lookupReference(rows.database, rows.cell, PRODUCT, "NOBODYS"), null);
  });

  test("the operator finds whose a shipment is, and who tracks a reference", async () => {
    const same = { reference: "SAMESAME" };
    await rows.account(3);
    await rows.shipment(3, { ...same, account_id: idOf(2) });
    await rows.shipment(1, same);
    await rows.shipment(2, { ...same, account_id: idOf(3) });
    await rows.shipment(4, { ...same, product: "air" });
    await rows.shipment(5);
    const { database, cell } = rows;
    assert.deepEqual(plain(await findShipmentOwner(database, cell, idOf(3))), 2);
    assert.equal(await findShipmentOwner(database, cell, idOf(9)), null);
    assert.deepEqual(plain(await findShipmentOwners(database, cell, PRODUCT, "SAMESAME", 2)), [
      { id: 1, accountId: 1 },
      { id: 2, accountId: 3 },
    ]);
    assert.equal((await findShipmentOwners(database, cell, PRODUCT, "SAMESAME", 9)).length, 3);
  });
});
