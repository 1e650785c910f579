import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { createReplay } from "../../sim/replay/replay.ts";
import { JOURNEYS_FOLDER, readRecordings } from "../../sim/replay/server.ts";
import type { HttpGet } from "../../src/producers/ocean/dcsa/http.ts";
import { refreshShipment, type RefreshOutcome } from "../../src/producers/ocean/refresh.ts";
import { getShipment, listShipments, recheck, startTracking } from "../../src/producers/ocean/track.ts";
import { claimDueShipments, saveRefreshed, type ClaimedShipment } from "../../src/store/shipments.ts";
import { answered, openHarbour, type Harbour } from "./harbour.ts";
import { liveThrough } from "./life.ts";

const HOUR_MS = 3_600_000;
const LEASE_MS = 120_000;

let harbour: Harbour;
beforeEach(async () => {
  harbour = await openHarbour();
});
afterEach(() => harbour.stored.drop());

const LANES = ["", "HRNL", "TRNC"].map((carrier) => ({ carrier, room: 10 }));

function claim(): Promise<readonly ClaimedShipment[]> {
  const { ports, cell, clock } = harbour;
  return claimDueShipments(ports.database, cell, LANES, clock.nowMs(), LEASE_MS);
}

async function claimOne(): Promise<ClaimedShipment> {
  const [claimed, ...more] = await claim();
  assert.ok(claimed, "nothing is due");
  assert.deepEqual(more, []);
  return claimed;
}

function refresh(claimed: ClaimedShipment): Promise<RefreshOutcome> {
  return refreshShipment(harbour.ports, harbour.cell, claimed, harbour.clock.monotonicMs() + LEASE_MS);
}

async function track(reference: string, carrier?: string): Promise<{ accountId: string; id: string }> {
  const accountId = await harbour.account();
  const input = { accountId, reference, ...(carrier === undefined ? {} : { carrier }) };
  const started = await startTracking(harbour.ports, harbour.cell, input);
  assert.ok(started.kind === "tracked");
  return { accountId, id: started.shipment.id };
}

test("tracking starts once for an account, and for every account by itself", async () => {
  const { ports, cell } = harbour;
  const [accountId, other] = [await harbour.account(), await harbour.account()];
  const first = await startTracking(ports, cell, { accountId, reference: "hrnu 400001-7" });
  assert.ok(first.kind === "tracked");
  assert.equal(first.created, true);
  assert.deepEqual(first.shipment, {
    id: first.shipment.id,
    reference: "HRNU4000017",
    identifier_type: "container_id",
    carrier: "",
    status: "pending",
    eta: null,
    created_at: new Date(harbour.clock.nowMs()).toISOString(),
  });
  const again = await startTracking(ports, cell, { accountId, reference: "HRNU4000017", carrier: "HRNL" });
  assert.deepEqual(again, { kind: "tracked", created: false, shipment: first.shipment });
  const elsewhere = await startTracking(ports, cell, { accountId: other, reference: "HRNU4000017", carrier: "hrnl" });
  assert.equal(elsewhere.kind === "tracked" && elsewhere.created && elsewhere.shipment.carrier, "HRNL");
  const wrong = await startTracking(ports, cell, { accountId, reference: "HRNU4000018" });
  assert.equal(wrong.kind === "refused" && wrong.code, "INVALID_REFERENCE");
  const nonsense = await startTracking(ports, cell, { accountId, reference: "HRNU4000017", carrier: "Heron!" });
  assert.equal(nonsense.kind === "refused" && nonsense.code, "INVALID_REQUEST");
  assert.equal((await getShipment(ports, cell, accountId, first.shipment.id))?.status, "pending");
  assert.equal(await getShipment(ports, cell, other, first.shipment.id), null);
  assert.equal(await recheck(ports, cell, other, first.shipment.id), false);
});

test("many starts of one reference at once make one shipment", async () => {
  const accountId = await harbour.account();
  const starts = Array.from({ length: 10 }, () =>
    startTracking(harbour.ports, harbour.cell, { accountId, reference: "CSQU3054383" }),
  );
  const started = await Promise.all(starts);
  assert.equal(new Set(started.map((one) => one.kind === "tracked" && one.shipment.id)).size, 1);
  assert.equal(started.filter((one) => one.kind === "tracked" && one.created).length, 1);
});

