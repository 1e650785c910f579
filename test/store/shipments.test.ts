/** Shipments as clients track, read and remove them, and what makes them due before all others. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { makeDueByMessage } from "../../src/freight/tracking/store/shipments-due.ts";
import {
  deleteShipment,
  insertOrGetShipment,
  type NewShipment,
  recheckShipment,
} from "../../src/freight/tracking/store/shipments.ts";
import { listShipments, type ShipmentFilter } from "../../src/freight/tracking/store/shipments-read.ts";
import { AT_ONCE, AT_ONCE_AGAIN, dateOf, idOf, plain, storeRows, timeOf } from "./store-rows.ts";
import {
  shipmentDueByReference,
  shipmentDueByVessel,
  shipmentFind,
  shipmentGet,
  shipmentGetByReference,
  shipmentLookup,
} from "../../src/freight/tracking/store/shipments.sql.ts";

const PRODUCT = "tracking";
const OWNER = { accountId: idOf(1), product: PRODUCT };
/** Nobody else's, and of no other product. */
const OTHERS = [
  { ...OWNER, accountId: idOf(2) },
  { ...OWNER, product: "air" },
];
const NOW = 5_000;
const BY_HRNL = { carrier: "HRNL", product: PRODUCT, atOnce: timeOf(AT_ONCE) };

