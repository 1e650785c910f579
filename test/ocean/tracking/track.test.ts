import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { startTracking } from "../../../src/products/ocean/tracking/track.ts";
import { openHarbour, type Harbour } from "../harbour.ts";
import type { PollUpdate } from "../../../src/freight/polling/poll-handler.ts";
import { createPollWriter, type WritePoll } from "../../../src/freight/polling/poll-writer.ts";
import { answers, BATCHES, BOOKED, claim, departed, poll, track, type Tracked } from "../sources/polling.ts";

let harbour: Harbour;
describe("tracking", () => {
  beforeEach(async () => {
    harbour = await openHarbour();
  });
  afterEach(() => harbour.stored.drop());

  test("many starts of one reference at once make one shipment", async () => {
    const accountId = await harbour.account();
    const starts = Array.from({ length: 10 }, () =>
      startTracking(harbour.ports, harbour.cell, { accountId, reference: "CSQU3054383" }),
    );
    const started = await Promise.all(starts);
    assert.equal(new Set(started.map((one) => one.kind === "tracked" && one.shipment.id)).size, 1);
    assert.equal(started.filter((one) => one.kind === "tracked" && one.created).length, 1);
  });
});

describe("stopping during a poll", () => {
  let accountId: string;
  let save: WritePoll;
  beforeEach(async () => {
    harbour = await openHarbour();
    accountId = await harbour.account();
    save = createPollWriter(harbour.ports, harbour.cell, BATCHES);
    answers(harbour, BOOKED);
  });
  afterEach(() => harbour.stored.drop());

  const start = (reference: string) => track(harbour, reference, { accountId });

  /** The results of all due polls, not yet written. */
  async function pollAll(): Promise<readonly PollUpdate[]> {
    const polled = await Promise.all((await claim(harbour)).map((claimed) => poll(harbour, claimed)));
    return polled.map((one) => {
      assert.ok(one.kind === "polled");
      return one.update;
    });
  }

  /** Of shipments and of polls. */
  async function rows(): Promise<readonly unknown[]> {
    const sql =
      "select (select count(*) from cell.shipments)::integer s, (select count(*) from cell.polls)::integer p";
    const [row] = (await harbour.stored.queryIn(harbour.cell, sql)).rows as { s: number; p: number }[];
    return [row?.s, row?.p];
  }

  test("a poll that was running when tracking stopped writes nothing and raises nothing", async () => {
    const shipment = await start("HRNU4000017");
    for (const update of await pollAll()) await save(update);
    assert.equal((await shipment.read()).status, "pre_departure");
    answers(harbour, BOOKED, departed("JPYOK"));
    await shipment.recheck();
    const [underWay] = await pollAll();
    assert.ok(underWay && underWay.events.length > 0, "it has something to tell");
    assert.equal(await shipment.stop(), true);
    assert.deepEqual(await save(underWay), { kind: "overtaken" });
    assert.deepEqual(harbour.raised, []);
    await assert.rejects(shipment.read(), /is not tracked/);
    assert.deepEqual(await rows(), [0, 0]);
    assert.equal(await shipment.stop(), false);
  });

  test("tracking that starts again during the poll is another shipment, which the old poll does not touch", async () => {
    const before = await start("HRNU4000017");
    const [underWay] = await pollAll();
    await before.stop();
    const anew = await start("HRNU4000017");
    assert.notEqual(anew.id, before.id);
    assert.deepEqual(await save(underWay!), { kind: "overtaken" });
    assert.equal((await anew.read()).status, "pending");
    for (const update of await pollAll()) assert.deepEqual(await save(update), { kind: "saved" });
    assert.equal((await anew.read()).status, "pre_departure");
    assert.deepEqual(harbour.raised, [], "it begins like any other: earlier events are not raised");
  });

  test("shipments stopped and saved at once wait for each other, and neither is undone", async () => {
    const shipments: Tracked[] = [];
    for (let n = 0; n < 30; n += 1) shipments.push(await start(`QUAYS${100 + n}`));
    const updates = await pollAll();
    assert.equal(updates.length, shipments.length);
    const isStopped = (_: unknown, n: number) => n % 2 === 0;
    const [saved, stopped] = await Promise.all([
      Promise.all(updates.map(save)),
      Promise.all(shipments.filter(isStopped).map(({ stop }) => stop())),
    ]);
    assert.ok(stopped.every((done) => done));
    assert.ok(
      saved.every(({ kind }) => kind === "saved" || kind === "overtaken"),
      JSON.stringify(saved),
    );
    assert.deepEqual(await rows(), [15, 15]);
    for (const one of shipments.filter((_, n) => n % 2 === 1))
      assert.equal((await one.read()).status, "pre_departure");
  });
});
