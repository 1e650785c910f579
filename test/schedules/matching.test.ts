import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { CallRecord } from "../../src/products/schedules/calls/call-record.ts";
import type { CallStatement } from "../../src/products/schedules/calls/call-statement.ts";
import { matchCalls } from "../../src/products/schedules/calls/match-calls.ts";
import { firstRecord } from "../../src/products/schedules/calls/next-call-record.ts";
import { mergeStatements } from "../../src/products/schedules/calls/merge-statements.ts";
import { START_MS } from "../support/clock.ts";
import { DAY_MS, HOUR_MS, said, saidFor, type Said } from "./statements.ts";

const D = START_MS + 30 * DAY_MS;
const AT = { feed: "ovs", atMs: START_MS, isComplete: false };

function known(...statements: readonly CallStatement[]): readonly CallRecord[] {
  return statements.map((statement, place) =>
    firstRecord({ id: String(place), nth: place + 1 }, statement, AT, 14 * DAY_MS),
  );
}

/** The ids of the records that the statements are matched with. */
function matched(
  stated: readonly CallStatement[],
  records: readonly CallRecord[],
): readonly (string | undefined)[] {
  return matchCalls(mergeStatements(stated), records).map(({ record }) => record?.id);
}

const day = (days: number, more: Said = {}) => saidFor(D + days * DAY_MS, more);

describe("which call a statement is about", () => {
  const one = known(day(0));
  const SAME: readonly [what: string, statement: CallStatement][] = [
    ["moved by ten days", day(10)],
    ["of another vessel", day(0, { vessel: { imo: "9456789", name: "HERON DUSK", isDummy: false } })],
    ["at another terminal", day(0, { terminal: "HMB" })],
    ["with another reference", day(0, { reference: "new" })],
    ["without its service", day(0, { service: { code: null, name: null, universal: null } })],
    ["without times", said({ status: "OMIT" })],
    ["by the number on which it came alone", day(0, { voyage: { import: "014E", export: null } })],
    ["by the number on which it leaves alone", day(0, { voyage: { import: null, export: "014E" } })],
  ];
  for (const [what, statement] of SAME) {
    test(`a call of the same voyage at the same port is the same call ${what}`, () =>
      assert.deepEqual(matched([statement], one), ["0"]));
  }

  const OTHER: readonly [what: string, statement: CallStatement][] = [
    ["of another voyage", day(0, { voyage: { import: "015E", export: "015E" } })],
    ["of another service", day(0, { service: { code: "HE2", name: null, universal: null } })],
    ["after three months, when the number is used again", day(90)],
  ];
  for (const [what, statement] of OTHER) {
    test(`a call ${what} is another one`, () => assert.deepEqual(matched([statement], one), [undefined]));
  }

  test("a vessel that has left comes back for another call", () => {
    const left = known(said({ departure: { actual: D } }));
    assert.deepEqual(matched([day(6)], left), [undefined]);
  });

  test("a call between two voyages is found by either number", () => {
    const turn = known(day(0, { voyage: { import: "014E", export: "015W" } }));
    assert.deepEqual(matched([day(0, { voyage: { import: "014E", export: null } })], turn), ["0"]);
    assert.deepEqual(matched([day(0, { voyage: { import: null, export: "015W" } })], turn), ["0"]);
    assert.deepEqual(matched([day(0, { voyage: { import: "014E", export: "014E" } })], turn), [undefined]);
  });
});

describe("a voyage that calls twice at a port", () => {
  const twice = known(day(0, { reference: "a" }), day(8, { reference: "b" }));

  test("keeps its calls apart when both move by more than the time between them", () =>
    assert.deepEqual(matched([day(10), day(18)], twice), ["0", "1"]));

  test("matches the nearer call if a feed lists one", () => {
    assert.deepEqual(matched([day(7)], twice), ["1"]);
    assert.deepEqual(matched([day(1)], twice), ["0"]);
  });

  test("tells its calls apart by plausible references", () =>
    assert.deepEqual(matched([day(5, { reference: "a" })], twice), ["0"]));

  test("is not confused by references that have changed", () =>
    assert.deepEqual(matched([day(0, { reference: "b" })], twice), ["0"]));

  test("gains a call if a feed lists three", () =>
    assert.deepEqual(matched([day(0), day(4), day(8)], twice), ["0", undefined, "1"]));
});

describe("several statements of a call in one answer", () => {
  test("become one statement with the facts of all", () => {
    const [call, ...others] = mergeStatements([
      said({ arrival: { planned: D }, voyage: { import: "014E", export: null } }),
      said({ departure: { planned: D + 10 * HOUR_MS }, cutOffs: { FCO: D } }),
    ]);
    assert.deepEqual(others, []);
    assert.equal(call!.arrival.planned?.ms, D);
    assert.equal(call!.departure.planned?.ms, D + 10 * HOUR_MS);
    assert.equal(call!.voyage.export, "014E");
    assert.equal(call!.cutOffs?.length, 1);
  });

  test("are two calls if the terminals differ, or the times are days apart", () => {
    assert.equal(mergeStatements([day(0, { terminal: "A" }), day(0, { terminal: "B" })]).length, 2);
    assert.equal(mergeStatements([day(0), day(2)]).length, 2);
    assert.equal(mergeStatements([day(0), day(0)]).length, 1);
  });
});
