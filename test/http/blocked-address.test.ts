/** What a client learns of an address that is refused (spec 2.2: last_error). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { checkAddress, addressPolicy } from "../../src/engine/send/address.ts";
import { REFUSED_RANGES } from "../../src/engine/send/address-ranges.ts";
import { attemptError } from "../../src/engine/send/errors.ts";
import { delivery } from "../../src/http/webhooks/delivery.ts";

function shown(lastError: string | null): unknown {
  const record = {
    id: "1",
    eventType: "ping",
    status: "dead",
    attemptCount: 6,
    lastStatusCode: null,
    lastError,
    createdAt: new Date(0),
    deliveredAt: null,
  } as const;
  return delivery.view(record).last_error;
}

test("a client reads that an address is blocked, and not which one or why", () => {
  const plain = "blocked_address: Deliveries go to public addresses only.";
  for (const [cidr] of REFUSED_RANGES) {
    const verdict = checkAddress(cidr.split("/")[0]!, addressPolicy(false));
    assert.ok(!verdict.allowed);
    const { code, text } = attemptError("blocked_address", `inner.example.com leads to ${verdict.reason}`);
    assert.match(text, /inner/);
    assert.equal(shown(`${code}: ${text}`), plain);
  }
  assert.equal(shown(`${plain} (two\nlines)`), plain);
  assert.equal(shown(plain), plain);
});

test("a client reads all other errors as they are", () => {
  for (const text of [
    null,
    "http_503: The endpoint answered Service Unavailable.",
    "tls_failed: x (no cipher)",
  ])
    assert.equal(shown(text), text);
});
