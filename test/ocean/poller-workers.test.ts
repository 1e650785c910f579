import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { POLLER_DEFAULTS } from "../../src/freight/polling/poller.ts";
import { createPoller } from "../../src/products/ocean/sources/poll-shipment.ts";
import { startTracking } from "../../src/products/ocean/tracking/track.ts";
import { sleep } from "../../src/runtime/sleep.ts";
import { answered, openHarbour } from "./harbour.ts";
import { TERN } from "./shipping-lines.ts";

const SETTINGS = { ...POLLER_DEFAULTS, gatherMs: 0, leaseMs: 3_600_000_000, slotsPerSource: 3 };
const WORKERS = 4;
const SHIPMENTS = 40;

// The server of the tests stops before the hooks of a file run, so this belongs to a suite.
describe("pollers of several workers", () => {
  test("they share the slots of a carrier, and poll everything", async (t) => {
    const harbour = await openHarbour([TERN]);
    t.after(() => harbour.stored.drop());
    let [open, openMost, ended] = [0, 0, 0];
    harbour.answer = async () => {
      openMost = Math.max(openMost, (open += 1));
      await sleep(harbour.clock, 100);
      open -= 1;
      ended += 1;
      return answered(200, "[]");
    };
    const ports = { ...harbour.ports, wake: () => undefined };
    const accountId = await harbour.account();
    for (let count = 0; count < SHIPMENTS; count += 1) {
      await startTracking(ports, harbour.cell, {
        accountId,
        reference: `TRNCSHARED${count}`,
        carrier: "TRNC",
      });
    }
    const pollers = Array.from({ length: WORKERS }, (_, index) => {
      const place = { number: index + 1, of: WORKERS };
      return createPoller(harbour.ports, harbour.stored.cells, { ...SETTINGS, place });
    });
    for (const poller of pollers) poller.start();
    await harbour.clock.until(() => ended >= SHIPMENTS, "all are polled");
    const stopped = Promise.all(pollers.map((poller) => poller.stop()));
    await harbour.clock.advance(SETTINGS.stopMsMax);
    await stopped;
    assert.equal(openMost, SETTINGS.slotsPerSource);
  });
});
