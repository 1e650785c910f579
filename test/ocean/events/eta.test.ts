/** When an ETA has moved (spec 6.3, 8: eta_changed). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import {
  NOTHING_RAISED,
  type BoxRecord,
  type Eta,
} from "../../../src/products/ocean/record/shipment-record.ts";
import { march } from "../event.ts";
import { box, place, record, utc } from "../records.ts";
import { TRACKED } from "../life.ts";
import { DAY_MS, HOUR_MS, NOT_ARMED, watch } from "./watch.ts";

const ETA_MS = march(20);
const MINUTE_MS = 60_000;

/** So many days later than at first. */
const later = (days: number, more: Partial<Eta> = {}): { readonly eta: Eta } => ({
  eta: { at: utc(ETA_MS + days * DAY_MS), actual: false, ...more },
});
const atPort = (unlocode: string, days: number) => later(days, { place: place(unlocode), inland: false });
const inland = (unlocode: string, days: number) => later(days, { place: place(unlocode), inland: true });

type Step = readonly [differs: Partial<BoxRecord>, atMs: number, ...raised: readonly string[]];

/** Each step raises what it names: `moved 36` is an ETA that changed by hours, `updated` all else. */
function assertRaised(first: Partial<BoxRecord>, ...steps: readonly Step[]): void {
  const poll = watch(first, march(5));
  const shown = steps.map(([differs, atMs]) =>
    poll(differs, atMs).map(({ type, data }) =>
      type === "eta_changed" ? `moved ${String(data["delta_hours"])}` : type.replace("shipment_", ""),
    ),
  );
  assert.deepEqual(
    shown,
    steps.map(([, , ...raised]) => raised),
  );
}

test("an ETA that moves by 24 hours or more, either way, has changed; by less it is an update", () => {
  for (const [movedMs, raised] of [
    [DAY_MS - MINUTE_MS, "updated"],
    [DAY_MS, "moved 24"],
    [DAY_MS + MINUTE_MS, "moved 24.02"],
    [MINUTE_MS - DAY_MS, "updated"],
    [-DAY_MS, "moved -24"],
  ] as const)
    assertRaised(later(0), [later(movedMs / DAY_MS), march(6), raised]);
});

test("spec 2.4: eta_changed; 6.2: eta_changed; 6.3: eta_changed; 8: eta_changed: old and new ETA, and the hours between them, positive if later", () => {
  const poll = watch(later(0), march(5));
  const [moved] = poll(later(1.5), march(6));
  assert.deepEqual(
    [moved?.data["old_eta"], moved?.data["new_eta"], moved?.data["delta_hours"]],
    ["2026-03-20T12:00:00.000Z", "2026-03-22T00:00:00.000Z", 36],
  );
  assert.equal(poll(later(0), march(7))[0]?.data["delta_hours"], -36);
});

test("a second move on one UTC day is an update, and the next day's is a move again", () =>
  assertRaised(
    later(0),
    [later(2), march(6, 0), "moved 48"],
    [later(4), march(7, 0) - 1, "updated"],
    [later(6), march(7, 0), "moved 96"],
  ));

test("spec 6.3: eta_changed: moves are measured from the ETA last raised, so that 20 hours a day add up", () => {
  const hours = (count: number) => later((count * HOUR_MS) / DAY_MS);
  assertRaised(
    later(0),
    [hours(20), march(6), "updated"],
    [hours(40), march(7), "moved 40"],
    [hours(60), march(8), "updated"],
    [hours(80), march(9), "moved 40"],
    [hours(100), march(10), "updated"],
  );
  const back = [20, 4, -16, -23, 0].map((count, day): Step => [hours(count), march(6 + day), "updated"]);
  assertRaised(later(0), ...back);
});

test("what moved again on the same UTC day is raised by time alone at midnight, unless it moved back", () =>
  assertRaised(
    later(0),
    [later(2), march(6), "moved 48"],
    [later(4), march(6, 18), "updated"],
    [{}, march(7, 0), "moved 48"],
    [{}, march(8, 0)],
    [later(6), march(9), "moved 48"],
    [later(8), march(9, 18), "updated"],
    [later(6.5), march(9, 20), "updated"],
    [{}, march(10, 0)],
  ));

test("after the handover no ETA moves, and the arrival itself is no estimate that moved", () => {
  assertRaised({ ...later(0), status: "delivered" }, [later(3), march(6), "updated"]);
  assertRaised(later(0), [{ ...later(-2, { actual: true }), status: "at_berth" }, march(18), "updated"]);
});

test("a record from before the ETA last raised was kept compares with the last one shown", () => {
  const { etas: _, ...told } = NOTHING_RAISED;
  const recordOf = (hours: number) => record([box({ ...later(hours / 24), told })]);
  const raisedBy = (hours: number): readonly string[] =>
    changesBetween(TRACKED, recordOf(0), recordOf(hours), NOT_ARMED, march(6)).events.map(({ type }) => type);
  assert.deepEqual([raisedBy(23), raisedBy(24)], [["shipment_updated"], ["eta_changed"]]);
});

test("an ETA that was left out for a while is measured by the last one known, and the first one is an update", () => {
  assertRaised(
    { ...later(0), etaHistory: [{ at: utc(ETA_MS), seenMs: 0 }] },
    [{ eta: null }, march(6)],
    [later(0), march(7)],
    [{ eta: null }, march(8)],
    [later(2), march(9), "moved 48"],
  );
  assertRaised({ eta: null, etaHistory: [] }, [later(0), march(6), "updated"]);
});

test("a vessel that is sent to another port moves the ETA, either way", () => {
  assertRaised(
    atPort("NLRTM", 0),
    [atPort("ESALG", 3), march(6), "moved 72"],
    [atPort("NLRTM", 0), march(7), "moved -72"],
    [atPort("BEANR", 0.99), march(8), "updated"],
  );
  assertRaised(
    later(0),
    [atPort("USORF", 1), march(6), "moved 24"],
    [later(3, { place: null }), march(7), "moved 48"],
  );
});

test("between an inland place and a port no ETA has moved, and each is then measured by itself", () =>
  assertRaised(
    inland("USCHI", 6),
    [atPort("USORF", 0), march(6), "updated"],
    [atPort("USORF", 1), march(7), "moved 24"],
    [inland("USCHI", 6.5), march(8), "updated"],
    [inland("USCHI", 9), march(9), "moved 72"],
  ));

test("the estimate of the next leg is no move of an arrival made before, and one in place of it is", () => {
  const arrived = atPort("MYTPP", 0).eta;
  const made = { ...arrived, actual: true };
  const onward = { ...atPort("DEWVN", 30), arrivingFromMs: ETA_MS + 28 * DAY_MS };
  assertRaised(
    { eta: made, etaHistory: [{ ...made, seenMs: march(20) }] },
    [{ eta: null }, march(21)],
    [onward, march(22), "updated"],
  );
  assertRaised({ eta: made }, [atPort("MYTPP", 2), march(21), "moved 48"]);
});
