/** Times in the forms that a pattern names. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { compileTimePattern } from "../../src/freight/places/time-pattern.ts";

test("a time in the form of its pattern is read as RFC 3339 has it", () => {
  for (const [pattern, written, read] of [
    ["dd/MM/yyyy HH:mm", "20/11/2026 08:00", "2026-11-20T08:00:00"],
    ["dd/MM/yyyy", "20/11/2026 8:00", "2026-11-20T08:00:00"],
    ["dd/MM/yyyy", "20/11/2026", "2026-11-20"],
    ["MM/dd/yyyy h:mm a", "11/20/2026 8:00 AM", "2026-11-20T08:00:00"],
    ["MM/dd/yyyy", "11/20/2026, 12:05 a.m.", "2026-11-20T00:05:00"],
    ["MM/dd/yyyy", "11/20/2026 12:05 PM +0100", "2026-11-20T12:05:00+0100"],
    ["dd-MMM-yyyy HH:mm", "24-Dec-2026 02:59", "2026-12-24T02:59:00"],
    ["dd-MMM-yyyyTHH:mm", "24-Dec-2026T02:59", "2026-12-24T02:59:00"],
    ["dd MMMM yyyy 'at' HH:mm", "4 September 2026 at 17:30", "2026-09-04T17:30:00"],
    ["yyyyMMddHHmmss", "20261120080001", "2026-11-20T08:00:01"],
    ["dd.MM.yy HH:mm", "20.11.26 08:00", "2026-11-20T08:00:00"],
    ["EEE, dd MMM yyyy HH:mm:ss XXX", "Fri, 20 Nov 2026 08:00:00 GMT", "2026-11-20T08:00:00Z"],
    ["yyyy/MM/dd HH:mm", "2026/11/20 08:00", "2026-11-20T08:00:00"],
    ["epoch-seconds", "1795075200", "2026-11-19T08:00:00.000Z"],
    ["epoch-milliseconds", "1795075200000", "2026-11-19T08:00:00.000Z"],
    ["json-date", "/Date(1795075200000+0000)/", "2026-11-19T08:00:00.000Z"],
    ["dd/MM/yyyy HH:mm", "2026-11-20 08:00", null],
    ["MM/dd/yyyy h:mm a", "11/20/2026 13:00 PM", null],
    ["epoch-seconds", "tomorrow", null],
  ] as const)
    assert.equal(compileTimePattern(pattern)!(written), read, `${pattern} ${written}`);
});

test("a pattern names a year, a month and a day, each once, and nothing unknown", () => {
  for (const pattern of [
    "",
    "HH:mm",
    "dd/MM",
    "dd/dd/MM/yyyy",
    "QQ/dd/MM/yyyy",
    "dd/MM/yyyy'",
    "y".repeat(61),
  ])
    assert.equal(compileTimePattern(pattern), null, pattern);
});
