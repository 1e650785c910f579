import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import {
  getShipment,
  listShipments,
  recheck,
  startTracking,
  type ListInput,
} from "../../../src/products/ocean/tracking/track.ts";
import { openHarbour, type Harbour } from "../harbour.ts";

let harbour: Harbour;
describe("tracking", () => {
  beforeEach(async () => {
    harbour = await openHarbour();
  });
  afterEach(() => harbour.stored.drop());

  test("spec 4.2: start_tracking, reference, carrier; 2.5: id, reference, carrier, status, created_at; 3.3: pending: tracking starts once an account", async () => {
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
      attention: [],
      last_failure: null,
      refreshed_at: null,
      created_at: new Date(harbour.clock.nowMs()).toISOString(),
    });
    const again = await startTracking(ports, cell, { accountId, reference: "HRNU4000017", carrier: "HRNL" });
    assert.deepEqual(again, { kind: "tracked", created: false, shipment: first.shipment });
    const theirs = { accountId: other, reference: "HRNU4000017", carrier: "hrnl" };
    const elsewhere = await startTracking(ports, cell, theirs);
    assert.equal(elsewhere.kind === "tracked" && elsewhere.created && elsewhere.shipment.carrier, "HRNL");
    const wrong = await startTracking(ports, cell, { accountId, reference: "HRNU4000018" });
    assert.equal(wrong.kind === "refused" && wrong.code, "INVALID_REFERENCE");
    const nonsense = await startTracking(ports, cell, { ...theirs, accountId, carrier: "Heron!" });
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

  async function listed(accountId: string, wanted: ListInput) {
    const page = await listShipments(harbour.ports, harbour.cell, accountId, wanted);
    assert.ok(page.kind === "page");
    return { references: page.shipments.map(({ reference }) => reference), nextAfterId: page.nextAfterId };
  }

  test("spec 4.2: list: an account's shipments newest first, page by page, by any filters together", async () => {
    const { ports, cell, stored } = harbour;
    const accountId = await harbour.account();
    const statuses = ["in_transit", "arriving", "delivered"];
    // Statuses and carriers in turn; the last two have no answer yet, one of them with a hint.
    const made: { reference: string; carrier: string; status: string }[] = [];
    for (let n = 0; n < 12; n += 1) {
      const carrier = n === 11 ? "" : n % 2 === 0 ? "HRNL" : "TRNC";
      const status = n < 10 ? statuses[n % 3]! : "pending";
      const reference = `QUAYS${100 + n}`;
      made.unshift({ reference, carrier, status });
      const hint = n === 10 ? { carrier } : {};
      const started = await startTracking(ports, cell, { accountId, reference, ...hint });
      assert.ok(started.kind === "tracked");
      if (n >= 10) continue;
      await stored.queryIn(
        cell,
        "update cell.shipments set carrier = $2, status = $3, record = '{}' where id = $1",
        [started.shipment.id, carrier, status],
      );
    }
    await startTracking(ports, cell, { accountId: await harbour.account(), reference: "QUAYS100" });
    for (const status of [undefined, "pending", "in_transit", "at_berth"])
      for (const carrier of [undefined, "HRNL", "NONE"])
        for (const reference of [undefined, "QUAYS106", "QUAYS110"]) {
          const wish = { status, carrier, reference };
          const expected = made.filter(
            (one) =>
              (status === undefined || one.status === status) &&
              (carrier === undefined || one.carrier === carrier) &&
              (reference === undefined || one.reference === reference),
          );
          const seen: string[] = [];
          let afterId: string | null = null;
          do {
            const page = await listed(accountId, { ...wish, limit: 5, afterId });
            assert.ok(page.references.length <= 5);
            seen.push(...page.references);
            afterId = page.nextAfterId;
          } while (afterId !== null);
          const references = expected.map((one) => one.reference);
          assert.deepEqual(seen, references, JSON.stringify(wish));
        }
    const spelled = { limit: 9, reference: "quays 1-03", carrier: " trnc " };
    assert.deepEqual((await listed(accountId, spelled)).references, ["QUAYS103"]);
  });

  test("a filter that can match nothing is refused, with the reason", async () => {
    const accountId = await harbour.account();
    for (const [wish, name, message] of [
      [{ status: "lost" }, "status", /one of pending, pre_departure, .*unknown$/],
      [{ status: "" }, "status", /one of pending/],
      [{ carrier: "" }, "carrier", /two to four letters/],
      [{ carrier: "M%" }, "carrier", /two to four letters/],
      [{ reference: "HRNU4000018" }, "reference", /check digit should be 7/],
      [{ reference: "%" }, "reference", /letters A to Z and digits/],
      [{ reference: "A_____" }, "reference", /letters A to Z and digits/],
    ] as const) {
      const read = await listShipments(harbour.ports, harbour.cell, accountId, { limit: 1, ...wish });
      assert.ok(read.kind === "invalid", JSON.stringify(wish));
      assert.equal(read.name, name);
      assert.match(read.message, message);
    }
  });
});
