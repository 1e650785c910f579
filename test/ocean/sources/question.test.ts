import assert from "node:assert/strict";
import { test } from "node:test";

import { manualClock } from "../../support/clock.ts";
import { serving } from "../../upstream/serving.ts";
import { asking, BOX, events, outcome, TWO, type Request } from "./asking.ts";

test("a reference is asked for by the carrier's own path, names and fixed parameters", () =>
  asking(
    {
      headers: { "X-Client": "boathook" },
      parameters: { lang: "en" },
      question: {
        path: "/track",
        references: {
          container_id: { parameters: { cntrNo: "{reference}", searchType: "C", noDup: "{reference}" } },
          bill_of_lading: { path: "/bills/{reference}/moves" },
          booking: null,
        },
        limit: { parameter: "size", max: 100 },
      },
    },
    () => ({ body: TWO }),
    async ({ client, carrier, asked, requests }) => {
      assert.equal(outcome(await client.fetch(carrier, "container_id", BOX)), "2");
      assert.equal(outcome(await client.fetch(carrier, "bill_of_lading", "XX/1 2")), "2");
      assert.equal(outcome(await client.fetch(carrier, "booking", "B1")), "not_found");
      assert.deepEqual(asked, [
        `/api/track?cntrNo=${BOX}&searchType=C&noDup=${BOX}&size=100&lang=en`,
        "/api/bills/XX/1+2/moves?size=100&lang=en".replace("XX/1+2", "XX/1 2"),
      ]);
      assert.equal(requests[1]?.url.pathname, "/api/bills/XX%2F1%202/moves");
      assert.equal(requests[0]?.headers["x-client"], "boathook");
    },
  ));

test("1.1 calls bills and bookings by other names", () =>
  asking(
    { api: "dcsa-tnt-1.1" },
    () => ({ body: { events: TWO } }),
    async ({ client, carrier, asked }) => {
      await client.fetch(carrier, "container_id", BOX);
      await client.fetch(carrier, "bill_of_lading", "B/L");
      await client.fetch(carrier, "booking", "B1");
      assert.deepEqual(asked, [
        `/api/events?equipmentReference=${BOX}`,
        "/api/events?billOfLadingNumber=B/L",
        "/api/events?bookingReference=B1",
      ]);
    },
  ));

const ACCOUNT = "0198c0de-0000-7000-8000-000000000001";
const OTHER = "0198c0de-0000-7000-8000-000000000002";

test("an account's shipments are asked for with its parameters and headers, and others' not at all where it says so", () =>
  asking(
    {
      accountsOnly: true,
      parameters: { behalfOf: "nobody" },
      headers: { "X-Key": "ours" },
      accounts: { [ACCOUNT]: { parameters: { behalfOf: "4711" }, headers: { "x-key": "theirs" } } },
    },
    () => ({ body: TWO }),
    async ({ client, carrier, asked, requests }) => {
      assert.equal(outcome(await client.fetch(carrier, "container_id", BOX, null, false, ACCOUNT)), "2");
      assert.equal(
        outcome(await client.fetch(carrier, "container_id", BOX, null, false, OTHER)),
        "not_found",
      );
      assert.equal(outcome(await client.fetch(carrier, "container_id", BOX)), "not_found");
      assert.deepEqual(asked, [`/api/events?equipmentReference=${BOX}&behalfOf=4711`]);
      assert.equal(requests[0]?.headers["x-key"], "theirs");
    },
  ));

