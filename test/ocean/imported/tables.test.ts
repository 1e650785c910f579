/** Milestones in CSV and JSON: what is read, and what is refused by row and column. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  MILESTONE_NAMES,
  milestoneNamed,
} from "../../../src/products/ocean/sources/imported/milestone-names.ts";
import { readAll } from "./reading.ts";

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
