import assert from "node:assert/strict";
import { test } from "node:test";

import { manualClock } from "../../support/clock.ts";
import { ACCOUNT, asking, BOX, events, outcome, TWO, TYPES, type Reply, type Request } from "./asking.ts";

test("an answer that is as full as it can be, without a next page, is incomplete", async () => {
  for (const [count, paging, expected] of [
    [3, undefined, "3 incomplete"],
    [3, { by: "none" }, "3 incomplete"],
    [2, undefined, "2"],
    [2, { by: "none" }, "2"],
  ] as const) {
    await asking(
      { question: { limit: { max: 3 } }, ...(paging === undefined ? {} : { paging }) },
      () => ({ body: events(count, Date.UTC(2026, 2, 10)) }),
      async ({ client, carrier, asked, problems }) => {
        const answer = await client.fetch(carrier, "container_id", BOX);
        assert.equal(outcome(answer), expected);
        const isCut = expected.endsWith("incomplete");
        assert.deepEqual(problems, isCut ? ["ocean HRNL: answer cut: as full as it can be"] : []);
        assert.deepEqual(asked, [`/api/events?equipmentReference=${BOX}`]);
        // The same answer stays what it was.
        assert.ok(answer.kind === "events");
        const again = await client.fetch(carrier, "container_id", BOX, answer.digest);
        assert.equal(again.kind, "unchanged");
      },
    );
  }
});

test("an answer with as many events as any parameter asks for, without a next page, may be cut", async () => {
  const next = { "next-page": "c2" };
  for (const [entry, count, headers, expected] of [
    [{ parameters: { limit: "3" } }, 3, {}, "3 incomplete"],
    [{ parameters: { limit: "3" } }, 2, {}, "2"],
    // The carrier pays no heed to it.
    [{ parameters: { limit: "3" } }, 4, {}, "4"],
    [{ parameters: { limit: "all" } }, 3, {}, "3"],
    [
      { parameters: { size: "3" }, question: { limit: { max: 9, parameter: "size" } } },
      3,
      {},
      "3 incomplete",
    ],
    [{ accounts: { [ACCOUNT]: { parameters: { limit: "3" } } } }, 3, {}, "3 incomplete"],
    [
      {
        question: {
          references: { container_id: { parameters: { equipmentReference: "{reference}", limit: "3" } } },
        },
      },
      3,
      {},
      "3 incomplete",
    ],
    // The carrier does page.
    [{ parameters: { limit: "3" } }, 3, next, "6"],
  ] as const) {
    await asking(
      entry,
      ({ url }) => ({
        body: events(count, Date.UTC(2026, 2, 10)),
        headers: url.searchParams.has("cursor") ? {} : headers,
      }),
      async ({ client, carrier }) => {
        const answer = await client.fetch(carrier, "container_id", BOX, null, false, ACCOUNT);
        assert.equal(outcome(answer), expected, JSON.stringify(entry));
      },
    );
  }
});

/** Answers with the first events alone, by what of the question it understands. */
function cutting(max: number, all: ReturnType<typeof events>) {
  return ({ url }: Request): Reply => {
    const { searchParams } = url;
    const type = searchParams.get("eventType");
    const from = Date.parse(searchParams.get("since") ?? "1970-01-01");
    const to = Date.parse(searchParams.get("until") ?? "2999-01-01");
    const found = all.filter(({ eventType, eventCreatedDateTime }) => {
      const createdMs = Date.parse(eventCreatedDateTime);
      return (type === null || type === eventType) && createdMs >= from && createdMs < to;
    });
    return found.length === 0 ? { status: 404 } : { body: found.slice(0, max) };
  };
}

const BY_TYPE = { parameter: "eventType", values: [...TYPES] };
const RANGES = { from: "since", to: "until" };

test("a cut answer is asked for again in parts, by values, by time and by both, until none is cut", async () => {
  const nowMs = manualClock().nowMs();
  for (const [max, count, split, requestsMax, entry] of [
    [5, 12, BY_TYPE, 4],
    [5, 12, { ranges: RANGES }, 20],
    [5, 12, { ranges: { ...RANGES, format: "date", days: 20 } }, 12],
    [3, 12, { ...BY_TYPE, ranges: { ...RANGES, days: 20 } }, 22],
    // Without a limit of the question: a parameter's is known as well.
    [5, 12, BY_TYPE, 4, { parameters: { limit: "5" }, question: { split: BY_TYPE } }],
  ] as const) {
    await asking(
      { paging: { by: "none" }, ...(entry ?? { question: { limit: { max }, split } }) },
      cutting(max, events(count, nowMs)),
      async ({ client, carrier, asked }) => {
        assert.equal(outcome(await client.fetch(carrier, "container_id", BOX)), String(count));
        assert.ok(asked.length > 1 && asked.length <= requestsMax, `${asked.length} requests`);
      },
    );
  }
});

