import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { type Outcome, type RetryPolicy, settle } from "../../src/model/delivery.ts";
import { buildDeliveryBody } from "../../src/model/delivery-body.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";

const POLICY: RetryPolicy = {
  attemptsMax: 6,
  waitsMs: [10, 20, 30],
  disableAfterFailures: 20,
  disableAfterMs: 0,
};

const answered = (statusCode: number): Outcome => ({ kind: "answered", statusCode });
const failed = (statusCode: number | null): Outcome => ({
  kind: "failed",
  statusCode,
  error: { code: "timeout", text: "no answer in time" },
});

describe("an answer", () => {
  for (const [statusCode, status] of [
    [199, "pending"],
    [200, "delivered"],
    [299, "delivered"],
    [300, "pending"],
  ] as const) {
    // spec 3.1: delivered, ladder, dead; 8: attempts, redirects
    test(`of ${statusCode} leaves a delivery ${status}`, () =>
      assert.equal(settle(0, answered(statusCode), 0, POLICY).status, status));
  }

  for (const [statusCode, text] of [
    [199, "http_199: The endpoint answered with that status."],
    [299, null],
    [300, "http_300: The endpoint answered Multiple Choices. Redirects are not followed."],
    [308, "http_308: The endpoint answered Permanent Redirect. Redirects are not followed."],
    [399, "http_399: The endpoint answered with that status. Redirects are not followed."],
    [400, "http_400: The endpoint answered Bad Request."],
    [503, "http_503: The endpoint answered Service Unavailable."],
  ] as const) {
    // spec 2.2: last_error, last_status_code; 7: last_error
    test(`of ${statusCode} is reported as ${text}, the second time as the first`, () => {
      assert.equal(settle(0, answered(statusCode), 0, POLICY).lastError, text);
      assert.equal(settle(1, answered(statusCode), 0, POLICY).lastError, text);
    });
  }
});

// spec 3.1: delivered, ladder, dead; 2.2: status, attempt_count, delivered_at
describe("an outcome makes a delivery, as a whole,", () => {
  const failed500 = {
    lastStatusCode: 500,
    lastError: "http_500: The endpoint answered Internal Server Error.",
  };
  for (const [before, statusCode, expected] of [
    [
      1,
      200,
      { status: "delivered", lastStatusCode: 200, lastError: null, deliveredAtMs: 5_000, dueAtMs: null },
    ],
    [1, 500, { status: "pending", ...failed500, deliveredAtMs: null, dueAtMs: 5_020 }],
    [5, 500, { status: "dead", ...failed500, deliveredAtMs: null, dueAtMs: null }],
  ] as const)
    test(`${expected.status} with the answer ${statusCode} after ${before} attempts`, () => {
      const settlement = settle(before, answered(statusCode), 5_000, POLICY);
      assert.deepEqual(settlement, { attemptCount: before + 1, ...expected });
    });
});

describe("a failure of the transport", () => {
  test("is reported by its code and its text", () => {
    const { lastError, lastStatusCode } = settle(0, failed(null), 0, POLICY);
    assert.equal(lastError, "timeout: no answer in time");
    assert.equal(lastStatusCode, null);
  });

  test("is a failure even when an answer of 200 had begun", () => {
    const settlement = settle(0, failed(200), 0, POLICY);
    assert.equal(settlement.status, "pending");
    assert.equal(settlement.lastError, "timeout: no answer in time");
    assert.equal(settlement.lastStatusCode, 200);
  });
});

describe("the wait after a failed attempt", () => {
  // spec 3.1: ladder; 8: ladder
  test("is the ladder's, and its last rung's where the ladder ends", () => {
    const dues = [0, 1, 2, 3, 4, 5].map((before) => settle(before, failed(null), 1_000, POLICY).dueAtMs);
    assert.deepEqual(dues, [1_010, 1_020, 1_030, 1_030, 1_030, null]);
  });

  test("is none where the ladder has no rung", () =>
    assert.equal(settle(0, failed(null), 1_000, { ...POLICY, waitsMs: [] }).dueAtMs, 1_000));
});

// spec 2.3: four_keys, id, type, occurred_at, data, utc
test("a body has four keys, the time that it was given, and its data as it is", () => {
  const [first, second] = [Date.UTC(2026, 0, 2, 3, 4, 5, 6), Date.UTC(2026, 0, 2, 3, 4, 5, 7)];
  const bodies = [first, first, second, first].map((atMs) =>
    buildDeliveryBody("an-id", "ping", atMs, '{ "a": 1.0 }'),
  );
  const expected = (time: string) =>
    `{"id":"an-id","type":"ping","occurred_at":"2026-01-02T03:04:05.${time}Z","data":{ "a": 1.0 }}`;
  assert.deepEqual(bodies, [expected("006"), expected("006"), expected("007"), expected("006")]);
});

test("a failed statement is commit unknown unless the store says that it was not carried out", () => {
  const cause = new Error("gone");
  const unsure = new StoreUnavailable("the database is gone", { cause });
  assert.equal(unsure.commitUnknown, true);
  assert.equal(unsure.cause, cause);
  assert.equal(unsure.name, "StoreUnavailable");
  assert.equal(unsure.reason, "unreachable");
  assert.equal(new StoreUnavailable("too much", { reason: "overloaded" }).reason, "overloaded");
  assert.equal(new StoreUnavailable("no connection", { commitUnknown: false }).commitUnknown, false);
});
