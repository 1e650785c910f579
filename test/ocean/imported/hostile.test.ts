/** No text makes a reader throw, hold the loop for long, or keep more than its bounds. */
import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import {
  IMPORT_FORMATS,
  PROBLEMS_MAX,
  readImport,
  type ImportFormat,
  REQUEST_BOUNDS,
} from "../../../src/products/ocean/sources/imported/read-import.ts";
import { MESSAGES } from "./messages.ts";
import { readText } from "./reading.ts";
import { forAll, runs } from "../../support/runs.ts";
import { anyText } from "../../support/texts.ts";

const MIB = 1024 * 1024;
const MESSAGE = MESSAGES[1]!.message;
const { milestonesMax, segmentsMax } = REQUEST_BOUNDS;

function checkBounds(bytes: Buffer): void {
  for (const format of IMPORT_FORMATS) {
    const read = readText(bytes, format);
    if (read.kind === "unreadable") assert.ok(read.problems.length > 0);
    else {
      assert.ok(read.problems.length <= PROBLEMS_MAX && read.statements.length <= milestonesMax);
      for (const { message, line } of read.problems) {
        assert.ok(message.length <= 500 && message.isWellFormed() && !message.includes("\0") && line >= 1);
      }
    }
  }
}

const HEAD = "UNH+1+IFTSTA:D:00B:UN'";
const REPORT = "UNH+1+CODECO:D:95B:UN'BGM+34+1+9'EQD+CN+HRNU4000017'";
const times = Array.from({ length: 8_000 }, (_, index) => `DTM+${index}:202611010800:203'`).join("");
const box = (index: number): string => `EQD+CN+HRNU${4_000_000 + index}'`;
const boxes = (count: number): string => Array.from({ length: count }, (_, index) => box(index)).join("");
const calls = `TDT+20++1'${"LOC+9+NLRTM'DTM+133:202611010800:203'".repeat(100)}`;

/** What is said of each, and between how many steps others may go on; a quadratic reader would take hours. */
const HOSTILE: readonly (readonly [string, ImportFormat, string, RegExp, number])[] = [
  ["a line of 4 MiB", "csv", "x".repeat(4 * MIB), /must name the columns/, 0],
  ["a line of 4 MiB in JSON", "json", "x".repeat(4 * MIB), /is no JSON/, 60],
  ["a line of 4 MiB in EDIFACT", "edi", "x".repeat(4 * MIB), /is no EDIFACT/, 0],
  ["a line below a heading", "csv", `container,milestone,time\n${"x".repeat(4 * MIB)}`, /quote is not/, 0],
  [
    "an open quote",
    "csv",
    `container,milestone,time\n"${"x,\n".repeat(20_000)}`,
    /more than 10000 mile/,
    200,
  ],
  ["empty segments", "edi", `${HEAD}${"'".repeat(4 * MIB)}`, /states nothing/, 0],
  [
    "segments on lines",
    "edi",
    `${HEAD}${"A'\n".repeat(MIB)}`,
    /more than 200000 segments/,
    segmentsMax / 500,
  ],
  ["a long message", "edi", `${HEAD}${"A'".repeat(60_000)}`, /message has at most 50000/, 100],
  ["many statuses", "edi", `${HEAD}${"STS+1+OA'".repeat(20_000)}`, /more than 10000 mile/, 20],
  ["many containers", "edi", `${HEAD}${boxes(1_001)}`, /at most 1000 containers and 100 places/, 2],
  ["many places", "edi", `${HEAD}STS+1+OA'${"LOC+9+NLRTM'".repeat(101)}`, /and 100 places/, 0],
  ["many transports", "edi", `${HEAD}STS+1+OA'${"TDT+20'LOC+9'DTM+1'".repeat(101)}`, /and 100 places/, 0],
  ...["LOC+9+NLRTM'", "TDT+20'"].map(
    (part) =>
      [
        "many of a report's container",
        "edi",
        `${REPORT}${part.repeat(50_000)}`,
        /and 100 places/,
        0,
      ] as const,
  ),
  ["many times", "edi", `${REPORT}${times}`, /and 100 places/, 0],
  [
    "a status of more rows than an import takes",
    "edi",
    `${HEAD}STS+1+OA'DTM+334:202611010800:203'${boxes(900)}${calls.repeat(100)}`,
    /more than 10000 milestones/,
    milestonesMax / 50,
  ],
  ["a segment of 4 MiB", "edi", `${HEAD}STS+1+${"9".repeat(4 * MIB)}'`, /segment has at most 2000 ch/, 0],
  ["a segment without an end", "edi", `${HEAD}BGM${"+?".repeat(2 * MIB)}`, /segment has at most 2000 ch/, 0],
  ["elements and components", "edi", `${HEAD}STS${"+:".repeat(900)}'`, /STS has no status/, 0],
  ["UNA again and again", "edi", `UNA:+.? '${"UNA:+.? '".repeat(MIB / 4)}`, /is no EDIFACT/, 0],
  ["NUL", "json", "\0".repeat(MIB), /is UTF-16/, 0],
  ["nested JSON", "json", "[".repeat(MIB), /nested too deeply/, 0],
  ["objects of JSON", "json", `[${"{},".repeat(milestonesMax)}{}]`, /more than 10000 mile/, 200],
];

