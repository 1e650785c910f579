import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { Agent } from "undici";

import {
  POLLED_AT_ONCE_MAX,
  HEAD_START_MS,
  type Found,
  isLive,
} from "../../../src/products/ocean/sources/poll-carriers.ts";
import type { Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import {
  STALE_WAIT_MS,
  findCarrier,
  type FindCarrierPorts,
  type Refusal,
  type SoughtShipment,
} from "../../../src/products/ocean/sources/find-carrier.ts";
import { createCarrierClient } from "../../../src/products/ocean/sources/carrier-client.ts";
import { createHttpPort } from "../../../src/freight/upstream/http.ts";
import { manualClock, START_MS, type ManualClock } from "../../support/clock.ts";
import { realClock } from "../../support/real-clock.ts";
import { event, march, documentEvent } from "../event.ts";

/** What one carrier does with a request for events. */
type Conduct = (query: URLSearchParams, response: ServerResponse) => void;

const unknown: Conduct = (_, response) => void response.writeHead(404).end();
const down: Conduct = (_, response) => void response.writeHead(503).end();
const forbids: Conduct = (_, response) => void response.writeHead(403).end();
const hangs: Conduct = () => undefined;
const busy =
  (seconds: number): Conduct =>
  (_, response) =>
    void response.writeHead(503, { "retry-after": String(seconds) }).end();
const knows =
  (...events: readonly object[]): Conduct =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(events));

const DAY_MS = 24 * 3_600_000;

const moveOf = (code: string, emptyIndicatorCode: string, atMs: number): object => ({
  eventType: "EQUIPMENT",
  equipmentEventTypeCode: code,
  eventClassifierCode: "ACT",
  eventDateTime: new Date(atMs).toISOString(),
  equipmentReference: "MSKU1234565",
  emptyIndicatorCode,
  transportCall: { UNLocationCode: "NLRTM", modeOfTransport: code === "DISC" ? "VESSEL" : "TRUCK" },
});

/** A box discharged yesterday, and one returned so many days ago. */
const liveTrip: readonly object[] = [moveOf("DISC", "LADEN", START_MS - DAY_MS)];
const endedTrip = (daysAgo: number): readonly object[] => [
  moveOf("DISC", "LADEN", START_MS - (daysAgo + 2) * DAY_MS),
  moveOf("GTIN", "EMPTY", START_MS - daysAgo * DAY_MS),
];

/** What is sought; `trackedForMs` is how long it has been tracked. */
type Search = Partial<SoughtShipment> & { readonly trackedForMs?: number };

type Roads = {
  /** By SCAC; a carrier without an entry knows nothing. */
  conduct: Record<string, Conduct>;
  /** SCAC and query of each request, in the order of their coming. */
  asked: string[];
  carriers(...scacs: readonly string[]): readonly Carrier[];
  /** Time stands until the clock is moved; the network takes its own. */
  search(
    carriers: readonly Carrier[],
    more?: Search,
  ): { readonly clock: ManualClock; readonly found: Promise<Found | Refusal> };
  /** The SCAC of the carrier found, or the failure. */
  outcomeOf(carriers: readonly Carrier[], more?: Search): Promise<string>;
  untilAsked(count: number): Promise<void>;
  close(): Promise<void>;
};

