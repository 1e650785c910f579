/** A box that misses sailing after sailing, more of them than its record keeps. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { event, march, plan } from "../event.ts";
import { pollThrough, type Poll } from "../life.ts";

const COUNT = 45;
const ships = Array.from({ length: COUNT + 1 }, (_, nth) => ({
  vessel: { name: `HERON ${nth + 1}`, imo: null },
  voyage: `${100 + nth}E`,
}));
const gateIn = event("GTIN", "CNTAO", march(1));

/** Each look's disruptions, as kind and vessels in their order. */
function disruptions(polls: readonly Poll[]): readonly string[] {
  return polls.map(({ raised }) =>
    raised
      .filter(({ type }) => type === "schedule_disruption")
      .map(({ data }) => {
        const { kind, headline } = JSON.parse(data) as Record<string, string>;
        return [kind, ...(headline?.match(/HERON \d+/g) ?? [])].join(" ");
      })
      .join("; "),
  );
}

function keysOf(polls: readonly Poll[]): readonly (string | undefined)[] {
  return polls.flatMap(({ raised }) => raised.flatMap(({ dedupKey }) => dedupKey ?? []));
}

const twice = <T>(all: readonly T[]): readonly T[] => all.flatMap((one) => [one, one]);

test("spec 6.3: schedule_disruption: every roll-over is raised, however many there are, and each once", () => {
  const answers = ships.map((ship, nth) => [
    gateIn,
    plan("DEPA", "CNTAO", march(100 + 7 * nth), ship, march(2 + nth)),
  ]);
  const polls = pollThrough(twice(answers).map((answer, nth) => [march(2, nth), answer]));
  const wanted = ships.slice(1).map((_, nth) => `slipped HERON ${nth + 1} HERON ${nth + 2}`);
  assert.deepEqual(disruptions(polls), ["", "", ...wanted.flatMap((line) => [line, ""])]);
  assert.equal(new Set(keysOf(polls)).size, COUNT);
  const size = JSON.stringify(polls.at(-1)?.record).length;
  assert.ok(size < 2 * JSON.stringify(polls[2 * 20]?.record).length, "and the record stays small");
});

test("a box that is left behind, or taken off again, time after time is rolled over each time", () => {
  const left: (readonly CarrierEvent[])[] = [];
  const off: (readonly CarrierEvent[])[] = [];
  for (const [nth, ship] of ships.entries()) {
    const next = plan("DEPA", "CNTAO", march(3 + 7 * nth), ship, march(2 + nth));
    const before = ships.slice(0, nth);
    const made = before.map((gone, day) => event("DEPA", "CNTAO", march(3 + 7 * day), gone));
    left.push([gateIn, ...made, next]);
    const moves = before.flatMap((gone, day) => [
      event("LOAD", "CNTAO", march(2 + 7 * day), gone),
      event("DISC", "CNTAO", march(2 + 7 * day, 20), gone),
    ]);
    off.push([gateIn, ...moves, next]);
  }
  for (const answers of [left, off]) {
    const polls = pollThrough(
      twice(answers).map((answer, nth) => [march(3 + 7 * Math.floor(nth / 2) - 5, nth % 2), answer]),
    );
    const wanted = ships.slice(1).map((_, nth) => `slipped HERON ${nth + 1} HERON ${nth + 2}`);
    assert.deepEqual(disruptions(polls), ["", "", ...wanted.flatMap((line) => [line, ""])]);
    const seen = disruptions(polls).filter((line) => line !== "");
    assert.deepEqual(seen, wanted);
  }
});
