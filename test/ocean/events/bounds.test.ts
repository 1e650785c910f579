/** What a record keeps of events raised, of a carrier that goes on and on, or names everything differently in each answer. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { boundedKeys } from "../../../src/products/ocean/events/raised-keys.ts";
import { NOTHING_RAISED } from "../../../src/products/ocean/record/shipment-record.ts";
import { landedAsAnnounced, NOTHING_ANNOUNCED } from "../../../src/products/ocean/timeline/route.ts";
import { inLines } from "../in-lines.ts";
import type { Poll } from "../life.ts";

const { polled, said } = inLines();

test("of thousands of keys, the last thousand and those of the present milestones are kept", () => {
  const keys = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, nth) => [`vessel_departed:P${nth}:1`, nth]),
  );
  const [{ at }] = said("DEPA CNTAO 3") as [ReturnType<typeof said>[0]];
  const key = "vessel_departed:P0:1";
  const first = { key, type: "vessel_departed", from: "pre_departure", to: "in_transit", at } as const;
  const kept = Object.keys(boundedKeys({ ...NOTHING_RAISED, keys }, [first]).keys ?? {});
  assert.equal(kept.length, 1_001);
  assert.deepEqual(
    [kept[0], kept[1], kept.at(-1)],
    [key, "vessel_departed:P2000:1", "vessel_departed:P2999:1"],
  );
});

test("of hundreds of ports where a box landed as announced, the last hundred are kept", () => {
  const landed = Array.from({ length: 300 }, (_, nth) => `P${nth}`);
  const { landed: kept } = landedAsAnnounced(NOTHING_ANNOUNCED, { ...NOTHING_ANNOUNCED, landed }, []);
  assert.deepEqual([kept?.length, kept?.at(-1)], [100, "P299"]);
});

/** More sailings than a record keeps. */
const COUNT = 45;
const ships = Array.from({ length: COUNT + 1 }, (_, nth) => `S${nth} #${100 + nth}E`);

/** Each poll's disruptions: their kinds and vessels. */
function disruptions(polls: readonly Poll[]): readonly string[] {
  return polls.map(({ raised }) =>
    raised
      .filter(({ type }) => type === "schedule_disruption")
      .map(({ data }) => {
        const { kind, headline } = JSON.parse(data) as Record<string, string>;
        return [kind, ...(headline?.match(/S\d+/g) ?? [])].join(" ");
      })
      .join("; "),
  );
}

/** From each ship to the next, raised by the first of two polls that answer the same. */
const ROLLED = ["", "", ...ships.slice(1).flatMap((_, nth) => [`slipped S${nth} S${nth + 1}`, ""])];

const twice = (answers: readonly string[], dayOf: (nth: number) => number): string =>
  answers.flatMap((answer, nth) => [`@${dayOf(nth)} ${answer}`, `@${dayOf(nth)}.13 ${answer}`]).join(" | ");

test("spec 6.3: schedule_disruption: every roll-over is raised, however many there are, and each once", () => {
  const answers = ships.map((ship, nth) => `GTIN CNTAO 1; DEPA~ CNTAO ${100 + 7 * nth} ${ship} (${2 + nth})`);
  const polls = polled(twice(answers, (nth) => 2 + nth));
  assert.deepEqual(disruptions(polls), ROLLED);
  const keys = polls.flatMap(({ raised }) => raised.flatMap(({ dedupKey }) => dedupKey ?? []));
  assert.equal(new Set(keys).size, COUNT);
  const size = (nth: number): number => JSON.stringify(polls.at(nth)?.record).length;
  assert.ok(size(-1) < 2 * size(2 * 20), "and the record stays small");
});

test("a box that is left behind, or taken off again, time after time is rolled over each time", () => {
  const movesOf: readonly ((gone: string, day: number) => string)[] = [
    (gone, day) => `DEPA CNTAO ${day} ${gone}`,
    (gone, day) => `LOAD CNTAO ${day - 1} ${gone}; DISC CNTAO ${day - 1}.20 ${gone}`,
  ];
  for (const moves of movesOf) {
    const answers = ships.map((ship, nth) => {
      const made = ships.slice(0, nth).map((gone, before) => moves(gone, 3 + 7 * before));
      return ["GTIN CNTAO 1", ...made, `DEPA~ CNTAO ${3 + 7 * nth} ${ship} (${2 + nth})`].join("; ");
    });
    assert.deepEqual(disruptions(polled(twice(answers, (nth) => 7 * nth - 2))), ROLLED);
  }
});
