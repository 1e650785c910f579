import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { after, before, describe, test } from "node:test";

import { createPoller, POLLER_DEFAULTS } from "../../src/producers/ocean/poller.ts";
import { getShipment, recheck, startTracking } from "../../src/producers/ocean/track.ts";
import { answered, openHarbour, type Harbour } from "./harbour.ts";
import { HERON, TERN } from "./shipping-lines.ts";

/** Without gathering, which would wait for a clock that stands still. */
const SETTINGS = { ...POLLER_DEFAULTS, gatherMs: 0 };

/** Waits for what real I/O brings about, at most five seconds. */
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (await holds()) return;
    await delay(10);
  }
  assert.fail("it did not come about within five seconds");
}

const booked = JSON.stringify([
  {
    eventType: "SHIPMENT",
    shipmentEventTypeCode: "CONF",
    documentTypeCode: "BKG",
    eventDateTime: "2026-10-20T09:00:00Z",
  },
]);

// The server of the tests stops before the hooks of a file run, so these belong to a suite.
describe("the poller", () => {
  let harbour: Harbour;
  before(async () => {
    harbour = await openHarbour([{ ...HERON, requestsMax: 2 }, TERN]);
  });
  after(() => harbour.stored.drop());

  test("a shipment is looked at as soon as it is tracked, again at its time, and at once when asked", async () => {
    let asked = 0;
    harbour.answer = async () => {
      asked += 1;
      return answered(200, booked);
    };
    const poller = createPoller(harbour.ports, harbour.stored.cells, SETTINGS);
    poller.start();
    const ports = { ...harbour.ports, wake: () => poller.wake() };
    const accountId = await harbour.account();
    const started = await startTracking(ports, harbour.cell, { accountId, reference: "HRNU4000017" });
    assert.ok(started.kind === "tracked");
    const { id } = started.shipment;
    const status = async () => (await getShipment(ports, harbour.cell, accountId, id))?.status;
    await until(async () => (await status()) === "pre_departure");
    assert.equal(asked, 1);
    harbour.clock.jump(5 * 3_600_000);
    await until(async () => {
      await harbour.clock.advance(1_000);
      return asked === 2;
    });
    await recheck(ports, harbour.cell, accountId, id);
    await until(() => asked === 3);
    await poller.stop();
    await harbour.clock.advance(24 * 3_600_000);
    assert.equal(asked, 3, "a stopped poller asks nobody");
  });

  test("a carrier that hangs fills its own places and delays no other, and stopping waits for it", async () => {
    let release = (): void => undefined;
    const hanging = new Promise<void>((resolve) => {
      release = resolve;
    });
    harbour.answer = async () => answered(200, booked);
    const poller = createPoller(harbour.ports, harbour.stored.cells, SETTINGS);
    const ports = { ...harbour.ports, wake: () => poller.wake() };
    const accountId = await harbour.account();
    const resolved = async (carrier: string) => {
      const references = Array.from({ length: 5 }, (_, index) => `${carrier}00000${index}`);
      const ids: string[] = [];
      for (const reference of references) {
        const started = await startTracking(ports, harbour.cell, { accountId, reference, carrier });
        if (started.kind === "tracked") ids.push(started.shipment.id);
      }
      await until(async () => {
        const found = await Promise.all(ids.map((id) => getShipment(ports, harbour.cell, accountId, id)));
        return found.every((one) => one?.status === "pre_departure");
      });
      return ids;
    };
    poller.start();
    const [herons, terns] = [await resolved("HRNL"), await resolved("TRNC")];
    let open = 0;
    const refreshed = new Set<string>();
    harbour.answer = async ({ host, search }) => {
      if (host === "tern.example") refreshed.add(search);
      else {
        open += 1;
        await hanging;
      }
      return answered(200, booked);
    };
    for (const id of [...herons, ...terns]) await recheck(ports, harbour.cell, accountId, id);
    await until(() => refreshed.size === terns.length);
    assert.equal(open, 2, "as many as the carrier's entry allows");
    const stopped = poller.stop().then(() => "stopped");
    assert.equal(await Promise.race([stopped, delay(20, "waiting")]), "waiting");
    release();
    assert.equal(await stopped, "stopped");
    assert.equal(open, 2, "nothing new began");
  });

  test("a poller outlives a store that does not answer", async () => {
    const claims: number[] = [];
    const database = {
      rows: async () => {
        claims.push(harbour.clock.nowMs());
        throw new Error("the database is gone");
      },
    };
    const poller = createPoller({ ...harbour.ports, database }, [harbour.cell], SETTINGS);
    poller.start();
    await harbour.clock.advance(2_500);
    await poller.stop();
    assert.equal(
      claims.length,
      6,
      "one at once for what is due and one for what changes, then both every second",
    );
    const told = harbour.log.lines.filter(({ level }) => level === "error");
    assert.deepEqual(
      told.map(({ message, fields }) => [message, fields]),
      [["polling waits: the database does not answer", { reason: "the database is gone" }]],
    );
  });
});
