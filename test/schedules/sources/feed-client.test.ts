/** Fetches over real sockets: pages of each standard, requests one after the other, and what ends a fetch. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { FeedAnswer } from "../../../src/products/schedules/sources/feed-client.ts";
import { until } from "../../support/embedded.ts";
import { csService, ovsService, stamp, transportCall } from "./answers.ts";
import { atFeed, inDays, NOW_MS } from "./feed-scene.ts";

const callIn = (port: string, days: number) =>
  transportCall(port, { timestamps: [stamp("ARRI", "EST", inDays(days))] });

/** Sixty days of one service. */
const service = (code: string) => ovsService(code, [callIn("NLRTM", 10), callIn("DEHAM", 60)]);

function updatesIn(answer: FeedAnswer) {
  assert.equal(answer.kind, "answered", JSON.stringify(answer));
  if (answer.kind !== "answered") throw new Error("unreachable");
  return answer;
}

const problemsOf = (answer: FeedAnswer): readonly string[] =>
  "problems" in answer ? answer.problems.map(({ path, message }) => `${path} ${message}`) : [];

test("an OVS cursor travels alone, and the version is whole", () =>
  atFeed(
    { services: ["FE1"], parameters: { limit: "2" }, daysAhead: 60, daysBehind: 7 },
    (_, number) => ({
      body: [service("FE1")],
      headers: number < 2 ? { "Next-Page-Cursor": `c/${number}+=` } : {},
    }),
    async ({ fetch, queries, asked }) => {
      const answer = updatesIn(await fetch());
      assert.deepEqual(queries(), [
        "carrierServiceCode=FE1&startDate=2026-10-26&endDate=2027-01-01&limit=2",
        "cursor=c/0+=",
        "cursor=c/1+=",
      ]);
      assert.deepEqual(
        asked.map(({ headers }) => headers["api-version"]),
        ["3.0.2", "3.0.2", "3.0.2"],
      );
      assert.equal(answer.updates[0]?.calls.length, 6);
    },
  ));

test("a CS cursor travels with the first request's parameters, and the version is the major one", async () => {
  const feeds = [
    {
      feed: { kind: "cs-vessel-schedules", vessels: ["9321483"] },
      query: "vesselIMONumber=9321483&startDate=2026-10-26&endDate=2027-01-01",
    },
    { feed: { kind: "cs-port-schedules", ports: ["NLRTM"] }, query: "UNLocationCode=NLRTM&date=2026-10-26" },
    {
      feed: { kind: "cs-point-to-point", pairs: [{ from: "CNSHA", to: "NLRTM" }] },
      query:
        "placeOfReceipt=CNSHA&placeOfDelivery=NLRTM&departureStartDate=2026-11-02&departureEndDate=2027-01-01",
    },
  ] as const;
  for (const { feed, query } of feeds) {
    await atFeed(
      feed,
      (_, number) => ({ headers: number === 0 ? { "Next-Page-Cursor": "fE9m" } : {} }),
      async ({ fetch, queries, asked }) => {
        updatesIn(await fetch());
        assert.deepEqual(queries(), [query, `${query}&cursor=fE9m`]);
        assert.equal(asked[1]?.headers["api-version"], "1");
      },
    );
  }
});

test("a whole answer is complete about its service, well within the requested time", () =>
  atFeed(
    { services: ["FE1"], daysAhead: 60 },
    () => ({ body: [service("FE1")] }),
    async ({ fetch }) => {
      const [one] = updatesIn(await fetch()).updates;
      assert.deepEqual(one?.complete, {
        carrier: "HRNL",
        service: "FE1",
        port: null,
        vessel: null,
        fromMs: Date.parse(inDays(1)),
        toMs: Date.parse(inDays(53)),
        horizonMs: Date.parse(inDays(53)),
        asked: { fromMs: NOW_MS, untilMs: Date.parse(inDays(60)) },
      });
      assert.deepEqual([one?.feed, one?.atMs], ["heron", NOW_MS]);
    },
  ));

test("of a port and of a vessel it is complete about those, until a week before its last call", async () => {
  const body = [ovsService("FE1", [callIn("NLRTM", 3), callIn("NLRTM", 21)])];
  for (const [fields, port, vessel] of [
    [{ ports: ["NLRTM"], daysAhead: 60 }, "NLRTM", null],
    [{ vessels: ["9321483"] }, null, "9321483"],
  ] as const) {
    await atFeed(
      fields,
      () => ({ body }),
      async ({ fetch }) => {
        const { complete } = updatesIn(await fetch()).updates[0]!;
        assert.deepEqual([complete?.service, complete?.port, complete?.vessel], [null, port, vessel]);
        assert.equal(complete?.toMs, Date.parse(inDays(14)));
      },
    );
  }
});

test("an empty list is complete about the whole time that was asked for; without a list, nothing is certain", async () => {
  for (const [reply, certain] of [
    [{ body: [] }, true],
    [{ status: 204, body: "" }, false],
    [{ status: 404, body: "nothing here" }, false],
  ] as const)
    await atFeed(
      { services: ["FE1"] },
      () => reply,
      async ({ fetch }) => {
        const { complete } = updatesIn(await fetch()).updates[0]!;
        assert.equal(complete!.toMs > complete!.fromMs, certain);
        assert.equal(complete!.service, "FE1");
      },
    );
});

