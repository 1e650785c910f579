import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";

import { Agent } from "undici";

import { ASKED_AT_ONCE_MAX, HEAD_START_MS } from "../../src/producers/ocean/asking.ts";
import type { Carrier } from "../../src/producers/ocean/carriers.ts";
import { createCarrierDesk } from "../../src/producers/ocean/desk.ts";
import {
  findCarrier,
  STALE_WAIT_MS,
  type FindingPorts,
  type Sought,
} from "../../src/producers/ocean/finding.ts";
import { httpOn } from "../../src/producers/upstream/http.ts";
import { manualClock, START_MS } from "../support/clock.ts";
import { realClock } from "../support/real-clock.ts";

const DAY_MS = 24 * 3_600_000;

/** What one carrier does with a request for events. */
type Conduct = (query: URLSearchParams, response: ServerResponse) => void;

let server: Server;
let agent: Agent;
let origin: string;
let conduct: Record<string, Conduct>;
let asked: string[];

before(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://loopback");
    const scac = url.pathname.split("/")[1] ?? "";
    asked.push(`${scac}${url.search}`);
    const act = conduct[scac] ?? unknown;
    act(url.searchParams, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  agent = new Agent();
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await agent.destroy();
});
beforeEach(() => {
  conduct = {};
  asked = [];
});

const unknown: Conduct = (_, response) => void response.writeHead(404).end();
const down: Conduct = (_, response) => void response.writeHead(503).end();
const forbids: Conduct = (_, response) => void response.writeHead(403).end();
const hangs: Conduct = () => undefined;
const knows =
  (...events: readonly object[]): Conduct =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(events));

const move = (code: string, emptyIndicatorCode: string, atMs: number): object => ({
  eventType: "EQUIPMENT",
  equipmentEventTypeCode: code,
  eventClassifierCode: "ACT",
  eventDateTime: new Date(atMs).toISOString(),
  equipmentReference: "MSKU1234565",
  emptyIndicatorCode,
  transportCall: { UNLocationCode: "NLRTM", modeOfTransport: code === "DISC" ? "VESSEL" : "TRUCK" },
});
const liveTrip = [move("DISC", "LADEN", START_MS - DAY_MS)];
const endedTrip = (daysAgo: number): readonly object[] => [
  move("DISC", "LADEN", START_MS - (daysAgo + 2) * DAY_MS),
  move("GTIN", "EMPTY", START_MS - daysAgo * DAY_MS),
];

function carriersOf(...scacs: readonly string[]): readonly Carrier[] {
  return scacs.map((scac) => ({ scac, name: scac, api: "dcsa-tnt-2.2", baseUrl: `${origin}/${scac}` }));
}

function search(
  carriers: readonly Carrier[],
  more: Partial<Sought> & { readonly trackedForMs?: number } = {},
) {
  const clock = manualClock();
  const http = httpOn(agent, realClock);
  const random = { fraction: () => 0.5 };
  const ports: FindingPorts = {
    carriers,
    clock,
    desk: createCarrierDesk({ carriers, http, clock: realClock, random }),
  };
  const sought: Sought = {
    reference: "MSKU1234565",
    identifierType: "container_id",
    carrierHint: null,
    carrier: null,
    answerDigest: null,
    failures: 0,
    createdAt: new Date(START_MS - (more.trackedForMs ?? 0)),
    ...more,
  };
  return { clock, found: findCarrier(ports, sought, 60_000) };
}

/** The carrier found, or the failure. */
async function outcomeOf(...of: Parameters<typeof search>): Promise<string> {
  const found = await search(...of).found;
  return found.kind === "found" ? found.carrier.scac : found.failure;
}

