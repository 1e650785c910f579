/** What comes of a carrier's answer: its pages, its refusals, and what a replayed carrier answers. */
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
import { createHttpPort, type HttpPort } from "../../../src/freight/upstream/http.ts";
import { fetchEvents } from "../../../src/products/ocean/sources/dcsa/fetch.ts";
import { manualClock } from "../../support/clock.ts";
import { realClock } from "../../support/real-clock.ts";
import { serving } from "../../upstream/serving.ts";
import { answered } from "../harbour.ts";
import { HERON } from "../shipping-lines.ts";
import { asking, BOX, events, outcome, TWO, type Reply, type Request } from "./asking.ts";

const carrier = { ...HERON, baseUrl: "https://carrier.example/v2/", headers: { "api-key": "a secret" } };
const FIRST = `https://carrier.example/v2/events?equipmentReference=${BOX}`;
const [EVENT] = TWO;

/** Asks for a container and returns what came of it, with the URLs that were asked. */
async function ask(get: HttpPort) {
  const asked: string[] = [];
  const answer = await fetchEvents(
    (url, options) => {
      asked.push(url.href);
      return get(url, options);
    },
    carrier,
    { type: "container_id", reference: BOX },
    manualClock(),
  );
  return { answer, asked };
}

test("a reference is asked for with the carrier's headers, and the answer has the date that it states", async () => {
  const { answer, asked } = await ask(async (_, { headers }) => {
    assert.deepEqual(headers, { "api-key": "a secret" });
    return answered(200, JSON.stringify([EVENT]), { date: "Tue, 10 Mar 2026 12:00:00 GMT" });
  });
  assert.deepEqual(asked, [FIRST]);
  assert.equal(answer.kind === "events" && answer.dateMs, Date.UTC(2026, 2, 10, 12));
});

test("pages are followed by link and by cursor until there is none", async () => {
  for (const [headers, url] of [
    [{ link: "</p0>; rel=prev, </p2>; title=a; rel=next" }, "https://carrier.example/p2"],
    [{ link: '</p2,3>; rel="next", </p9>; rel="last"' }, "https://carrier.example/p2,3"],
    [{ link: "</p0>; rel=prev, </p1>" }, null],
    [{ link: "</p0> rel=next, <" }, null],
    [{ "next-page": "fE9mZnNldHw9NSZsaW1pdD01" }, `${FIRST}&cursor=fE9mZnNldHw9NSZsaW1pdD01`],
    [{ "next-page": "/v2/events?cursor=2" }, "https://carrier.example/v2/events?cursor=2"],
    [{ "next-page": "<https://carrier.example/v2/p2>; rel=next" }, "https://carrier.example/v2/p2"],
    [{ "next-page": "/9j/4AAQ+w==" }, `${FIRST}&cursor=%2F9j%2F4AAQ%2Bw%3D%3D`],
  ] as const) {
    const { answer, asked } = await ask(async ({ href }) =>
      answered(200, JSON.stringify([EVENT]), href === FIRST ? headers : {}),
    );
    assert.deepEqual(asked, url === null ? [FIRST] : [FIRST, url]);
    assert.equal(outcome(answer), String(asked.length));
  }
});

test("pages are followed by a cursor in the body, by number and by offset, until the last", async () => {
  const all = events(5, Date.UTC(2026, 2, 10));
  const limit = { parameter: "limit", max: 2 };
  const page = (from: number) => all.slice(from, from + 2);
  const counted = (name: string, eventsOf: (count: number) => object) => (request: Request) => ({
    body: eventsOf(Number(request.url.searchParams.get(name) ?? 0)),
  });
  const inHeader = ({ url }: Request): Reply => {
    const from = Number(url.searchParams.get("cursor") ?? 0);
    return { body: page(from), headers: from + 2 < all.length ? { "x-next": String(from + 2) } : {} };
  };
  const inBody = (from: number) => ({
    events: page(from),
    meta: from + 2 < all.length ? { "next/cursor": from + 2 } : {},
  });
  for (const [entry, reply, last] of [
    [
      { paging: { by: "cursor", body: "/meta/next~1cursor", parameter: "after" }, question: { limit } },
      counted("after", inBody),
      "limit=2&after=4",
    ],
    [{ paging: { by: "cursor", header: "X-Next" } }, inHeader, "cursor=4"],
    [
      { paging: { by: "page", parameter: "page" }, question: { limit } },
      counted("page", (number) => page((number - 1) * 2)),
      "limit=2&page=3",
    ],
    [
      { paging: { by: "page", parameter: "pageNo", first: 0 } },
      counted("pageNo", (number) => page(number * 2)),
      "pageNo=3",
    ],
    [
      { paging: { by: "offset", parameter: "skip" }, question: { limit } },
      counted("skip", page),
      "limit=2&skip=4",
    ],
  ] as const)
    await asking(entry, reply, async ({ client, carrier: own, asked }) => {
      assert.equal(outcome(await client.fetch(own, "container_id", BOX)), "5");
      assert.equal(asked.at(-1), `/api/events?equipmentReference=${BOX}&${last}`);
    });
});

