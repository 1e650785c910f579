import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { nextDueMs, createDueHeap, schedule, takeDue, unschedule } from "../../src/engine/claim/due-heap.ts";
import { fifo, lengthOf, push, shift, takeAll } from "../../src/engine/dispatch/fifo.ts";
import {
  fingerprintsOf,
  isAmong,
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

  // spec 3.1: delivered, ladder, dead; 8: attempts, ladder
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

  // spec 8: redirects
  test("a redirect is a failure", () => {
    assert.equal(
      settle(0, { kind: "answered", statusCode: 301 }, 0, retry).lastError,
      "http_301: The endpoint answered Moved Permanently. Redirects are not followed.",
    );
  });
});

describe("the due heap", () => {
  test("gives endpoints in the order of their earliest time, each once, and none before it", () => {
    const entries = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d", "e"), fc.nat({ max: 100 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(entries, fc.constantFrom("a", "f"), fc.nat({ max: 100 }), (scheduled, removed, nowMs) => {
        const agenda = createDueHeap();
        const earliest = new Map<string, number>();
        for (const [id, atMs] of scheduled) {
          schedule(agenda, id, atMs);
          earliest.set(id, Math.min(atMs, earliest.get(id) ?? Infinity));
        }
        unschedule(agenda, removed);
        earliest.delete(removed);
        assert.equal(nextDueMs(agenda), earliest.size === 0 ? null : Math.min(...earliest.values()));
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

describe("an endpoint of the due heap", () => {
  test("is taken once its time has come, and may come back at a later one", () => {
    const agenda = createDueHeap();
    for (const [id, atMs] of [
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ] as const)
      schedule(agenda, id, atMs);
    assert.deepEqual(takeDue(agenda, 2, 1), ["a"]);
    schedule(agenda, "a", 5);
    assert.deepEqual(takeDue(agenda, 2, 10), ["b"]);
    assert.deepEqual(takeDue(agenda, 10, 10), ["c", "a"]);
    assert.equal(nextDueMs(agenda), null);
  });

  test("has one entry a time, however often it is noted", () => {
    const agenda = createDueHeap();
    for (const atMs of [3, 3, 4, 3]) schedule(agenda, "a", atMs);
    assert.equal(agenda.heap.length, 1);
  });
});

describe("the queue of an endpoint queue", () => {
  const runs = fc.array(fc.integer({ min: -700, max: 700 }), { maxLength: 8 });

  test("releases what was put in, in order, and holds little more than that", () => {
    fc.assert(
      fc.property(runs, fc.boolean(), (lengths, takesAll) => {
        const queue = fifo<number>();
        let model: number[] = [];
        let next = 0;
        for (const length of lengths) {
          for (let count = 0; count < length; count += 1) {
            push(queue, next);
            model.push(next++);
          }
          const taken = model.slice(0, Math.max(0, -length));
          const given = Array.from({ length: Math.max(0, -length) }, () => shift(queue));
          model = model.slice(taken.length);
          assert.deepEqual(given, [...taken, ...Array(given.length - taken.length).fill(undefined)]);
          assert.equal(lengthOf(queue), model.length);
          // What was released is let go: at most as much as is left, or the slack.
          assert.ok(queue.items.length - model.length <= Math.max(257, model.length + 1));
          if (model.length === 0) assert.equal(queue.items.length, 0);
        }
        if (!takesAll) return;
        assert.deepEqual(takeAll(queue), model);
        assert.deepEqual([lengthOf(queue), queue.items.length, shift(queue)], [0, 0, undefined]);
      }),
    );
  });
});

describe("a secret", () => {
  const owner = { accountId: "a", endpointId: "e" };
  const old = random.bytes(32);
  const now = random.bytes(32);

  // spec 5.1: method, header, signed_material; 2.1: secret
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

  test("opens as an earlier version of Boathook sealed it", () => {
    const sealed =
      "01e9669be1090909090909090909090909904c4c5d14757fadbb2c4896caefc977438cbead79332ff3ec5de80ae4179d213fe8e4cbabba249b8f2bc45c18f4f0a7";
    const [key, whose] = [Buffer.alloc(32, 7), { accountId: "an-account", endpointId: "an-endpoint" }];
    assert.equal(
      signatureOf("body", signingKey(Buffer.from(sealed, "hex"), whose, [key])),
      "sha256=296b44990e62f7e543f6034c6f83b0d824970d4242d5eb63f982eb5b791bbcd7",
    );
    const drawn = { ...random, bytes: (count: number) => Buffer.alloc(count, 9) };
    assert.equal(sealSecret("whsec_fixed", whose, [key], drawn).toString("hex"), sealed);
  });

  test("is said to be damaged where its length or its version is unknown", () => {
    const sealed = sealSecret(mintSecret(random), owner, [now], random);
    const version = Buffer.from(sealed);
    version[0] = 2;
    for (const damaged of [sealed.subarray(0, -1), Buffer.concat([sealed, Buffer.of(0)]), version]) {
      assert.throws(
        () => signingKey(damaged, owner, [now]),
        /^Error: the sealed secret of endpoint e is damaged$/,
      );
    }
  });

  test("has its key where one of the master keys has the seal's fingerprint", () => {
    const fingerprintOf = (key: Buffer) => sealSecret("s", owner, [key], random).subarray(1, 5);
    assert.equal(isAmong(fingerprintOf(old), fingerprintsOf([now, old])), true);
    assert.equal(isAmong(fingerprintOf(now), fingerprintsOf([now, old])), true);
    assert.equal(isAmong(fingerprintOf(old), fingerprintsOf([now])), false);
  });

  test("names its endpoint where no key opens it", () => {
    const sealed = sealSecret(mintSecret(random), owner, [old], random);
    assert.throws(
      () => signingKey(sealed, owner, [now]),
      /the secret of endpoint e was sealed under a master key/,
    );
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
