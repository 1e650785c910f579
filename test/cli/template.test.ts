import assert from "node:assert/strict";
import { test } from "node:test";

import { fill } from "../../src/cli/template.ts";

const ANSWER = {
  name: "Acme",
  count: 0,
  none: null,
  empty: [],
  is_on: true,
  place: { unlocode: null, name: "Oakland" },
  stops: [
    { unlocode: "KRPUS", kind: "port", usd: 2.5 },
    { unlocode: "SGSIN", kind: "port", usd: 0 },
  ],
  boxes: [{ type: "40HC", count: 2 }],
  status: "pending",
};

const FILLED: readonly (readonly [template: string, text: string | number | null])[] = [
  ["name", "Acme"],
  ["count", 0],
  ["none", null],
  ["empty", null],
  ["missing.deeper", null],
  ["is_on", "yes"],
  ["place.unlocode|place.name", "Oakland"],
  ["empty|'all'", "all"],
  ["stops.unlocode", "KRPUS, SGSIN"],
  ["stops.kind", "port"],
  ["{name} > {none} > {stops.unlocode}", "Acme > - > KRPUS, SGSIN"],
  ["{none} > {empty}", null],
  ["{name}{is_on? (on)}{none? (none)}", "Acme (on)"],
  ["{count?some|none: nothing}", "none: nothing"],
  ["{count?{count}}", null],
  ["{boxes[{count} x {type}]}", "2 x 40HC"],
  ["{stops[{unlocode}={usd:2}];}", "KRPUS=2.50;SGSIN=0.00"],
  ["{status=pending?{none?|{missing|'in progress'}}}", "in progress"],
  ["{status=dead?{name}|alive}", "alive"],
];

for (const [template, text] of FILLED)
  test(`${template} of an answer is ${String(text)}`, () => assert.equal(fill(template, ANSWER), text));
