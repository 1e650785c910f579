/** Waybill lines and quantities: parts and splits, weights, volumes, density groups. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { eventOf, problemsOf, readOne, refusedOne, about } from "./reading.ts";

function waybill(line: string) {
  const { statement, problems } = readOne(`FSU/12\r\n${line}\r\n`);
  assert.deepEqual(problems, []);
  const { awb, origin, destination, pieces, weightKg } = statement;
  return { awb, origin, destination, pieces, weightKg };
}

const FROM_TO = { awb: "02012345675", origin: "FRA", destination: "JFK" };

test("the consignment line has the number, the route, the pieces and the weight", () => {
  const whole = { ...FROM_TO, pieces: 10, weightKg: 250.5 };
  assert.deepEqual(waybill("020-12345675FRAJFK/T10K250.5MC1.2DG5"), whole);
  assert.deepEqual(waybill("02012345675FRAJFK/T10K250.5"), whole);
  assert.deepEqual(waybill("020-1234 5675 FRAJFK/T10K250.5"), whole);
  const bare = { awb: "02012345675", origin: null, destination: null, pieces: null, weightKg: null };
  assert.deepEqual(waybill("020-12345675"), bare);
  assert.deepEqual(waybill("020-12345675/T10K250.5"), { ...bare, pieces: 10, weightKg: 250.5 });
});

test("the total after a part is the waybill's, the weight is not", () => {
  const partly = { ...FROM_TO, pieces: 20, weightKg: null };
  assert.deepEqual(waybill("020-12345675FRAJFK/P4K100T20"), partly);
  assert.deepEqual(waybill("020-12345675FRAJFK/S4K100MC0.5T20"), partly);
  assert.deepEqual(waybill("020-12345675FRAJFK/D4T20"), partly);
  assert.deepEqual(waybill("020-12345675FRAJFK/P4K100"), { ...partly, pieces: null });
});

test("a status without its quantity is about the message's part, and an unreadable one may be", () => {
  const of = (line: string, quantity: string) => {
    const [event] = readOne(`FSU/14\r\n020-12345675FRAJFK/${line}\r\nDLV/15NOV1430/JFK${quantity}`).statement
      .events;
    return [event?.shipmentPart, event?.pieces];
  };
  assert.deepEqual(of("P4K100T10", ""), ["part", 4]);
  assert.deepEqual(of("P4K100", "/J SMITH"), ["part", 4]);
  for (const garbled of ["/PXK45", "/5", "/P O5"]) assert.deepEqual(of("T10K250", garbled), ["part", null]);
  for (const none of ["", "/J SMITH", "/TXK45"]) assert.deepEqual(of("T10K250", none), [null, null]);
});

test("in a message about a part of a waybill, T is all of that part", () => {
  const of = (quantity: string) => {
    const text = `FSA/15\r\n020-12345675FRAJFK/P20K400T30\r\nDLV/15NOV1430/JFK/${quantity}`;
    const [event] = readOne(text).statement.events;
    return [event?.shipmentPart, event?.pieces, event?.totalPieces];
  };
  assert.deepEqual(of("T20"), ["part", 20, 30]);
  assert.deepEqual(of("P8"), ["part", 8, 30]);
  assert.deepEqual(of("T30"), ["total", 30, 30]);
  assert.deepEqual(of("P8T8"), ["part", 8, 30], "a part that calls itself the whole");
});

test("pounds become kilograms, and volumes become cubic metres", () => {
  assert.equal(eventOf("RCS/15NOV1430/FRA/T10L551").weightKg, 249.929);
  const volumes = { MC2: 2, CF100: 2.831685, CC500000: 0.5, CI61024: 1.000004 };
  for (const [written, cubicMetres] of Object.entries(volumes)) {
    assert.equal(eventOf(`RCS/15NOV1430/FRA/T10K250${written}`).volumeM3, cubicMetres);
  }
});

test("of pieces whose kind is not said, a status is of a part", () => {
  const { pieces, shipmentPart, totalPieces } = eventOf("RCF/LH400/15NOV1430/JFK/M4");
  assert.deepEqual([pieces, shipmentPart, totalPieces], [4, "part", 10]);
});

test("without a waybill's total a status has its own, or none", () => {
  const totals = (quantity: string) => {
    const [event] = readOne(`FSU/14\r\n020-12345675FRAJFK\r\nDLV/15NOV1430/JFK/${quantity}`).statement.events;
    return event?.totalPieces;
  };
  assert.equal(totals("T10K250"), 10);
  assert.equal(totals("P4K100"), null);
  assert.equal(totals("P4K100T10"), 10);
});

test("a volume and a density group may share a field, behind the quantity or on a line of their own", () => {
  for (const line of [
    "RCS/15NOV1430/FRA/T10K250.5MC0.5DG3",
    "RCS/15NOV1430/FRA/T10K250.5/MC0.5DG3",
    "RCS/15NOV1430/FRA/T10K250.5\r\n/MC0.5DG3",
    "BKD/LH400/15NOV/FRAJFK/T10K250.5/S1030/S1345/MC0.5DG3",
    "BKD/LH400/15NOV/FRAJFK/T10K250.5/S1030/S1345\r\n/MC0.5/DG3",
  ]) {
    const { volumeM3, densityGroup, party } = eventOf(line);
    assert.deepEqual([volumeM3, densityGroup, party], [0.5, 3, null], line);
  }
});

test("decimal commas, points without a digit on one side, and groups of thousands are numbers", () => {
  for (const [written, weight] of [
    ["K250,5", 250.5],
    ["K250.", 250],
    ["K.5", 0.5],
    ["K0", 0],
    ["K1,250.5", 1250.5],
    ["K1.250,5", 1250.5],
    ["K12,345,678.", 12_345_678],
    ["K1.234.567", 1_234_567],
    ["K1,250", 1250],
    ["K0,250", 0.25],
    ["K1.250", 1.25],
    ["K1250,75", 1250.75],
  ] as const) {
    assert.equal(eventOf(`RCS/15NOV1430/FRA/T10${written}`).weightKg, weight);
  }
});

test("a comma before three digits is a decimal comma in a volume, and groups the pieces", () => {
  assert.equal(eventOf("RCS/15NOV1430/FRA/T10K250.5MC1,250").volumeM3, 1.25);
  const { pieces, totalPieces } = eventOf("RCS/15NOV1430/FRA/P1,250K9,000T2,400");
  assert.deepEqual([pieces, totalPieces], [1250, 2400]);
});

test("the weight of the whole waybill counts also if only a status gives it", () => {
  const weightOf = (...lines: readonly string[]) =>
    readOne(["FSU/14", "020-12345675FRAJFK/T10", ...lines].join("\r\n")).statement.weightKg;
  assert.equal(weightOf("RCS/15NOV1430/FRA/T10K250.5"), 250.5);
  assert.equal(weightOf("RCS/15NOV1430/FRA/T10K250.5", "DEP/LH400/16NOV/FRAJFK/T10K248"), 248);
  assert.equal(weightOf("RCS/15NOV1430/FRA/T10K250.5", "DLV/16NOV1430/JFK/P4K100"), 250.5);
  assert.equal(weightOf("DLV/16NOV1430/JFK/T4K100"), null);
  assert.equal(weightOf("RCS/15NOV1430/FRA/T10"), null);
});

test("of a faulty quantity, the part before the error counts", () => {
  assert.deepEqual(problemsOf("RCS/15NOV1430/FRA/T10K250X7/ACME"), [
    "3:26 a weight (K, L), a volume (MC, CC, CF, CI), DG or a total (T) is expected here",
  ]);
  const missing = ["RCS/15NOV1430/FRA/T10K/ACME", "RCS/15NOV1430/FRA/T10K1.2.3", "RCS/15NOV1430/FRA/T10MC"];
  for (const line of missing) {
    assert.deepEqual(problemsOf(line), ["3:22 a number after its code is expected here"]);
  }
  const [event] = readOne(`FSU/14\r\n020-12345675\r\nRCS/15NOV1430/FRA/T10K/ACME`).statement.events;
  assert.deepEqual([event?.pieces, event?.weightKg, event?.party], [10, null, "ACME"]);
});

test("a line that names no waybill is refused at the error", () => {
  assert.deepEqual(refusedOne("FSU/14\r\n020-1234567FRAJFK/T1\r\nRCS/15NOV/FRA/T1\r\n"), {
    kind: "refused",
    problem: {
      line: 2,
      column: 1,
      message: 'a waybill number is expected here, not "020-1234567FRAJFK/T1"',
    },
    text: "020-1234567FRAJFK/T1\r\nRCS/15NOV/FRA/T1",
  });
  const { problem } = refusedOne("FSU/14\r\nRCS/15NOV1430/FRA/T10\r\n");
  assert.deepEqual([problem.line, problem.column], [2, 1]);
  assert.equal(refusedOne("FSU/14\r\n020-123456789").problem.line, 2);
  assert.deepEqual(refusedOne("FSU/14").problem.column, 7);
});

test("statuses of a house waybill do not count for the master", () => {
  const { problem } = refusedOne("FSU/14\r\n020-12345675-H0001FRAJFK/T1\r\nDLV/15NOV/JFK/T1");
  assert.equal(problem.column, 13);
  assert.match(problem.message, /house waybill/);
});

test("a wrong check digit is reported and the waybill read", () => {
  const { statement, problems } = readOne("FSU/14\r\n020-12345676FRAJFK/T1");
  assert.equal(statement.awb, "02012345676");
  assert.deepEqual(problems, [{ line: 2, column: 12, message: "02012345676 has a wrong check digit" }]);
});

test("invalid routes and quantities are reported, and the statuses read", () => {
  const { statement, problems } = readOne("FSU/14\r\n020-12345675FRA1/10PCS\r\nTRM/KL/AMS/T10");
  assert.deepEqual(
    problems.map(({ line, column }) => `${line}:${column}`),
    ["2:13", "2:18"],
  );
  assert.equal(statement.events.length, 1);
});

/** The time of a receipt at an airport, from a message received at that time. */
function receivedAt(airport: string, when: string, messageCame: string) {
  const [event] = readOne(about(`RCS/${when}/${airport}/T10`), Date.parse(messageCame)).statement.events;
  return event?.at ?? null;
}

