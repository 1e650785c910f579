/** A carrier that refuses one account's plan, and the shipments of the others. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { POLLER_DEFAULTS, type Poller } from "../../../src/freight/polling/poller.ts";
import { createPoller } from "../../../src/products/ocean/sources/poll-shipment.ts";
import type { ShipmentDetail } from "../../../src/products/ocean/tracking/container-schema.ts";
import { getShipment, startTracking } from "../../../src/products/ocean/tracking/track.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { TERN } from "../shipping-lines.ts";

const HOUR_MS = 3_600_000;
const SETTINGS = { ...POLLER_DEFAULTS, gatherMs: 0 };

type ReadShipment = () => Promise<ShipmentDetail>;

const BUSY = "00000000-0000-7000-8000-00000000000a";
const QUIET = "00000000-0000-7000-8000-00000000000b";
const REFUSED_S = 1_800;

const booked = JSON.stringify([
  {
    eventType: "SHIPMENT",
    shipmentEventTypeCode: "CONF",
    documentTypeCode: "BKG",
    eventDateTime: "2026-10-20T09:00:00Z",
  },
]);

describe("quotas of accounts", () => {
  let harbour: Harbour;
  let poller: Poller;
  const outcomes: string[] = [];
  beforeEach(async () => {
    const accounts = {
      [BUSY]: { headers: { "x-api-key": BUSY } },
      [QUIET]: { headers: { "x-api-key": QUIET } },
    };
    // One request at a time, so that a queue that waits holds all of them up.
    harbour = await openHarbour([{ ...TERN, requestsMax: 1, accounts }]);
    for (const id of [BUSY, QUIET])
      await harbour.stored.queryIn(harbour.cell, "insert into cell.accounts (id) values ($1)", [id]);
    outcomes.length = 0;
    const ports = { ...harbour.ports, onPoll: (_: string, outcome: string) => void outcomes.push(outcome) };
    poller = createPoller(ports, harbour.stored.cells, SETTINGS);
  });
  afterEach(async () => {
    const stopped = poller.stop();
    await harbour.clock.advance(SETTINGS.stopMsMax);
    await stopped;
    await harbour.stored.drop();
  });

  async function track(accountId: string, reference: string): Promise<ReadShipment> {
    const ports = { ...harbour.ports, wake: poller.wake };
    const started = await startTracking(ports, harbour.cell, { accountId, reference, carrier: "TRNC" });
    assert.ok(started.kind === "tracked");
    const read = async () => (await getShipment(ports, harbour.cell, accountId, started.shipment.id))!;
    await harbour.clock.atOnce(async () => (await read()).status === "pre_departure", "the first poll");
    return read;
  }

  /** Moves the clock on until it holds. */
  const untilInTime = (holds: () => Promise<boolean>, what: string): Promise<void> =>
    harbour.clock.until(holds, what);

  test("a 429 to one account's own key delays its shipments alone, and none of them fails", async () => {
    harbour.answer = async () => answered(200, booked);
    poller.start();
    const busy: ReadShipment[] = [];
    for (const number of [1, 2, 3, 4]) busy.push(await track(BUSY, `TRNCBUSY${number}`));
    const quiet: ReadShipment[] = [];
    for (const number of [1, 2]) quiet.push(await track(QUIET, `TRNCQUIET${number}`));
    let refused = 0;
    let untilMs = 0;
    harbour.answer = async (_, { headers }) => {
      if (headers["x-api-key"] === QUIET || (untilMs > 0 && harbour.clock.nowMs() >= untilMs))
        return answered(200, booked);
      refused += 1;
      untilMs = harbour.clock.nowMs() + REFUSED_S * 1_000;
      return answered(429, "", { "retry-after": String(REFUSED_S) });
    };
    outcomes.length = 0;
    harbour.clock.jump(5 * HOUR_MS);
    const sinceMs = harbour.clock.nowMs();
    const areFresh = async (reads: readonly ReadShipment[]) => {
      const shipments = await Promise.all(reads.map((read) => read()));
      return shipments.every(({ refreshed_at: at }) => Date.parse(at!) >= sinceMs);
    };
    await untilInTime(() => areFresh(quiet), "the other account's polls");
    assert.ok(harbour.clock.nowMs() < sinceMs + (REFUSED_S * 1_000) / 2, "long before the pause ends");
    await untilInTime(async () => outcomes.filter((one) => one === "unavailable").length === 4, "all wait");
    const failures = await Promise.all(busy.map(async (read) => (await read()).last_failure));
    assert.equal(failures.filter((failure) => failure !== null).length, 1, "the one that was asked about");
    await untilInTime(() => areFresh(busy), "the busy account's polls, after the pause");
    assert.deepEqual([refused, outcomes.includes("postponed")], [1, false]);
  });
});
