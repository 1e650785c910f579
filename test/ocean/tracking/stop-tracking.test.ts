/** Stopping a shipment's tracking during a poll. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createPollHandler } from "../../../src/products/ocean/sources/poll-shipment.ts";
import type { PollUpdate } from "../../../src/freight/polling/poll-handler.ts";
import { createPollWriter, type WritePoll } from "../../../src/freight/polling/poll-writer.ts";
import {
  getShipment,
  recheck,
  startTracking,
  stopTracking,
} from "../../../src/products/ocean/tracking/track.ts";
import { claimDuePolls } from "../../../src/freight/polling/store/polls.ts";
import { query } from "../../support/database.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";

const LEASE_MS = 120_000;
const LANES = ["", "HRNL", "TRNC"].map((source) => ({ source, limit: 100 }));
const BATCHES = { callsMax: 100, gatherMs: 0 };

let harbour: Harbour;
let accountId: string;
let save: WritePoll;
describe("stopping during a poll", () => {
  beforeEach(async () => {
    harbour = await openHarbour();
    accountId = await harbour.account();
    save = createPollWriter(harbour.ports, harbour.cell, BATCHES);
    harbour.answer = async () => answered(200, JSON.stringify([booked]));
  });
  afterEach(() => harbour.stored.drop());

  const booked = {
    eventType: "SHIPMENT",
    shipmentEventTypeCode: "CONF",
    documentTypeCode: "BKG",
    eventClassifierCode: "ACT",
    eventDateTime: "2026-10-20T09:00:00Z",
  };

  const departed = {
    eventType: "TRANSPORT",
    transportEventTypeCode: "DEPA",
    eventClassifierCode: "ACT",
    eventDateTime: "2026-11-01T03:00:00+01:00",
    transportCall: { UNLocationCode: "JPYOK", modeOfTransport: "VESSEL" },
  };

  async function start(reference: string): Promise<string> {
    const started = await startTracking(harbour.ports, harbour.cell, { accountId, reference });
    assert.ok(started.kind === "tracked" && started.created);
    return started.shipment.id;
  }

  const stop = (id: string) => stopTracking(harbour.ports, harbour.cell, accountId, id);
  const read = (id: string) => getShipment(harbour.ports, harbour.cell, accountId, id);

  /** The results of all due polls, not yet written. */
  async function lookAtAll(): Promise<readonly PollUpdate[]> {
    const { ports, cell, clock } = harbour;
    const claims = await claimDuePolls(ports.database, cell, LANES, clock.nowMs(), LEASE_MS);
    const polls = createPollHandler(ports, BATCHES);
    const deadlineMs = clock.monotonicMs() + LEASE_MS;
    const looked = await Promise.all(claims.map((claimed) => polls.poll({ cell, claimed, deadlineMs })));
    return looked.map((one) => {
      assert.ok(one.kind === "polled");
      return one.update;
    });
  }

  async function rowsOf(table: "shipments" | "polls"): Promise<number> {
    const { rows } = await query(
      harbour.stored.address,
      `select count(*)::integer as n from ${harbour.cell.schema}.${table}`,
    );
    return (rows[0] as { n: number }).n;
  }

  test("a poll that was running when tracking stopped writes nothing and raises nothing", async () => {
    const id = await start("HRNU4000017");
    for (const finding of await lookAtAll()) await save(finding);
    assert.equal((await read(id))?.status, "pre_departure");
    harbour.answer = async () => answered(200, JSON.stringify([booked, departed]));
    await recheck(harbour.ports, harbour.cell, accountId, id);
    const [underWay] = await lookAtAll();
    assert.ok(underWay && underWay.events.length > 0, "it has something to tell");
    assert.equal(await stop(id), true);
    assert.deepEqual(await save(underWay), { kind: "overtaken" });
    assert.deepEqual(harbour.raised, []);
    assert.equal(await read(id), null);
    assert.deepEqual([await rowsOf("shipments"), await rowsOf("polls")], [0, 0]);
    assert.equal(await stop(id), false);
  });

  test("tracking that starts again during the poll is another shipment, which the old poll does not touch", async () => {
    const before = await start("HRNU4000017");
    const [underWay] = await lookAtAll();
    await stop(before);
    const anew = await start("HRNU4000017");
    assert.notEqual(anew, before);
    assert.deepEqual(await save(underWay!), { kind: "overtaken" });
    assert.equal((await read(anew))?.status, "pending");
    for (const finding of await lookAtAll()) assert.deepEqual(await save(finding), { kind: "saved" });
    assert.equal((await read(anew))?.status, "pre_departure");
    assert.deepEqual(harbour.raised, [], "it begins like any other: earlier events are not raised");
  });

  test("shipments stopped and saved at once wait for each other, and neither is undone", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) ids.push(await start(`QUAYS${100 + n}`));
    const findings = await lookAtAll();
    assert.equal(findings.length, ids.length);
    const [saved, stopped] = await Promise.all([
      Promise.all(findings.map(save)),
      Promise.all(ids.filter((_, n) => n % 2 === 0).map(stop)),
    ]);
    assert.ok(stopped.every((done) => done));
    assert.ok(
      saved.every(({ kind }) => kind === "saved" || kind === "overtaken"),
      JSON.stringify(saved),
    );
    assert.deepEqual([await rowsOf("shipments"), await rowsOf("polls")], [30, 30]);
    for (const [n, id] of ids.entries()) {
      assert.equal((await read(id))?.status, n % 2 === 0 ? undefined : "pre_departure");
    }
  });

  test("nobody stops what another account tracks", async () => {
    const id = await start("HRNU4000017");
    const other = await harbour.account();
    assert.equal(await stopTracking(harbour.ports, harbour.cell, other, id), false);
    assert.equal((await read(id))?.id, id);
  });
});