const instant = (airport: string, when: string, messageCame: string) => {
  const at = receivedAt(airport, when, messageCame);
  return at === null ? null : new Date(at.ms).toISOString();
};

test("the year is the latest in which the day is past", () => {
  assert.equal(instant("LHR", "15NOV1430", "2026-11-20T12:00Z"), "2026-11-15T14:30:00.000Z");
  assert.equal(instant("LHR", "31DEC2355", "2027-01-01T00:30Z"), "2026-12-31T23:55:00.000Z");
  assert.equal(instant("LHR", "24DEC1200", "2027-02-01T00:00Z"), "2026-12-24T12:00:00.000Z");
  assert.equal(instant("LHR", "05DEC1200", "2026-11-20T12:00Z"), "2025-12-05T12:00:00.000Z");
});

test("a day may be a little ahead, if the airport or a clock is", () => {
  assert.equal(instant("AKL", "01JAN0030", "2026-12-31T11:31Z"), "2026-12-31T11:30:00.000Z");
  assert.equal(instant("LHR", "25NOV1200", "2026-11-20T12:00Z"), "2026-11-25T12:00:00.000Z");
});

test("a flight may be booked for weeks ahead, and over the end of the year, but has left before a message says so", () => {
  const booked = (day: string, messageCame: string, code = "BKD") => {
    const message = about(`${code}/LH400/${day}/FRAJFK/T10/S1030/S1345`);
    return readOne(message, Date.parse(messageCame)).statement.events[0]?.flight?.date;
  };
  assert.equal(booked("20JAN", "2026-11-20T12:00Z"), "2027-01-20");
  assert.equal(booked("20APR", "2026-11-20T12:00Z"), "2026-04-20");
  assert.equal(booked("20JAN", "2026-11-20T12:00Z", "DEP"), "2026-01-20");
});

