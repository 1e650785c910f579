/** Records stored when an event was raised once in a box's life: what they raised is not raised again. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecord, readRecord } from "../../../src/products/ocean/record/record.ts";
import {
  type AlreadyRaised,
  type BoxRecord,
  type ShipmentRecord,
  NOTHING_RAISED,
} from "../../../src/products/ocean/record/shipment-record.ts";
import { inLines } from "../in-lines.ts";
import { march } from "../event.ts";
import { TRACKED, type Poll } from "../life.ts";
import { boundedKeys } from "../../../src/products/ocean/events/raised-keys.ts";
import { landedAsAnnounced, NOTHING_ANNOUNCED } from "../../../src/products/ocean/timeline/route.ts";

const { answers: answersIn, polled, said } = inLines();

const ARMED = { tariffs: [], armedFromMs: march(1) };
const sailed = "LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON";
const arrived = `${sailed}; DISC NLRTM 20 HERON`;
const ready = `${arrived}; SRM:RELS 21`;

/** Of a line whose polls may each end in the last free day, ` free 25`. */
const answersOf = (line: string) => {
  const stated = line.split(" | ").map((poll) => / free (\d+)/.exec(poll)?.[1]);
  return answersIn(line.replaceAll(/ free \d+/g, "")).map(([atMs, events], nth) => {
    const freeDays =
      stated[nth] === undefined ? [] : [{ equipment: null, lastFreeDay: `2026-03-${stated[nth]}` }];
    return {
      atMs,
      statements: { carrier: "HRNL", identifierType: "container_id", events, freeDays } as const,
    };
  });
};

/** As stored then, after one answer: keys without places, and flags. */
function storedAfter(line: string, flags: Partial<AlreadyRaised> = {}): ShipmentRecord {
  const [{ atMs, statements }] = answersOf(line) as [ReturnType<typeof answersOf>[0]];
  const record = nextRecord(statements, null, ARMED, atMs);
  const box = record.boxes[0] as BoxRecord;
  const milestones = box.milestones.map((one) => ({
    ...one,
    key: one.type === "vessel_departed" ? one.key : one.key.replace(/:.*:/, "::"),
  }));
  const raised = {
    milestones: milestones.map(({ key }) => key),
    arrived: false,
    misrouted: false,
    etaChangedOn: null,
    demurrageWarning: false,
    demurrageStarted: false,
    disruptions: [],
    ...flags,
  };
  return readRecord(JSON.stringify({ ...record, boxes: [{ ...box, milestones, told: raised }] }));
}

/** Each poll after the upgrade raises these types, `shipment_updated` and ETAs aside. */
function assertRaised(stored: ShipmentRecord, line: string, ...raised: readonly string[]): void {
  let before = stored;
  const shown = answersOf(line).map(({ atMs, statements }) => {
    const next = nextRecord(statements, before, ARMED, atMs);
    const { events, record } = changesBetween(TRACKED, before, next, ARMED, atMs);
    before = record;
    const types = events.map(({ type }) => type);
    return types.filter((type) => type !== "shipment_updated" && type !== "eta_changed").join();
  });
  assert.deepEqual(shown, raised, line);
}

test("milestones that an older record holds, or had lost, are not raised again, and later ones are", () => {
  const cleared = `@22 ${ready}; CUS:HOLD 22 | @23 + CUS:RELS 23`;
  const again = ["customs_hold", "container_available"];
  assertRaised(
    storedAfter(`@21 ${ready}`),
    `@21.18 ${ready} | ${cleared} | @24 + GTOT NLRTM 24`,
    "",
    ...again,
    "container_delivered",
  );
  const lost = storedAfter(`@20 ${arrived}`, { milestones: ["container_available::1"] });
  assertRaised(lost, `@21 ${ready} | ${cleared}`, "", ...again);
});

test("an availability of the wrong port in an older record spends none at the right one", () => {
  const hub = `${sailed}; DISC SGSIN 9 HERON; AVPU SGSIN 10 modeless`;
  assertRaised(
    storedAfter(`@10 ${hub}`),
    `@20 ${hub}; LOAD SGSIN 12 HERON; DISC NLRTM 20 HERON | @21 + AVPU NLRTM 21 modeless`,
    "vessel_departed",
    "container_available",
  );
});

test("an arrival and a misrouting of an older record are of the port that it shows, of any if it shows none", () => {
  const near = `${sailed}; ARRI? NLRTM 20 HERON`;
  const wrong = `${sailed}; ARRI? NLRTM 21 HERON; DISC BEANR 19 HERON`;
  for (const flags of [{ arrived: true }, { arrived: true, arrivedAt: said("ARRI NLRTM 20")[0]!.place }])
    assertRaised(
      storedAfter(`@19 ${near}`, flags),
      `@19.13 ${near} | @19.14 ${sailed}; ARRI? BEANR 20 HERON`,
      "",
      "container_arrived",
    );
  assertRaised(storedAfter(`@19 ${wrong}`, { misrouted: true }), `@20 ${wrong}`, "");
  const unshown = storedAfter(`@19 ${sailed}`, { arrived: true, misrouted: true });
  assertRaised(unshown, `@19 ${near} | @20 ${wrong}`, "", "");
});

test("demurrage of an older record is of the last free day that it shows, and a later day warns and starts", () => {
  const [warned, started] = [{ demurrageWarning: true }, { demurrageWarning: true, demurrageStarted: true }];
  assertRaised(
    storedAfter(`@24 ${arrived} free 25`, warned),
    `@25 ${arrived} free 25 | @26 ${arrived} free 25 | @27 ${arrived} free 28 | @29 ${arrived} free 28`,
    "",
    "demurrage_started",
    "demurrage_warning",
    "demurrage_started",
  );
  assertRaised(storedAfter(`@26 ${arrived} free 25`, started), `@27 ${arrived} free 25`, "");
  const line = `@25 ${arrived} free 25 | @26 ${arrived} free 25`;
  assertRaised(storedAfter(`@24 ${arrived}`, warned), line, "", "demurrage_started");
});

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
