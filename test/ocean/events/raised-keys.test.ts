/** Records stored when an event was raised once in a box's life: what they raised is not raised again. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecord, readRecord } from "../../../src/products/ocean/record/record.ts";
import type {
  AlreadyRaised,
  BoxRecord,
  ShipmentRecord,
} from "../../../src/products/ocean/record/shipment-record.ts";
import { event, march, documentEvent } from "../event.ts";
import { TRACKED } from "../life.ts";

const ARMED = { tariffs: [], armedFromMs: march(1) };
const heron = { vessel: { name: "HERON DAWN", imo: null } };
const sailed = [event("LOAD", "CNTAO", march(2), heron), event("DEPA", "CNTAO", march(3), heron)];
const landed = [...sailed, event("DISC", "NLRTM", march(20), heron)];
const ready = [...landed, documentEvent("SRM", "RELS", march(21))];
const held = documentEvent("CUS", "HOLD", march(22));
const cleared = documentEvent("CUS", "RELS", march(23));

function eta(unlocode: string, day: number): CarrierEvent {
  return event("ARRI", unlocode, march(day), { classifier: "estimated", ...heron });
}

type Answer = readonly [atMs: number, events: readonly CarrierEvent[], lastFreeDay?: string];

function recordOf([atMs, events, lastFreeDay]: Answer, before: ShipmentRecord | null): ShipmentRecord {
  const freeDays = lastFreeDay === undefined ? [] : [{ equipment: null, lastFreeDay }];
  const statements = { carrier: "HRNL", identifierType: "container_id", events, freeDays } as const;
  return nextRecord(statements, before, ARMED, atMs);
}

/** As stored then: keys without places, and flags. */
function storedBefore(answer: Answer, flags: Partial<AlreadyRaised>): ShipmentRecord {
  const record = recordOf(answer, null);
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

/** The types raised at each answer after the upgrade, `shipment_updated` and ETAs aside. */
function raisedAfter(stored: ShipmentRecord, answers: readonly Answer[]): readonly string[] {
  let before = stored;
  return answers.map((answer) => {
    const [atMs] = answer;
    const { events, record } = changesBetween(TRACKED, before, recordOf(answer, before), ARMED, atMs);
    before = record;
    return events
      .map(({ type }) => type)
      .filter((type) => type !== "shipment_updated" && type !== "eta_changed")
      .join();
  });
}

test("milestones that an older record holds, or had lost, are not raised again, and later ones are", () => {
  const stored = storedBefore([march(21), ready], {});
  assert.deepEqual(
    raisedAfter(stored, [
      [march(21, 18), ready],
      [march(22), [...ready, held]],
      [march(23), [...ready, held, cleared]],
      [march(24), [...ready, held, cleared, event("GTOT", "NLRTM", march(24))]],
    ]),
    ["", "customs_hold", "container_available", "container_delivered"],
  );
  const lost = storedBefore([march(20), landed], { milestones: ["container_available::1"] });
  assert.deepEqual(
    raisedAfter(lost, [
      [march(21), ready],
      [march(22), [...ready, held]],
      [march(23), [...ready, held, cleared]],
    ]),
    ["", "customs_hold", "container_available"],
  );
});

test("an availability of the wrong port in an older record spends none at the right one", () => {
  const hub = [
    ...sailed,
    event("DISC", "SGSIN", march(9), heron),
    event("AVPU", "SGSIN", march(10), { mode: null }),
  ];
  const onward = [...hub, event("LOAD", "SGSIN", march(12), heron), event("DISC", "NLRTM", march(20), heron)];
  const stored = storedBefore([march(10), hub], {});
  assert.deepEqual(
    raisedAfter(stored, [
      [march(20), onward],
      [march(21), [...onward, event("AVPU", "NLRTM", march(21), { mode: null })]],
    ]),
    ["vessel_departed", "container_available"],
  );
});

test("an arrival and a misrouting of an older record are of the port that it shows", () => {
  const near = [...sailed, eta("NLRTM", 20)];
  for (const flags of [{ arrived: true }, { arrived: true, arrivedAt: eta("NLRTM", 20).place }]) {
    const stored = storedBefore([march(19), near], flags);
    assert.deepEqual(
      raisedAfter(stored, [
        [march(19, 13), near],
        [march(19, 14), [...sailed, eta("BEANR", 20)]],
      ]),
      ["", "container_arrived"],
    );
  }
  const wrong = [...sailed, eta("NLRTM", 21), event("DISC", "BEANR", march(19), heron)];
  const misrouted = storedBefore([march(19), wrong], { misrouted: true });
  assert.deepEqual(raisedAfter(misrouted, [[march(20), wrong]]), [""]);
  const unshown = storedBefore([march(19), sailed], { arrived: true, misrouted: true });
  assert.deepEqual(
    raisedAfter(unshown, [
      [march(19), near],
      [march(20), wrong],
    ]),
    ["", ""],
    "of whatever port, if it shows none",
  );
});

test("demurrage of an older record is of the last free day that it shows, and a later day warns and starts", () => {
  const stored = storedBefore([march(24), landed, "2026-03-25"], { demurrageWarning: true });
  assert.deepEqual(
    raisedAfter(stored, [
      [march(25), landed, "2026-03-25"],
      [march(26), landed, "2026-03-25"],
      [march(27), landed, "2026-03-28"],
      [march(29), landed, "2026-03-28"],
    ]),
    ["", "demurrage_started", "demurrage_warning", "demurrage_started"],
  );
  const flags = { demurrageWarning: true, demurrageStarted: true };
  assert.deepEqual(
    raisedAfter(storedBefore([march(26), landed, "2026-03-25"], flags), [[march(27), landed, "2026-03-25"]]),
    [""],
  );
  const unshown = storedBefore([march(24), landed], { demurrageWarning: true });
  assert.deepEqual(
    raisedAfter(unshown, [
      [march(25), landed, "2026-03-25"],
      [march(26), landed, "2026-03-25"],
    ]),
    ["", "demurrage_started"],
  );
});
