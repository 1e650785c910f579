/** Which call of the record of schedules a box's sailing is taken to leave from: no call is better than a wrong one. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { ScheduledCall } from "../../../src/freight/scheduled-calls/scheduled-calls.ts";
import { matchingCall, type SailingNames } from "../../../src/products/ocean/scheduled/scheduled-call.ts";
import { march } from "../event.ts";
import { DAY_MS } from "../events/watch.ts";

const ANNA = { name: "MSC ANNA", imo: "9777204" };

function call(more: Partial<ScheduledCall> = {}): ScheduledCall {
  return {
    vessel: ANNA,
    voyage: "123W",
    departuresMs: [march(21)],
    expectedMs: march(21),
    departedMs: null,
    cancelled: null,
    ...more,
  };
}

function sailing(more: Partial<SailingNames> = {}): SailingNames {
  return { vessel: ANNA, voyage: "123W", promisedMs: march(21), expectedMs: march(21), ...more };
}

const unnumbered = { name: "MSC ANNA", imo: null };

for (const [what, named, calls, expected] of [
  ["the same vessel on the same voyage", {}, [call()], 0],
  ["another vessel, by its number", {}, [call({ vessel: { name: "MSC ANNA", imo: "9777216" } })], null],
  [
    "another vessel, by its name",
    { vessel: unnumbered },
    [call({ vessel: { name: "MSC BELLE", imo: null } })],
    null,
  ],
  [
    "the same name written otherwise",
    { vessel: unnumbered },
    [call({ vessel: { name: "Msc Anna ", imo: null } })],
    0,
  ],
  [
    "a name on one side and a number on the other",
    { vessel: unnumbered },
    [call({ vessel: { name: null, imo: "9777204" } })],
    0,
  ],
  ["another voyage of the vessel", { voyage: "124W" }, [call()], null],
  ["the same number in the other direction", { voyage: "123E" }, [call()], null],
  ["a number without its direction", { voyage: "123" }, [call()], 0],
  ["a number with zeros before it", { voyage: "0123W" }, [call()], 0],
  ["a number that only begins alike", { voyage: "12" }, [call()], null],
  ["the vessel and voyage weeks later", {}, [call({ departuresMs: [march(21) + 29 * DAY_MS] })], 0],
  ["the vessel and voyage months later", {}, [call({ departuresMs: [march(21) + 31 * DAY_MS] })], null],
  ["the vessel alone, about then", { voyage: null }, [call({ departuresMs: [march(23)] })], 0],
  ["the vessel alone, a week later", { voyage: null }, [call({ departuresMs: [march(28)] })], null],
  [
    "the vessel alone, which was to leave then",
    { voyage: null },
    [call({ departuresMs: [march(30), march(21)] })],
    0,
  ],
  ["the voyage alone, about then", { vessel: null }, [call()], 0],
  ["the voyage alone, later", { vessel: null }, [call({ departuresMs: [march(25)] })], null],
  ["neither of both", { vessel: null, voyage: null }, [call()], null],
  ["a call without any departure", {}, [call({ departuresMs: [] })], null],
  ["the nearer of two calls on one voyage", {}, [call({ departuresMs: [march(27)] }), call()], 1],
  [
    "one of two calls that are equally near",
    {},
    [call({ departuresMs: [march(20)] }), call({ departuresMs: [march(22)] })],
    null,
  ],
  [
    "the one with the voyage, of two of the vessel",
    {},
    [call({ voyage: null, departuresMs: [march(22)] }), call()],
    1,
  ],
] as const) {
  test(`${what} ${expected === null ? "is no match" : "matches"}`, () => {
    assert.equal(matchingCall(sailing(named), calls), expected === null ? null : calls[expected]);
  });
}