test("29 February is in a leap year, or reported if none is near", () => {
  assert.equal(instant("LHR", "29FEB1200", "2028-03-01T12:00Z"), "2028-02-29T12:00:00.000Z");
  assert.equal(instant("LHR", "29FEB1200", "2029-01-15T12:00Z"), "2028-02-29T12:00:00.000Z");
  assert.equal(receivedAt("LHR", "29FEB1200", "2026-03-01T12:00Z"), null);
  assert.match(problemsOf("RCS/29FEB1200/LHR/T10")[0]!, /^3:5 a day that exists near/);
  assert.match(problemsOf("RCS/31APR1200/LHR/T10")[0]!, /^3:5 a day that exists near/);
});

test("a time is on the clock of its airport, in summer and in winter", () => {
  const summer = {
    ms: Date.UTC(2026, 6, 15, 18, 30),
    local: "2026-07-15T14:30:00",
    offsetMinutes: -240,
    timeZone: "America/New_York",
  };
  assert.deepEqual(receivedAt("JFK", "15JUL1430", "2026-07-16T00:00Z"), summer);
  assert.equal(instant("JFK", "15NOV1430", "2026-11-20T12:00Z"), "2026-11-15T19:30:00.000Z");
  assert.equal(instant("KTM", "15NOV1430", "2026-11-20T12:00Z"), "2026-11-15T08:45:00.000Z");
});

