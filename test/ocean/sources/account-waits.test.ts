/** When shipments come back that an account's own quota did not let through. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { ClaimedShipment } from "../../../src/freight/polling/store/polls.ts";
import { createAccountWaits } from "../../../src/products/ocean/sources/account-waits.ts";
import { recordingLog } from "../../support/log.ts";
import { TERN } from "../shipping-lines.ts";

const OWN = "00000000-0000-7000-8000-00000000000a";
const OTHER = "00000000-0000-7000-8000-00000000000b";
const NOW_MS = Date.parse("2026-11-23T12:00:00Z");
const MINUTE_MS = 60_000;

const CLAIMED: ClaimedShipment = {
  ...{ id: "", accountId: OWN, reference: "", identifierType: null, carrierHint: null, carrier: "TRNC" },
  ...{
    status: "pending",
    eta: null,
    endedAt: null,
    changesAt: null,
    createdAt: new Date(NOW_MS),
    source: "",
  },
  ...{ nextPollAt: new Date(NOW_MS), lease: 1, failures: 0, failure: null, refreshedAt: null },
  ...{ answerDigest: null, armedAt: null },
};

function open(quota: { perSecond?: number; perDay?: number }) {
  const log = recordingLog();
  const waits = createAccountWaits(
    [{ ...TERN, quota, accounts: { [OWN]: { headers: { "x-api-key": "own" } } } }],
    log,
  );
  /** Milliseconds from now to the next poll; null: the carrier waits. */
  const waitMsOf = (claimed: Partial<ClaimedShipment> = {}, waitMs = 1_000): number | null => {
    const reply = waits({ ...CLAIMED, ...claimed }, waitMs, NOW_MS);
    if (reply === null) return null;
    assert.ok(reply.kind === "polled");
    return reply.update.result.nextPollAtMs! - NOW_MS;
  };
  return { waitMsOf, lines: log.lines };
}

test("they come back one after the other, by the fastest limit of the quota", () => {
  const { waitMsOf } = open({ perSecond: 5, perDay: 1_000 });
  assert.deepEqual([waitMsOf(), waitMsOf(), waitMsOf()], [1_000, 1_200, 1_400]);
});

test("one that a client waits for comes back at the next turn, before the others", () => {
  const { waitMsOf } = open({ perDay: 24 });
  waitMsOf();
  assert.equal(waitMsOf({ nextPollAt: new Date(0) }), 1_000);
});

test("none waits longer than an hour beyond the next turn, and the log says once that the quota is too small", () => {
  const { waitMsOf, lines } = open({ perDay: 48 });
  assert.deepEqual(
    [waitMsOf(), waitMsOf(), waitMsOf(), waitMsOf(), waitMsOf()],
    [0, 30, 60, 60, 60].map((minutes) => 1_000 + minutes * MINUTE_MS),
  );
  assert.deepEqual(
    lines.map(({ level, fields }) => [level, fields]),
    [["warn", { carrier: "TRNC", account: OWN }]],
  );
});

test("an account without credentials of its own leaves the wait to the carrier", () => {
  const { waitMsOf } = open({ perSecond: 5 });
  assert.deepEqual([waitMsOf({ accountId: OTHER }), waitMsOf({ carrier: null })], [null, null]);
});