test("pages without end, to themselves or on another host end the answer, and half an answer is none", async () => {
  let page = 0;
  for (const [entry, reply, expected, requests] of [
    [{}, () => ({ headers: { "next-page": String((page += 1)) } }), "too_many_pages", 50],
    [{}, () => ({ headers: { "next-page": "again" } }), "next_page_repeats", 2],
    [{ paging: { by: "page", parameter: "page" } }, () => ({ body: TWO }), "next_page_repeats", 2],
    [{}, () => ({ body: TWO, headers: { "next-page": "https://x.example/p" } }), "next_page_elsewhere", 1],
    [
      { paging: { by: "cursor", body: "/next" } },
      () => ({ body: { events: TWO, next: "https://elsewhere.example/p2?x=1" } }),
      "next_page_elsewhere",
      1,
    ],
  ] as const)
    await asking(entry, reply, async ({ client, carrier: own, asked }) => {
      assert.equal(outcome(await client.fetch(own, "container_id", BOX)), expected);
      assert.equal(asked.length, requests);
    });
});

test("a carrier that refuses a later page does not say that it has no such reference", async () => {
  const counted = {
    paging: { by: "page", parameter: "page" },
    question: { limit: { parameter: "l", max: 2 } },
  };
  for (const [entry, status, expected] of [
    [{}, 404, "http_404"],
    [{}, 400, "http_400"],
    [counted, 422, "http_422"],
    // A counted page that is not there is the one behind the last.
    [counted, 404, "2"],
    [{ paging: { by: "offset", parameter: "skip" } }, 404, "2"],
  ] as const) {
    let first = true;
    const reply = () => {
      const isFirst = first;
      first = false;
      return isFirst ? { body: TWO, headers: { "next-page-cursor": "2" } } : { status };
    };
    await asking(entry, reply, async ({ client, carrier: own, asked }) => {
      assert.equal(outcome(await client.fetch(own, "container_id", BOX)), expected);
      assert.equal(asked.length, 2);
    });
  }
});

test("a large answer is read in time slices, and other work runs between them", async () => {
  let nowMs = 0;
  const clock = { ...manualClock(), monotonicMs: () => (nowMs += 1) };
  let turns = 0;
  let over = false;
  const others = (): void => {
    turns += 1;
    if (!over) setImmediate(others);
  };
  setImmediate(others);
  const body = JSON.stringify(Array.from({ length: 2_000 }, () => EVENT));
  const booking = { type: "booking", reference: "HRN0040001" } as const;
  const answer = await fetchEvents(async () => answered(200, body), carrier, booking, clock);
  over = true;
  assert.equal(outcome(answer), "2000");
  // Fifty events a step, and by this clock ten steps a turn.
  assert.equal(turns, 5);
});

test("the reasons for no answer are distinct", async () => {
  const unavailable = (reason: string, retryAfterMs: number | null = null) => ({
    ...{ kind: "unavailable", reason, retryAfterMs },
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

test("an answer that drips or swells ends in a failure within its bounds, and no redirect is followed", () => {
  const clock = manualClock();
  return serving(
    (request, response) => {
      if (request.url === "/drips") response.write("[");
      else if (request.url === "/swells") response.end("x".repeat(10_000));
      else response.writeHead(302, { location: "/elsewhere", "x-name": "value" }).end();
    },
    async ({ url, http }) => {
      const get = async (path: string, from = url) => {
        const options = { headers: {}, timeoutMs: 60_000, bodyBytesMax: 1_000 };
        const answer = await clock.drive(http(new URL(path, from), options));
        return answer.kind === "failed" ? answer.reason : [answer.status, answer.header("x-name")];
      };
      assert.equal(await get("/drips"), "timeout");
      assert.equal(await get("/swells"), "too_large");
      assert.deepEqual(await get("/moved"), [302, "value"]);
      assert.equal(await get("/", "http://127.0.0.1:1/"), "connection");
    },
    clock,
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
  assert.equal(outcome(answer), "10");
  assert.equal(asked.length, 5);
  for (const [type, reference, kind] of [
    ["container_id", "CSQU3054383", "not_found"],
    ["bill_of_lading", "HRNL0040001A", "events"],
  ] as const)
    assert.equal((await fetchEvents(get, carrier, { type, reference }, clock)).kind, kind);
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
    await clock.advance(24 * 3_600);
    const http = createHttpPort(agent, realClock);
    const asked = { type: "booking", reference: reference.value } as const;
    const answer = await fetchEvents(http, { ...carrier, baseUrl: served.url }, asked, realClock);
    // A day after the booking: its confirmation and the ETA.
    assert.equal(outcome(answer), "2");
    assert.equal(answer.kind === "events" && answer.dateMs, Date.UTC(2026, 2, 21, 9));
  } finally {
    await agent.close();
    await served.close();
  }
});

test("a replayed event appears when the carrier knew of it, and a snapshot's time is not believed", () => {
  const snapshot = "2026-05-01T00:00:00Z";
  const call = (
    code: string,
    classifier: string,
    eventDateTime: string,
    eventCreatedDateTime = snapshot,
  ) => ({
    ...{ eventType: "TRANSPORT", transportEventTypeCode: code, eventClassifierCode: classifier },
    ...{ eventDateTime, eventCreatedDateTime },
    transportCall: { UNLocationCode: "NLRTM", modeOfTransport: "VESSEL" },
  });
  const recording = readRecording("test", [
    call("DEPA", "ACT", "2026-03-01T10:00:00Z"),
    call("ARRI", "ACT", "2026-02-20T10:00:00Z", "2026-02-20T16:00:00Z"),
    call("LOAD", "EST", "2026-06-01T10:00:00Z"),
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
