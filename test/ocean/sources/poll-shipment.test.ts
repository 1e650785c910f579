import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createReplay } from "../../../packages/simulator/src/replay/replay.ts";
import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import type { HttpPort } from "../../../src/freight/upstream/http.ts";
import type { ClaimedShipment } from "../../../src/freight/polling/store/polls.ts";
import { DAY_MS, HOUR_MS } from "../../../src/runtime/durations.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { liveThrough } from "../life.ts";
import { HERON, TERN } from "../shipping-lines.ts";
import { answers, BOOKED, claim, departed, LEASE_MS, refresh, refreshDue, track } from "./polling.ts";

let harbour: Harbour;
describe("polling a shipment", () => {
  beforeEach(async () => {
    harbour = await openHarbour();
  });
  afterEach(() => harbour.stored.drop());

  async function claimOne(): Promise<ClaimedShipment> {
    const [claimed, ...more] = await claim(harbour);
    assert.ok(claimed, "nothing is due");
    assert.deepEqual(more, []);
    return claimed;
  }
  const types = () => harbour.raised.map(({ type }) => type);

  // spec 1: container_tracking
  test("a shipment lives through its journey in the store as it does in the pure replay", async () => {
    const { clock } = harbour;
    const recordings = await readRecordings(JOURNEYS_FOLDER);
    const journey = recordings.find(({ name }) => name === "rail-segot-usatl");
    assert.ok(journey);
    const shipment = await track(harbour, "PLVU6200035", { carrier: "HRNL" });
    const replay = createReplay({ recordings, speed: 1, clock, startMs: clock.nowMs() });
    harbour.answer = async ({ pathname: path, searchParams: query }) => {
      const { status, body, headers } = replay.handle({ path, query });
      return answered(status, body, { ...headers });
    };
    for (const { atMs, record, raised } of liveThrough(journey)) {
      // The answer's date has whole seconds.
      await clock.advance(atMs + 1_000 - replay.nowMs(journey));
      harbour.raised.length = 0;
      for (const _ of ["a poll", "the same answer once more"]) {
        await shipment.recheck();
        await refresh(harbour, await claimOne());
        assert.equal((await shipment.read()).status, record.status);
      }
      assert.deepEqual(
        types(),
        raised.map(({ type }) => type),
      );
    }
    const { status, carrier, destination, events } = await shipment.read();
    assert.deepEqual(
      [status, carrier, destination?.unlocode, events.length],
      ["returned_empty", "HRNL", "USATL", 20],
    );
  });

  test("a refresh whose claim ran out writes nothing and raises nothing", async () => {
    const shipment = await track(harbour, "HRNU4000017");
    answers(harbour, BOOKED);
    assert.equal(await refresh(harbour, await claimOne()), "changed");
    await harbour.clock.advance(5 * HOUR_MS);
    const stale = await claimOne();
    assert.deepEqual(await claim(harbour), [], "a claim is one node's");
    await harbour.clock.advance(LEASE_MS);
    const fresh = await claimOne();
    answers(harbour, BOOKED, departed("JPYOK"));
    assert.equal(await refresh(harbour, stale), "overtaken");
    assert.deepEqual(harbour.raised, []);
    assert.equal((await shipment.read()).status, "pre_departure");
    assert.equal(await refresh(harbour, fresh), "changed");
    assert.deepEqual(types(), ["vessel_departed"]);
    assert.equal(await refresh(harbour, fresh), "overtaken", "a claim is good for one poll");
  });

  test("carriers are asked until one knows the reference, and it alone from then on, and a paper's kind is found out", async () => {
    const shipment = await track(harbour, "100AAAAAA0002V");
    const polled: string[] = [];
    harbour.answer = async ({ host, search }) => {
      polled.push(host.split(".")[0] + search);
      return host === "tern.example" && search.startsWith("?carrierBookingReference")
        ? answered(200, JSON.stringify([BOOKED]))
        : answered(404, "");
    };
    assert.equal(await refresh(harbour, await claimOne()), "changed");
    assert.deepEqual(polled.toSorted(), [
      "heron?carrierBookingReference=100AAAAAA0002V",
      "heron?transportDocumentReference=100AAAAAA0002V",
      "tern?carrierBookingReference=100AAAAAA0002V",
      "tern?transportDocumentReference=100AAAAAA0002V",
    ]);
    const { carrier, identifier_type } = await shipment.read();
    assert.deepEqual([carrier, identifier_type], ["TRNC", "booking"]);
    await harbour.clock.advance(5 * HOUR_MS);
    polled.length = 0;
    await refresh(harbour, await claimOne());
    assert.deepEqual(polled, ["tern?carrierBookingReference=100AAAAAA0002V"]);
  });

  test("the shipment shows distinct failures, and is polled with growing waits until it is too old", async () => {
    const shipment = await track(harbour, "HRNU4000017", { carrier: "HRNL" });
    const failureOf = async () => (await shipment.read()).last_failure?.code ?? null;
    const failing: readonly (readonly [HttpPort, string])[] = [
      [async () => answered(404, ""), "not_found"],
      [async () => answered(403, ""), "not_permitted"],
      [async () => answered(503, ""), "unavailable"],
      [async () => ({ kind: "failed", reason: "timeout" }), "unavailable"],
    ];
    let waitMs = 60_000;
    for (const [answer, failure] of failing) {
      harbour.answer = answer;
      await refresh(harbour, await claimOne());
      assert.equal(await failureOf(), failure);
      await harbour.clock.advance(waitMs - 1);
      assert.deepEqual(await claim(harbour), []);
      await harbour.clock.advance(1);
      waitMs *= 2;
    }
    harbour.answer = async () => answered(404, "");
    await harbour.clock.advance(14 * DAY_MS);
    await refresh(harbour, await claimOne());
    await harbour.clock.advance(365 * DAY_MS);
    assert.deepEqual(await claim(harbour), [], "no carrier knows it, and none is asked any more");
    await shipment.recheck();
    answers(harbour, BOOKED);
    assert.equal(await refresh(harbour, await claimOne()), "changed");
    assert.equal(await failureOf(), null);
  });

  test("a reference that is unknown for days, while its box has sailed, resolves without an event, for each account", async () => {
    const tracked = [await track(harbour, "HRNU4000017"), await track(harbour, "HRNU4000017")];
    for (let day = 0; day < 3; day += 1) {
      assert.deepEqual(await refreshDue(harbour), ["not_found", "not_found"]);
      await harbour.clock.advance(DAY_MS);
    }
    const answer = async (...events: readonly object[]) => {
      answers(harbour, ...events);
      for (const { recheck } of tracked) await recheck();
      assert.deepEqual(await refreshDue(harbour), ["changed", "changed"]);
    };
    await answer(BOOKED, departed("JPYOK"));
    assert.deepEqual(harbour.raised, []);
    await answer(BOOKED, departed("JPYOK"), {
      ...{ ...departed("USOAK", 5), eventType: "EQUIPMENT", equipmentEventTypeCode: "GTOT" },
      ...{ equipmentReference: "HRNU4000017", emptyIndicatorCode: "LADEN" },
      transportCall: { UNLocationCode: "USOAK", modeOfTransport: "TRUCK" },
    });
    const deliveries = harbour.raised.filter(({ type }) => type === "container_delivered");
    const accountsOf = (all: readonly { readonly accountId: string }[]) =>
      new Set(all.map(({ accountId }) => accountId));
    assert.deepEqual(accountsOf(deliveries), accountsOf(tracked));
    assert.equal(deliveries.length, 2);
    assert.equal(new Set(deliveries.map(({ dedupKey }) => dedupKey)).size, 2);
  });

  test("an event that breaks its schema is left out and logged, and the poll is saved with all others", async () => {
    const shipment = await track(harbour, "HRNU4000017");
    answers(harbour, BOOKED);
    await refreshDue(harbour);
    await harbour.clock.advance(5 * HOUR_MS);
    const loaded = departed("JPYOK");
    const transportCall = { ...loaded.transportCall, vessel: { vesselName: "HERON DAWN" } };
    answers(harbour, BOOKED, { ...loaded, transportCall });
    const check = (_: string, type: string) =>
      type === "vessel_departed"
        ? ({ ok: false, message: "data.eta is wrong" } as const)
        : ({ ok: true } as const);
    harbour.raised.length = 0;
    assert.equal(await refresh(harbour, await claimOne(), { ...harbour.ports, check }), "changed");
    assert.equal((await shipment.read()).status, "in_transit");
    assert.deepEqual(types(), ["shipment_updated"]);
    assert.match(JSON.stringify(harbour.log.lines), /vessel_departed.*breaks its schema/);
    await harbour.clock.advance(5 * HOUR_MS);
    await refreshDue(harbour);
    assert.equal(harbour.raised.length, 1, "the next poll has nothing to make up for");
  });

  test("an actual time in the future is logged", async () => {
    await track(harbour, "HRNU4000017");
    answers(harbour, BOOKED, { ...departed("JPYOK"), eventDateTime: "2027-01-01T00:00:00Z" });
    await refreshDue(harbour);
    assert.match(JSON.stringify(harbour.log.lines), /DEPA 2027.*lie in the future/);
  });

  test("a cut answer is logged and kept with the record, retracts nothing, and is asked for as the account's", async () => {
    await harbour.stored.drop();
    const heron = { ...HERON };
    harbour = await openHarbour([heron, TERN]);
    const shipment = await track(harbour, "HRNU4000017");
    Object.assign(heron, {
      question: { limit: { max: 2 } },
      accounts: { [shipment.accountId]: { parameters: { behalfOf: "4711" } } },
    });
    answers(harbour, departed("JPYOK"));
    await refreshDue(harbour);
    await harbour.clock.advance(5 * HOUR_MS);
    harbour.answer = async ({ search }) =>
      answered(search.endsWith("&behalfOf=4711") ? 200 : 403, JSON.stringify([BOOKED, BOOKED]));
    await refreshDue(harbour);
    const { status, incomplete } = await shipment.read();
    assert.deepEqual([status, incomplete], ["in_transit", true]);
    assert.match(JSON.stringify(harbour.log.lines), /an answer was cut/);
  });
});
