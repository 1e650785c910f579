import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { POLLER_DEFAULTS, type Poller } from "../../src/freight/polling/poller.ts";
import type { CarrierClient } from "../../src/products/ocean/sources/carrier-client.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { createPoller, type PollerPorts } from "../../src/products/ocean/sources/poll-shipment.ts";
import { getShipment, recheck, startTracking } from "../../src/products/ocean/tracking/track.ts";
import { claimDuePolls } from "../../src/freight/polling/store/polls.ts";
import { answered, openHarbour, type Harbour } from "./harbour.ts";
import { HERON, TERN } from "./shipping-lines.ts";
import { sleep } from "../../src/runtime/sleep.ts";
import { cellsNamed } from "../../src/store/cell.ts";
import { column } from "../support/columns.ts";
import { losing } from "../support/losing.ts";

const HOUR_MS = 3_600_000;

/** Without gathering, which would wait for a clock that stands still. */
const SETTINGS = { ...POLLER_DEFAULTS, gatherMs: 0 };

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
  let pollers: Poller[] = [];
  beforeEach(async () => {
    harbour = await openHarbour([{ ...HERON, requestsMax: 2 }, TERN]);
  });
  afterEach(async () => {
    const stopped = Promise.all(pollers.map((poller) => poller.stop()));
    pollers = [];
    await harbour.clock.advance(SETTINGS.stopMsMax);
    await stopped;
    await harbour.stored.drop();
  });

  function newPoller(ports: Partial<PollerPorts> = {}, settings: Partial<typeof SETTINGS> = {}): Poller {
    const all = { ...harbour.ports, ...ports };
    const poller = createPoller(all, harbour.stored.cells, { ...SETTINGS, ...settings });
    pollers.push(poller);
    return poller;
  }

  /** Tracks one more shipment, and returns how to read it back. */
  async function tracked(poller: Poller, reference: string, carrier?: string) {
    const accountId = await harbour.account();
    const ports = { ...harbour.ports, wake: poller.wake };
    const started = await startTracking(ports, harbour.cell, {
      accountId,
      reference,
      ...(carrier !== undefined && { carrier }),
    });
    assert.ok(started.kind === "tracked");
    const { id } = started.shipment;
    const read = async () => (await getShipment(ports, harbour.cell, accountId, id))!;
    return { read, recheck: () => recheck(ports, harbour.cell, accountId, id) };
  }

  /** The same, polled once. */
  async function resolved(poller: Poller, reference: string, carrier = "TRNC") {
    const shipment = await tracked(poller, reference, carrier);
    const isPolled = async () => (await shipment.read()).status !== "pending";
    await harbour.clock.atOnce(isPolled, "the first look");
    return shipment;
  }

  test("spec 4.2: recheck: a shipment is polled as soon as it is tracked, again when due, and at once on request", async () => {
    let polled = 0;
    harbour.answer = async () => {
      polled += 1;
      return answered(200, booked);
    };
    const poller = newPoller();
    poller.start();
    const { read, recheck: askAgain } = await tracked(poller, "HRNU4000017");
    await harbour.clock.atOnce(async () => (await read()).status === "pre_departure", "the first look");
    assert.equal(polled, 1);
    harbour.clock.jump(5 * HOUR_MS);
    const sinceMs = harbour.clock.nowMs();
    // Saved, not only asked: what is asked for during a poll waits for the next claim.
    const isSaved = async () => Date.parse((await read()).refreshed_at!) >= sinceMs;
    await harbour.clock.until(isSaved, "the second look");
    assert.equal(polled, 2);
    await askAgain();
    await harbour.clock.atOnce(() => polled === 3, "the look asked for");
    await poller.stop();
    await harbour.clock.advance(24 * 3_600_000);
    assert.equal(polled, 3, "a stopped poller asks nobody");
  });

  test("what a claim took whose answer was lost is claimed again, and does not wait for its lease", async () => {
    harbour.answer = async () => answered(200, booked);
    const poller = newPoller({ database: losing(harbour.ports.database, "poll_claim", 2) });
    poller.start();
    const { read } = await tracked(poller, "HRNU4000017");
    const lostMs = harbour.clock.nowMs();
    await harbour.clock.until(async () => (await read()).status === "pre_departure", "the first look");
    const waitedMs = harbour.clock.nowMs() - lostMs;
    assert.ok(waitedMs >= 2 * SETTINGS.idleMs && waitedMs <= 3 * SETTINGS.idleMs, `${waitedMs} ms`);
  });

  test("what was polled while the database went away is polled again, and does not wait for its lease", async () => {
    let polled = 0;
    harbour.answer = async () => {
      polled += 1;
      return answered(200, booked);
    };
    const poller = newPoller({
      database: losing(harbour.ports.database, "poll_write", 2, new StoreUnavailable("away")),
    });
    poller.start();
    const { read } = await tracked(poller, "HRNU4000017");
    const lostMs = harbour.clock.nowMs();
    await harbour.clock.until(async () => (await read()).status === "pre_departure", "a look is written");
    assert.equal(polled, 3);
    const waitedMs = harbour.clock.nowMs() - lostMs;
    assert.ok(waitedMs <= 6 * SETTINGS.idleMs, `${waitedMs} ms`);
  });

  test("what was claimed before another cell failed is claimed again, though it could not be given back at once", async () => {
    harbour.answer = async () => answered(200, booked);
    const broken = cellsNamed("boathook", 2)[1]!;
    const { database } = harbour.ports;
    let failures = 0;
    let refusals = 0;
    const rows: typeof database.rows = async (statement, parameters) => {
      if (statement.name.startsWith("poll_release@") && refusals === 0) {
        refusals += 1;
        throw new StoreUnavailable("away");
      }
      if (!statement.name.endsWith(`@${broken.schema}`)) return database.rows(statement, parameters);
      if (failures > 0 || !statement.name.startsWith("poll_next_due@")) return [];
      failures += 1;
      throw new Error("it has lost a table");
    };
    const cells = [harbour.cell, broken] as const;
    const poller = createPoller({ ...harbour.ports, database: { ...database, rows } }, cells, SETTINGS);
    pollers.push(poller);
    const { read } = await tracked(poller, "HRNU4000017");
    poller.start();
    const failedMs = harbour.clock.nowMs();
    await harbour.clock.until(async () => (await read()).status === "pre_departure", "the first look");
    assert.deepEqual([failures, refusals], [1, 1]);
    const waitedMs = harbour.clock.nowMs() - failedMs;
    assert.ok(waitedMs <= 5 * SETTINGS.idleMs, `${waitedMs} ms`);
  });

  test("what a full disk does not take waits for its lease, so that its carrier is not asked each second", async () => {
    // A write that the server refuses is tried twice.
    const full = new StoreUnavailable("full", { commitUnknown: false, reason: "disk_full" });
    let polled = 0;
    harbour.answer = async () => {
      polled += 1;
      return answered(200, booked);
    };
    const poller = newPoller({ database: losing(harbour.ports.database, "poll_write", 2, full) });
    poller.start();
    const { read } = await tracked(poller, "HRNU4000017");
    const lostMs = harbour.clock.nowMs();
    await harbour.clock.until(async () => (await read()).status === "pre_departure", "a look is written");
    assert.equal(polled, 2);
    assert.ok(harbour.clock.nowMs() - lostMs >= SETTINGS.leaseMs);
  });

  test("a shipment that falls due during a claim is polled as soon as the claim has ended", async () => {
    harbour.answer = async () => answered(200, booked);
    const claimed = Promise.withResolvers<void>();
    const answering = Promise.withResolvers<void>();
    const { database } = harbour.ports;
    const slow: typeof database = {
      ...database,
      async rows(statement, parameters) {
        const rows = await database.rows(statement, parameters);
        if (statement.name !== `poll_next_due@${harbour.cell.schema}`) return rows;
        claimed.resolve();
        await answering.promise;
        return rows;
      },
    };
    const poller = newPoller({ database: slow });
    poller.start();
    await claimed.promise;
    const { read } = await tracked(poller, "HRNU4000017");
    answering.resolve();
    await harbour.clock.atOnce(async () => (await read()).status === "pre_departure", "the first look");
  });

  test("a carrier that hangs fills its own places and delays no other, and stopping waits for it", async () => {
    const hanging = Promise.withResolvers<void>();
    harbour.answer = async () => answered(200, booked);
    const poller = newPoller();
    poller.start();
    const shipments: Awaited<ReturnType<typeof resolved>>[] = [];
    for (const carrier of ["HRNL", "TRNC"])
      for (let nth = 0; nth < 5; nth += 1)
        shipments.push(await resolved(poller, `${carrier}00000${nth}`, carrier));
    let open = 0;
    const refreshed = new Set<string>();
    harbour.answer = async ({ host, search }) => {
      if (host === "tern.example") refreshed.add(search);
      else {
        open += 1;
        await hanging.promise;
      }
      return answered(200, booked);
    };
    for (const shipment of shipments) await shipment.recheck();
    await harbour.clock.atOnce(() => refreshed.size === 5, "a poll of each of Tern's");
    assert.equal(open, 2, "as many as the carrier's entry allows");
    let isStopped = false;
    const stopped = poller.stop().then(() => (isStopped = true));
    await harbour.clock.rest();
    assert.ok(!isStopped);
    hanging.resolve();
    await stopped;
    assert.equal(open, 2, "nothing new began");
  });

  test("a change by time alone is raised once, though the carrier is down", async () => {
    const call = (code: string, classifier: string, UNLocationCode: string, days: number) => ({
      eventType: "TRANSPORT",
      transportEventTypeCode: code,
      eventClassifierCode: classifier,
      eventDateTime: new Date(harbour.clock.nowMs() + days * 24 * HOUR_MS).toISOString(),
      transportCall: { UNLocationCode, modeOfTransport: "VESSEL", vessel: { vesselIMONumber: "1200011" } },
    });
    const sailing = [call("DEPA", "ACT", "JPYOK", -5), call("ARRI", "EST", "USOAK", 3)];
    harbour.answer = async () => answered(200, JSON.stringify(sailing));
    const earlier = newPoller();
    earlier.start();
    const { read } = await resolved(earlier, "TRNU5100028");
    assert.equal((await read()).status, "in_transit");
    await earlier.stop();
    harbour.raised.length = 0;
    const desk: CarrierClient = {
      fetch: () => assert.fail("nobody is to be asked"),
      isBreakerOpen: () => true,
    };
    const poller = newPoller({ client: desk });
    poller.start();
    // Two days before the vessel arrives, and some more polls after that.
    harbour.clock.jump(24 * HOUR_MS);
    await harbour.clock.until(async () => (await read()).status === "arriving", "the box is arriving");
    await harbour.clock.advance(10_000);
    await poller.stop();
    assert.deepEqual(column(harbour.raised, "type"), ["container_arrived"]);
  });

  test("a carrier that asks for patience costs its shipments no failure, and is asked again after it", async () => {
    harbour.answer = async () => answered(200, booked);
    let waitsMs = 0;
    let polled = 0;
    const desk: CarrierClient = {
      isBreakerOpen: () => false,
      fetch(...question) {
        polled += 1;
        if (waitsMs === 0) return harbour.ports.client.fetch(...question);
        return Promise.resolve({ kind: "unavailable", reason: "quota", retryAfterMs: waitsMs });
      },
    };
    const raised: string[] = [];
    const onLook = (_: string, outcome: string): void => void raised.push(outcome);
    const poller = newPoller({ client: desk, onPoll: onLook });
    poller.start();
    const { read } = await resolved(poller, "TRNU5100033");
    await harbour.clock.atOnce(() => raised.length > 0, "the first poll is raised");
    waitsMs = 60_000;
    raised.length = 0;
    harbour.clock.jump(5 * HOUR_MS);
    await harbour.clock.until(() => raised.length > 0, "the carrier asks for patience");
    assert.deepEqual(new Set(raised), new Set(["postponed"]));
    const refused = polled;
    await harbour.clock.advance(50_000);
    assert.equal(polled, refused);
    assert.equal((await read()).last_failure, null);
    waitsMs = 0;
    await harbour.clock.until(() => raised.includes("unchanged"), "the carrier is asked again");
    await poller.stop();
  });

  test("stopping waits for a bounded time, and gives back what has not begun", async () => {
    harbour.answer = async () => answered(200, booked);
    const first = newPoller();
    first.start();
    for (let count = 0; count < 6; count += 1) await resolved(first, `TRNCSTOPPED${count}`);
    await first.stop();
    let open = 0;
    harbour.answer = () => {
      open += 1;
      return new Promise(() => undefined);
    };
    const poller = newPoller({}, { slotsPerSource: 2 });
    harbour.clock.jump(5 * HOUR_MS);
    poller.start();
    await harbour.clock.atOnce(() => open >= 2, "two looks begin");
    await harbour.clock.drive(poller.stop());
    let due = 0;
    await harbour.clock.atOnce(async () => {
      const queues = [{ source: "TRNC", limit: 100 }];
      due += (await claimDuePolls(harbour.ports.database, harbour.cell, queues, harbour.clock.nowMs(), 1_000))
        .length;
      return due >= 4;
    }, "what had not begun is due at once");
    assert.equal(due, 4, "the rest when its claims end");
  });
});

