import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { after, before, describe, test } from "node:test";

import type { CarrierDesk } from "../../src/producers/ocean/desk.ts";
import { createPoller, POLLER_DEFAULTS, type Poller } from "../../src/producers/ocean/poller.ts";
import { getShipment, recheck, startTracking } from "../../src/producers/ocean/track.ts";
import type { ShipmentDetail } from "../../src/producers/ocean/shipment-view.ts";
import { claimDue } from "../../src/store/polls.ts";
import { answered, openHarbour, type Harbour } from "./harbour.ts";
import { HERON, TERN } from "./shipping-lines.ts";

const HOUR_MS = 3_600_000;

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
    harbour.clock.jump(5 * HOUR_MS);
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

  /** Tracks one more shipment of Tern's and has it looked at; reads it back. */
  async function tracked(poller: Poller, reference: string): Promise<() => Promise<ShipmentDetail>> {
    const accountId = await harbour.account();
    const ports = { ...harbour.ports, wake: () => poller.wake() };
    const started = await startTracking(ports, harbour.cell, { accountId, reference, carrier: "TRNC" });
    assert.ok(started.kind === "tracked");
    const { id } = started.shipment;
    const read = async () => (await getShipment(ports, harbour.cell, accountId, id))!;
    await until(async () => (await read()).status !== "pending");
    return read;
  }

  test("what time changes is told once, though the carrier is down and nobody is asked", async () => {
    const call = (code: string, classifier: string, UNLocationCode: string, days: number) => ({
      eventType: "TRANSPORT",
      transportEventTypeCode: code,
      eventClassifierCode: classifier,
      eventDateTime: new Date(harbour.clock.nowMs() + days * 24 * HOUR_MS).toISOString(),
      transportCall: { UNLocationCode, modeOfTransport: "VESSEL", vessel: { vesselIMONumber: "1200011" } },
    });
    const sailing = [call("DEPA", "ACT", "JPYOK", -5), call("ARRI", "EST", "USOAK", 3)];
    harbour.answer = async () => answered(200, JSON.stringify(sailing));
    const earlier = createPoller(harbour.ports, harbour.stored.cells, SETTINGS);
    earlier.start();
    const read = await tracked(earlier, "TRNU5100028");
    assert.equal((await read()).status, "in_transit");
    await earlier.stop();
    harbour.raised.length = 0;
    const desk: CarrierDesk = { ask: () => assert.fail("nobody is to be asked"), isOpen: () => true };
    const poller = createPoller({ ...harbour.ports, desk }, harbour.stored.cells, SETTINGS);
    poller.start();
    // Two days before the ship arrives, and some more looks after that.
    harbour.clock.jump(24 * HOUR_MS);
    await until(async () => {
      await harbour.clock.advance(1_000);
      return (await read()).status === "arriving";
    });
    await harbour.clock.advance(10_000);
    await poller.stop();
    assert.deepEqual(
      harbour.raised.map(({ type }) => type),
      ["container_arrived"],
    );
  });

  test("a carrier that asks for patience costs its shipments no failure, and is asked again after it", async () => {
    harbour.answer = async () => answered(200, booked);
    let waitsMs = 0;
    let asked = 0;
    const desk: CarrierDesk = {
      isOpen: () => false,
      ask(...question) {
        asked += 1;
        if (waitsMs === 0) return harbour.ports.desk.ask(...question);
        return Promise.resolve({ kind: "unavailable", reason: "quota", retryAfterMs: waitsMs });
      },
    };
    const told: string[] = [];
    const onLook = (carrier: string, outcome: string): void => {
      if (carrier === "TRNC") told.push(outcome);
    };
    const poller = createPoller({ ...harbour.ports, desk, onLook }, harbour.stored.cells, SETTINGS);
    poller.start();
    const read = await tracked(poller, "TRNU5100033");
    await until(() => told.length > 0);
    waitsMs = 60_000;
    told.length = 0;
    harbour.clock.jump(5 * HOUR_MS);
    await until(async () => {
      await harbour.clock.advance(1_000);
      return told.length > 0;
    });
    assert.deepEqual(new Set(told), new Set(["postponed"]));
    const refused = asked;
    await harbour.clock.advance(50_000);
    assert.equal(asked, refused);
    assert.equal((await read()).last_failure, null);
    waitsMs = 0;
    await until(async () => {
      await harbour.clock.advance(1_000);
      return told.includes("unchanged");
    });
    await poller.stop();
  });

  test("two pollers share the work, and look at each shipment once", async () => {
    harbour.answer = async () => answered(200, booked);
    const one = createPoller(harbour.ports, harbour.stored.cells, SETTINGS);
    one.start();
    const reads: (() => Promise<ShipmentDetail>)[] = [];
    for (let count = 0; count < 12; count += 1) reads.push(await tracked(one, `TRNCBOOKING${count}`));
    const asked: string[] = [];
    harbour.answer = async ({ searchParams }) => {
      asked.push(searchParams.toString());
      return answered(200, booked);
    };
    const other = createPoller(harbour.ports, harbour.stored.cells, SETTINGS);
    other.start();
    harbour.clock.jump(5 * HOUR_MS);
    const sinceMs = harbour.clock.nowMs();
    await until(async () => {
      await harbour.clock.advance(1_000);
      const shipments = await Promise.all(reads.map((read) => read()));
      return shipments.every(({ refreshed_at }) => Date.parse(refreshed_at!) >= sinceMs);
    });
    await Promise.all([one.stop(), other.stop()]);
    const ours = asked.filter((question) => question.includes("TRNCBOOKING"));
    assert.equal(ours.length, 12);
    assert.equal(new Set(ours).size, 12);
  });

  test("stopping waits for a bounded time, and gives back what has not begun", async () => {
    harbour.answer = async () => answered(200, booked);
    const first = createPoller(harbour.ports, harbour.stored.cells, SETTINGS);
    first.start();
    for (let count = 0; count < 6; count += 1) await tracked(first, `TRNCSTOPPED${count}`);
    await first.stop();
    let open = 0;
    harbour.answer = () => {
      open += 1;
      return new Promise(() => undefined);
    };
    const poller = createPoller(harbour.ports, harbour.stored.cells, { ...SETTINGS, lanePlaces: 2 });
    harbour.clock.jump(5 * HOUR_MS);
    poller.start();
    await until(() => open >= 2);
    const stopped = poller.stop().then(() => "stopped");
    await until(async () => {
      await harbour.clock.advance(1_000);
      return (await Promise.race([stopped, delay(10, "waiting")])) === "stopped";
    });
    const lanes = [{ carrier: "TRNC", room: 100 }];
    const due = await claimDue(harbour.ports.database, harbour.cell, lanes, harbour.clock.nowMs(), 1_000);
    assert.ok(due.length >= 4, "what had not begun is due at once, the rest when its claims end");
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