test("an answer whose parts stay cut, or fail, is incomplete, and none of what came is lost", async () => {
  const nowMs = manualClock().nowMs();
  const all = events(30, nowMs);
  for (const [split, refuse] of [
    [BY_TYPE, () => false],
    [{ ranges: { ...RANGES, days: 2 } }, () => false],
    [BY_TYPE, (url: URL) => url.searchParams.get("eventType") === "SHIPMENT"],
  ] as const) {
    const reply = cutting(4, all);
    await asking(
      { paging: { by: "none" }, question: { limit: { max: 4 }, split } },
      (request) => (refuse(request.url) ? { status: 503 } : reply(request)),
      async ({ client, carrier }) => {
        const answer = await client.fetch(carrier, "container_id", BOX);
        assert.ok(answer.kind === "events");
        assert.equal(answer.incomplete, true);
        const times = new Set(answer.events.map(({ at }) => at.ms));
        assert.ok(all.slice(0, 4).every(({ eventDateTime }) => times.has(Date.parse(eventDateTime))));
      },
    );
  }
});

test("parts that a carrier does not understand leave the answer incomplete, and take nothing from it", async () => {
  const all = events(12, manualClock().nowMs());
  for (const [status, refused] of [
    [400, [...TYPES]],
    [404, ["EQUIPMENT", "TRANSPORT"]],
    [400, ["EQUIPMENT"]],
  ] as const) {
    const isRefused = (url: URL) => refused.some((type) => type === url.searchParams.get("eventType"));
    const reply = cutting(5, all);
    await asking(
      { paging: { by: "none" }, question: { limit: { max: 5 }, split: BY_TYPE } },
      (request) => (isRefused(request.url) ? { status } : reply(request)),
      async ({ client, carrier }) => {
        const answer = await client.fetch(carrier, "container_id", BOX);
        assert.match(outcome(answer), /^(5|9) incomplete$/);
      },
    );
  }
});

test("a part whose later page is refused is not empty: the answer is incomplete", () => {
  const all = events(12, manualClock().nowMs());
  const reply = cutting(5, all);
  return asking(
    { paging: { by: "cursor", header: "x-next" }, question: { limit: { max: 5 }, split: BY_TYPE } },
    ({ url, headers }) => {
      if (url.searchParams.has("cursor")) return { status: 404 };
      const answer = reply({ url, headers });
      // Equipment has a second page, which is lost; the other two repeat what the whole answer had.
      const isPaged = url.searchParams.get("eventType") === "EQUIPMENT";
      return isPaged ? { ...answer, headers: { "x-next": "2" } } : answer;
    },
    async ({ client, carrier }) => {
      assert.match(outcome(await client.fetch(carrier, "container_id", BOX)), /incomplete$/);
    },
  );
});

test("the parts of an answer share its bound of bytes", () => {
  const padding = "x".repeat(3 * 1024 * 1024);
  return asking(
    { paging: { by: "none" }, question: { limit: { max: 2 }, split: BY_TYPE } },
    ({ url }) => ({ body: url.searchParams.has("eventType") ? { events: TWO.slice(1), padding } : TWO }),
    async ({ client, carrier, asked }) => {
      assert.match(outcome(await client.fetch(carrier, "container_id", BOX)), /incomplete$/);
      assert.equal(asked.length, 4);
    },
  );
});

test("a carrier that answers every part with the same first events is asked a bounded number of times", () =>
  asking(
    { paging: { by: "none" }, question: { limit: { max: 2 }, split: { ...BY_TYPE, ranges: RANGES } } },
    () => ({ body: TWO }),
    async ({ client, carrier, asked }) => {
      assert.equal((await client.fetch(carrier, "container_id", BOX)).kind, "events");
      assert.ok(asked.length <= 25, `${asked.length} requests`);
    },
  ));
