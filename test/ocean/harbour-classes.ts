/** What a shipment of the simulated harbour shows that a careless reader takes for something else. */
import type { Fact, Step } from "../../packages/simulator/src/harbour/fact.ts";
import type { Life } from "../../packages/simulator/src/harbour/harbour.ts";
import type { TrueEvent } from "../../packages/simulator/src/harbour/true-event.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Shown = { readonly life: Life; readonly facts: readonly Fact[]; readonly events: readonly TrueEvent[] };

/** Each class, and whether a shipment that is tracked from `fromMs` on shows it. */
const CLASSES: Readonly<Record<string, (shown: Shown, fromMs: number) => boolean>> = {
  "earlier trips": ({ facts }) => facts.some(({ trip }) => trip < 0),
  "next trip awaited": ({ facts }, fromMs) =>
    facts.some(({ trip, step, fromMs: ms }) => trip < 0 && step === "gate_out" && ms <= fromMs) &&
    !facts.some(({ trip, fromMs: ms }) => trip === 0 && ms <= fromMs),
  "trip after": ({ facts }) => facts.some(({ trip }) => trip > 0),
  "transshipment of a month": ({ facts }) => transshipments(facts).some((hours) => hours > 30 * 24),
  "transshipment named": ({ facts }) => facts.some(({ onward }) => onward),
  "sent on after its release": ({ facts }) => ownOf(facts, "release").some(({ leg }) => leg !== null),
  "sent on after a handover": ({ facts }) =>
    ownOf(facts, "truck_out").some(({ leg }) => ownOf(facts, "release").some((one) => one.leg === leg)),
  "held twice, or after its release": ({ facts }) =>
    ownOf(facts, "hold").some(({ atMs }) => ownOf(facts, "release").some((one) => one.atMs < atMs)),
  "release withdrawn": ({ facts }) =>
    ownOf(facts, "release").some(
      ({ leg, untilMs, box }) => leg === null && box === null && untilMs !== Infinity,
    ),
  "left behind on the quay": ({ facts }) =>
    ownOf(facts, "left").some(
      ({ leg, order }) =>
        !ownOf(facts, "taken_off").some((one) => one.leg === leg && one.order + 1 === order),
    ),
  "taken off": ({ facts }) => ownOf(facts, "taken_off").length > 0,
  "left behind twice": ({ facts }) =>
    ownOf(facts, "left").some(({ leg, order }) =>
      ownOf(facts, "left").some((one) => one.leg === leg && one.order !== order),
    ),
  "left behind at a transshipment": ({ facts }) => ownOf(facts, "left").some(({ leg }) => leg !== 0),
  "trucked between terminals": ({ facts }) => ownOf(facts, "truck_in").length > 0,
  "no departures": ({ life }) => !life.line.reporting.reportsDepartures,
  "dates only": ({ life }) => life.line.reporting.datesOnly,
  "discharged and loaded at one instant": ({ facts }) =>
    ownOf(facts, "load").some((load) =>
      ownOf(facts, "discharge").some((one) => one.atMs === load.atMs && one.place === load.place),
    ),
  "implied departure": ({ events }) => events.some(({ about }) => about.startsWith("implied")),
  "implied delivery": ({ facts }) =>
    ownOf(facts, "empty_return").length > 0 && ownOf(facts, "gate_out").length === 0,
  rail: ({ facts }) => ownOf(facts, "rail_discharge").length > 0,
  "end dropped": ({ facts }) =>
    [...ownOf(facts, "gate_out"), ...ownOf(facts, "empty_return")].some(({ untilMs, order, atMs, box }) =>
      facts.some(
        (one) => one.order === order && one.box === box && one.atMs === atMs && one.fromMs > untilMs,
      ),
    ),
  "actual time ahead": ({ facts }) =>
    facts.some(({ classifier, atMs, fromMs }) => classifier === "actual" && atMs - fromMs > 15 * HOUR_MS),
  "plan gone with a discharge": ({ life, facts }) =>
    life.line.reporting.plansEndAtDischarge &&
    new Set(ownOf(facts, "discharge").map(({ leg }) => leg)).size > 1,
  "two shifts in a day": ({ events }) =>
    events.some(({ type, atMs }) => type === "eta_changed" && atMs % (24 * HOUR_MS) === 0),
  "free days stated": ({ facts }) => facts.some(({ lastFreeDay }) => lastFreeDay !== null),
  "free days moved": ({ facts }) =>
    facts.some(
      ({ lastFreeDay, order, box }) =>
        lastFreeDay !== null &&
        facts.some(
          (one) =>
            one.order === order &&
            one.box === box &&
            one.lastFreeDay !== null &&
            one.lastFreeDay !== lastFreeDay,
        ),
    ),
  "free days foreseen, and stated at the discharge": ({ facts }, fromMs) =>
    foreseen(facts, fromMs).some(({ place }) =>
      ownOf(facts, "discharge").some((one) => one.place === place && one.lastFreeDay !== null),
    ),
  "free days foreseen alone": ({ facts }, fromMs) =>
    foreseen(facts, fromMs).some(({ place, classifier }) =>
      ownOf(facts, "discharge").every(
        (one) => classifier === "actual" && (one.place !== place || one.lastFreeDay === null),
      ),
    ),
  "free days over before the discharge": ({ facts }, fromMs) =>
    foreseen(facts, fromMs).some(({ place, lastFreeDay }) =>
      ownOf(facts, "discharge").some(
        (one) =>
          one.place === place && Date.parse(lastFreeDay ?? "") + DAY_MS < one.atMs && one.atMs > fromMs,
      ),
    ),
  "free days on a gate of the first port": ({ facts }) =>
    ownOf(facts, "gate_in").some(({ lastFreeDay }) => lastFreeDay !== null),
  "free days stated at a transshipment": ({ facts }) =>
    ownOf(facts, "discharge").some(
      ({ lastFreeDay, leg, box }) =>
        lastFreeDay !== null &&
        ownOf(facts, "load").some((one) => one.box === box && (one.leg ?? 0) > (leg ?? 0)),
    ),
  "one voyage number": ({ life, facts }) =>
    life.line.reporting.oneVoyageNumber &&
    ownOf(facts, "load").some((load) =>
      ownOf(facts, "load").some((one) => one.voyage === load.voyage && one.vessel?.imo !== load.vessel?.imo),
    ),
  "answers from two caches": ({ life }, fromMs) => life.older.some(({ untilMs }) => untilMs > fromMs),
  "port in another form": ({ facts }, fromMs) =>
    facts.some(({ form, fromMs: ms }) => form !== "code" && ms > fromMs),
  "port under its neighbour's code": ({ facts }, fromMs) =>
    facts.some(({ form, fromMs: ms }) => form === "neighbour" && ms > fromMs),
  "out and in again at the last port": ({ facts }, fromMs) =>
    ownOf(facts, "truck_in").some(({ elsewhere, fromMs: ms }) => !elsewhere && ms > fromMs),
  "late for its ship, and booked on the next": ({ facts }, fromMs) =>
    lateFor(facts, fromMs).some((left) => isPlannedOnOther(facts, left)),
  "late for its ship, and not booked yet": ({ facts }, fromMs) =>
    lateFor(facts, fromMs).some((left) => !isPlannedOnOther(facts, left)),
  "carried past its destination": ({ facts }, fromMs) => carriedPast(facts, fromMs).length > 0,
  "carried past, with the discharge there planned until it is found": ({ facts }, fromMs) =>
    carriedPast(facts, fromMs).some(({ leg, fromMs: ms, place }) =>
      facts.some((plan) => isPlanOf(plan, leg) && plan.place !== place && plan.untilMs > ms),
    ),
  "next call of the ship that discharged it": ({ facts }, fromMs) =>
    facts.some(({ step, fromMs: ms, prunedMs }) => step === "next_call" && ms > fromMs && ms < prunedMs),
  "pruned after its end": ({ facts }) => facts.some(({ prunedMs }) => prunedMs !== Infinity),
  "pruned in the answer of its end": ({ facts }) =>
    ownOf(facts, "gate_out").some(({ fromMs }) => facts.some(({ prunedMs }) => prunedMs === fromMs)),
  "shuttled by barge": ({ facts }, fromMs) => comesIn(facts, "barge_in", fromMs),
  "shuttled by train": ({ facts }, fromMs) => comesIn(facts, "train_in", fromMs),
  "shuttled by truck": ({ facts }, fromMs) => comesIn(facts, "truck_in", fromMs),
  "released at sea": ({ facts }) =>
    ownOf(facts, "release").some(
      ({ leg, atMs }) => leg === null && ownOf(facts, "arrival").some((one) => one.atMs > atMs),
    ),
};