const FLOOD = 150;
const FEW = 5 * POLLER_DEFAULTS.slotsPerSource;
/** How long the carriers take for each answer. */
const ANSWER_MS = 1_000;

describe("turns of accounts", () => {
  let harbour: Harbour;
  let poller: Poller;
  /** References in the order in which carriers were first asked for them. */
  let asked: string[];
  beforeEach(async () => {
    harbour = await openHarbour([HERON, TERN]);
    asked = [];
    harbour.answer = async (url) => {
      const reference = [...url.searchParams.values()].find((value) => /^[A-Z]{3,4}\d+/.test(value))!;
      asked.push(reference);
      await sleep(harbour.clock, ANSWER_MS);
      return answered(404, "");
    };
    poller = createPoller(harbour.ports, harbour.stored.cells, SETTINGS);
  });
  afterEach(async () => {
    const stopped = poller.stop();
    await harbour.clock.advance(SETTINGS.stopMsMax);
    await stopped;
    await harbour.stored.drop();
  });

  async function track(accountId: string, reference: string): Promise<string> {
    const ports = { ...harbour.ports, wake: poller.wake };
    const started = await startTracking(ports, harbour.cell, { accountId, reference });
    assert.ok(started.kind === "tracked");
    return started.shipment.id;
  }

  /** Counts the references for which carriers are asked before a new one of another account. */
  async function askedBefore(reference: string): Promise<number> {
    const before = asked.length;
    const isBusy = () => asked.length >= before + POLLER_DEFAULTS.slotsPerSource;
    await harbour.clock.until(isBusy, "the flood is polled");
    const from = asked.length;
    await track(await harbour.account(), reference);
    await harbour.clock.until(() => asked.includes(reference, from), "the other account's poll");
    return new Set(asked.slice(from, asked.indexOf(reference, from))).size;
  }

  test("many references of one account that no carrier knows, and their rechecks, delay another account's by a few polls", async () => {
    const accountId = await harbour.account();
    const ids: string[] = [];
    for (let nth = 0; nth < FLOOD; nth += 1) ids.push(await track(accountId, `EBKG${10_000_000 + nth}`));
    poller.start();
    const first = await askedBefore("EBKG90000001");
    assert.ok(first <= FEW, `${first} references of the other account`);
    await harbour.clock.until(() => new Set(asked).size > FLOOD, "all are polled");
    await harbour.clock.rest();
    for (const id of ids) await recheck(harbour.ports, harbour.cell, accountId, id);
    poller.wake(harbour.cell);
    const again = await askedBefore("EBKG90000002");
    assert.ok(again <= FEW, `${again} references of the other account`);
  });

  test("an account with as many unresolved references as it may have starts no other, and goes on when one is answered", async () => {
    const [accountId, other] = [await harbour.account(), await harbour.account()];
    const ports = { ...harbour.ports, unresolvedMax: 2, wake: poller.wake };
    const start = async (account: string, reference: string) => {
      const started = await startTracking(ports, harbour.cell, { accountId: account, reference });
      return started.kind === "tracked" ? started.created : started.code;
    };
    assert.equal(await start(accountId, "EBKG10000001"), true);
    assert.equal(await start(accountId, "EBKG10000002"), true);
    assert.equal(await start(accountId, "EBKG10000003"), "REFERENCE_LIMIT");
    assert.equal(await start(accountId, "EBKG10000002"), false, "what it tracks already");
    assert.equal(await start(other, "EBKG10000003"), true, "another account");
    await harbour.stored.queryIn(
      harbour.cell,
      "update cell.shipments set status = 'pre_departure', carrier = 'HRNL', record = '{}' where reference = 'EBKG10000001'",
    );
    assert.equal(await start(accountId, "EBKG10000003"), true);
    harbour.clock.jump(15 * 24 * HOUR_MS);
    assert.equal(await start(accountId, "EBKG10000004"), true, "old ones count no more");
  });
});
