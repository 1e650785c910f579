/** Messages in EDIFACT state what the same milestones state as rows. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { MESSAGES } from "./messages.ts";
import { MORE_MESSAGES } from "./more-messages.ts";
import { readAll, readText } from "./reading.ts";

for (const { habit, message, rows } of [...MESSAGES, ...MORE_MESSAGES]) {
  test(`a message equals its milestones as JSON: ${habit}`, () => {
    const read = readAll(message, "edi");
    assert.deepEqual(read.problems, []);
    assert.deepEqual(read.statements, readAll(JSON.stringify({ milestones: rows }), "json").statements);
    assert.equal(read.statements.length, rows.length);
  });
}

const HEAD = "UNH+1+IFTSTA:D:00B:UN'\nBGM+23+1+9'\nCNI+1'\n";
const STATUS = "STS+1+OA'\nDTM+334:202611220930:203'\nLOC+175+USNYC'\n";

test("a status that cannot be read is refused by line, segment and reason, and the others are stored", () => {
  const wrong = [
    ["STS+1+Z9'\nDTM+334:202611220930:203'\n", "STS", /has the status Z9, which no table here has/],
    ["STS+1'\nDTM+334:202611220930:203'\n", "STS", /STS has no status/],
    ["STS+1+OA'\nLOC+175+USNYC'\n", "STS", /has no DTM/],
    ["STS+1+OA'\nDTM+334:20261122:102'\n", "DTM", /has a day and no hour/],
    ["STS+1+OA'\nDTM+334:202613320930:203'\nLOC+175+USNYC'\nEQD+CN+HRNU4000017'\n", "STS", /^time must be/],
    ["STS+1+OA'\nDTM+334:2026112209:203'\n", "DTM", /is no time in format 203/],
    ["STS+1+OA'\nDTM+334:202611220930EST:303'\n", "DTM", /names the zone EST/],
    [`${STATUS}EQD+CN+HRNU4000018'\n`, "STS", /check digit should be 7/],
    [STATUS, "STS", /container is missing/],
    ["STS+1+OA'\nDTM+334:202611220930:203'\nEQD+CN+HRNU4000017'\n", "STS", /no zone is known for its place/],
  ] as const;
  for (const [segments, field, message] of wrong) {
    const read = readAll(`${HEAD}${segments}${STATUS}EQD+CN+HRNU4000017'\nUNT+9+1'`, "edi");
    const [problem, ...others] = read.problems;
    assert.deepEqual([read.statements.length, read.refused, others.length], [1, 1, 0], segments);
    assert.match(problem!.message, message);
    assert.deepEqual([problem!.field, problem!.refused, problem!.column], [field, true, 1]);
    assert.ok(problem!.line >= 4);
  }
});

test("a type that states no milestone is refused by its name, and the message behind it is read", () => {
  const gate = `${HEAD}${STATUS}EQD+CN+HRNU4000017'UNT+7+1'`;
  for (const [type, message] of [
    ["COPARN", /COPARN announces containers and states no milestone: nothing of it is stored/],
    ["INVOIC", /INVOIC is not read: send IFTSTA, CODECO or COARRI/],
    ["", /a message without a type is not read/],
  ] as const) {
    const read = readAll(`UNH+1+${type}:D:00B:UN'BGM+1+1+9'EQD+CN+HRNU4000017'UNT+3+1'${gate}`, "edi");
    assert.deepEqual([read.statements.length, read.refused], [1, 1]);
    assert.match(read.problems[0]!.message, message);
  }
  const report = readAll("UNH+1+CODECO:D:95B:UN'BGM+99+1+9'EQD+CN+HRNU4000017'UNT+3+1'", "edi");
  assert.match(
    report.problems[0]!.message,
    /BGM 99 of CODECO is not read: it must be 34 \(gate_in\) or 36 \(gate_out\)/,
  );
});

test("what is no EDIFACT is refused as a whole", () => {
  for (const text of ["", "container,milestone\n", "unable to read this", "UN", "\0\0\0"])
    assert.deepEqual(readText(text, "edi").kind, "unreadable", text);
});
