/** Local times of airports, without a year. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { about, eventOf, problemsOf, readOne } from "./reading.ts";

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

test("a local time of an unknown airport is kept and taken as UTC", () => {
  assert.deepEqual(receivedAt("QQQ", "15NOV1430", "2026-11-20T12:00Z"), {
    ms: Date.UTC(2026, 10, 15, 14, 30),
    local: "2026-11-15T14:30:00",
    offsetMinutes: null,
    timeZone: null,
  });
});

test("a time with a day change is on another day", () => {
  const arrival = (time: string) =>
    eventOf(`DEP/LH400/15NOV/FRAJFK/T10/A1030/${time}`).arrival?.local.slice(0, 16);
  assert.equal(arrival("E1345"), "2026-11-15T13:45");
  assert.equal(arrival("E1345-P"), "2026-11-14T13:45");
  assert.equal(arrival("E1345-N"), "2026-11-16T13:45");
  assert.equal(arrival("E1345-S"), "2026-11-17T13:45");
  assert.equal(arrival("E1345-T"), "2026-11-18T13:45");
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
