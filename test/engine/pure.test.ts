import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";

import fc from "fast-check";

import { buildAttemptRequest } from "../../src/engine/dispatch/attempt-request.ts";
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
import { systemRandom } from "../../src/runtime/system-random.ts";
import { deliveryOf, queueOf } from "./endpoint.ts";
import { anyText } from "../support/texts.ts";
import { forAll } from "../support/runs.ts";

const random = systemRandom();

describe("the due heap", () => {
  test("gives endpoints in the order of their earliest time, each once, and none before it", () => {
    const entries = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d", "e"), fc.nat({ max: 100 })), {
      maxLength: 60,
    });
    forAll(100, entries, fc.constantFrom("a", "f"), fc.nat({ max: 100 }), (scheduled, removed, nowMs) => {
      const heap = createDueHeap();
      const earliest = new Map<string, number>();
      for (const [id, atMs] of scheduled) {
        schedule(heap, id, atMs);
        earliest.set(id, Math.min(atMs, earliest.get(id) ?? Infinity));
      }
      unschedule(heap, removed);
      earliest.delete(removed);
      assert.equal(nextDueMs(heap), earliest.size === 0 ? null : Math.min(...earliest.values()));
      const due = takeDue(heap, nowMs, 10);
      const expected = [...earliest].filter(([, atMs]) => atMs <= nowMs);
      assert.deepEqual(due.toSorted(), expected.map(([id]) => id).toSorted());
      const times = due.map((id) => earliest.get(id)!);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
    });
  });

  test("takes an endpoint once its time has come, which may come back at a later one", () => {
    const heap = createDueHeap();
    for (const [index, id] of ["a", "b", "c"].entries()) schedule(heap, id, index + 1);
    assert.deepEqual(takeDue(heap, 2, 1), ["a"]);
    schedule(heap, "a", 5);
    assert.deepEqual(takeDue(heap, 2, 10), ["b"]);
    assert.deepEqual(takeDue(heap, 10, 10), ["c", "a"]);
    assert.equal(nextDueMs(heap), null);
  });

  test("has one entry a time, however often an endpoint is noted", () => {
    const heap = createDueHeap();
    for (const atMs of [3, 3, 4, 3]) schedule(heap, "a", atMs);
    assert.equal(heap.heap.length, 1);
  });
});

describe("the queue of an endpoint queue", () => {
  const runs = fc.array(fc.integer({ min: -700, max: 700 }), { maxLength: 8 });

  test("releases what was put in, in order, and holds little more than that", () =>
    forAll(100, runs, fc.boolean(), (lengths, takesAll) => {
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
    }));
});

describe("a secret", () => {
  const owner = { accountId: "a", endpointId: "e" };
  const old = random.bytes(32);
  const now = random.bytes(32);

  // spec 5.1: method, header, signed_material; 2.1: secret
  test("signs like HMAC-SHA256 over the secret itself, though only its hash is kept", () =>
    forAll(30, anyText(), (body) => {
      const secret = mintSecret(random);
      assert.match(secret, /^whsec_[A-Za-z0-9_-]{64}$/);
      const key = signingKey(sealSecret(secret, owner, [now], random), owner, [now]);
      const expected = createHmac("sha256", secret).update(body).digest("hex");
      assert.equal(signatureOf(body, key), `sha256=${expected}`);
    }));

  test("opens for its own endpoint only, and under a key that is configured", () => {
    const sealed = sealSecret(mintSecret(random), owner, [old], random);
    assert.throws(() => signingKey(sealed, { ...owner, endpointId: "f" }, [old]));
    const unknown = /^Error: the secret of endpoint e was sealed under a .* BOATHOOK_MASTER_KEY_PREVIOUS$/;
    assert.throws(() => signingKey(sealed, owner, [now]), unknown);
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

// spec 5.1: method, header, content_type, user_agent, event_header, delivery_header, signature_header
// spec 9: path_version
test("an attempt has the endpoint's URL, the delivery's bytes, and the headers of its product, signed", () => {
  const delivery = deliveryOf("an-id", { type: "eta_changed", body: '{"port":"Gdańsk"}' });
  const { url, headers, body } = buildAttemptRequest(queueOf(), delivery, "Tracking");
  assert.equal(url, "https://receiver.test/");
  assert.equal(body.toString(), delivery.body);
  assert.deepEqual(headers, [
    "content-type",
    "application/json",
    "user-agent",
    "Tracking-Webhooks/1",
    "X-Tracking-Event",
    "eta_changed",
    "X-Tracking-Delivery",
    "an-id",
    "X-Tracking-Signature",
    `sha256=${createHmac("sha256", Buffer.alloc(32)).update(delivery.body).digest("hex")}`,
  ]);
});