test("an answer with a gap, and one for less than a service, a port or a vessel are complete about nothing", async () => {
  const cases = [
    [{ services: ["FE1"] }, { body: [service("FE1"), 7] }],
    [{ services: ["FE1"] }, { body: [service("FE1")], headers: { "Next-Page-Cursor": "x" } }],
    [{ ports: ["NLRTM"], parameters: { facilitySMDGCode: "APM" } }, { body: [service("FE1")] }],
    [{ kind: "cs-point-to-point", pairs: [{ from: "CNSHA", to: "NLRTM" }] }, { body: [] }],
  ] as const;
  for (const [fields, reply] of cases) {
    await atFeed(
      fields,
      () => reply,
      async ({ fetch }) => {
        for (const { complete } of updatesIn(await fetch()).updates) assert.equal(complete, null);
      },
    );
  }
});

test("each request has its own update, and one that fails leaves the others", () =>
  atFeed(
    { services: ["FE1", "FE2", "FE3"] },
    ({ path }) =>
      path.includes("FE2")
        ? {
            status: 400,
            body: { statusCodeText: "Bad Request", errors: [{ erorCodeMessage: "no such service" }] },
          }
        : { body: [service(path.includes("FE1") ? "FE1" : "FE3")] },
    async ({ fetch }) => {
      const answer = updatesIn(await fetch());
      assert.deepEqual(
        answer.updates.map(({ calls, complete }) => [calls.length, complete?.service]),
        [
          [2, "FE1"],
          [2, "FE3"],
        ],
      );
      assert.deepEqual(problemsOf(answer), [
        'carrierServiceCode=FE2 is answered with 400: "no such service"',
      ]);
    },
  ));

test("problems name the request, the page and the place", () =>
  atFeed(
    { kind: "cs-vessel-schedules", services: ["FE1"] },
    (_, number) => ({
      body: [csService("FE1", [callIn(number === 0 ? "NLRTM" : "ROTTERDAM", 20)])],
      headers: number === 0 ? { "Next-Page-Cursor": "2" } : {},
    }),
    async ({ fetch }) => {
      const answer = updatesIn(await fetch());
      assert.deepEqual(problemsOf(answer), [
        "carrierServiceCode=FE1 page 2 $[0].vesselSchedules[0].transportCalls[0].location.UNLocationCode " +
          '"ROTTERDAM" is no UN/LOCODE, such as NLRTM',
      ]);
      assert.equal(answer.updates[0]?.complete, null);
    },
  ));

test("an expired cursor, and a further page that is not found or fails, leave what was read", async () => {
  for (const [status, problem] of [
    [200, undefined],
    [400, "is answered with 400"],
    [404, "was not answered: http_404"],
    [410, "was not answered: http_410"],
    [503, "was not answered: http_503"],
  ] as const) {
    await atFeed(
      { services: ["FE1"] },
      (_, number) =>
        number === 0
          ? { body: [service("FE1")], headers: { "Next-Page-Cursor": "2" } }
          : { status, body: [] },
      async ({ fetch }) => {
        const answer = updatesIn(await fetch());
        assert.equal(answer.updates[0]?.calls.length, 2);
        assert.equal(answer.updates[0]?.complete !== null, status === 200);
        const expected = problem === undefined ? [] : [`carrierServiceCode=FE1 ${problem}`];
        assert.deepEqual(problemsOf(answer), expected);
      },
    );
  }
});

test("refused credentials end the fetch at once", () =>
  atFeed(
    { services: ["FE1", "FE2"] },
    () => ({ status: 401 }),
    async ({ fetch, asked }) => {
      assert.deepEqual(await fetch(), { kind: "not_permitted", status: 401 });
      assert.equal(asked.length, 1);
    },
  ));

test("a rate limit ends the fetch, and the next one begins where it ended", () =>
  atFeed(
    { services: ["FE1", "FE2", "FE3"] },
    (_, number) =>
      number === 1 ? { status: 429, headers: { "retry-after": "60" } } : { body: [service("FE1")] },
    async ({ fetch, queries, clock }) => {
      const first = updatesIn(await fetch());
      assert.deepEqual(problemsOf(first), [
        "carrierServiceCode=FE2 was not answered: http_429",
        "$ 1 of 3 requests wait for the next fetch",
      ]);
      assert.equal((await fetch()).kind, "unavailable");
      await clock.advance(61_000);
      updatesIn(await fetch());
      assert.deepEqual(
        queries().map((query) => /FE\d/.exec(query)?.[0]),
        ["FE1", "FE2", "FE2", "FE3", "FE1"],
      );
    },
  ));

test("a feed that is down gets no more requests, and is unavailable", () =>
  atFeed(
    { services: ["FE1", "FE2", "FE3", "FE4", "FE5", "FE6", "FE7"] },
    () => ({ status: 500 }),
    async ({ fetch, desk, asked }) => {
      const answer = await fetch();
      assert.deepEqual([answer.kind, asked.length], ["unavailable", 5]);
      assert.equal(desk.isBreakerOpen("heron"), true);
    },
  ));

test("the feed's own headers replace the default ones", () =>
  atFeed(
    { headers: { "API-Version": "3.0.0", "X-Api-Key": "k" } },
    () => ({}),
    async ({ fetch, asked }) => {
      updatesIn(await fetch());
      const { headers } = asked[0]!;
      assert.deepEqual([headers["api-version"], headers["x-api-key"]], ["3.0.0", "k"]);
    },
  ));

test("further pages wait for the quota, and a fetch takes five minutes at most", () =>
  atFeed(
    { quota: { perMinute: 1 } },
    () => ({ body: [service("FE1")], headers: { "Next-Page-Cursor": `${Math.random()}` } }),
    async ({ fetch, clock, asked }) => {
      const answered = fetch();
      for (const pages of [1, 2, 3, 4]) {
        await until(() => asked.length === pages && clock.pending() > 0, "the next page");
        await clock.advance(60_000);
      }
      const answer = updatesIn(await answered);
      assert.equal(answer.updates[0]?.calls.length, 10);
      assert.deepEqual(problemsOf(answer), ["all was not answered: quota"]);
    },
  ));
