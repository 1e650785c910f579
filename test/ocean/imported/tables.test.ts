/** Milestones in CSV and JSON: what is read, and what is refused by row and column. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  MILESTONE_NAMES,
  milestoneNamed,
} from "../../../src/products/ocean/sources/imported/milestone-names.ts";
import { readAll, readText } from "./reading.ts";
import { MESSAGES } from "./messages.ts";

const ROW = { container: "HRNU4000017", milestone: "gate_in", time: "2026-11-01 08:00", location: "NLRTM" };
const json = (...rows: readonly object[]) => readAll(JSON.stringify(rows), "json");

test("a CSV of a spreadsheet's headings equals the same rows as JSON", () => {
  const csv = [
    "\uFEFFContainer No.;Event;Event Date;Port;Terminal;Vessel Name;IMO No;Voy;BL No;Booking Number;Full/Empty;SCAC;Size/Type",
    'hrnu 400001-7;Loaded on Vessel;2026-11-02 19:05;nl rtm;"ECT; Delta";Heron Star;IMO 9321483;612E;HRNL4000017;HRN-0040001;Full;HRNL;45G1',
    "HRNU4000017;ETA;2026-11-20T14:00:00-05:00;USNYC;;Heron Star;;612E;;;;;",
    "",
  ].join("\r\n");
  const rows = [
    {
      ...{ container: "HRNU4000017", milestone: "LOAD", mode: "vessel", time: "2026-11-02T19:05:00+01:00" },
      ...{ location: "NLRTM", facility: "ECT; Delta", vessel: "Heron Star", imo: 9321483, voyage: "612E" },
      ...{ bill: "HRNL4000017", booking: "HRN0040001", load: "laden", carrier: "HRNL", iso_code: "45G1" },
    },
    {
      ...{ container: "HRNU4000017", milestone: "ARRI", classifier: "estimated", mode: "vessel" },
      ...{ time: "2026-11-20T14:00:00-05:00", location: "USNYC", vessel: "Heron Star", voyage: "612E" },
    },
  ];
  const read = readAll(csv, "csv");
  assert.deepEqual(read.problems, []);
  assert.deepEqual(read.statements, json(...rows).statements);
});

test("times are read in the form that the row or the heading names", () => {
  const expected = json({ ...ROW, time: "2026-11-20 08:00" }).statements;
  for (const [time, time_form] of [
    ["20/11/2026 08:00", "dd/MM/yyyy"],
    ["11/20/2026 8:00 AM", "MM/dd/yyyy h:mm a"],
    ["2026-11-20 08:00", "dd/MM/yyyy"],
  ] as const)
    assert.deepEqual(json({ ...ROW, time, time_form }).statements, expected, time);
  const csv =
    "container,milestone,Event date (dd/MM/yyyy),location\nHRNU4000017,gate_in,20/11/2026 08:00,NLRTM\n";
  assert.deepEqual(readAll(csv, "csv").statements, expected);
  const [problem] = json({ ...ROW, time_form: "the usual" }).problems;
  assert.match(problem!.message, /^time_form must be a pattern such as dd\/MM\/yyyy HH:mm/);
});

test("columns of no field are ignored, and named once", () => {
  const read = readAll(
    "container,milestone,time,location,Remarks,Seal\nHRNU4000017,gate_in,2026-11-01 08:00,NLRTM,wet,77\n",
    "csv",
  );
  assert.equal(read.statements.length, 1);
  assert.deepEqual(read.problems, [
    {
      line: 1,
      column: null,
      field: null,
      refused: false,
      message: "columns of no field are ignored: Remarks, Seal",
    },
  ]);
});

test("a row that is wrong is refused with its line, its column and what to change, and the others are stored", () => {
  const csv = [
    "Container,Status,Time,Port,IMO",
    "HRNU4000018,gate_in,2026-11-01 08:00,NLRTM,",
    "HRNU4000017,gate_inn,2026-11-01 08:00,NLRTM,",
    "HRNU4000017,gate_in,01/11/2026 8:00,NLRTM,",
    "HRNU4000017,gate_in,2026-11-01T08:00:00Z,Rotterdam,",
    "HRNU4000017,loaded,2026-11-01 08:00,NLRTM,9321484",
    "=HYPERLINK(A1),gate_in,2026-11-01 08:00,NLRTM,",
    "HRNU4000017,gate_in,2026-11-01 08:00,NLRTM,,,,",
    "HRNU4000017,gate_in,2026-11-01 08:00,NLRTM,",
  ].join("\n");
  const read = readAll(csv, "csv");
  assert.deepEqual([read.statements.length, read.refused], [1, 7]);
  assert.deepEqual(
    read.problems.map(({ line, column, field }) => [line, column, field]),
    [
      [2, 1, "Container"],
      [3, 2, "Status"],
      [4, 3, "Time"],
      [5, 4, "Port"],
      [6, 5, "IMO"],
      [7, 1, "Container"],
      [8, null, null],
    ],
  );
  const messages = [
    /\(HRNU4000017\)/,
    /such as gate_in, not "gate_inn"/,
    /a time such as 2026-11-01T08/,
    /a UN\/LOCODE such as NLRTM/,
    /check digit of 932148 is 3/,
    /container/,
    /8 cells under 5 columns/,
  ];
  for (const [index, message] of messages.entries()) assert.match(read.problems[index]!.message, message);
});

test("rows of JSON are refused by their place and field", () => {
  const read = json(
    ROW,
    { ...ROW, colour: "red" },
    { ...ROW, time: undefined },
    { ...ROW, container: "" },
    { ...ROW, load: "half" },
  );
  assert.deepEqual([read.statements.length, read.refused], [1, 4]);
  assert.deepEqual(
    read.problems.map(({ line, field }) => [line, field]),
    [
      [2, null],
      [3, "time"],
      [4, "container"],
      [5, "load"],
    ],
  );
});

test("a time without an offset is by the clock of its place, also by the place's name; without either it is refused", () => {
  const local = (row: object) => json({ ...ROW, time: "2026-07-01 08:00", ...row }).statements[0]?.event.at;
  assert.equal(local({ location: "USNYC" })?.offsetMinutes, -240);
  assert.equal(local({ location: undefined, place: "New York" })?.offsetMinutes, -240);
  assert.match(
    json({ ...ROW, location: undefined }).problems[0]!.message,
    /give the offset, or the place's UN\/LOCODE/,
  );
});

test("every name of a milestone is one, and DCSA's codes are too", () => {
  for (const name of [...MILESTONE_NAMES, "GTIN", "DISC", "ARRI", "AVPU"])
    assert.ok(milestoneNamed(name) !== null, name);
  assert.equal(milestoneNamed("constructor"), null);
});

for (const { habit, message, rows } of MESSAGES) {
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
    /BGM 99 of CODECO is not read: it must be 34 \(gate_in\) or 36 \(gate_out\) or 109 \(gate_in\) or 111 \(gate_out\)/,
  );
  // Every object of JavaScript has one.
  const word = readAll("UNH+1+CODECO:D:95B:UN'BGM+constructor+1+9'EQD+CN+HRNU4000017'UNT+3+1'", "edi");
  assert.match(word.problems[0]!.message, /BGM constructor of CODECO is not read/);
});

test("a code whose definition leaves the milestone open is refused with what it leaves open", () => {
  for (const [code, message] of [
    [
      "40",
      /STS has the status 40, which is no milestone \(goods have arrived at a port: by a vessel or through a gate/,
    ],
    ["46", /moved into bond/],
    ["47", /packing depot/],
    ["p", /by vessel, train or truck, it does not say/],
  ] as const) {
    const text = `${HEAD}STS+1+${code}'DTM+334:202611220930:203'LOC+175+USNYC'EQD+CN+HRNU4000017'UNT+9+1'`;
    const read = readAll(text, "edi");
    assert.deepEqual([read.statements.length, read.refused], [0, 1], code);
    assert.match(read.problems[0]!.message, message);
  }
  // Words beside it may tell.
  const told = readAll(
    `${HEAD}STS+1+40:::Gate in'DTM+334:202611220930:203'LOC+175+USNYC'EQD+CN+HRNU4000017'`,
    "edi",
  );
  assert.equal(told.statements[0]?.event.code, "GTIN");
});

/** The place that a report of one container states; null: it states none. */
function placeIn(type: string, bgm: string, eqd: string, locations: string, time = "202611010800"): unknown {
  const text = `UNH+1+${type}:D:95B:UN'BGM+${bgm}+1+9'TDT+20+612E+1'EQD+CN+HRNU4000017+22G1++${eqd}'DTM+7:${time}:203'${locations}UNT+9+1'`;
  const { statements, problems } = readAll(text, "edi");
  return statements[0]?.event.place?.unlocode ?? problems[0]?.message;
}