/** Until so many requests have come in. */
async function untilAsked(count: number): Promise<void> {
  const deadlineMs = realClock.monotonicMs() + 10_000;
  while (asked.length < count) {
    assert.ok(realClock.monotonicMs() < deadlineMs, `only ${asked.join(", ")} were asked`);
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

test("the hinted carrier is asked alone, and its answer counts though it is no live one", async () => {
  conduct = { TRNC: knows(...endedTrip(20)), HRNL: knows(...liveTrip) };
  assert.equal(await outcomeOf(carriersOf("HRNL", "TRNC"), { carrierHint: "TRNC" }), "TRNC");
  assert.deepEqual(asked, ["TRNC?equipmentReference=MSKU1234565"]);
});

test("a hint by another name of the same line is understood", async () => {
  conduct = { MSCU: knows(...liveTrip) };
  assert.equal(await outcomeOf(carriersOf("HRNL", "MSCU"), { carrierHint: "MEDU" }), "MSCU");
  assert.equal(asked.length, 1);
});

test("a hint is wrong when its carrier does not know the reference and another has it live", async () => {
  conduct = { TRNC: knows(...liveTrip) };
  const found = await search(carriersOf("HRNL", "TRNC"), { carrierHint: "HRNL" }).found;
  assert.deepEqual(found, {
    kind: "refused",
    failure: "wrong_carrier",
    retryAfterMs: null,
    final: true,
    unasked: false,
    asked: { HRNL: "not_found", TRNC: "events" },
  });
});

test("a hint is not wrong for an old trip that another carrier remembers", async () => {
  conduct = { TRNC: knows(...endedTrip(40)) };
  assert.equal(await outcomeOf(carriersOf("HRNL", "TRNC"), { carrierHint: "HRNL" }), "not_found");
});

test("a hinted carrier that is down is waited for, and nobody else is asked", async () => {
  conduct = { HRNL: down, TRNC: knows(...liveTrip) };
  assert.equal(await outcomeOf(carriersOf("HRNL", "TRNC"), { carrierHint: "HRNL" }), "unavailable_http_503");
  assert.deepEqual(asked, ["HRNL?equipmentReference=MSKU1234565"]);
});

test("a hint that names no configured carrier is wrong unless one of them has the reference live", async () => {
  const carriers = carriersOf("HRNL", "TRNC");
  assert.equal(await outcomeOf(carriers, { carrierHint: "ZZZZ" }), "wrong_carrier");
  conduct = { TRNC: knows(...endedTrip(40)) };
  assert.equal(await outcomeOf(carriers, { carrierHint: "ZZZZ" }), "wrong_carrier");
  conduct = { TRNC: knows(...liveTrip) };
  assert.equal(await outcomeOf(carriers, { carrierHint: "ZZZZ" }), "TRNC");
  conduct = { HRNL: down };
  assert.equal(await outcomeOf(carriers, { carrierHint: "ZZZZ" }), "unavailable_http_503");
});

test("a container's owner is asked first, and the others only when it does not have it", async () => {
  conduct = { MAEU: knows(...liveTrip), HRNL: knows(...liveTrip) };
  assert.equal(await outcomeOf(carriersOf("HRNL", "TRNC", "MAEU")), "MAEU");
  assert.deepEqual(asked, ["MAEU?equipmentReference=MSKU1234565"]);
});

test("the configuration adds to the owners that are known", async () => {
  conduct = { TRNC: knows(...liveTrip) };
  const [heron, tern] = carriersOf("HRNL", "TRNC") as [Carrier, Carrier];
  const own = { ...tern, ownerCodes: ["XTRU"] };
  assert.equal(await outcomeOf([heron, own], { reference: "XTRU1234564" }), "TRNC");
  assert.deepEqual(asked, ["TRNC?equipmentReference=XTRU1234564"]);
});

test("a bill of lading is asked for where its prefix says, and an answer that is not live is its answer", async () => {
  conduct = { TRNC: knows(...endedTrip(90)), HRNL: knows(...liveTrip) };
  const bill = { reference: "TRNC00012345", identifierType: "bill_of_lading" };
  assert.equal(await outcomeOf(carriersOf("HRNL", "TRNC"), bill), "TRNC");
  assert.deepEqual(asked, ["TRNC?transportDocumentReference=TRNC00012345"]);
});

test("a number that may be a bill or a booking is asked for as both, and the carrier tells which", async () => {
  conduct = {
    TRNC: (query, response) =>
      (query.has("carrierBookingReference") ? knows(...liveTrip) : unknown)(query, response),
  };
  const paper = { reference: "123456789", identifierType: null };
  const found = await search(carriersOf("HRNL", "TRNC"), paper).found;
  assert.ok(found.kind === "found");
  assert.deepEqual([found.carrier.scac, found.type], ["TRNC", "booking"]);
});

test("a live trip wins over the owner's history of an older one", async () => {
  conduct = { MAEU: knows(...endedTrip(3)), TRNC: knows(...liveTrip) };
  assert.equal(await outcomeOf(carriersOf("MAEU", "HRNL", "TRNC")), "TRNC");
});

test("of answers that are none of them live the latest is taken, once all have answered", async () => {
  conduct = { MAEU: knows(...endedTrip(40)), TRNC: knows(...endedTrip(5)), HRNL: knows(...endedTrip(9)) };
  assert.equal(await outcomeOf(carriersOf("MAEU", "HRNL", "TRNC")), "TRNC");
});

test("a live answer is used while another carrier is down, a stale one only after a while", async () => {
  const carriers = carriersOf("HRNL", "TRNC");
  conduct = { HRNL: down, TRNC: knows(...liveTrip) };
  assert.equal(await outcomeOf(carriers), "TRNC");
  conduct = { HRNL: down, TRNC: knows(...endedTrip(20)) };
  assert.equal(await outcomeOf(carriers), "unavailable_http_503");
  assert.equal(await outcomeOf(carriers, { trackedForMs: STALE_WAIT_MS }), "TRNC");
});

test("not found is final only when everybody could be asked", async () => {
  const carriers = carriersOf("HRNL", "TRNC", "GULL");
  const refusal = async () => {
    const found = await search(carriers).found;
    assert.ok(found.kind === "refused");
    return [found.failure, found.final];
  };
  assert.deepEqual(await refusal(), ["not_found", true]);
  conduct = { TRNC: forbids };
  assert.deepEqual(await refusal(), ["not_permitted", false]);
  conduct = { TRNC: forbids, GULL: down };
  assert.deepEqual(await refusal(), ["unavailable_http_503", false]);
});

test("the wait that the carriers ask for is the shortest of them, and none when one has said no such thing", async () => {
  const busy =
    (seconds: number): Conduct =>
    (_, response) =>
      void response.writeHead(503, { "retry-after": String(seconds) }).end();
  const waitMs = async () => {
    const found = await search(carriersOf("HRNL", "TRNC")).found;
    return found.kind === "refused" ? found.retryAfterMs : assert.fail();
  };
  conduct = { HRNL: busy(60), TRNC: busy(20) };
  assert.equal(await waitMs(), 20_000);
  for (const other of [down, unknown]) {
    conduct = { HRNL: busy(60), TRNC: other };
    assert.equal(await waitMs(), null);
  }
});

test("a likely carrier that hangs has a head start, and then the others are asked", async () => {
  conduct = { MAEU: hangs, TRNC: knows(...liveTrip) };
  const { clock, found } = search(carriersOf("MAEU", "HRNL", "TRNC"));
  await untilAsked(1);
  assert.deepEqual(asked, ["MAEU?equipmentReference=MSKU1234565"]);
  await clock.advance(HEAD_START_MS);
  const one = await found;
  assert.equal(one.kind === "found" && one.carrier.scac, "TRNC");
  assert.equal(clock.pending(), 0, "a timer is left");
});

test("no more than a few carriers are asked at once, and the deadline ends the search", async () => {
  const scacs = ["AAAA", "BBBB", "CCCC", "DDDD", "EEEE", "FFFF"];
  conduct = Object.fromEntries(scacs.map((scac) => [scac, hangs]));
  const { clock, found } = search(carriersOf(...scacs));
  await untilAsked(ASKED_AT_ONCE_MAX);
  await clock.advance(60_000);
  const one = await found;
  assert.ok(one.kind === "refused");
  assert.deepEqual(
    [one.failure, one.final, asked.length],
    ["unavailable_deadline", false, ASKED_AT_ONCE_MAX],
  );
});

test("each look begins with another of those that are not likely", async () => {
  const scacs = ["AAAA", "BBBB", "CCCC", "DDDD", "EEEE", "FFFF"];
  conduct = Object.fromEntries(scacs.map((scac) => [scac, hangs]));
  const { clock, found } = search(carriersOf(...scacs), { failures: 4 });
  await untilAsked(ASKED_AT_ONCE_MAX);
  assert.deepEqual(asked.map((one) => one.slice(0, 4)).toSorted(), ["AAAA", "BBBB", "EEEE", "FFFF"]);
  await clock.advance(60_000);
  await found;
});

test("the carrier that has answered before is asked alone, whatever else is known elsewhere", async () => {
  conduct = { HRNL: knows(...liveTrip) };
  const carriers = carriersOf("HRNL", "TRNC");
  assert.equal(await outcomeOf(carriers, { carrier: "TRNC", carrierHint: "HRNL" }), "not_found");
  assert.deepEqual(asked, ["TRNC?equipmentReference=MSKU1234565"]);
});

test("an answer that says nothing new is not read again", async () => {
  conduct = { TRNC: knows(...liveTrip) };
  const carriers = carriersOf("HRNL", "TRNC");
  const first = await search(carriers, { carrier: "TRNC" }).found;
  assert.ok(first.kind === "found" && first.answer.kind === "events");
  const { digest } = first.answer;
  const again = await search(carriers, { carrier: "TRNC", answerDigest: digest }).found;
  assert.equal(again.kind === "found" && again.answer.kind, "same");
});

test("a carrier that is in the carriers file no more, or an empty file, is no end of a shipment", async () => {
  const refusals = [
    await search(carriersOf("HRNL"), { carrier: "GONE" }).found,
    await search([]).found,
    await search([], { carrierHint: "HRNL" }).found,
  ];
  for (const found of refusals) {
    assert.ok(found.kind === "refused");
    assert.deepEqual([found.failure, found.final], ["unavailable_not_configured", false]);
  }
  assert.deepEqual(asked, []);
});