export const CLASS_NAMES = Object.keys(CLASSES);

export function classesOf(life: Life, events: readonly TrueEvent[], fromMs: number): readonly string[] {
  const { facts } = life;
  return Object.entries(CLASSES).flatMap(([name, shows]) =>
    shows({ life, facts, events }, fromMs) ? [name] : [],
  );
}

/** Of the consignment's own trip, as it happened. */
function ownOf(facts: readonly Fact[], step: Step): readonly Fact[] {
  return facts.filter((fact) => fact.step === step && fact.trip === 0 && fact.classifier === "actual");
}

/** Ships that had left a day before the box came in at the gate. */
function lateFor(facts: readonly Fact[], since: number): readonly Fact[] {
  return ownOf(facts, "left").filter(
    ({ leg, atMs, fromMs }) =>
      leg === 0 && fromMs > since && ownOf(facts, "gate_in").some((gate) => gate.atMs - atMs > DAY_MS),
  );
}

function isPlannedOnOther(facts: readonly Fact[], { fromMs, leg, vessel, voyage }: Fact): boolean {
  return facts.some(
    (plan) =>
      plan.classifier !== "actual" &&
      plan.leg === leg &&
      plan.fromMs <= fromMs &&
      fromMs < plan.untilMs &&
      (plan.voyage !== voyage || (plan.vessel !== null && plan.vessel.imo !== vessel?.imo)),
  );
}

