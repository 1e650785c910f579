/** Tariffs: reading files of them, and which one a box falls under. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  equipmentText,
  readEquipment,
  readTariffs as readTariffBytes,
} from "../../../src/products/ocean/demurrage/read-tariffs.ts";
import { accruedCents, tariffFor } from "../../../src/products/ocean/demurrage/tariff.ts";
import { runToEnd } from "../../../src/runtime/time-slices.ts";
import { tariff } from "./discharged-box.ts";

const readTariffs = (text: string, format: "csv" | "json") =>
  runToEnd(readTariffBytes(Buffer.from(text), format));
const problemsOf = (text: string, format: "csv" | "json") => {
  const read = readTariffs(text, format);
  assert.equal(read.kind, "invalid", text);
  const problems = read.kind === "invalid" ? read.problems : [];
  return problems.map(({ line, message }) => (line === null ? message : `line ${line}: ${message}`));
};

const CASE = { carrier: "HRNL", ports: ["NLRTM"], equipment: "45R1", dischargeDay: "2026-03-20" };

test("the tariff that names the port, then most of the box's code, then the later one in force holds", () => {
  const any = tariff({});
  const ofPort = tariff({ port: "NLRTM" });
  const ofBox = tariff({ equipment: "45R1" });
  const ofPortAndSize = tariff({ port: "NLRTM", equipment: "4" });
  const ofPortAndType = tariff({ port: "NLRTM", equipment: "45R" });
  const later = tariff({ port: "NLRTM", equipment: "45R", validFrom: "2026-03-01" });
  const all = [any, ofPort, ofBox, ofPortAndSize, ofPortAndType, later];
  for (let known = all.length; known > 0; known -= 1) {
    const expected = [any, ofBox, ofPort, ofPortAndSize, ofPortAndType, later].filter((one) =>
      all.slice(0, known).includes(one),
    );
    assert.equal(tariffFor(all.slice(0, known), CASE), expected.at(-1));
    assert.equal(tariffFor(all.slice(0, known).toReversed(), CASE), expected.at(-1));
  }
});

test("a tariff of another carrier, port, size or time does not hold", () => {
  for (const other of [
    { carrier: "OTHR" },
    { port: "NLAMS" },
    { equipment: "2" },
    { validFrom: "2026-03-21" },
    { validTo: "2026-03-19" },
  ])
    assert.equal(tariffFor([tariff(other)], CASE), null);
  const thatDay = tariff({ validFrom: "2026-03-20", validTo: "2026-03-20" });
  assert.notEqual(tariffFor([thatDay], CASE), null, "both days count");
  const unknownSize = { ...CASE, equipment: null };
  assert.equal(tariffFor([tariff({ equipment: "4" })], unknownSize), null);
});

test("each day overdue costs what its tier says, to the cent", () => {
  const tiers = tariff({
    rates: [
      { fromDay: 1, centsUsd: 7_510 },
      { fromDay: 4, centsUsd: 15_005 },
      { fromDay: 8, centsUsd: 30_000 },
    ],
  });
  const expected = [0, 7_510, 15_020, 22_530, 37_535, 52_540, 67_545, 82_550, 112_550, 142_550];
  assert.deepEqual(
    expected.map((_, days) => accruedCents(tiers, days)),
    expected,
  );
  assert.equal(accruedCents(tariff({ rates: [] }), 3), null, "charges that nobody knows are not nothing");
});

const CSV = `carrier,port,equipment,free_days,discharge_day_counts,days,holidays,rates,valid_from,valid_to
hrnl,NL RTM,40ft,5,yes,working,"2026-12-25;2026-12-26",1=75.5;6=150,2026-01-01,2026-12-31

HRNL,*,,0,,,,,2026-01-01,
`;

const READ = [
  tariff({
    port: "NLRTM",
    equipment: "4",
    freeDays: 5,
    dischargeDayCounts: true,
    days: "working",
    holidays: ["2026-12-25", "2026-12-26"],
    rates: [
      { fromDay: 1, centsUsd: 7_550 },
      { fromDay: 6, centsUsd: 15_000 },
    ],
    validTo: "2026-12-31",
  }),
  tariff({ freeDays: 0, rates: [] }),
];

test("a file of tariffs reads alike as CSV and as JSON", () => {
  assert.deepEqual(readTariffs(CSV, "csv"), { kind: "tariffs", tariffs: READ });
  const byWindows = readTariffs(`\uFEFF${CSV.replaceAll("\n", "\r\n")}`, "csv");
  assert.deepEqual(byWindows, { kind: "tariffs", tariffs: READ });
  const json = [
    {
      id: "01a1fc9a-2b31-7f4e-9d52-0c1f1c3f4a7d",
      carrier: "HRNL",
      port: "NLRTM",
      equipment: "40FT",
      free_days: 5,
      discharge_day_counts: true,
      days: "working",
      holidays: ["2026-12-25", "2026-12-26"],
      rates: [
        { from_day: 1, usd: 75.5 },
        { from_day: 6, usd: "150.00" },
      ],
      valid_from: "2026-01-01",
      valid_to: "2026-12-31",
    },
    { carrier: "HRNL", port: null, free_days: "0", valid_from: "2026-01-01" },
  ];
  assert.deepEqual(readTariffs(JSON.stringify(json), "json"), { kind: "tariffs", tariffs: READ });
});

/** Under the three columns that each tariff must have. */
const withRow = (row: string): string => `carrier,free_days,valid_from\n${row}\n`;
const withMore = (column: string, row: string): string => `carrier,free_days,valid_from,${column}\n${row}\n`;

