/** Records stored when an event was raised once in a box's life: what they raised is not raised again. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecord, readRecord } from "../../../src/products/ocean/record/record.ts";
import type {
  AlreadyRaised,
  BoxRecord,
  ShipmentRecord,
} from "../../../src/products/ocean/record/shipment-record.ts";
import { inLines } from "../in-lines.ts";
import { march } from "../event.ts";
import { TRACKED } from "../life.ts";

const { answers, said } = inLines();

const ARMED = { tariffs: [], armedFromMs: march(1) };
const sailed = "LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON";
const landed = `${sailed}; DISC NLRTM 20 HERON`;
const ready = `${landed}; SRM:RELS 21`;

/** Of a line whose polls may each end in the last free day, ` free 25`. */
const answersOf = (line: string) => {
  const stated = line.split(" | ").map((poll) => / free (\d+)/.exec(poll)?.[1]);
  return answers(line.replaceAll(/ free \d+/g, "")).map(([atMs, events], nth) => {
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
  const lost = storedAfter(`@20 ${landed}`, { milestones: ["container_available::1"] });
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
    storedAfter(`@24 ${landed} free 25`, warned),
    `@25 ${landed} free 25 | @26 ${landed} free 25 | @27 ${landed} free 28 | @29 ${landed} free 28`,
    "",
    "demurrage_started",
    "demurrage_warning",
    "demurrage_started",
  );
  assertRaised(storedAfter(`@26 ${landed} free 25`, started), `@27 ${landed} free 25`, "");
  const line = `@25 ${landed} free 25 | @26 ${landed} free 25`;
  assertRaised(storedAfter(`@24 ${landed}`, warned), line, "", "demurrage_started");
});
