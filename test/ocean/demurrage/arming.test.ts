/** From arming the alerting to the events, through the store: no carrier is asked for them. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createShipmentPollHandler } from "../../../src/products/ocean/sources/poll-shipment.ts";
import { createPollWriter } from "../../../src/freight/polling/poll-writer.ts";
import { startTracking } from "../../../src/products/ocean/tracking/track.ts";
import { insertAccount, updateAccount } from "../../../src/store/accounts/accounts.ts";
import type { Cells } from "../../../src/store/cell.ts";
import { claimReevaluations, claimDuePolls } from "../../../src/freight/polling/store/polls.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { HERON } from "../shipping-lines.ts";
import { tariff } from "./discharged-box.ts";

const DAY_MS = 24 * 3_600_000;
const LEASE_MS = 120_000;
const BATCHES = { batchMax: 100, gatherMs: 0 };

/** Discharged on 2 November: with three free days the last is the 5th, and ends at 23:00 UTC. */
const ENDS_MS = Date.parse("2026-11-05T23:00:00Z");
const DISCHARGED = {
  eventType: "EQUIPMENT",
  equipmentEventTypeCode: "DISC",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-11-02T10:00:00+01:00",
  equipmentReference: "HRNU4000017",
  emptyIndicatorCode: "LADEN",
  description: "Import discharged",
  transportCall: { UNLocationCode: "NLRTM", modeOfTransport: "VESSEL", facilityTypeCode: "POTE" },
};

let harbour: Harbour;
describe("arming the alerting", () => {
  beforeEach(async () => {
    harbour = await openHarbour([{ ...HERON, asOf: "now" }]);
    harbour.answer = async () => answered(200, JSON.stringify([DISCHARGED]));
  });
  afterEach(() => harbour.stored.drop());

  function ports() {
    const rates = [{ fromDay: 1, centsUsd: 7_550 }];
    return { ...harbour.ports, tariffs: () => [tariff({ carrier: "HRNL", freeDays: 3, rates })] };
  }

  async function trackedBox(): Promise<string> {
    const { cell, clock, stored } = harbour;
    const id = harbour.ports.random.uuid(clock.nowMs());
    await insertAccount(stored.database, cell, {
      id,
      name: "Acme",
      entitlements: [],
      demurrageAlerting: false,
      cell: cell.number,
      createdAt: new Date(clock.nowMs()),
    });
    const input = { accountId: id, reference: "HRNU4000017", carrier: "HRNL" };
    assert.equal((await startTracking(harbour.ports, cell, input)).kind, "tracked");
    const [claimed] = await claimDuePolls(
      stored.database,
      cell,
      [{ source: "", limit: 1 }],
      clock.nowMs(),
      LEASE_MS,
    );
    assert.ok(claimed);
    const deadlineMs = clock.monotonicMs() + LEASE_MS;
    const looked = await createShipmentPollHandler(ports(), BATCHES).poll({ cell, claimed, deadlineMs });
    assert.equal(looked.kind, "polled");
    if (looked.kind === "polled") await createPollWriter(ports(), cell, BATCHES)(looked.update);
    return id;
  }

  async function setAlerting(accountId: string, on: boolean): Promise<void> {
    const { database, cells, forward } = harbour.stored;
    await updateAccount(
      database,
      cells as Cells,
      accountId,
      { demurrageAlerting: on },
      harbour.clock.nowMs(),
    );
    await forward();
  }

  /** The events of all shipments that time alone makes due by then. */
  async function toldByTime(): Promise<readonly (readonly [string, unknown, unknown])[]> {
    const { cell, clock, stored, raised } = harbour;
    raised.length = 0;
    for (const claimed of await claimReevaluations(
      stored.database,
      cell,
      "tracking",
      10,
      clock.nowMs(),
      LEASE_MS,
    )) {
      const finding = await createShipmentPollHandler(ports(), BATCHES).reevaluate(cell, claimed);
      await createPollWriter(ports(), cell, BATCHES)(finding);
    }
    return raised.map(({ type, data }) => {
      const { demurrage_days_overdue: days, demurrage_accrued_usd: usd } = JSON.parse(data) as never;
      return [type, days, usd];
    });
  }

  test("an account that arms within a box's last free days is warned at once, and notified when they are over", async () => {
    const id = await trackedBox();
    await harbour.clock.advance(ENDS_MS - 2 * DAY_MS - harbour.clock.nowMs());
    assert.deepEqual(await toldByTime(), [], "nobody has armed it");
    await setAlerting(id, true);
    assert.deepEqual(await toldByTime(), [["demurrage_warning", 0, 0]]);
    assert.deepEqual(await toldByTime(), []);
    await harbour.clock.advance(2 * DAY_MS - 1);
    assert.deepEqual(await toldByTime(), []);
    await harbour.clock.advance(1);
    assert.deepEqual(await toldByTime(), [["demurrage_started", 1, 75.5]]);
    await harbour.clock.advance(DAY_MS);
    assert.deepEqual(await toldByTime(), []);
  });
});