test("a time at a city is on the clock of its airports", () => {
  assert.equal(instant("NYC", "15JUL1430", "2026-07-16T00:00Z"), "2026-07-15T18:30:00.000Z");
  assert.equal(instant("STO", "15NOV1430", "2026-11-20T12:00Z"), "2026-11-15T13:30:00.000Z");
});

test("of an hour that the clock repeats, the first counts", () => {
  const overlap = receivedAt("FRA", "25OCT0230", "2026-10-26T00:00Z");
  assert.deepEqual(overlap, {
    ms: Date.UTC(2026, 9, 25, 0, 30),
    local: "2026-10-25T02:30:00",
    offsetMinutes: 120,
    timeZone: "Europe/Berlin",
  });
  assert.equal(instant("FRA", "25OCT0330", "2026-10-26T00:00Z"), "2026-10-25T02:30:00.000Z");
});

test("an hour that the clock skips is an hour later", () => {
  const gap = receivedAt("FRA", "29MAR0230", "2026-03-30T00:00Z");
  assert.deepEqual(gap, {
    ms: Date.UTC(2026, 2, 29, 1, 30),
    local: "2026-03-29T03:30:00",
    offsetMinutes: 120,
    timeZone: "Europe/Berlin",
  });
});

test("a local time of an unknown airport is kept and taken as UTC", () =>
  assert.deepEqual(receivedAt("QQQ", "15NOV1430", "2026-11-20T12:00Z"), {
    ms: Date.UTC(2026, 10, 15, 14, 30),
    local: "2026-11-15T14:30:00",
    offsetMinutes: null,
    timeZone: null,
  }));

test("a day change may be written without its hyphen, as a number, or as hour 24", () => {
  const arrival = (time: string) =>
    eventOf(`DEP/LH400/15NOV/FRAJFK/T10/A1030/${time}`).arrival?.local.slice(0, 16);
  assert.equal(arrival("E1345N"), "2026-11-16T13:45");
  assert.equal(arrival("E1345+1"), "2026-11-16T13:45");
  assert.equal(arrival("E1345/1"), "2026-11-16T13:45");
  assert.equal(arrival("E2400"), "2026-11-16T00:00");
});

test("a day change may cross the end of a month, and a change of the clock", () => {
  const [event] = readOne(about("DEP/LH400/31OCT/FRAJFK/T10/A2330/E0230-N"), Date.parse("2026-11-02T00:00Z"))
    .statement.events;
  assert.deepEqual(event?.arrival?.local, "2026-11-01T02:30:00");
  assert.deepEqual(event?.arrival?.offsetMinutes, -300);
});

test("an invalid time of day is reported", () => {
  for (const time of ["E2460", "E2500", "E134", "E1345-Q", "E1345-1"]) {
    const problems = problemsOf(`DEP/LH400/15NOV/FRAJFK/T10/A1030/${time}`);
    assert.deepEqual(problems, [`3:34 "${time}" is no time such as S1030-N`]);
  }
  const [stray] = problemsOf("DEP/LH400/15NOV/FRAJFK/T10/A1030/X1345");
  assert.equal(stray, '3:34 nothing more is expected here, but "X1345"');
  for (const when of ["32NOV1430", "15NUV1430", "15NOV2500", "15NOV143", "00NOV1430"]) {
    assert.match(problemsOf(`RCS/${when}/FRA/T10`)[0] ?? "", /^3:5 a day and a time/, when);
  }
});

test("an announced event is in the year of the later events, however late it is repeated", () => {
  const lines = [
    "BKD/LH400/09DEC/FRAJFK/T10/S1030/S1345",
    "MAN/LH400/10DEC/FRAJFK/T10",
    "DLV/12DEC1200/JFK/T10",
  ];
  const dates = (messageCame: string) =>
    readOne(about(...lines), Date.parse(messageCame)).statement.events.map(({ at }) =>
      at?.local.slice(0, 10),
    );
  assert.deepEqual(dates("2026-12-13T12:00Z"), ["2026-12-09", "2026-12-10", "2026-12-12"]);
  assert.deepEqual(dates("2027-11-20T12:00Z"), ["2026-12-09", "2026-12-10", "2026-12-12"]);
});
