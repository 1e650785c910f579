/** Answers that would harm a reader without bounds. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  CALLS_MAX,
  STATEMENTS_OF_A_VOYAGE_MAX,
} from "../../../src/products/schedules/sources/read-context.ts";
import { FEED_KINDS } from "../../../src/products/schedules/sources/feed-schema.ts";
import { readPushed } from "../../../src/products/schedules/sources/read-answer.ts";
import { runToEnd } from "../../../src/runtime/time-slices.ts";
import { START_MS } from "../../support/clock.ts";
import { HERON, ovsService, stamp, transportCall } from "./answers.ts";
import { atFeed } from "./feed-scene.ts";
import { readAs } from "./reading-calls.ts";

const PAGE = [ovsService("FE1", [transportCall("NLRTM")])];

test("endless pages, pages in a ring and pages on another host, where our key must not go, end the answer", async () => {
  const cursor = (of: (number: number) => string) => (number: number) => ({ "Next-Page-Cursor": of(number) });
  for (const [headers, reason, requests] of [
    [cursor((number) => `${number}`), "too_many_pages", 200],
    [cursor((number) => ["a", "b"][number % 2]!), "next_page_repeats", 3],
    [cursor(() => "a"), "next_page_repeats", 2],
    [() => ({ Link: '<https://elsewhere.example/p2>; rel="next"' }), "next_page_elsewhere", 1],
  ] as const) {
    await atFeed(
      {},
      (_, number) => ({ body: PAGE, headers: headers(number) }),
      async ({ fetch, asked }) => {
        const answer = await fetch();
        assert.ok(answer.kind === "answered");
        assert.equal(answer.problems[0]?.message, `was not answered: ${reason}`);
        assert.deepEqual([answer.updates[0]?.complete, asked.length], [null, requests]);
      },
    );
  }
});

test("an answer that is no schedule is wrong, whatever it is", async () => {
  for (const [body, message] of [
    ["<html>Welcome</html>", "is no JSON"],
    ["", "is no JSON"],
    ["null", "is no list of service schedules"],
    ["42", "is no list of service schedules"],
    ['"schedules"', "is no list of service schedules"],
    [{ statusCode: 500, errors: [] }, "is no list of service schedules"],
    [{ data: { data: [] } }, "is no list of service schedules"],
  ] as const) {
    await atFeed(
      {},
      () => ({ body }),
      async ({ fetch }) => {
        assert.deepEqual(await fetch(), { kind: "wrong", problems: [{ path: "all", message }] });
      },
    );
  }
});

test("an answer that is too large is unavailable", () =>
  atFeed(
    {},
    () => ({ body: " ".repeat(65 * 1024 * 1024) }),
    async ({ fetch }) => {
      assert.deepEqual(await fetch(), { kind: "unavailable", reason: "too_large", retryAfterMs: null });
    },
  ));

test("calls beyond the bound of one answer are left out, and it is not complete", () => {
  const call = { location: { UNLocationCode: "NLRTM" } };
  const { calls, problems, isComplete } = readAs("ovs-service-schedules", [
    ovsService(
      "FE1",
      Array.from({ length: CALLS_MAX + 5 }, () => call),
    ),
  ]);
  assert.deepEqual([calls.length, problems.length, isComplete], [CALLS_MAX, 1, false]);
  assert.match(problems[0]?.message ?? "", /is beyond 20000 calls: ask for less, or send it in parts/);
});

test("calls beyond the bound of one voyage are left out, and the answer is not complete", () => {
  const inDays = (days: number) => new Date(Date.UTC(2026, 11, 1) + days * 86_400_000).toISOString();
  const calls = Array.from({ length: STATEMENTS_OF_A_VOYAGE_MAX + 5 }, (_, days) =>
    transportCall("NLRTM", { timestamps: [stamp("ARRI", "PLN", inDays(days))] }),
  );
  const other = transportCall("DEHAM", { carrierExportVoyageNumber: "614E" });
  const read = readAs("ovs-service-schedules", [ovsService("FE1", [...calls, calls[0], other])]);
  assert.deepEqual([read.calls.length, read.problems.length, read.isComplete], [1_002, 5, false]);
  assert.match(read.problems[0]?.message ?? "", /has more than 1000 calls of one voyage/);
});

test("a hundred problems are named, and long values are cut", () => {
  const location = { UNLocationCode: "x".repeat(5_000) };
  const wrong = Array.from({ length: 5_000 }, () => ({ location }));
  const { problems } = readAs("ovs-service-schedules", [ovsService("FE1", wrong)]);
  assert.equal(problems.length, 100);
  assert.ok(JSON.stringify(problems).length < 30_000);
});

test("deep nesting, and every wrong type in every place, do no harm", () => {
  const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as unknown;
  const strange = [null, true, 7, "text", [], {}, deep, { toString: null }, JSON.parse('{"__proto__": 1}')];
  const names =
    "vesselSchedules location legs timestamps cutOffTimes servicePartners vessel " +
    "transportCalls transport departure arrival statusCodes intermediateCalls";
  const filled = (value: unknown) => Object.fromEntries(names.split(" ").map((name) => [name, value]));
  for (const kind of FEED_KINDS) {
    for (const value of strange) {
      const one = filled(value);
      const two = filled([one]);
      const place = { location: { UNLocationCode: "NLRTM" } };
      for (const answer of [value, [value], [one], [two], [{ ...two, ...place }], { ...two, ...place }]) {
        runToEnd(readPushed({ name: "heron", kind, ...HERON }, answer, START_MS));
      }
    }
  }
});
