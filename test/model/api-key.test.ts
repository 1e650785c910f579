import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { hashKey, mintKey, parseKey } from "../../src/model/api-key.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { forAll } from "../support/runs.ts";

const random = systemRandom();

test("a key is its prefix, thirty random characters and a checksum of six", () => {
  const key = mintKey("tracking", random);
  assert.match(key, /^tracking_[0-9A-Za-z]{36}$/);
  assert.deepEqual(parseKey(key), { prefix: "tracking", hash: hashKey(key) });
});

test("a key's checksum is the CRC-32 of what is before it, in base 62", () => {
  let next = 0;
  const counting = { bytes: (count: number) => Buffer.from(Array.from({ length: count }, () => next++)) };
  const key = "tracking_0123456789ABCDEFGHIJKLMNOPQRST14rRlU";
  assert.equal(mintKey("tracking", { ...random, ...counting }), key);
});

test("what is kept of a key is its SHA-256", () => {
  const digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assert.equal(hashKey("abc").toString("hex"), digest);
});

test("a right checksum does not make a key of what has no key's form", () => {
  assert.equal(parseKey(mintKey("Tracking", random)), null);
  assert.equal(parseKey(mintKey("", random)), null);
  assert.equal(parseKey(mintKey("a".repeat(21), random)), null);
});

test("two keys are never the same", () =>
  assert.equal(new Set(Array.from({ length: 100 }, () => mintKey("air", random))).size, 100));

test("any single typing mistake is detected without a lookup", () => {
  const key = mintKey("tracking", random);
  const place = fc.integer({ min: 0, max: key.length - 1 });
  const character = fc.string({ minLength: 1, maxLength: 1, unit: "grapheme-ascii" });
  forAll(100, place, character, (at, other) => {
    fc.pre(key[at] !== other);
    assert.equal(parseKey(key.slice(0, at) + other + key.slice(at + 1)), null);
  });
});

test("what is no key is none, whatever it is", () =>
  forAll(100, fc.string(), (text) => assert.equal(parseKey(text), null)));

test("every digit is as likely as any other", () => {
  let next = 0;
  const counting = {
    bytes: (count: number) => Buffer.from(Array.from({ length: count }, () => next++ % 256)),
  };
  const seen = new Map<string, number>();
  for (let round = 0; round < 1_240; round++) {
    for (const digit of mintKey("k", { ...random, ...counting }).slice(2, 32)) {
      seen.set(digit, (seen.get(digit) ?? 0) + 1);
    }
  }
  assert.equal(seen.size, 62);
  assert.ok(
    Math.max(...seen.values()) - Math.min(...seen.values()) <= 10,
    "bytes that favour some digits are skipped",
  );
});
