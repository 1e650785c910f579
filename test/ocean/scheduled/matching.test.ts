/** Which call of the record of schedules a box's sailing is taken to leave from: no call is better than a wrong one. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { ScheduledCall } from "../../../src/freight/scheduled-calls/scheduled-calls.ts";
import { matchingCall, type SailingNames } from "../../../src/products/ocean/scheduled/scheduled-call.ts";
import { march } from "../event.ts";

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

const unnumbered = { vessel: { name: "MSC ANNA", imo: null } };
const leaving = (...days: readonly number[]) => call({ departuresMs: days.map((day) => march(day)) });
const of = (name: string | null, imo: string | null) => call({ vessel: { name, imo } });

type Row = readonly [
  what: string,
  named: Partial<SailingNames>,
  calls: readonly ScheduledCall[],
  match: number | null,
];

const ROWS: readonly Row[] = [
  ["the same vessel on the same voyage", {}, [call()], 0],
  ["another vessel, by its number", {}, [of("MSC ANNA", "9777216")], null],
  ["another vessel, by its name", unnumbered, [of("MSC BELLE", null)], null],
  ["the same name written otherwise", unnumbered, [of("Msc Anna ", null)], 0],
  ["a name on one side and a number on the other", unnumbered, [of(null, "9777204")], 0],
  ["another voyage of the vessel", { voyage: "124W" }, [call()], null],
  ["the same number in the other direction", { voyage: "123E" }, [call()], null],
  ["a number without its direction", { voyage: "123" }, [call()], 0],
  ["a number with zeros before it", { voyage: "0123W" }, [call()], 0],
  ["a number that only begins alike", { voyage: "12" }, [call()], null],
  ["the vessel and voyage weeks later", {}, [leaving(50)], 0],
  ["the vessel and voyage months later", {}, [leaving(52)], null],
  ["the vessel alone, about then", { voyage: null }, [leaving(23)], 0],
  ["the vessel alone, a week later", { voyage: null }, [leaving(28)], null],
  ["the vessel alone, which was to leave then", { voyage: null }, [leaving(30, 21)], 0],
  ["the voyage alone, about then", { vessel: null }, [call()], 0],
  ["the voyage alone, later", { vessel: null }, [leaving(25)], null],
  ["neither of both", { vessel: null, voyage: null }, [call()], null],
  ["a call without any departure", {}, [leaving()], null],
  ["the nearer of two calls on one voyage", {}, [leaving(27), call()], 1],
  ["one of two calls that are equally near", {}, [leaving(20), leaving(22)], null],
  ["the one with the voyage, of two of the vessel", {}, [{ ...leaving(22), voyage: null }, call()], 1],
];

test("a sailing is taken to leave from the one call that fits its names and dates", () => {
  for (const [what, named, calls, match] of ROWS)
    assert.equal(matchingCall(sailing(named), calls), match === null ? null : calls[match], what);
});
