import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { firstUuidOf, readUuid, timeOfUuid } from "../../src/model/uuid.ts";
import { forAll } from "../support/runs.ts";

const UUID = "0193a5b0-7c1e-7def-8a9b-0123456789ab";

test("a UUID is read in lower case, however it is written", () => {
  assert.equal(readUuid(UUID), UUID);
  assert.equal(readUuid(UUID.toUpperCase()), UUID);
});

test("a UUID that lacks any one of its characters, or has one more, is none", () => {
  for (let at = 0; at < UUID.length; at++) {
    assert.equal(readUuid(UUID.slice(0, at) + UUID.slice(at + 1)), null, `without character ${at}`);
    assert.equal(readUuid(`${UUID.slice(0, at)}0${UUID.slice(at)}`), null, `with one more at ${at}`);
    assert.equal(readUuid(`${UUID.slice(0, at)}g${UUID.slice(at + 1)}`), null, `with g at ${at}`);
  }
  assert.equal(readUuid(`${UUID}0`), null);
  assert.equal(readUuid(`${UUID}\n`), null);
});

test("the first id of a time is at most every id of it, and above those before", () => {
  const timeMs = fc.integer({ min: 1, max: 2 ** 48 - 1 });
  forAll(100, timeMs, fc.stringMatching(/^7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/), (ms, rest) => {
    const idAt = (atMs: number) => firstUuidOf(atMs).slice(0, 14) + rest;
    assert.equal(timeOfUuid(firstUuidOf(ms)), ms);
    assert.ok(firstUuidOf(ms) <= idAt(ms));
    assert.ok(firstUuidOf(ms) > idAt(ms - 1));
  });
});
