/** Date-times of carriers, compared with a slow reading of the same grammar by the language's calendar. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { readDateTime } from "../../src/freight/dcsa/time.ts";
import { forAll, runs } from "../support/runs.ts";

const GRAMMAR =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(?:[Zz]|([+-])(\d{2}):?(\d{2}))$/;

function readSlowly(written: string): ReturnType<typeof readDateTime> {
  const match = GRAMMAR.exec(written.trim());
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part || 0));
  const [fraction = "", sign, hours, minutes] = match.slice(7);
  if (year! < 1970 || year! > 2100) return null;
  const fields = { year: year!, month: month!, day: day!, hour: hour!, minute: minute!, second: second! };
  let local: Temporal.PlainDateTime;
  try {
    local = Temporal.PlainDateTime.from(fields, { overflow: "reject" });
  } catch {
    return null;
  }
  const size = Number(hours) * 60 + Number(minutes);
  const offsetMinutes = sign === undefined ? null : sign === "-" ? -size : size;
  if (size > 14 * 60) return null;
  const millis = Number(fraction.padEnd(3, "0").slice(0, 3));
  const utcMs = local.toZonedDateTime("UTC").epochMilliseconds + millis;
  return {
    ms: utcMs - (offsetMinutes ?? 0) * 60_000,
    offsetMinutes,
    local: local.toString({ smallestUnit: "second" }),
  };
}

/** Two digits, seldom more than there can be. */
const two = (most: number): fc.Arbitrary<string> =>
  fc
    .oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: most }) }, fc.integer({ min: 0, max: 99 }))
    .map((number) => String(number).padStart(2, "0"));
const year = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1968, max: 2102 }) },
  fc.integer({ min: 0, max: 9_999 }),
);
const usually = (one: string, ...others: string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(one) }, fc.constantFrom(one, ...others));
const digits = fc.stringMatching(/^\d{1,9}$/);
const seconds = fc.oneof(
  { weight: 6, arbitrary: two(59).map((part) => `:${part}`) },
  fc.constant(""),
  fc.tuple(two(59), fc.constantFrom(".", ","), digits).map(([part, mark, rest]) => `:${part}${mark}${rest}`),
);
const zone = fc.oneof(
  usually("Z", "z", "", "UTC"),
  fc.tuple(fc.constantFrom("+", "-"), two(14), usually(":", "", " "), two(59)).map((parts) => parts.join("")),
);
const dateTime = fc
  .tuple(
    usually("", " ", "\t", "x"),
    year.map((number) => String(number).padStart(4, "0")),
    usually("-", "/"),
    two(12),
    two(31),
    usually("T", "t", " ", "_"),
    two(23),
    two(59),
    seconds,
    usually("", " ", "  "),
    zone,
    usually("", " ", "x", "\n"),
  )
  .map(
    ([before, years, dash, month, day, mark, hour, minute, rest, gap, offset, after]) =>
      `${before}${years}${dash}${month}-${day}${mark}${hour}:${minute}${rest}${gap}${offset}${after}`,
  );

test("a date-time in any form is the instant and the wall clock that the calendar makes of it, or none", () =>
  forAll(runs(5_000), dateTime, (written) => {
    assert.deepEqual(readDateTime(written), readSlowly(written), JSON.stringify(written));
  }));

test("of a date-time with one character changed the same is made as by the calendar", () => {
  const usual = fc.constantFrom(
    "2026-02-03T09:12:00-05:00",
    "2024-02-29T23:59:59Z",
    "2025-12-30T18:50:57.567Z",
  );
  forAll(
    runs(5_000),
    usual,
    fc.nat(30),
    fc.oneof(fc.string({ maxLength: 1 }), fc.constantFrom(...Array.from("0123456789:-+TZ "))),
    (written, at, other) => {
      const changed = written.slice(0, at) + other + written.slice(at + 1);
      assert.deepEqual(readDateTime(changed), readSlowly(changed), JSON.stringify(changed));
    },
  );
});

test("every day of the years that carriers mean is read, and none beside them", () => {
  const first = Temporal.PlainDate.from("1970-01-01");
  let read = 0;
  for (let day = first; day.year <= 2100; day = day.add({ days: 1 })) {
    assert.equal(readDateTime(`${day.toString()}T00:00:00Z`)?.ms, first.until(day).days * 86_400_000);
    read += 1;
  }
  assert.equal(read, 47_847);
  for (const written of ["1969-12-31T23:59:59Z", "2101-01-01T00:00:00Z", "1999-02-29T00:00:00Z"]) {
    assert.equal(readDateTime(written), null, written);
  }
});
