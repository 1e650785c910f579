import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { getShipment, listShipments, recheck, startTracking } from "../../src/producers/ocean/track.ts";
import { openHarbour, type Harbour } from "./harbour.ts";

let harbour: Harbour;
beforeEach(async () => {
  harbour = await openHarbour();
});
afterEach(() => harbour.stored.drop());

test("tracking starts once for an account, and for every account by itself", async () => {
  const { ports, cell } = harbour;
  const [accountId, other] = [await harbour.account(), await harbour.account()];
  const first = await startTracking(ports, cell, { accountId, reference: "hrnu 400001-7" });
  assert.ok(first.kind === "tracked");
  assert.equal(first.created, true);
  assert.deepEqual(first.shipment, {
    id: first.shipment.id,
    reference: "HRNU4000017",
    identifier_type: "container_id",
    carrier: "",
    status: "pending",
    eta: null,
    created_at: new Date(harbour.clock.nowMs()).toISOString(),
  });
  const again = await startTracking(ports, cell, { accountId, reference: "HRNU4000017", carrier: "HRNL" });
  assert.deepEqual(again, { kind: "tracked", created: false, shipment: first.shipment });
  const elsewhere = await startTracking(ports, cell, {
    accountId: other,
    reference: "HRNU4000017",
    carrier: "hrnl",
  });
  assert.equal(elsewhere.kind === "tracked" && elsewhere.created && elsewhere.shipment.carrier, "HRNL");
  const wrong = await startTracking(ports, cell, { accountId, reference: "HRNU4000018" });
  assert.equal(wrong.kind === "refused" && wrong.code, "INVALID_REFERENCE");
  const nonsense = await startTracking(ports, cell, {
    accountId,
    reference: "HRNU4000017",
    carrier: "Heron!",
  });
  assert.equal(nonsense.kind === "refused" && nonsense.code, "INVALID_REQUEST");
  assert.equal((await getShipment(ports, cell, accountId, first.shipment.id))?.status, "pending");
  assert.equal(await getShipment(ports, cell, other, first.shipment.id), null);
  assert.equal(await recheck(ports, cell, other, first.shipment.id), false);
});

test("many starts of one reference at once make one shipment", async () => {
  const accountId = await harbour.account();
  const starts = Array.from({ length: 10 }, () =>
    startTracking(harbour.ports, harbour.cell, { accountId, reference: "CSQU3054383" }),
  );
  const started = await Promise.all(starts);
  assert.equal(new Set(started.map((one) => one.kind === "tracked" && one.shipment.id)).size, 1);
  assert.equal(started.filter((one) => one.kind === "tracked" && one.created).length, 1);
});

test("an account's shipments are listed newest first, page by page", async () => {
  const accountId = await harbour.account();
  const references = ["HRNL000001", "HRNL000002", "HRNL000003"];
  for (const reference of references)
    await startTracking(harbour.ports, harbour.cell, { accountId, reference });
  const first = await listShipments(harbour.ports, harbour.cell, accountId, { limit: 2 });
  assert.deepEqual(
    first.shipments.map(({ reference }) => reference),
    ["HRNL000003", "HRNL000002"],
  );
  assert.ok(first.nextAfterId);
  const second = await listShipments(harbour.ports, harbour.cell, accountId, {
    limit: 2,
    afterId: first.nextAfterId,
  });
  assert.deepEqual(
    second.shipments.map(({ reference }) => reference),
    ["HRNL000001"],
  );
  assert.equal(second.nextAfterId, null);
});