test("a gate is at the port that the box leaves or has come by, and never at the other that its report names", () => {
  const both = "LOC+9+NLRTM:139:6'LOC+11+USNYC:139:6'";
  const there = "LOC+11+USNYC:139:6'LOC+8+USCHI:139:6'";
  for (const [bgm, eqd, locations, place] of [
    ["34", "2+5", both, "NLRTM"],
    ["34", "+5", both, "NLRTM"],
    ["34", "+4", both, "USNYC"],
    ["34", "3+5", both, "USNYC"],
    ["36", "3+5", both, "USNYC"],
    ["36", "+5", both, "USNYC"],
    ["36", "2+4", both, "NLRTM"],
    ["109", "2+5", both, "NLRTM"],
    ["111", "3+5", both, "USNYC"],
    ["34", "2+5", `LOC+165+BEANR:139:6'${both}`, "BEANR"],
  ] as const)
    assert.equal(placeIn("CODECO", bgm, eqd, locations), place, `${bgm} ${eqd}`);
  assert.match(String(placeIn("CODECO", "34", "2+5", there)), /no zone is known for its place/);
});

test("a cell of the stowage is no place", () => {
  const stowed = "LOC+147+0180284:139:5'LOC+9+NLRTM:139:6'LOC+11+USNYC:139:6'";
  assert.equal(placeIn("COARRI", "46", "2+5", stowed), "NLRTM");
  assert.equal(placeIn("COARRI", "44", "3+5", stowed), "USNYC");
  assert.equal(placeIn("COARRI", "122", "2+5", stowed), "NLRTM");
  assert.equal(placeIn("COARRI", "119", "3+5", stowed), "USNYC");
});

test("what is no EDIFACT is refused as a whole", () => {
  for (const text of ["", "container,milestone\n", "unable to read this", "UN", "\0\0\0"])
    assert.deepEqual(readText(text, "edi").kind, "unreadable", text);
});