test("an account's shipments are listed newest first, page by page", async () => {
  const accountId = await harbour.account();
  const references = ["HRNL000001", "HRNL000002", "HRNL000003"];
  for (const reference of references) await startTracking(harbour.ports, harbour.cell, { accountId, reference });
  const first = await listShipments(harbour.ports, harbour.cell, accountId, { limit: 2 });
  assert.deepEqual(first.shipments.map(({ reference }) => reference), ["HRNL000003", "HRNL000002"]);
  assert.ok(first.nextAfterId);
  const second = await listShipments(harbour.ports, harbour.cell, accountId, { limit: 2, afterId: first.nextAfterId });
  assert.deepEqual(second.shipments.map(({ reference }) => reference), ["HRNL000001"]);
  assert.equal(second.nextAfterId, null);
});

test("a shipment lives through its journey in the store as it does in the pure replay", async () => {
  const recordings = await readRecordings(JOURNEYS_FOLDER);
  const journey = recordings.find(({ name }) => name === "rail-segot-usatl");
  assert.ok(journey);
  const { accountId, id } = await track("PLVU6200035", "HRNL");
  const replay = createReplay({ recordings, speed: 1, clock: harbour.clock, startMs: harbour.clock.nowMs() });
  harbour.answer = async ({ pathname: path, searchParams: query }) => {
    const { status, body, headers } = replay.handle({ path, query });
    return answered(status, body, { ...headers });
  };
  const statuses: string[] = [];
  while (replay.nowMs(journey) <= journey.lastMs + HOUR_MS) {
    const outcome = await refresh(await claimOne());
    assert.ok(outcome.kind === "refreshed");
    if (outcome.record.status !== statuses.at(-1)) statuses.push(outcome.record.status);
    await harbour.clock.advance(HOUR_MS);
  }
  const looks = liveThrough(journey);
  const runs = looks.map(({ record }) => record.status).filter((status, index, all) => status !== all[index - 1]);
  assert.deepEqual(statuses, runs);
  assert.deepEqual(
    harbour.raised.map(({ type }) => type),
    looks.flatMap(({ raised }) => raised.map(({ type }) => type)),
  );
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
  assert.equal((await refresh(await claimOne())).kind, "refreshed");
  await harbour.clock.advance(2 * HOUR_MS);
  const stale = await claimOne();
  assert.deepEqual(await claim(), [], "a claim is one node's");
  await harbour.clock.advance(LEASE_MS);
  const fresh = await claimOne();
  harbour.answer = async () => answered(200, JSON.stringify([booked, departure("JPYOK", 3)]));
  assert.deepEqual(await refresh(stale), { kind: "overtaken" });
  assert.deepEqual(harbour.raised, []);
  assert.equal((await getShipment(harbour.ports, harbour.cell, accountId, id))?.status, "pre_departure");
  assert.equal((await refresh(fresh)).kind, "refreshed");
  assert.deepEqual(harbour.raised.map(({ type }) => type), ["vessel_departed"]);
  assert.deepEqual(await refresh(fresh), { kind: "overtaken" }, "a claim is good for one refresh");
});

test("a recheck is not lost to the refresh that is under way", async () => {
  const { accountId, id } = await track("HRNU4000017");
  harbour.answer = async () => answered(200, JSON.stringify([booked]));
  const underWay = await claimOne();
  assert.equal(await recheck(harbour.ports, harbour.cell, accountId, id), true);
  assert.equal((await refresh(underWay)).kind, "refreshed");
  assert.equal((await claimOne()).id, id);
});

test("carriers are asked in turn until one knows the reference, and a paper's kind is found out", async () => {
  const { accountId, id } = await track("100AAAAAA0002V");
  const asked: string[] = [];
  harbour.answer = async ({ host, search }) => {
    asked.push(host.split(".")[0] + search);
    return host === "tern.example" && search.startsWith("?carrierBookingReference")
      ? answered(200, JSON.stringify([booked]))
      : answered(404, "");
  };
  assert.equal((await refresh(await claimOne())).kind, "refreshed");
  assert.deepEqual(asked, [
    "heron?transportDocumentReference=100AAAAAA0002V",
    "heron?carrierBookingReference=100AAAAAA0002V",
    "tern?transportDocumentReference=100AAAAAA0002V",
    "tern?carrierBookingReference=100AAAAAA0002V",
  ]);
  const detail = await getShipment(harbour.ports, harbour.cell, accountId, id);
  assert.deepEqual([detail?.carrier, detail?.identifier_type], ["TRNC", "booking"]);
  await harbour.clock.advance(2 * HOUR_MS);
  asked.length = 0;
  await refresh(await claimOne());
  assert.deepEqual(asked, ["tern?carrierBookingReference=100AAAAAA0002V"]);
});

