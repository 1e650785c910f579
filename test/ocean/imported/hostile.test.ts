/** No text makes a reader throw, hold the loop for long, or keep more than its bounds. */
import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import {
  IMPORT_FORMATS,
  MILESTONES_MAX,
  PROBLEMS_MAX,
  readImport,
} from "../../../src/products/ocean/sources/imported/read-import.ts";
import { MESSAGES } from "./messages.ts";
import { readText } from "./reading.ts";

const MIB = 1024 * 1024;
const MESSAGE = MESSAGES[1]!.message;
/** Generous on a loaded machine; a quadratic reader takes hours. */
const READ_MS_MAX = 20_000;
const STEP_MS_MAX = 1_000;

function checkBounds(bytes: Buffer): void {
  for (const format of IMPORT_FORMATS) {
    const startedMs = performance.now();
    const read = readText(bytes, format);
    assert.ok(performance.now() - startedMs < READ_MS_MAX, format);
    if (read.kind === "unreadable") assert.ok(read.problems.length > 0);
    else {
      assert.ok(read.problems.length <= PROBLEMS_MAX && read.statements.length <= MILESTONES_MAX);
      for (const { message, line } of read.problems) {
        assert.ok(message.length <= 500 && message.isWellFormed() && !message.includes("\0") && line >= 1);
      }
    }
  }
}

const HOSTILE: readonly (readonly [string, string])[] = [
  ["a line of 4 MiB", "x".repeat(4 * MIB)],
  ["a heading and a line of 4 MiB", `container,milestone,time\n${"x".repeat(4 * MIB)}`],
  ["an open quote", `container,milestone,time\n"${"x,\n".repeat(MIB)}`],
  ["a million empty segments", `UNH+1+IFTSTA:D:00B:UN'${"'".repeat(MIB)}`],
  ["a million segments", `UNH+1+IFTSTA:D:00B:UN'${"A'".repeat(MIB)}`],
  ["half a million headers", "UNH'".repeat(MIB / 2)],
  ["many statuses", `UNH+1+IFTSTA:D:00B:UN'${"STS+1+OA'".repeat(MIB / 4)}`],
  ["many containers", `UNH+1+IFTSTA:D:00B:UN'${"EQD+CN+HRNU4000017'".repeat(MIB / 8)}`],
  [
    "many different containers of many statuses",
    `UNH+1+IFTSTA:D:00B:UN'${Array.from({ length: 900 }, (_, index) => `EQD+CN+HRNU${4_000_000 + index}'`).join("")}${"STS+1+OA'DTM+334:202611010800:203'LOC+175+NLRTM'".repeat(MIB / 32)}`,
  ],
  ["many places", `UNH+1+IFTSTA:D:00B:UN'STS+1+OA'${"LOC+9+NLRTM'".repeat(MIB / 4)}`],
  ["many transports", `UNH+1+IFTSTA:D:00B:UN'STS+1+OA'${"TDT+20'LOC+9'DTM+1'".repeat(MIB / 8)}`],
  ["a segment of 4 MiB", `UNH+1+IFTSTA:D:00B:UN'STS+1+${"9".repeat(4 * MIB)}'`],
  ["a segment without an end", `UNH+1+IFTSTA:D:00B:UN'BGM${"+?".repeat(2 * MIB)}`],
  ["elements and components", `UNH+1+IFTSTA:D:00B:UN'STS${"+:".repeat(900)}'`],
  ["UNA again and again", `UNA:+.? '${"UNA:+.? '".repeat(MIB / 4)}`],
  ["NUL", "\0".repeat(MIB)],
  ["nested JSON", "[".repeat(MIB)],
  ["objects of JSON", `[${"{},".repeat(MIB)}{}]`],
];

for (const [name, text] of HOSTILE)
  test(`hostile input is read within its bounds: ${name}`, () => checkBounds(Buffer.from(text)));

test("a status with more rows than an import takes is read no further, and in short steps", () => {
  const box = (index: number): string => `EQD+CN+HRNU${4_000_000 + index}'`;
  const boxes = Array.from({ length: 900 }, (_, index) => box(index)).join("");
  const transport = `TDT+20++1'${"LOC+9+NLRTM'DTM+133:202611010800:203'".repeat(100)}`;
  const status = `STS+1+OA'DTM+334:202611010800:203'${boxes}${transport.repeat(100)}`;
  const reading = readImport(Buffer.from(`UNH+1+IFTSTA:D:00B:UN'${status}`), "edi", "edi-provider");
  for (let done: boolean | undefined = false; done !== true;) {
    const startedMs = performance.now();
    const step = reading.next();
    assert.ok(performance.now() - startedMs < STEP_MS_MAX);
    ({ done } = step);
    if (step.done === true) {
      const [problem] = step.value.problems;
      assert.equal(problem, `it has more than ${MILESTONES_MAX} milestones; import it in parts`);
    }
  }
});

test("bytes that are no UTF-8, NUL and lone surrogates reach no statement", () => {
  const values = ["\u0000", "a\u0001b", "\uD800", "\uFFFD"];
  for (const value of values) {
    const row = {
      container: "HRNU4000017",
      milestone: "gate_in",
      time: "2026-11-01T08:00:00Z",
      facility: `x${value}`,
    };
    const read = readText(JSON.stringify([row]), "json");
    assert.ok(read.kind === "read" && read.refused === 1, JSON.stringify(value));
  }
  const csv = Buffer.concat([
    Buffer.from("container,milestone,time,facility\nHRNU4000017,gate_in,2026-11-01T08:00:00Z,"),
    Buffer.from([0xff, 0xfe]),
  ]);
  const read = readText(csv, "csv");
  assert.ok(read.kind === "read" && read.refused === 1);
});

const anyPiece = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    ..."UNH+1+IFTSTA:D:00B:UN'|STS+1+|EQD+CN+|LOC+9+|DTM+334:|TDT+20+|CNI+1'|BGM+23+1+9'|'|+|:|?|\n|UNA|\"|,|;|[|{|container|milestone|time|HRNU4000017|202611010800:203'".split(
      "|",
    ),
  ),
);

test("no text makes a reader throw", () => {
  fc.assert(
    fc.property(fc.array(anyPiece, { maxLength: 40 }), (pieces) => checkBounds(Buffer.from(pieces.join("")))),
    { numRuns: 500 },
  );
});

test("no bytes do, and no message with a part replaced", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => checkBounds(Buffer.from(bytes))),
    { numRuns: 200 },
  );
  const edits = fc.tuple(fc.nat(MESSAGE.length), fc.nat(20), anyPiece);
  fc.assert(
    fc.property(edits, ([at, length, piece]) =>
      checkBounds(Buffer.from(MESSAGE.slice(0, at) + piece + MESSAGE.slice(at + length))),
    ),
    { numRuns: 500 },
  );
});
