import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { nextAtMs, openAgenda, schedule, takeDue, unschedule } from "../../src/engine/agenda.ts";
import { fifo, lengthOf, push, shift } from "../../src/engine/fifo.ts";
import {
  isSealedUnder,
  mintSecret,
  resealSecret,
  sealSecret,
  signatureOf,
  signingKey,
} from "../../src/engine/secret.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { settle, type Outcome } from "../../src/model/delivery.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { createHmac } from "node:crypto";

const random = systemRandom();
const { retry } = DEFAULT_ENGINE_SETTINGS;

describe("settling one attempt", () => {
  const outcome: fc.Arbitrary<Outcome> = fc.oneof(
    fc.record({ kind: fc.constant("answered" as const), statusCode: fc.integer({ min: 200, max: 599 }) }),
    fc.record({
      kind: fc.constant("failed" as const),
      statusCode: fc.constant(null),
      error: fc.constant({ code: "timeout", text: "no answer" }),
    }),
  );

  test("ends delivered at the first 2xx, dead at the last failure, and pending in between", () => {
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 1, maxLength: 8 }), (outcomes) => {
        let attempts = 0;
        for (const one of outcomes) {
          const atMs = 1_000_000 * attempts;
          const made = settle(attempts, one, atMs, retry);
          attempts += 1;
          assert.equal(made.attemptCount, attempts);
          const success = one.kind === "answered" && one.statusCode < 300;
          assert.equal(made.status === "delivered", success);
          assert.equal(made.deliveredAtMs, success ? atMs : null);
          assert.equal(made.lastError === null, success);
          assert.equal(made.lastStatusCode, one.statusCode);
          if (success) return;
          assert.equal(made.status, attempts === 6 ? "dead" : "pending");
          assert.equal(made.dueAtMs, attempts === 6 ? null : atMs + retry.waitsMs[attempts - 1]!);
          if (attempts === 6) return;
        }
      }),
    );
  });

  test("a redirect is a failure", () => {
    assert.equal(
      settle(0, { kind: "answered", statusCode: 301 }, 0, retry).lastError,
      "http_301: The endpoint answered Moved Permanently. Redirects are not followed.",
    );
  });
});

describe("the agenda", () => {
  test("gives endpoints in the order of their earliest time, each once, and none before it", () => {
    const entries = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d", "e"), fc.nat({ max: 100 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(entries, fc.constantFrom("a", "f"), fc.nat({ max: 100 }), (scheduled, removed, nowMs) => {
        const agenda = openAgenda();
        const earliest = new Map<string, number>();
        for (const [id, atMs] of scheduled) {
          schedule(agenda, id, atMs);
          earliest.set(id, Math.min(atMs, earliest.get(id) ?? Infinity));
        }
        unschedule(agenda, removed);
        earliest.delete(removed);
        assert.equal(nextAtMs(agenda), earliest.size === 0 ? null : Math.min(...earliest.values()));
        const due = takeDue(agenda, nowMs, 10);
        const expected = [...earliest].filter(([, atMs]) => atMs <= nowMs);
        assert.deepEqual(due.toSorted(), expected.map(([id]) => id).toSorted());
        const times = due.map((id) => earliest.get(id)!);
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        );
      }),
    );
  });
});

describe("the queue of a lane", () => {
  test("gives back what was put in, in order, however the two are mixed", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 3_000 }), (puts) => {
        const queue = fifo<number>();
        const model: number[] = [];
        for (const [index, put] of puts.entries()) {
          if (put) {
            push(queue, index);
            model.push(index);
          } else {
            assert.equal(shift(queue), model.shift());
          }
          assert.equal(lengthOf(queue), model.length);
        }
      }),
    );
  });
});

describe("a secret", () => {
  const owner = { accountId: "a", endpointId: "e" };
  const old = random.bytes(32);
  const now = random.bytes(32);

  test("signs like HMAC-SHA256 over the secret itself, though only its hash is kept", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (body) => {
        const secret = mintSecret(random);
        assert.match(secret, /^whsec_[A-Za-z0-9_-]{64}$/);
        const key = signingKey(sealSecret(secret, owner, [now], random), owner, [now]);
        const expected = createHmac("sha256", secret).update(body).digest("hex");
        assert.equal(signatureOf(body, key), `sha256=${expected}`);
      }),
      { numRuns: 30 },
    );
  });

  test("opens for its own endpoint only, and under a key that is configured", () => {
    const sealed = sealSecret(mintSecret(random), owner, [old], random);
    assert.throws(() => signingKey(sealed, { ...owner, endpointId: "f" }, [old]));
    assert.throws(() => signingKey(sealed, owner, [now]), /BOATHOOK_MASTER_KEY_PREVIOUS/);
    const damaged = Buffer.from(sealed);
    damaged[20]! ^= 1;
    assert.throws(() => signingKey(damaged, owner, [old]));
  });

  test("moves to a new master key and signs the same", () => {
    const sealed = sealSecret(mintSecret(random), owner, [old], random);
    const moved = resealSecret(sealed, owner, [now, old], random);
    assert.equal(isSealedUnder(sealed, [now, old]), false);
    assert.equal(isSealedUnder(moved, [now, old]), true);
    assert.equal(
      signatureOf("x", signingKey(moved, owner, [now])),
      signatureOf("x", signingKey(sealed, owner, [old])),
    );
  });
});