async function openRoads(): Promise<Roads> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://loopback");
    const scac = url.pathname.split("/")[1] ?? "";
    roads.asked.push(`${scac}${url.search}`);
    (roads.conduct[scac] ?? unknown)(url.searchParams, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const agent = new Agent();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const roads: Roads = {
    conduct: {},
    asked: [],
    carriers: (...scacs) =>
      scacs.map((scac) => ({ scac, name: scac, api: "dcsa-tnt-2.2", baseUrl: `${origin}/${scac}` })),
    search(carriers, more = {}) {
      const clock = manualClock();
      const random = { fraction: () => 0.5 };
      const desk = createCarrierClient({
        carriers,
        http: createHttpPort(agent, realClock),
        clock: realClock,
        random,
      });
      const ports: FindCarrierPorts = { carriers, clock, client: desk };
      const sought: SoughtShipment = {
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
    },
    async outcomeOf(carriers, more) {
      const found = await roads.search(carriers, more).found;
      return found.kind === "found" ? found.carrier.scac : found.failure;
    },
    async untilAsked(count) {
      const deadlineMs = realClock.monotonicMs() + 10_000;
      while (roads.asked.length < count) {
        assert.ok(realClock.monotonicMs() < deadlineMs, `only ${roads.asked.join(", ")} were asked`);
        await new Promise((resolve) => void setImmediate(resolve));
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await agent.destroy();
    },
  };
  return roads;
}

let roads: Roads;

describe("finding the carrier", () => {
  before(async () => {
    roads = await openRoads();
  });
  after(() => roads.close());
  beforeEach(() => {
    roads.conduct = {};
    roads.asked = [];
  });

  test("the hinted carrier is asked alone, and its answer counts though it is no live one", async () => {
    roads.conduct = { TRNC: knows(...endedTrip(20)), HRNL: knows(...liveTrip) };
    assert.equal(await roads.outcomeOf(roads.carriers("HRNL", "TRNC"), { carrierHint: "TRNC" }), "TRNC");
    assert.deepEqual(roads.asked, ["TRNC?equipmentReference=MSKU1234565"]);
  });

  test("a hint by another name of the same line is understood", async () => {
    roads.conduct = { MSCU: knows(...liveTrip) };
    assert.equal(await roads.outcomeOf(roads.carriers("HRNL", "MSCU"), { carrierHint: "MEDU" }), "MSCU");
    assert.equal(roads.asked.length, 1);
  });

  test("a hint is wrong when its carrier does not know the reference and another has it live", async () => {
    roads.conduct = { TRNC: knows(...liveTrip) };
    const found = await roads.search(roads.carriers("HRNL", "TRNC"), { carrierHint: "HRNL" }).found;
    assert.deepEqual(found, {
      kind: "refused",
      failure: "wrong_carrier",
      retryAfterMs: null,
      final: true,
      notSent: false,
      replies: { HRNL: "not_found", TRNC: "events" },
    });
  });

  test("a hint is not wrong for an old trip that another carrier remembers", async () => {
    roads.conduct = { TRNC: knows(...endedTrip(40)) };
    assert.equal(await roads.outcomeOf(roads.carriers("HRNL", "TRNC"), { carrierHint: "HRNL" }), "not_found");
  });

  test("a hinted carrier that is down is waited for, and nobody else is asked", async () => {
    roads.conduct = { HRNL: down, TRNC: knows(...liveTrip) };
    assert.equal(
      await roads.outcomeOf(roads.carriers("HRNL", "TRNC"), { carrierHint: "HRNL" }),
      "unavailable_http_503",
    );
    assert.deepEqual(roads.asked, ["HRNL?equipmentReference=MSKU1234565"]);
  });

  test("a hint that names no configured carrier is wrong unless one of them has the reference live", async () => {
    const carriers = roads.carriers("HRNL", "TRNC");
    assert.equal(await roads.outcomeOf(carriers, { carrierHint: "ZZZZ" }), "wrong_carrier_not_asked");
    roads.conduct = { TRNC: knows(...endedTrip(40)) };
    assert.equal(await roads.outcomeOf(carriers, { carrierHint: "ZZZZ" }), "wrong_carrier_not_asked");
    roads.conduct = { TRNC: knows(...liveTrip) };
    assert.equal(await roads.outcomeOf(carriers, { carrierHint: "ZZZZ" }), "TRNC");
    roads.conduct = { HRNL: down };
    assert.equal(await roads.outcomeOf(carriers, { carrierHint: "ZZZZ" }), "unavailable_http_503");
  });

  // spec 1: container_tracking
  test("a container's owner is asked first, and the others only when it does not have it", async () => {
    roads.conduct = { MAEU: knows(...liveTrip), HRNL: knows(...liveTrip) };
    assert.equal(await roads.outcomeOf(roads.carriers("HRNL", "TRNC", "MAEU")), "MAEU");
    assert.deepEqual(roads.asked, ["MAEU?equipmentReference=MSKU1234565"]);
  });

  test("a carrier that answers with other containers than the one asked for does not know it", async () => {
    const named = (equipmentReference: string) =>
      knows(...liveTrip.map((one) => ({ ...one, equipmentReference })));
    const only = roads.carriers("TRNC");
    roads.conduct = { TRNC: named("HRNU4000017") };
    assert.equal(await roads.outcomeOf(only, {}), "not_found");
    assert.equal(
      await roads.outcomeOf(only, { reference: "TRNC510002B", identifierType: "bill_of_lading" }),
      "TRNC",
    );
    roads.conduct = { TRNC: named("MSKU1234560") };
    assert.equal(await roads.outcomeOf(only, {}), "TRNC", "a check digit that is wrong is a slip");
  });

  test("the configuration adds to the owners that are known", async () => {
    const own = liveTrip.map((one) => ({ ...one, equipmentReference: "XTRU1234564" }));
    roads.conduct = { TRNC: knows(...own) };
    const [heron, tern] = roads.carriers("HRNL", "TRNC") as [Carrier, Carrier];
    const lessor = { ...tern, ownerCodes: ["XTRU"] };
    assert.equal(await roads.outcomeOf([heron, lessor], { reference: "XTRU1234564" }), "TRNC");
    assert.deepEqual(roads.asked, ["TRNC?equipmentReference=XTRU1234564"]);
  });

  test("a bill of lading is asked for where its prefix says, and an answer that is not live is its answer", async () => {
    roads.conduct = { TRNC: knows(...endedTrip(90)), HRNL: knows(...liveTrip) };
    const bill = { reference: "TRNC00012345", identifierType: "bill_of_lading" };
    assert.equal(await roads.outcomeOf(roads.carriers("HRNL", "TRNC"), bill), "TRNC");
    assert.deepEqual(roads.asked, ["TRNC?transportDocumentReference=TRNC00012345"]);
  });

  test("a number that may be a bill or a booking is asked for as both, and the carrier tells which", async () => {
    roads.conduct = {
      TRNC: (query, response) =>
        (query.has("carrierBookingReference") ? knows(...liveTrip) : unknown)(query, response),
    };
    const paper = { reference: "123456789", identifierType: null };
    const found = await roads.search(roads.carriers("HRNL", "TRNC"), paper).found;
    assert.ok(found.kind === "found");
    assert.deepEqual([found.carrier.scac, found.type], ["TRNC", "booking"]);
  });

  test("a live trip wins over the owner's history of an older one", async () => {
    roads.conduct = { MAEU: knows(...endedTrip(3)), TRNC: knows(...liveTrip) };
    assert.equal(await roads.outcomeOf(roads.carriers("MAEU", "HRNL", "TRNC")), "TRNC");
  });

  test("of answers that are none of them live the latest is taken, once all have answered", async () => {
    roads.conduct = {
      MAEU: knows(...endedTrip(40)),
      TRNC: knows(...endedTrip(5)),
      HRNL: knows(...endedTrip(9)),
    };
    assert.equal(await roads.outcomeOf(roads.carriers("MAEU", "HRNL", "TRNC")), "TRNC");
  });

  test("a live answer is used while another carrier is down, a stale one only after a while", async () => {
    const carriers = roads.carriers("HRNL", "TRNC");
    roads.conduct = { HRNL: down, TRNC: knows(...liveTrip) };
    assert.equal(await roads.outcomeOf(carriers), "TRNC");
    roads.conduct = { HRNL: down, TRNC: knows(...endedTrip(20)) };
    assert.equal(await roads.outcomeOf(carriers), "unavailable_http_503");
    assert.equal(await roads.outcomeOf(carriers, { trackedForMs: STALE_WAIT_MS }), "TRNC");
  });

  test("not found is final only when everybody could be asked", async () => {
    const carriers = roads.carriers("HRNL", "TRNC", "GULL");
    const refusal = async () => {
      const found = await roads.search(carriers).found;
      assert.ok(found.kind === "refused");
      return [found.failure, found.final];
    };
    assert.deepEqual(await refusal(), ["not_found", true]);
    roads.conduct = { TRNC: forbids };
    assert.deepEqual(await refusal(), ["not_permitted", false]);
    roads.conduct = { TRNC: forbids, GULL: down };
    assert.deepEqual(await refusal(), ["unavailable_http_503", false]);
  });

  test("the wait that the carriers ask for is the shortest of them, and none when one has said no such thing", async () => {
    const waitMs = async () => {
      const found = await roads.search(roads.carriers("HRNL", "TRNC")).found;
      return found.kind === "refused" ? found.retryAfterMs : assert.fail();
    };
    roads.conduct = { HRNL: busy(60), TRNC: busy(20) };
    assert.equal(await waitMs(), 20_000);
    for (const other of [down, unknown]) {
      roads.conduct = { HRNL: busy(60), TRNC: other };
      assert.equal(await waitMs(), null);
    }
  });

  test("a likely carrier that hangs has a head start, and then the others are asked", async () => {
    roads.conduct = { MAEU: hangs, TRNC: knows(...liveTrip) };
    const { clock, found } = roads.search(roads.carriers("MAEU", "HRNL", "TRNC"));
    await roads.untilAsked(1);
    assert.deepEqual(roads.asked, ["MAEU?equipmentReference=MSKU1234565"]);
    await clock.advance(HEAD_START_MS);
    const one = await found;
    assert.equal(one.kind === "found" && one.carrier.scac, "TRNC");
    assert.equal(clock.pending(), 0, "a timer is left");
  });

  test("no more than a few carriers are asked at once, and the deadline ends the search", async () => {
    const scacs = ["AAAA", "BBBB", "CCCC", "DDDD", "EEEE", "FFFF"];
    roads.conduct = Object.fromEntries(scacs.map((scac) => [scac, hangs]));
    const { clock, found } = roads.search(roads.carriers(...scacs));
    await roads.untilAsked(POLLED_AT_ONCE_MAX);
    await clock.advance(60_000);
    const one = await found;
    assert.ok(one.kind === "refused");
    assert.deepEqual(
      [one.failure, one.final, roads.asked.length],
      ["unavailable_deadline", false, POLLED_AT_ONCE_MAX],
    );
  });

  test("each poll begins with another of the unlikely carriers", async () => {
    const scacs = ["AAAA", "BBBB", "CCCC", "DDDD", "EEEE", "FFFF"];
    roads.conduct = Object.fromEntries(scacs.map((scac) => [scac, hangs]));
    const { clock, found } = roads.search(roads.carriers(...scacs), { failures: 4 });
    await roads.untilAsked(POLLED_AT_ONCE_MAX);
    assert.deepEqual(roads.asked.map((one) => one.slice(0, 4)).toSorted(), ["AAAA", "BBBB", "EEEE", "FFFF"]);
    await clock.advance(60_000);
    await found;
  });

  test("the carrier that has answered before is asked alone, whatever else is known elsewhere", async () => {
    roads.conduct = { HRNL: knows(...liveTrip) };
    const carriers = roads.carriers("HRNL", "TRNC");
    assert.equal(await roads.outcomeOf(carriers, { carrier: "TRNC", carrierHint: "HRNL" }), "not_found");
    assert.deepEqual(roads.asked, ["TRNC?equipmentReference=MSKU1234565"]);
  });

  test("an answer that says nothing new is not read again", async () => {
    roads.conduct = { TRNC: knows(...liveTrip) };
    const carriers = roads.carriers("HRNL", "TRNC");
    const first = await roads.search(carriers, { carrier: "TRNC" }).found;
    assert.ok(first.kind === "found" && first.answer.kind === "events");
    const { digest } = first.answer;
    const again = await roads.search(carriers, { carrier: "TRNC", answerDigest: digest }).found;
    assert.equal(again.kind === "found" && again.answer.kind, "unchanged");
  });

  test("a carrier that is in the carriers file no more, or an empty file, is no end of a shipment", async () => {
    const refusals = [
      await roads.search(roads.carriers("HRNL"), { carrier: "GONE" }).found,
      await roads.search([]).found,
      await roads.search([], { carrierHint: "HRNL" }).found,
    ];
    for (const found of refusals) {
      assert.ok(found.kind === "refused");
      assert.deepEqual([found.failure, found.final], ["unavailable_not_configured", false]);
    }
    assert.deepEqual(roads.asked, []);
  });
});

const NOW_MS = march(20);

const discharged = event("DISC", "NLRTM", march(10));
const returned = event("GTIN", "NLRTM", march(12), { laden: false });
const pickedUp = event("GTOT", "NLRTM", march(14), { laden: false });

test("a trip is live until its empty return, and the next one from its empty pick-up", () => {
  assert.equal(isLive([discharged], NOW_MS), true);
  assert.equal(isLive([discharged, returned], NOW_MS), false);
  assert.equal(isLive([discharged, returned, pickedUp], NOW_MS), true);
});

test("a trip without events for two months is over", () => {
  assert.equal(isLive([discharged], march(10) + 59 * DAY_MS), true);
  assert.equal(isLive([discharged], march(10) + 61 * DAY_MS), false);
  const planned = event("ARRI", "NLRTM", march(10) + 90 * DAY_MS, { classifier: "planned" });
  assert.equal(isLive([discharged, planned], march(10) + 61 * DAY_MS), true);
});

test("a booking whose boxes have not moved is live", () =>
  assert.equal(isLive([documentEvent("BKG", "CONF", march(18))], NOW_MS), true));

test("of many boxes one that goes on is enough, whatever was said of all of them", () => {
  const of = (equipment: string) => ({ equipment });
  const one = [discharged, returned].map((move) => ({ ...move, ...of("CSQU3054383") }));
  const other = [discharged].map((move) => ({ ...move, ...of("CSQU3054362") }));
  const stated = documentEvent("TRD", "ISSU", march(1));
  assert.equal(isLive([...one, stated], NOW_MS), false);
  assert.equal(isLive([...one, ...other, stated], NOW_MS), true);
});

test("an answer without events is not live", () => assert.equal(isLive([], NOW_MS), false));