for (const [name, format, text, said, stepsMin] of HOSTILE)
  test(`hostile input is read within its bounds, in steps: ${name}`, () => {
    const reading = readImport(Buffer.from(text), format, "edi-provider");
    let [steps, step] = [0, reading.next()];
    for (; step.done !== true; step = reading.next()) steps += 1;
    const [problem] = step.value.problems;
    assert.match(typeof problem === "string" ? problem : problem!.message, said);
    assert.ok(steps >= stepsMin, `${steps} steps`);
    checkBounds(Buffer.from(text.slice(0, 1_000)));
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

const HEADING = "container,milestone,time,location,facility";
const ROW = "HRNU4000017,gate_in,2026-11-01 08:00,NLRTM";
const utf16 = (text: string, isBigEndian: boolean) =>
  isBigEndian ? Buffer.from(text, "utf16le").swap16() : Buffer.from(text, "utf16le");

test("a table in UTF-8 with its mark, any line breaks and nested quotes is read", () => {
  for (const lineBreak of ["\n", "\r\n", "\r"]) {
    const quoted = `${ROW},"Pier ""B"", gate\n7"`;
    const read = readText(`\uFEFF${HEADING}${lineBreak}${quoted}${lineBreak}`, "csv");
    // A break within a cell is a control character.
    assert.ok(read.kind === "read" && read.refused === 1, JSON.stringify(lineBreak));
    assert.deepEqual(
      read.problems.map(({ line, column, field }) => [line, column, field]),
      [[2, 5, "facility"]],
    );
    const plain = readText(`\uFEFF${HEADING}${lineBreak}${ROW},"Pier ""B"", 7"${lineBreak}`, "csv");
    assert.ok(plain.kind === "read");
    assert.equal(plain.statements[0]?.event.place?.facility, 'Pier "B", 7');
  }
});

test("what is in another encoding is refused with what to save it as", () => {
  const csv = `${HEADING}\n${ROW},x\n`;
  for (const text of [csv, MESSAGE, `[{"container":"HRNU4000017"}]`]) {
    for (const isBigEndian of [false, true]) {
      for (const mark of ["", "\uFEFF"]) {
        for (const format of IMPORT_FORMATS) {
          assert.deepEqual(readText(utf16(mark + text, isBigEndian), format), {
            kind: "unreadable",
            problems: ["it is UTF-16; save it as UTF-8"],
          });
        }
      }
    }
  }
  const latin = readText(Buffer.from(`${HEADING}\n${ROW},Tor 1\n${ROW},S\u00FCdtor\n`, "latin1"), "csv");
  assert.ok(latin.kind === "read" && latin.statements.length === 1);
  assert.deepEqual(
    latin.problems.map(({ line, message }) => [line, message]),
    [[3, "it is not valid UTF-8; save it as UTF-8"]],
  );
});

const SEGMENTS = [
  "UNB+UNOA:1+PORT+FWD+261101:1205+17",
  "UNH+1+IFTSTA:D:99B:UN",
  "STS+1+AE",
  "DTM+334:202611011100:203",
  "LOC+9+NLRTM:139:6:Rotterdam ?+ Hook",
  "EQD+CN+HRNU4000017",
  "UNT+6+1",
  "UNZ+1+17",
];
const writtenWith = (element: string, component: string, terminator: string, release = "?") =>
  SEGMENTS.map(
    (one) =>
      one
        .replaceAll("?+", "\0")
        .replaceAll("+", element)
        .replaceAll(":", component)
        .replaceAll("\0", `${release}+`) + terminator,
  ).join("");

test("a message with other separators is read where UNA names them, or its level has them", () => {
  const read = (text: string) => {
    const found = readText(text, "edi");
    return found.kind === "read" ? found.statements[0]?.event.place?.name : found.problems[0];
  };
  assert.equal(read(`UNA:+.? '${writtenWith("+", ":", "'")}`), "Rotterdam + Hook");
  assert.equal(read(`\uFEFFUNA^|.\\ ~${writtenWith("|", "^", "~\r\n", "")}`), "Rotterdam + Hook");
  assert.equal(read(writtenWith("\x1D", "\x1F", "\x1C", "")), "Rotterdam + Hook");
  assert.match(read(writtenWith("|", "^", "~"))!, /it must begin with a UNA that names them/);
});

test("a message that states nothing says so at its first segment, whatever is cut from it", () => {
  for (const [type, rest, why] of [
    ["IFTSTA", "BGM+23+1+9'", /IFTSTA has an STS for each status/],
    ["CODECO", "BGM+34+1+9'", /CODECO has a BGM, and an EQD\+CN for each container/],
    ["COARRI", "EQD+CN+HRNU4000017'DTM+203:202611010800:203'", /COARRI has a BGM/],
  ] as const) {
    const read = readText(`UNB+UNOA:1+A+B'\nUNH+1+${type}:D:95B:UN'\n${rest}UNT+3+1'`, "edi");
    assert.ok(read.kind === "read" && read.refused === 1, type);
    assert.deepEqual([read.problems[0]?.line, read.problems[0]?.field], [2, "UNH"]);
    assert.match(read.problems[0]!.message, why);
  }
});

test("of a thousand errors the first hundred are listed, each by its line, and all are counted", () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => `HRNU4000018,gate_${at},2026-13-01,NLRTM,`);
  const read = readText(`${HEADING}\n${rows.join("\n")}\n${ROW},x\n`, "csv");
  assert.ok(read.kind === "read");
  assert.deepEqual([read.statements.length, read.refused, read.problems.length], [1, 1_000, PROBLEMS_MAX]);
  assert.deepEqual(
    read.problems.slice(0, 4).map(({ line, field }) => `${line} ${field}`),
    ["2 milestone", "2 container", "2 time", "3 milestone"],
  );
});

const anyPiece = fc.oneof(
  anyText(),
  fc.constantFrom(
    ..."UNH+1+IFTSTA:D:00B:UN'|STS+1+|EQD+CN+|LOC+9+|DTM+334:|TDT+20+|CNI+1'|BGM+23+1+9'|'|+|:|?|\n|UNA|\"|,|;|[|{|container|milestone|time|HRNU4000017|202611010800:203'".split(
      "|",
    ),
  ),
);

test("no text makes a reader throw", () =>
  forAll(runs(500), fc.array(anyPiece, { maxLength: 40 }), (pieces) =>
    checkBounds(Buffer.from(pieces.join(""))),
  ));

test("no bytes do, and no message with a part replaced", () => {
  forAll(runs(200), fc.uint8Array({ maxLength: 200 }), (bytes) => checkBounds(Buffer.from(bytes)));
  const edits = fc.tuple(fc.nat(MESSAGE.length), fc.nat(20), anyPiece);
  forAll(runs(500), edits, ([at, length, piece]) =>
    checkBounds(Buffer.from(MESSAGE.slice(0, at) + piece + MESSAGE.slice(at + length))),
  );
});