test("pages are followed by a cursor in the body, by number and by offset, until the last", async () => {
  const all = events(5, Date.UTC(2026, 2, 10));
  const limit = { parameter: "limit", max: 2 };
  const page = (from: number) => all.slice(from, from + 2);
  for (const [entry, reply, last] of [
    [
      { paging: { by: "cursor", body: "/meta/next~1cursor", parameter: "after" }, question: { limit } },
      ({ url }: Request) => {
        const from = Number(url.searchParams.get("after") ?? 0);
        const next = from + 2 < all.length ? { "next/cursor": from + 2 } : {};
        return { body: { events: page(from), meta: next } };
      },
      "limit=2&after=4",
    ],
    [
      { paging: { by: "cursor", header: "X-Next" } },
      ({ url }: Request) => {
        const from = Number(url.searchParams.get("cursor") ?? 0);
        return { body: page(from), headers: from + 2 < all.length ? { "x-next": String(from + 2) } : {} };
      },
      "cursor=4",
    ],
    [
      { paging: { by: "page", parameter: "page" }, question: { limit } },
      ({ url }: Request) => ({ body: page((Number(url.searchParams.get("page")) - 1) * 2) }),
      "limit=2&page=3",
    ],
    [
      { paging: { by: "page", parameter: "pageNo", first: 0 } },
      ({ url }: Request) => ({ body: page(Number(url.searchParams.get("pageNo")) * 2) }),
      "pageNo=3",
    ],
    [
      { paging: { by: "offset", parameter: "skip" }, question: { limit } },
      ({ url }: Request) => ({ body: page(Number(url.searchParams.get("skip"))) }),
      "limit=2&skip=4",
    ],
  ] as const) {
    await asking(entry, reply, async ({ client, carrier, asked }) => {
      assert.equal(outcome(await client.fetch(carrier, "container_id", BOX)), "5");
      assert.equal(asked.at(-1), `/api/events?equipmentReference=${BOX}&${last}`);
    });
  }
});

test("a next page on another host is not followed, wherever it is written", () =>
  asking(
    { paging: { by: "cursor", body: "/next" } },
    () => ({ body: { events: TWO, next: "https://elsewhere.example/p2?x=1" } }),
    async ({ client, carrier }) => {
      assert.equal(outcome(await client.fetch(carrier, "container_id", BOX)), "next_page_elsewhere");
    },
  ));

test("a carrier that refuses a later page does not say that it has no such reference", async () => {
  const limit = { parameter: "limit", max: 2 };
  for (const [entry, status, expected] of [
    [{}, 404, "http_404"],
    [{}, 400, "http_400"],
    [{ paging: { by: "page", parameter: "page" }, question: { limit } }, 422, "http_422"],
    // A counted page that is not there is the one behind the last.
    [{ paging: { by: "page", parameter: "page" }, question: { limit } }, 404, "2"],
    [{ paging: { by: "offset", parameter: "skip" } }, 404, "2"],
  ] as const) {
    const isFirst = ({ searchParams }: URL) =>
      (searchParams.get("cursor") ?? "1") === "1" &&
      (searchParams.get("page") ?? "1") === "1" &&
      (searchParams.get("skip") ?? "0") === "0";
    await asking(
      entry,
      ({ url }) => (isFirst(url) ? { body: TWO, headers: { "next-page-cursor": "2" } } : { status }),
      async ({ client, carrier, asked }) => {
        assert.equal(outcome(await client.fetch(carrier, "container_id", BOX)), expected);
        assert.equal(asked.length, 2);
      },
    );
  }
});

test("a carrier that ignores the count of pages is asked twice, not for every page there may be", () =>
  asking(
    { paging: { by: "page", parameter: "page" } },
    () => ({ body: TWO }),
    async ({ client, carrier, asked }) => {
      assert.equal(outcome(await client.fetch(carrier, "container_id", BOX)), "next_page_repeats");
      assert.equal(asked.length, 2);
    },
  ));

test("port calls are asked for in their own version, whatever Track & Trace asks for", () => {
  const versions: string[] = [];
  const nowMs = manualClock().nowMs();
  const arrival = {
    ...events(1, Date.UTC(2026, 2, 10))[0],
    eventType: "TRANSPORT",
    transportEventTypeCode: "ARRI",
  };
  const transportCall = {
    ...{ modeOfTransport: "VESSEL", UNLocationCode: "NLRTM" },
    vessel: { vesselIMONumber: "9321483" },
  };
  return serving(
    (request, response) => {
      versions.push(String(request.headers["api-version"]));
      response.end("[]");
    },
    async ({ url }) => {
      await asking(
        { headers: { "API-Version": "2.2" }, portCalls: { baseUrl: url } },
        ({ headers }) => {
          versions.push(String(headers["api-version"]));
          return { body: [{ ...arrival, eventDateTime: new Date(nowMs).toISOString(), transportCall }] };
        },
        ({ client, carrier }) => client.fetch(carrier, "container_id", BOX).then(() => undefined),
      );
      assert.deepEqual(versions, ["2.2", "2.0.0"]);
    },
  );
});
