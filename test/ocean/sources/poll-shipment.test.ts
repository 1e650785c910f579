import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createReplay } from "../../../packages/simulator/src/replay/replay.ts";
import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import { createPollHandler } from "../../../src/products/ocean/sources/poll-shipment.ts";
import type { PollReply } from "../../../src/freight/polling/poll-handler.ts";
import { createPollWriter, type PollWritten } from "../../../src/freight/polling/poll-writer.ts";
import { getShipment, recheck, startTracking } from "../../../src/products/ocean/tracking/track.ts";
import type { HttpPort } from "../../../src/freight/upstream/http.ts";
import { getShipment as readShipment } from "../../../src/freight/tracking/store/shipments-read.ts";
import { claimDuePolls, type ClaimedShipment } from "../../../src/freight/polling/store/polls.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { liveThrough } from "../life.ts";
import { HERON, TERN } from "../shipping-lines.ts";

const HOUR_MS = 3_600_000;
const LEASE_MS = 120_000;

let harbour: Harbour;
describe("polling a shipment", () => {
  beforeEach(async () => {
    harbour = await openHarbour();
  });
  afterEach(() => harbour.stored.drop());

  const LANES = ["", "HRNL", "TRNC"].map((carrier) => ({ source: carrier, limit: 10 }));

  function claim(): Promise<readonly ClaimedShipment[]> {
    const { ports, cell, clock } = harbour;
    return claimDuePolls(ports.database, cell, LANES, clock.nowMs(), LEASE_MS);
  }

  async function claimOne(): Promise<ClaimedShipment> {
    const [claimed, ...more] = await claim();
    assert.ok(claimed, "nothing is due");
    assert.deepEqual(more, []);
    return claimed;
  }

  const BATCHES = { callsMax: 100, gatherMs: 0 };

  function poll(claimed: ClaimedShipment, ports = harbour.ports): Promise<PollReply> {
    const deadlineMs = harbour.clock.monotonicMs() + LEASE_MS;
    return createPollHandler(ports, BATCHES).poll({ cell: harbour.cell, claimed, deadlineMs });
  }

  /** One look, saved: its outcome, or what hindered its saving. */
  async function refresh(claimed: ClaimedShipment): Promise<string> {
    const looked = await poll(claimed);
    if (looked.kind === "postponed") return looked.kind;
    const saved: PollWritten = await createPollWriter(harbour.ports, harbour.cell, BATCHES)(looked.update);
    return saved.kind === "saved" ? looked.outcome : saved.kind;
  }

  async function track(reference: string, carrier?: string): Promise<{ accountId: string; id: string }> {
    const accountId = await harbour.account();
    const input = { accountId, reference, ...(carrier === undefined ? {} : { carrier }) };
    const started = await startTracking(harbour.ports, harbour.cell, input);
    assert.ok(started.kind === "tracked");
    return { accountId, id: started.shipment.id };
  }

  // spec 1: container_tracking
  test("a shipment lives through its journey in the store as it does in the pure replay", async () => {
    const recordings = await readRecordings(JOURNEYS_FOLDER);
    const journey = recordings.find(({ name }) => name === "rail-segot-usatl");
    assert.ok(journey);
    const { accountId, id } = await track("PLVU6200035", "HRNL");
    const replay = createReplay({
      recordings,
      speed: 1,
      clock: harbour.clock,
      startMs: harbour.clock.nowMs(),
    });
    harbour.answer = async ({ pathname: path, searchParams: query }) => {
      const { status, body, headers } = replay.handle({ path, query });
      return answered(status, body, { ...headers });
    };
    const polls = liveThrough(journey);
    for (const { atMs, record, raised } of polls) {
      // The answer's date has whole seconds.
      await harbour.clock.advance(atMs + 1_000 - replay.nowMs(journey));
      harbour.raised.length = 0;
      for (const _ of ["a look", "the same answer once more"]) {
        await recheck(harbour.ports, harbour.cell, accountId, id);
        await refresh(await claimOne());
        const detail = await getShipment(harbour.ports, harbour.cell, accountId, id);
        assert.equal(detail?.status, record.status);
      }
      assert.deepEqual(
        harbour.raised.map(({ type }) => type),
        raised.map(({ type }) => type),
      );
    }
    const detail = await getShipment(harbour.ports, harbour.cell, accountId, id);
    assert.deepEqual(
      [detail?.status, detail?.carrier, detail?.destination?.unlocode, detail?.events.length],
      ["returned_empty", "HRNL", "USATL", 20],
    );
  });

  const departure = (UNLocationCode: string, hour: number) => ({
    eventType: "TRANSPORT",
    transportEventTypeCode: "DEPA",
    eventClassifierCode: "ACT",
    eventDateTime: `2026-11-01T${String(hour).padStart(2, "0")}:00:00+01:00`,
    transportCall: { UNLocationCode, modeOfTransport: "VESSEL" },
  });

  const booked = {
    eventType: "SHIPMENT",
    shipmentEventTypeCode: "CONF",
    documentTypeCode: "BKG",
    eventClassifierCode: "ACT",
    eventDateTime: "2026-10-20T09:00:00Z",
  };

  test("a refresh whose claim ran out writes nothing and raises nothing", async () => {
    const { accountId, id } = await track("HRNU4000017");
    harbour.answer = async () => answered(200, JSON.stringify([booked]));
    assert.equal(await refresh(await claimOne()), "changed");
    await harbour.clock.advance(5 * HOUR_MS);
    const stale = await claimOne();
    assert.deepEqual(await claim(), [], "a claim is one node's");
    await harbour.clock.advance(LEASE_MS);
    const fresh = await claimOne();
    harbour.answer = async () => answered(200, JSON.stringify([booked, departure("JPYOK", 3)]));
    assert.equal(await refresh(stale), "overtaken");
    assert.deepEqual(harbour.raised, []);
    assert.equal((await getShipment(harbour.ports, harbour.cell, accountId, id))?.status, "pre_departure");
    assert.equal(await refresh(fresh), "changed");
    assert.deepEqual(
      harbour.raised.map(({ type }) => type),
      ["vessel_departed"],
    );
    assert.equal(await refresh(fresh), "overtaken", "a claim is good for one look");
  });

  test("a recheck during a poll is not lost", async () => {
    const { accountId, id } = await track("HRNU4000017");
    harbour.answer = async () => answered(200, JSON.stringify([booked]));
    const underWay = await claimOne();
    assert.equal(await recheck(harbour.ports, harbour.cell, accountId, id), true);
    assert.equal(await refresh(underWay), "changed");
    assert.equal((await claimOne()).id, id);
  });

  test("carriers are asked until one knows the reference, and it alone from then on, and a paper's kind is found out", async () => {
    const { accountId, id } = await track("100AAAAAA0002V");
    const polled: string[] = [];
    harbour.answer = async ({ host, search }) => {
      polled.push(host.split(".")[0] + search);
      return host === "tern.example" && search.startsWith("?carrierBookingReference")
        ? answered(200, JSON.stringify([booked]))
        : answered(404, "");
    };
    assert.equal(await refresh(await claimOne()), "changed");
    assert.deepEqual(polled.toSorted(), [
      "heron?carrierBookingReference=100AAAAAA0002V",
      "heron?transportDocumentReference=100AAAAAA0002V",
      "tern?carrierBookingReference=100AAAAAA0002V",
      "tern?transportDocumentReference=100AAAAAA0002V",
    ]);
    const detail = await getShipment(harbour.ports, harbour.cell, accountId, id);
    assert.deepEqual([detail?.carrier, detail?.identifier_type], ["TRNC", "booking"]);
    await harbour.clock.advance(5 * HOUR_MS);
    polled.length = 0;
    await refresh(await claimOne());
    assert.deepEqual(polled, ["tern?carrierBookingReference=100AAAAAA0002V"]);
  });

  test("the shipment shows distinct failures, and is polled with growing waits until it is too old", async () => {
    const { accountId, id } = await track("HRNU4000017", "HRNL");
    const failureOf = async () =>
      (await readShipment(harbour.ports.database, harbour.cell, { product: "tracking", accountId }, id))
        ?.failure;
    const failing: readonly (readonly [HttpPort, string])[] = [
      [async () => answered(404, ""), "not_found"],
      [async () => answered(403, ""), "not_permitted"],
      [async () => answered(503, ""), "unavailable_http_503"],
      [async () => ({ kind: "failed", reason: "timeout" }), "unavailable_timeout"],
    ];
    let waitMs = 60_000;
    for (const [answer, failure] of failing) {
      harbour.answer = answer;
      await refresh(await claimOne());
      assert.equal(await failureOf(), failure);
      await harbour.clock.advance(waitMs - 1);
      assert.deepEqual(await claim(), []);
      await harbour.clock.advance(1);
      waitMs *= 2;
    }
    harbour.answer = async () => answered(404, "");
    await harbour.clock.advance(14 * 24 * HOUR_MS);
    await refresh(await claimOne());
    await harbour.clock.advance(365 * 24 * HOUR_MS);
    assert.deepEqual(await claim(), [], "no carrier knows it, and none is asked any more");
    await recheck(harbour.ports, harbour.cell, accountId, id);
    harbour.answer = async () => answered(200, JSON.stringify([booked]));
    assert.equal(await refresh(await claimOne()), "changed");
    assert.equal(await failureOf(), null);
  });

  test("a reference that is unknown for days, while its box has sailed, resolves without an event, for each account", async () => {
    const tracked = [await track("HRNU4000017"), await track("HRNU4000017")];
    for (let day = 0; day < 3; day += 1) {
      for (const claimed of await claim()) assert.equal(await refresh(claimed), "not_found");
      await harbour.clock.advance(24 * HOUR_MS);
    }
    const answer = async (...events: readonly object[]) => {
      harbour.answer = async () => answered(200, JSON.stringify(events));
      for (const { accountId, id } of tracked) await recheck(harbour.ports, harbour.cell, accountId, id);
      for (const claimed of await claim()) assert.equal(await refresh(claimed), "changed");
    };
    await answer(booked, departure("JPYOK", 3));
    assert.deepEqual(harbour.raised, []);
    const out = {
      equipmentEventTypeCode: "GTOT",
      equipmentReference: "HRNU4000017",
      emptyIndicatorCode: "LADEN",
    };
    const place = { UNLocationCode: "USOAK", modeOfTransport: "TRUCK" };
    const delivered = { ...departure("USOAK", 5), ...out, eventType: "EQUIPMENT", transportCall: place };
    await answer(booked, departure("JPYOK", 3), delivered);
    const deliveries = harbour.raised.filter(({ type }) => type === "container_delivered");
    assert.deepEqual(
      new Set(deliveries.map(({ accountId }) => accountId)),
      new Set(tracked.map(({ accountId }) => accountId)),
    );
    assert.equal(deliveries.length, tracked.length);
    assert.equal(new Set(deliveries.map(({ dedupKey }) => dedupKey)).size, 2);
  });

  test("an event that breaks its schema is left out and logged, and the look is saved with all others", async () => {
    const { accountId, id } = await track("HRNU4000017");
    harbour.answer = async () => answered(200, JSON.stringify([booked]));
    await refresh(await claimOne());
    await harbour.clock.advance(5 * HOUR_MS);
    const loaded = departure("JPYOK", 3);
    const named = {
      ...loaded,
      transportCall: { ...loaded.transportCall, vessel: { vesselName: "HERON DAWN" } },
    };
    harbour.answer = async () => answered(200, JSON.stringify([booked, named]));
    const strict = {
      ...harbour.ports,
      check: (_: string, type: string) =>
        type === "vessel_departed"
          ? ({ ok: false, message: "data.eta is wrong" } as const)
          : ({ ok: true } as const),
    };
    harbour.raised.length = 0;
    const looked = await poll(await claimOne(), strict);
    assert.ok(looked.kind === "polled");
    const saved = await createPollWriter(harbour.ports, harbour.cell, BATCHES)(looked.update);
    assert.equal(saved.kind, "saved");
    assert.equal((await getShipment(harbour.ports, harbour.cell, accountId, id))?.status, "in_transit");
    assert.deepEqual(
      harbour.raised.map(({ type }) => type),
      ["shipment_updated"],
    );
    assert.match(JSON.stringify(harbour.log.lines), /vessel_departed.*breaks its schema/);
    await harbour.clock.advance(5 * HOUR_MS);
    await refresh(await claimOne());
    assert.equal(harbour.raised.length, 1, "the next look has nothing to make up for");
  });

  test("an actual time in the future is logged", async () => {
    await track("HRNU4000017");
    const ahead = { ...departure("JPYOK", 3), eventDateTime: "2027-01-01T00:00:00Z" };
    harbour.answer = async () => answered(200, JSON.stringify([booked, ahead]));
    await refresh(await claimOne());
    assert.match(JSON.stringify(harbour.log.lines), /DEPA 2027.*lie in the future/);
  });

  test("a cut answer is logged and kept with the record, retracts nothing, and is asked for as the account's", async () => {
    await harbour.stored.drop();
    const heron = { ...HERON };
    harbour = await openHarbour([heron, TERN]);
    const { accountId, id } = await track("HRNU4000017");
    Object.assign(heron, {
      question: { limit: { max: 2 } },
      accounts: { [accountId]: { parameters: { behalfOf: "4711" } } },
    });
    harbour.answer = async () => answered(200, JSON.stringify([departure("JPYOK", 3)]));
    await refresh(await claimOne());
    await harbour.clock.advance(5 * HOUR_MS);
    harbour.answer = async ({ search }) =>
      answered(search.endsWith("&behalfOf=4711") ? 200 : 403, JSON.stringify([booked, booked]));
    await refresh(await claimOne());
    const stored = { product: harbour.ports.product, accountId };
    const shipment = await readShipment(harbour.ports.database, harbour.cell, stored, id);
    assert.equal(shipment?.status, "in_transit");
    assert.match(shipment?.record ?? "", /"incomplete":true/);
    assert.match(JSON.stringify(harbour.log.lines), /an answer was cut/);
  });
});