/** Discharges of a ship that had called where she was to bring the box. */
function carriedPast(facts: readonly Fact[], since: number): readonly Fact[] {
  return ownOf(facts, "discharge").filter(
    ({ leg, place, fromMs }) =>
      fromMs > since && ownOf(facts, "arrival").some((call) => call.leg === leg && call.place !== place),
  );
}

function isPlanOf({ step, leg, classifier }: Fact, of: number | null): boolean {
  return step === "discharge" && leg === of && classifier !== "actual";
}

/** Said of a last free day before the discharge. */
function foreseen(facts: readonly Fact[], since: number): readonly Fact[] {
  return facts.filter(
    ({ step, classifier, lastFreeDay, untilMs }) =>
      lastFreeDay !== null &&
      untilMs > since &&
      (step === "arrival" || (step === "discharge" && classifier !== "actual")),
  );
}

/** At another terminal of the last port. */
function comesIn(facts: readonly Fact[], step: Step, since: number): boolean {
  return ownOf(facts, step).some(
    ({ elsewhere, order, fromMs }) =>
      elsewhere && fromMs > since && !ownOf(facts, "load").some((load) => load.order > order),
  );
}

/** The hours from each discharge to the loading after it. */
function transshipments(facts: readonly Fact[]): readonly number[] {
  return ownOf(facts, "discharge").flatMap(({ box, order, atMs }) => {
    const next = ownOf(facts, "load").filter((load) => load.box === box && load.order > order);
    return next.length === 0 ? [] : [(Math.min(...next.map((load) => load.atMs)) - atMs) / HOUR_MS];
  });
}