describe("shipments", () => {
  const rows = storeRows();
  beforeEach(async () => {
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) await rows.account(id);
  });

  const dueTimes = () => rows.read("select shipment_id, next_poll_at from cell.polls order by 1");
  const numbers = (found: readonly { readonly id: string }[]) => plain(found.map(({ id }) => id));
  const shown = (id: number, fields: object = {}) => ({
    ...{ id, reference: `BOOKING${id}`, identifierType: null, carrierHint: null, carrier: "HRNL" },
    ...{ status: "in_transit", eta: null, attention: null, failure: null, refreshedAt: null, createdAt: id },
    ...fields,
  });

  test("a reference is tracked once for an account and a product", async () => {
    const given = { reference: "REFERENCE", identifierType: "booking", carrierHint: "HINT" };
    const asked = { ...OWNER, ...given, atMs: timeOf(NOW), source: "OTHR", isUrgent: false };
    const insert = async (id: number, fields: Partial<NewShipment>) =>
      plain(await insertOrGetShipment(rows.database, rows.cell, { ...asked, id: idOf(id), ...fields }));
    const made = (id: number, reference = "REFERENCE") =>
      shown(id, { ...given, reference, carrier: null, status: "pending", createdAt: NOW });
    const fresh: readonly (readonly [id: number, fields: Partial<NewShipment>])[] = [
      [1, {}],
      [3, { accountId: idOf(2), isUrgent: true }],
      [4, { product: "air" }],
      [5, { reference: "REFERENCE2" }],
    ];
    for (const [id, fields] of fresh)
      assert.deepEqual(await insert(id, fields), { created: true, shipment: made(id, fields.reference) });
    await rows.run(
      "update cell.polls set failures = 1, failure = 'timeout', refreshed_at = created_at from cell.shipments",
    );
    // Each finds its own again, among the others.
    for (const [id, fields] of fresh) {
      const there = { ...made(id, fields.reference), failure: "timeout", refreshedAt: NOW };
      assert.deepEqual(await insert(9, fields), { created: false, shipment: there });
    }
    assert.deepEqual(
      await rows.read(
        `select id, account_id, product, source, next_poll_at
         from cell.shipments join cell.polls on shipment_id = id order by 1`,
      ),
      [
        [1, 1, PRODUCT, "OTHR", NOW],
        [3, 2, PRODUCT, "OTHR", AT_ONCE],
        [4, 1, "air", "OTHR", NOW],
        [5, 1, PRODUCT, "OTHR", NOW],
      ],
    );
  });

  test("one is read, due at once and removed by its owner on its product only", async () => {
    const { database, cell } = rows;
    await rows.shipment(1, { identifier_type: "booking", carrier_hint: "HINT" }, { refreshed_at: dateOf(8) });
    await rows.shipment(2);
    const known = { identifierType: "booking", carrierHint: "HINT", refreshedAt: 8 };
    const one = shown(1, { ...known, record: '{"n":1}', vessels: null, nextPollAt: 0 });
    assert.deepEqual(plain(await shipmentGet(database, cell, { ...OWNER, id: idOf(1) })), one);
    assert.deepEqual(
      plain(await shipmentGetByReference(database, cell, { ...OWNER, reference: "BOOKING1" })),
      one,
    );
    for (const other of OTHERS) {
      assert.equal(await shipmentGet(database, cell, { ...other, id: idOf(1) }), null);
      assert.equal(await shipmentGetByReference(database, cell, { ...other, reference: "BOOKING1" }), null);
      assert.equal(await recheckShipment(database, cell, other, idOf(1)), false);
      assert.equal(await deleteShipment(database, cell, other, idOf(1)), false);
    }
    for (const at of [AT_ONCE, AT_ONCE_AGAIN]) {
      assert.equal(await recheckShipment(database, cell, OWNER, idOf(1)), true);
      assert.deepEqual(await dueTimes(), [
        [1, at],
        [2, 0],
      ]);
    }
    assert.equal(await deleteShipment(database, cell, OWNER, idOf(1)), true);
    assert.deepEqual(await rows.read("select id from cell.shipments"), [[2]]);
    assert.deepEqual(await dueTimes(), [[2, 0]]);
  });

  test("lists are newest first, of one owner, and as narrow as they are asked for", async () => {
    for (const [id, row] of [
      [1, { attention: "misrouted" }],
      [2, { status: "arriving" }],
      [3, { carrier: "TRNC" }],
      [4, { status: "pending", carrier_hint: "HRNL" }],
      [5, { status: "pending" }],
      [6, { carrier_hint: "TRNC" }],
      [7, { account_id: idOf(2), reference: "BOOKING1", attention: "misrouted" }],
      [8, { product: "air", reference: "BOOKING1", attention: "misrouted" }],
    ] as const)
      await rows.shipment(id, row);
    const moving = ["in_transit", "arriving"];
    const every = [...moving, "pending"];
    const lists: readonly (readonly [Partial<ShipmentFilter>, found: readonly number[]])[] = [
      [{}, [6, 5, 4, 3, 2, 1]],
      [{ statuses: moving }, [6, 3, 2, 1]],
      [{ statuses: ["in_transit"] }, [6, 3, 1]],
      [{ carrier: "HRNL", statuses: every }, [6, 4, 2, 1]],
      [{ carrier: "HRNL", statuses: ["in_transit"] }, [6, 1]],
      [{ carrier: "", statuses: every }, [5]],
      [{ reference: "BOOKING1" }, [1]],
      [{ reference: "BOOKING1", carrier: "TRNC" }, []],
      [{ reference: "BOOKING1", carrier: "HRNL", statuses: moving }, [1]],
      [{ reference: "BOOKING1", statuses: ["arriving"] }, []],
      [{ reference: "BOOKING4", carrier: "HRNL" }, [4]],
      [{ reference: "BOOKING5", carrier: "" }, [5]],
      [{ reference: "BOOKING5", carrier: "HRNL" }, []],
      [{ isAttention: true }, [1]],
    ];
    for (const [filter, found] of lists) {
      const list = async (afterId: string | null, limit: number) => {
        const asked = { reference: null, carrier: null, statuses: null, ...filter };
        return numbers(await listShipments(rows.database, rows.cell, OWNER, asked, { afterId, limit }));
      };
      assert.deepEqual(await list(null, 10), found, JSON.stringify(filter));
      for (const [place, id] of found.entries())
        assert.deepEqual(await list(idOf(id), 2), found.slice(place + 1, place + 3), JSON.stringify(filter));
    }
  });

  test("a reference is looked up while it is polled, in the record that was refreshed last", async () => {
    const shared = { reference: "SAMESAME" };
    for (const [id, row, poll] of [
      [1, shared, { refreshed_at: dateOf(300) }],
      [2, { ...shared, account_id: idOf(2) }, { refreshed_at: dateOf(400) }],
      [3, { ...shared, account_id: idOf(3) }, { refreshed_at: dateOf(900), next_poll_at: null }],
      [4, { ...shared, product: "air" }, { refreshed_at: dateOf(900) }],
      [5, { ...shared, account_id: idOf(4), status: "pending" }, { refreshed_at: dateOf(950) }],
      [6, {}, { refreshed_at: dateOf(999) }],
    ] as const)
      await rows.shipment(id, row, poll);
    const lookUp = async () =>
      plain(await shipmentLookup(rows.database, rows.cell, { reference: "SAMESAME", product: PRODUCT }));
    assert.deepEqual(await lookUp(), { record: '{"n":2}', refreshedAt: 400 });
    await rows.shipment(7, { ...shared, account_id: idOf(5) }, { refreshed_at: dateOf(400) });
    assert.deepEqual(await lookUp(), { record: '{"n":7}', refreshedAt: 400 });
    assert.equal(
      await shipmentLookup(rows.database, rows.cell, { reference: "NOBODYS", product: PRODUCT }),
      null,
    );
  });

  test("the operator finds whose a shipment is, and who tracks a reference", async () => {
    const { database, cell } = rows;
    const shared = { reference: "SAMESAME" };
    await rows.shipment(2, { ...shared, account_id: idOf(2) });
    await rows.shipment(1, shared);
    await rows.shipment(3, { ...shared, product: "air" });
    await rows.shipment(4);
    const nobody = { id: null, reference: null, accountId: null, product: PRODUCT, limit: 9 };
    const found = async (asked: Partial<Parameters<typeof shipmentFind>[2]>) => {
      const all = await shipmentFind(database, cell, { ...nobody, ...asked });
      return plain(all.map(({ id, accountId }) => [id, accountId]));
    };
    const reference = "SAMESAME";
    assert.deepEqual(await found({ reference }), [
      [1, 1],
      [2, 2],
    ]);
    assert.deepEqual(await found({ reference, limit: 1 }), [[1, 1]]);
    assert.deepEqual(await found({ reference, accountId: idOf(2) }), [[2, 2]]);
    assert.deepEqual(await found({ id: idOf(2) }), [[2, 2]]);
    for (const asked of [{ id: idOf(9) }, { id: idOf(3) }, { id: idOf(2), accountId: idOf(1) }, {}])
      assert.deepEqual(await found(asked), []);
  });

  describe("are due before all others", () => {
    /** Those are, the next time behind what was due so before, and no others ever. */
    async function assertMakesDue(makeDue: () => Promise<number>, ids: readonly number[]) {
      for (const at of [AT_ONCE, AT_ONCE_AGAIN]) {
        assert.equal(await makeDue(), ids.length);
        const due = ((await dueTimes()) as [number, number | null][]).filter(([, ms]) => ms !== 0);
        assert.deepEqual(
          due,
          ids.map((id) => [id, at]),
        );
      }
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
        [8, { transport_documents: ["PAPER0", "PAPER1"] }],
        [9, { transport_documents: ["PAPER1"], carrier: "TRNC" }],
        [10, { transport_documents: ["PAPER1"], product: "air" }],
        [11, { transport_documents: ["PAPER2"] }],
        [12, { status: "pending", reference: "ANOTHER" }],
        [13, { ...pending(8), carrier: "TRNC", carrier_hint: "HRNL" }],
      ] as const)
        await rows.shipment(id, row);
      await rows.run(`update cell.polls set next_poll_at = null where shipment_id = '${idOf(8)}'`);
      const references = ["REFERENCE", "PAPER1"];
      const byReference = async () =>
        (await shipmentDueByReference(rows.database, rows.cell, { ...BY_HRNL, references })).length;
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
      const byVessel = async () =>
        (await shipmentDueByVessel(rows.database, rows.cell, { ...BY_HRNL, imos: vessels, aboardMax: 1_000 }))
          .length;
      await assertMakesDue(byVessel, [1]);
    });

    test("or change at once, if the change needs no request to a carrier", async () => {
      for (const [id, row] of [
        [1, { changes_at: dateOf(NOW + 9) }],
        [2, { status: "pending" }],
        [3, {}],
        [4, { product: "air", changes_at: dateOf(1) }],
        [5, { changes_at: dateOf(NOW - 5) }],
        [6, { transport_documents: ["BOOKING77"] }],
        [7, { changes_at: dateOf(NOW + 2 * 3_600_000) }],
      ] as const)
        await rows.shipment(id, row);
      const references = [1, 2, 4, 5, 7, 77].map((id) => `BOOKING${id}`);
      assert.equal(await makeDueByMessage(rows.database, rows.cell, PRODUCT, references, timeOf(NOW)), 5);
      assert.deepEqual(await rows.read("select changes_at from cell.shipments order by id"), [
        ...[[NOW + 10], [null], [null], [1], [NOW], [NOW], [NOW]],
      ]);
      assert.deepEqual(((await dueTimes()) as unknown[])[1], [2, AT_ONCE]);
    });
  });
});
