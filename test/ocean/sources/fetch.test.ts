import assert from "node:assert/strict";
import { test } from "node:test";

import { Agent } from "undici";

import { readRecording } from "../../../packages/simulator/src/replay/recording.ts";
import {
  JOURNEYS_FOLDER,
  readRecordings,
  serveReplay,
} from "../../../packages/simulator/src/replay/server.ts";
import { createReplay } from "../../../packages/simulator/src/replay/replay.ts";
import { fetchEvents } from "../../../src/products/ocean/sources/dcsa/fetch.ts";
import { createHttpPort, type HttpAnswer, type HttpPort } from "../../../src/freight/upstream/http.ts";
import type { Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import { manualClock } from "../../support/clock.ts";
import { realClock } from "../../support/real-clock.ts";
import { serving } from "../../upstream/serving.ts";

const carrier: Carrier = {
  scac: "HRNL",
  name: "Heron Lines",
  api: "dcsa-tnt-2.2",
  baseUrl: "https://carrier.example/v2/",
  headers: { "api-key": "a secret" },
};

function answered(status: number, body: string, headers: Record<string, string> = {}): HttpAnswer {
  return { kind: "answered", status, body, header: (name) => headers[name] ?? null };
}

/** Asks for a container and returns what came of it, with the URLs that were asked. */
async function ask(get: HttpPort) {
  const asked: string[] = [];
  const answer = await fetchEvents(
    (url, options) => {
      asked.push(url.href);
      return get(url, options);
    },
    carrier,
    { type: "container_id", reference: "HRNU4000017" },
    manualClock(),
  );
  return { answer, asked };
}

const event = {
  eventType: "TRANSPORT",
  transportEventTypeCode: "DEPA",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-03-10T19:24:00+09:00",
};

test("a reference is asked for by its parameter, with the carrier's headers", async () => {
  const { answer, asked } = await ask(async (_, { headers }) => {
    assert.deepEqual(headers, { "api-key": "a secret" });
    return answered(200, JSON.stringify([event]), { date: "Tue, 10 Mar 2026 12:00:00 GMT" });
  });
  assert.deepEqual(asked, ["https://carrier.example/v2/events?equipmentReference=HRNU4000017"]);
  assert.equal(answer.kind === "events" && answer.events.length, 1);
  assert.equal(answer.kind === "events" && answer.dateMs, Date.UTC(2026, 2, 10, 12));
});

test("of several links the one with rel=next is followed", async () => {
  const first = "https://carrier.example/v2/events?equipmentReference=HRNU4000017";
  for (const [link, url] of [
    ["</p0>; rel=prev, </p2>; title=a; rel=next", "https://carrier.example/p2"],
    ['</p2,3>; rel="next", </p9>; rel="last"', "https://carrier.example/p2,3"],
    ["</p0>; rel=prev, </p1>", null],
    ["</p0> rel=next, <", null],
  ] as const) {
    const { asked } = await ask(async ({ href }) =>
      answered(200, JSON.stringify([event]), href === first ? { link } : {}),
    );
    assert.deepEqual(asked, url === null ? [first] : [first, url]);
  }
});

test("pages are followed by link and by cursor until there is none", async () => {
  const first = "https://carrier.example/v2/events?equipmentReference=HRNU4000017";
  for (const [next, url] of [
    ["fE9mZnNldHw9NSZsaW1pdD01", `${first}&cursor=fE9mZnNldHw9NSZsaW1pdD01`],
    ["/v2/events?cursor=2", "https://carrier.example/v2/events?cursor=2"],
    ["<https://carrier.example/v2/p2>; rel=next", "https://carrier.example/v2/p2"],
    ["/9j/4AAQ+w==", `${first}&cursor=%2F9j%2F4AAQ%2Bw%3D%3D`],
  ] as const) {
    const { answer, asked } = await ask(async ({ href }) =>
      answered(200, JSON.stringify([event]), href === first ? { "next-page": next } : {}),
    );
    assert.deepEqual(asked, [first, url]);
    assert.equal(answer.kind === "events" && answer.events.length, 2);
  }
});

test("a large answer is read in time slices, and other work runs between them", async () => {
  const body = JSON.stringify(Array.from({ length: 2_000 }, () => event));
  let nowMs = 0;
  const clock = { ...manualClock(), monotonicMs: () => (nowMs += 1) };
  let turns = 0;
  let over = false;
  const others = (): void => {
    turns += 1;
    if (!over) setImmediate(others);
  };
  setImmediate(others);
  const answer = await fetchEvents(
    async () => answered(200, body),
    carrier,
    { type: "booking", reference: "HRN0040001" },
    clock,
  );
  over = true;
  assert.equal(answer.kind === "events" && answer.events.length, 2_000);
  // Fifty events a step, and by this clock ten steps a turn.
  assert.equal(turns, 5);
});

test("a page on another host is not asked for, and half an answer is none", async () => {
  const { answer, asked } = await ask(async () =>
    answered(200, JSON.stringify([event]), { "next-page": "https://elsewhere.example/v2/events" }),
  );
  assert.equal(asked.length, 1);
  assert.deepEqual(answer, { kind: "unavailable", reason: "next_page_elsewhere", retryAfterMs: null });
});

test("pages without end come to an end, and a page that leads to itself at once", async () => {
  let page = 0;
  const counted = await ask(async () => answered(200, "[]", { "next-page": String((page += 1)) }));
  assert.equal(counted.asked.length, 50);
  assert.equal(counted.answer.kind === "unavailable" && counted.answer.reason, "too_many_pages");
  const repeated = await ask(async () => answered(200, "[]", { "next-page": "again" }));
  assert.equal(repeated.asked.length, 2);
  assert.equal(repeated.answer.kind === "unavailable" && repeated.answer.reason, "next_page_repeats");
});

test("the reasons for no answer are distinct", async () => {
  const unavailable = (reason: string, retryAfterMs: number | null = null) => ({
    kind: "unavailable",
    reason,
    retryAfterMs,
  });
  for (const [given, expected] of [
    [answered(404, ""), { kind: "not_found" }],
    [answered(400, "{}"), { kind: "not_found" }],
    [answered(200, "[]"), { kind: "not_found" }],
    [answered(204, ""), { kind: "not_found" }],
    [answered(401, ""), { kind: "not_permitted", status: 401 }],
    [answered(403, ""), { kind: "not_permitted", status: 403 }],
    [answered(429, "", { "retry-after": "30" }), unavailable("http_429", 30_000)],
    [answered(503, "", { "retry-after": "Mon, 02 Nov 2026 12:01:00 GMT" }), unavailable("http_503", 60_000)],
    [answered(503, "", { "retry-after": "99999999" }), unavailable("http_503", 6 * 3_600_000)],
    [answered(302, ""), unavailable("http_302")],
    [answered(200, "<html>"), unavailable("not_json")],
    [answered(200, '{"hello":1}'), unavailable("not_events")],
    [{ kind: "failed", reason: "timeout" } as const, unavailable("timeout")],
  ] as const) {
    assert.deepEqual((await ask(async () => given)).answer, expected);
  }
});

test("an answer that drips or swells ends in a failure within its bounds", async () => {
  const options = { headers: {}, timeoutMs: 60, bodyBytesMax: 1_000 };
  await serving(
    (request, response) => {
      if (request.url === "/drips") response.write("[");
      else if (request.url === "/swells") response.end("x".repeat(10_000));
      else response.writeHead(302, { location: "/elsewhere", "x-name": "value" }).end();
    },
    async ({ url, http: get }) => {
      const drips = await get(new URL("/drips", url), options);
      assert.equal(drips.kind === "failed" && drips.reason, "timeout");
      const swells = await get(new URL("/swells", url), { ...options, timeoutMs: 5_000 });
      assert.equal(swells.kind === "failed" && swells.reason, "too_large");
      const moved = await get(new URL("/moved", url), { ...options, timeoutMs: 5_000 });
      assert.equal(moved.kind === "answered" && moved.status, 302);
      assert.equal(moved.kind === "answered" && moved.header("x-name"), "value");
      const refused = await get(new URL("http://127.0.0.1:1/"), { ...options, timeoutMs: 5_000 });
      assert.equal(refused.kind === "failed" && refused.reason, "connection");
    },
  );
});

test("a replayed carrier honours references and paging, and knows nothing else", async () => {
  const clock = manualClock();
  const recordings = await readRecordings(JOURNEYS_FOLDER);
  const replay = createReplay({ recordings, speed: 1, clock, startMs: clock.nowMs(), pageEventsMax: 2 });
  const direct = recordings.find(({ name }) => name === "direct-jpyok-usoak");
  assert.ok(direct);
  await clock.advance(direct.lastMs - direct.firstMs);
  const get: HttpPort = async (url) => {
    const { status, body, headers } = replay.handle({ path: url.pathname, query: url.searchParams });
    return answered(status, body, headers);
  };
  const { answer, asked } = await ask(get);
  // 13 recorded, less the three expectations that what happened has replaced.
  assert.equal(answer.kind === "events" && answer.events.length, 10);
  assert.equal(asked.length, 5);
  const unknown = await fetchEvents(get, carrier, { type: "container_id", reference: "CSQU3054383" }, clock);
  assert.deepEqual(unknown, { kind: "not_found" });
  const byBill = await fetchEvents(
    get,
    carrier,
    { type: "bill_of_lading", reference: "HRNL0040001A" },
    clock,
  );
  assert.equal(byBill.kind, "events");
});

test("a replayed carrier is served on loopback, its answers dated by the journey", async () => {
  const clock = manualClock();
  const served = await serveReplay({ folder: JOURNEYS_FOLDER, speed: 1_000, clock, pageEventsMax: 3 });
  const agent = new Agent();
  try {
    const reference = served.references.find(
      ({ recording, parameter }) =>
        recording.startsWith("coastal") && parameter === "carrierBookingReference",
    );
    assert.ok(reference);
    const replayed = { ...carrier, baseUrl: served.url };
    await clock.advance(24 * 3_600);
    const answer = await fetchEvents(
      createHttpPort(agent, realClock),
      replayed,
      { type: "booking", reference: reference.value },
      realClock,
    );
    // A day after the booking: its confirmation and the ETA.
    assert.equal(answer.kind === "events" && answer.events.length, 2);
    assert.equal(answer.kind === "events" && answer.dateMs, Date.UTC(2026, 2, 21, 9));
  } finally {
    await agent.close();
    await served.close();
  }
});

test("a replayed event appears when the carrier knew of it, and a snapshot's time is not believed", () => {
  const base = {
    eventType: "TRANSPORT",
    transportCall: { UNLocationCode: "NLRTM", modeOfTransport: "VESSEL" },
  };
  const snapshot = "2026-05-01T00:00:00Z";
  const recording = readRecording("test", [
    {
      ...base,
      transportEventTypeCode: "DEPA",
      eventClassifierCode: "ACT",
      eventDateTime: "2026-03-01T10:00:00Z",
      eventCreatedDateTime: snapshot,
    },
    {
      ...base,
      transportEventTypeCode: "ARRI",
      eventClassifierCode: "ACT",
      eventDateTime: "2026-02-20T10:00:00Z",
      eventCreatedDateTime: "2026-02-20T16:00:00Z",
    },
    {
      ...base,
      transportEventTypeCode: "LOAD",
      eventClassifierCode: "EST",
      eventDateTime: "2026-06-01T10:00:00Z",
      eventCreatedDateTime: snapshot,
    },
  ]);
  assert.deepEqual(
    recording?.events.map(({ code, appearsMs }) => [code, new Date(appearsMs).toISOString()]),
    [
      ["ARRI", "2026-02-20T16:00:00.000Z"],
      ["LOAD", "2026-02-20T16:00:00.000Z"],
      ["DEPA", "2026-03-01T10:00:00.000Z"],
    ],
  );
});
