/** Cursors of sailing schedules. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { pageOf, readPage } from "../../src/products/schedules/routes/cursor.ts";
import { anyText } from "../support/texts.ts";

test("a cursor of schedules that was given is taken, whatever the store holds", () => {
  // A service's name has at most 200 characters and no NUL; windows lie within the calendar's four digits.
  const name = anyText({ maxLength: 200 }).map((text) =>
    text.replaceAll("\0", "").slice(0, 200).toWellFormed(),
  );
  const time = fc
    .date({
      min: new Date("1969-12-31T10:00:00Z"),
      max: new Date("+010000-01-01T12:00:00Z"),
      noInvalidDate: true,
    })
    .map((date) => date.getTime());
  const key = fc.oneof(
    fc.tuple(name, name).map((values) => ({ kinds: ["text", "text"] as const, values })),
    fc.tuple(time, fc.uuid()).map((values) => ({ kinds: ["ms", "uuid"] as const, values })),
    fc
      .tuple(time, fc.uuid(), fc.uuid())
      .map((values) => ({ kinds: ["ms", "uuid", "uuid"] as const, values })),
  );
  fc.assert(
    fc.property(key, ({ kinds, values }) => {
      const first = readPage({ limit: 1 }, kinds)!;
      const { nextCursor } = pageOf(first, [values, values], (held) => [...held]);
      assert.deepEqual(readPage({ limit: 1, cursor: nextCursor }, kinds)?.after, values);
    }),
  );
  // The longest that a cursor can become.
  const longest = ["HRNL", "\u0001".repeat(200)];
  const { nextCursor } = pageOf(readPage({ limit: 1 }, ["text", "text"])!, ["a", "b"], () => longest);
  assert.deepEqual(readPage({ limit: 1, cursor: nextCursor }, ["text", "text"])?.after, longest);
});
