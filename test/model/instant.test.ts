import assert from "node:assert/strict";
import { test } from "node:test";

import { readInstant, utcDay } from "../../src/model/instant.ts";

test("a date-time with an offset is an instant", () =>
  assert.equal(readInstant("2026-11-22T01:00:00+02:00"), Date.UTC(2026, 10, 21, 23)));

for (const text of ["2026-11-22", "2026-11-22T01:00:00", "2026-12-31T23:59:60Z", "soon", ""]) {
  test(`"${text}" is no instant`, () => assert.equal(readInstant(text), null));
}

test("the day of an instant is the one in UTC", () =>
  assert.equal(utcDay(readInstant("2026-11-22T01:00:00+02:00")!), "2026-11-21"));