test("the failures are told apart on the shipment, and asked again with growing waits until it is too old", async () => {
  const { accountId, id } = await track("HRNU4000017", "HRNL");
  const failureOf = async () => (await getShipment(harbour.ports, harbour.cell, accountId, id))?.last_failure;
  const failing: readonly (readonly [HttpGet, string])[] = [
    [async () => answered(404, ""), "not_found"],
    [async () => answered(403, ""), "not_permitted"],
    [async () => answered(503, ""), "unavailable_http_503"],
    [async () => ({ kind: "failed", reason: "timeout" }), "unavailable_timeout"],
  ];
  let waitMs = 60_000;
  for (const [answer, failure] of failing) {
    harbour.answer = answer;
    assert.deepEqual(await refresh(await claimOne()), { kind: "failed", failure });
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
  assert.equal((await refresh(await claimOne())).kind, "refreshed");
  assert.equal(await failureOf(), null);
});

test("an answer that would raise a wrong body raises nothing and keeps the record", async () => {
  const { accountId, id } = await track("HRNU4000017");
  harbour.answer = async () => answered(200, JSON.stringify([booked]));
  await refresh(await claimOne());
  await harbour.clock.advance(2 * HOUR_MS);
  harbour.answer = async () => answered(200, JSON.stringify([booked, departure("JPYOK", 3)]));
  const claimed = await claimOne();
  const strict = { ...harbour.ports, check: () => ({ ok: false, message: "data.eta is wrong" }) as const };
  await assert.rejects(refreshShipment(strict, harbour.cell, claimed, harbour.clock.monotonicMs() + LEASE_MS), /data.eta is wrong/);
  assert.equal((await getShipment(harbour.ports, harbour.cell, accountId, id))?.status, "pre_departure");
});

test("a shipment is let go some days after its end, also when its carrier has forgotten it", async () => {
  await track("HRNU4000017", "HRNL");
  const move = { eventType: "EQUIPMENT", eventClassifierCode: "ACT", equipmentReference: "HRNU4000017" };
  const call = (modeOfTransport: string) => ({ UNLocationCode: "USOAK", modeOfTransport });
  const moves = [
    { ...move, equipmentEventTypeCode: "DISC", emptyIndicatorCode: "LADEN", eventDateTime: "2026-11-01T01:00:00Z", transportCall: call("VESSEL") },
    { ...move, equipmentEventTypeCode: "GTIN", emptyIndicatorCode: "EMPTY", eventDateTime: "2026-11-02T01:00:00Z", transportCall: call("TRUCK") },
  ];
  harbour.answer = async () => answered(200, JSON.stringify(moves));
  assert.equal((await refresh(await claimOne())).kind, "refreshed");
  harbour.answer = async () => answered(404, "");
  await harbour.clock.advance(2 * 24 * HOUR_MS);
  assert.equal((await refresh(await claimOne())).kind, "failed");
  await harbour.clock.advance(24 * HOUR_MS);
  assert.equal((await refresh(await claimOne())).kind, "failed");
  await harbour.clock.advance(365 * 24 * HOUR_MS);
  assert.deepEqual(await claim(), []);
});

test("claims are fair by carrier, and the longest due come first", async () => {
  const { ports, cell, clock } = harbour;
  harbour.answer = async () => answered(200, JSON.stringify([booked]));
  for (const scac of ["HRNL", "HRNL", "HRNL", "TRNC"]) {
    await track("HRNU4000017", scac);
    await refresh(await claimOne());
    await clock.advance(60_000);
  }
  await clock.advance(2 * HOUR_MS);
  const lanes = LANES.map((lane) => ({ ...lane, room: 2 }));
  const claimed = await claimDueShipments(ports.database, cell, lanes, clock.nowMs(), LEASE_MS);
  assert.deepEqual(claimed.map(({ carrier }) => carrier).sort(), ["HRNL", "HRNL", "TRNC"]);
  const rest = await claimDueShipments(ports.database, cell, lanes, clock.nowMs(), LEASE_MS);
  const dueMs = (one: ClaimedShipment | undefined): number => one?.nextPollAt.getTime() ?? 0;
  assert.equal(rest.length, 1);
  assert.ok(claimed.filter(({ carrier }) => carrier === "HRNL").every((one) => dueMs(one) < dueMs(rest[0])));
  const record = { carrier: "HRNL", identifierType: null, status: "unknown", etaMs: null, record: "{}" };
  const saved = { ...record, refreshedAtMs: 0, endedAtMs: null, nextPollAtMs: null };
  for (const one of [...claimed, ...rest]) assert.equal(await saveRefreshed(ports.database, cell, one, saved), true);
});