test("a CSV file that holds no tariffs, or a faulty one, is refused by a message that says where", () => {
  for (const [file, problem] of [
    ["carrier,freedays\n", /^line 1: .*"freedays"; did you mean free_days\?$/],
    ["carrier;free_days;valid_from\nHRNL;5;2026-01-01\n", /^line 1: semicolons .* commas/],
    ["", /^line 1: it must name the columns: carrier,port/],
    ["carrier,free_days,valid_from\n", /^there is no tariff in it$/],
    [withRow("HRNL,,2026-01-01"), /^line 2: free_days is missing: it must be a whole number from 0 to 365$/],
    [withRow("H1,1,2026-01-01"), /^line 2: carrier must be a SCAC/],
    [withRow("HRNL,1,2026-02-30"), /^line 2: valid_from must be a day such as 2026-01-31, not "2026-02-30"$/],
    [withRow("HRNL,1,0000-01-01"), /^line 2: valid_from must be a day such as 2026-01-31, not "0000-01-01"$/],
    [withMore("valid_to", "HRNL,1,2026-02-02,2026-02-01"), /^line 2: valid_to is before valid_from$/],
    [withMore("rates", "HRNL,1,2026-02-02,1=10.005"), /^line 2: rates must be days and US dollars/],
    [withMore("rates", "HRNL,1,2026-02-02,2=10"), /^line 2: rates must begin with day 1/],
    [withRow('HRNL,"1,2026-02-02'), /^line 2: a quote is not closed/],
    [withRow("HRNL,1,2026-02-02,x"), /^line 2: there are 4 cells under 3 columns$/],
    [
      withMore("Valid_From", "HRNL,1,2026-02-02,2027-02-02"),
      /^line 1: there are several columns "valid_from"$/,
    ],
    [
      withRow("HRNL,1,2026-02-02\nHRNL,2,2026-02-02"),
      /^line 3: the same carrier, port, equipment and valid_from as line 2$/,
    ],
  ] as const) {
    assert.match(problemsOf(file, "csv").join("\n"), problem);
  }
});

test("equipment is listed as it may be written", () => {
  for (const written of ["20ft", "40ft", "45ft", "45R", "22G1"])
    assert.equal(equipmentText(readEquipment(written) ?? ""), written);
});

test("all problems of a JSON file are reported at once, each with its place", () => {
  const problems = problemsOf(
    JSON.stringify([
      { carrier: "HRNL", free_days: 366, days: "banking", valid_from: "2026-01-01", colour: 1 },
      7,
      { carrier: "HRNL", free_days: 1, rates: [{ from_day: 1, usd: -1 }], valid_from: "2026-01-01" },
    ]),
    "json",
  );
  assert.deepEqual(
    problems.map((problem) => problem.split(" must")[0]),
    [
      'line 1: there is no field "colour"; there are carrier, port, equipment, free_days, ' +
        "discharge_day_counts, days, holidays, rates, valid_from, valid_to",
      "line 1: free_days",
      "line 1: days",
      "line 2:",
      "line 3: rates",
    ],
  );
  for (const text of ["{", "{}"]) assert.equal(readTariffs(text, "json").kind, "invalid");
});
