/**
 * What a line's statements come to for one trip of one box at one moment: status, ETA, vessel and place of
 * discharge, read from what each statement means in the journey. It shares nothing with the service, which has
 * only the answers' wording to go by.
 */
import { PLACES, type PlaceCode } from "../world/places.ts";
import { DAY_MS, HOUR_MS } from "../world/durations.ts";
import type { Fact, Step } from "./fact.ts";
import type { TrueStatus } from "./true-event.ts";
import { codeWritten } from "./place-forms.ts";
import { milestonesOf, type Milestone } from "./true-milestones.ts";
import { announcedBy, arrivalOf, isEndShown, isLeftOver, misroutedOf, type Announced } from "./true-route.ts";

export type TrueState = {
  readonly status: TrueStatus;
  readonly eta: { readonly ms: number; readonly actual: boolean; readonly place: PlaceCode | null } | null;
  /** From when on it is less than 48 hours from its last port; null while not aboard on the last leg. */
  readonly nearFromMs: number | null;
  readonly vessel: string | null;
  /** As it is written. */
  readonly discharge: string | null;
  /** Sailings still to be made. */
  readonly sailings: readonly TrueSailing[];
  /** Of the ports where the box still is: ships that it was taken off, and ships that left without it. */
  readonly takenOff: readonly LegShip[];
  readonly left: readonly LegShip[];
  readonly misrouted: Fact | null;
  /** What has happened to the box by all reports, over by now or not, in its order. */
  readonly milestones: readonly Milestone[];
  /** The discharge that free time counts from. */
  readonly landing: Fact | null;
  /** Whether the line has said that the voyage ends at its landing; if not, no money hangs on it. */
  readonly endShown: boolean;
  /** Statements of last free days, wherever they are made. */
  readonly freeDays: readonly Fact[];
  /** Where the plan takes the box; what was announced before if there is none. */
  readonly announced: Announced | null;
};

/** As the line writes them; null: it does not. */
export type Ship = { readonly vessel: string | null; readonly voyage: string | null };

export type LegShip = Ship & { readonly leg: number; readonly atMs: number };

export type TrueSailing = Omit<LegShip, "atMs"> & {
  readonly expectedMs: number;
  /** The end of that day, if the line gives days. */
  readonly leavesByMs: number;
  /** The box waits for it at its port. */
  readonly here: boolean;
};

/** Spec 8, `container_arrived`: less than 48 hours. */
const ARRIVING_MS = 48 * HOUR_MS;

/** An actual time farther ahead than this is an estimate (a decision of the project). */
const AHEAD_MS_MAX = 15 * HOUR_MS;

/** Believed to have happened, whatever it is called. */
export function hasHappened({ classifier, atMs }: Fact, nowMs: number): boolean {
  return classifier === "actual" && atMs <= nowMs + AHEAD_MS_MAX;
}

/**
 * `facts`: what the line said at `reportedMs`, when it last answered, of this box or of all boxes;
 * `before`: what it had announced until then.
 */
export function stateOf(
  facts: readonly Fact[],
  reportedMs: number,
  nowMs: number,
  before: Announced | null,
  datesOnly = false,
): TrueState {
  const done = facts.filter((fact) => hasHappened(fact, nowMs));
  const plans = facts.filter((fact) => isPlan(fact, done, reportedMs));
  const moves = done.filter((fact) => isMove(fact, done));
  const at = farthestOf(moves);
  const calledOff = done.some(({ step }) => step === "called_off");
  const hasPlan = plans.some(({ leg }) => leg !== null);
  const known = Math.max(...[...moves, ...plans].flatMap(({ leg }) => leg ?? []));
  const announced =
    announcedBy(plans) ?? before ?? announcedBy(facts.filter((fact) => isLeftOver(fact, known)));
  const lastLeg = hasPlan ? known : Math.max(known, before?.lastLeg ?? known);
  const misrouted = misroutedOf(moves, plans, hasPlan ? null : announced);
  const landed =
    misrouted === null
      ? moves.find((fact) => fact.step === "discharge" && fact.leg === lastLeg && !fact.onward)
      : undefined;
  const arrival = arrivalOf([...done, ...plans], lastLeg, landed);
  const isMissed = misrouted !== null && arrival?.classifier === "actual";
  const eta = arrival === undefined || calledOff || isMissed ? null : etaOf(arrival);
  const isAboard = at !== null && at.leg === lastLeg && isUnderWay(at, plans);
  const nearFromMs = isAboard && eta?.actual === false ? eta.ms - ARRIVING_MS : null;
  const goesInland = facts.some(
    ({ step, classifier }) => step === "rail_discharge" || (step === "gate_out" && classifier !== "actual"),
  );
  // Free time runs where the journey ends, which may be inland.
  const landing = (goesInland ? done.find(({ step }) => step === "rail_discharge") : landed) ?? null;
  const endShown = landed !== undefined && isEndShown(landed, facts, announced);
  // A release before the landing is that of an announced end, or of the place that it names.
  const isOfEnd = ({ leg, place }: Fact): boolean =>
    (leg === null || leg === lastLeg) && (endShown || place === landed?.place);
  const releases = done.filter((fact) => fact.step === "release" && isOfEnd(fact));
  const settled = statusOf(at, {
    calledOff,
    lastLeg,
    isLanded: landed !== undefined,
    held: done.some((fact) => fact.step === "hold" && !isCleared(fact, done)),
    // What goes on by rail can be fetched where its journey ends, not at the port.
    released: releases.length > 0 && (!goesInland || at?.step === "rail_discharge"),
  });
  const isNear = nearFromMs !== null && nowMs > nearFromMs;
  const near = isNear ? (eta?.place ?? null) : null;
  const status = isNear && !CALLING.has(settled) ? "arriving" : settled;
  const ashore = landed === undefined && landing === null ? null : { landing, releases };
  return {
    status,
    eta,
    nearFromMs,
    vessel: vesselOf(done, plans),
    discharge: writtenPlace(
      landed ?? plans.find(({ step, leg }) => step === "discharge" && leg === lastLeg) ?? arrival,
    ),
    sailings: calledOff ? [] : sailingsOf(plans, at, datesOnly),
    takenOff: shipsOf(done, "taken_off", at),
    left: shipsOf(done, "left", at),
    misrouted,
    milestones: milestonesOf({ done, moves, at, lastLeg, ashore, near, status }),
    landing,
    endShown,
    freeDays: facts.filter(({ lastFreeDay }) => lastFreeDay !== null),
    announced,
  };
}

function farthestOf(moves: readonly Fact[]): Fact | null {
  return moves.reduce<Fact | null>(
    (far, move) => (far === null || move.order > far.order ? move : far),
    null,
  );
}

/** A name is the port's own, a terminal is a place that no table knows. */
function writtenPlace(fact: Fact | undefined): string | null {
  if (fact === undefined || fact.place === null) return null;
  return fact.form === "terminal" ? PLACES[fact.place].terminal : (codeWritten(fact) ?? fact.place);
}

function etaOf({ atMs, classifier, place }: Fact): NonNullable<TrueState["eta"]> {
  return { ms: atMs, actual: classifier === "actual", place };
}

const CALLING: ReadonlySet<TrueStatus> = new Set(["at_anchor", "at_berth"]);

/** What a ship does with the box aboard, the arrival at its port aside. */
const ABOARD: ReadonlySet<Step> = new Set(["departure", "call", "call_departure", "anchorage"]);

/** A loaded box is at sea when no departure is planned any more. */
function isUnderWay({ step, leg }: Fact, plans: readonly Fact[]): boolean {
  if (ABOARD.has(step)) return true;
  return step === "load" && !plans.some((plan) => plan.step === "departure" && plan.leg === leg);
}

const NO_MOVES: ReadonlySet<Step> = new Set([
  "booked",
  "called_off",
  "hold",
  "clearance",
  "release",
  "left",
  "next_call",
]);

/** Having been aboard of a ship that the box was taken off again only shows that it is at the port. */
function isMove({ step, order }: Fact, done: readonly Fact[]): boolean {
  if (NO_MOVES.has(step)) return false;
  return step !== "put_on" || !done.some((fact) => fact.step === "taken_off" && fact.order === order + 1);
}

function isAboardNow(fact: Fact, done: readonly Fact[]): boolean {
  return fact.step !== "taken_off" && isMove(fact, done);
}

export function isCleared({ order }: Fact, done: readonly Fact[]): boolean {
  return done.some((fact) => fact.step === "clearance" && fact.order === order + 1);
}

/** A plan that is still meant, and that has not been reported as done. */
function isPlan(fact: Fact, done: readonly Fact[], reportedMs: number): boolean {
  if (fact.classifier === "actual" || fact.staleFromMs <= reportedMs) return false;
  return !done.some(({ step, leg }) => step === fact.step && leg === fact.leg);
}

type Circumstances = {
  readonly calledOff: boolean;
  readonly lastLeg: number;
  readonly isLanded: boolean;
  readonly held: boolean;
  readonly released: boolean;
};

function statusOf(at: Fact | null, circumstances: Circumstances): TrueStatus {
  const { calledOff, lastLeg, isLanded, held, released } = circumstances;
  const ashore = held ? "customs_hold" : released ? "available" : "discharged";
  switch (at?.step) {
    case "put_on":
    case "load":
      return at.leg === 0 ? "pre_departure" : "at_transshipment";
    case "departure":
    case "call_departure":
    case "rail_out":
    case "rail_departure":
    case "rail_arrival":
      return "in_transit";
    case "anchorage":
      return "at_anchor";
    case "call":
    case "arrival":
    // Her departure from its last port says nothing of the box.
    case "passed":
      return "at_berth";
    case "discharge":
      return isLanded && at.leg === lastLeg ? ashore : "at_transshipment";
    case "truck_out":
      return isLanded && at.leg === lastLeg ? "delivered" : "at_transshipment";
    case "barge_out":
    case "train_out":
      return isLanded && at.leg === lastLeg ? "in_transit" : "at_transshipment";
    case "barge_in":
    case "train_in":
    case "truck_in":
      return isLanded && at.leg === lastLeg ? ashore : "at_transshipment";
    case "taken_off":
      return at.leg === 0 ? "pre_departure" : "at_transshipment";
    case "rail_discharge":
      return ashore;
    case "gate_out":
      return "delivered";
    case "empty_return":
      return "returned_empty";
    default:
      return calledOff ? "cancelled" : "pre_departure";
  }
}

/** The ship that the box is or was aboard; before it sets out the one that is to load it, or to leave with it. */
function vesselOf(done: readonly Fact[], plans: readonly Fact[]): string | null {
  const aboard = done
    .filter(
      (fact) =>
        fact.vessel !== null &&
        fact.step !== "left" &&
        fact.step !== "next_call" &&
        (fact.leg !== 0 || isAboardNow(fact, done)),
    )
    .toSorted((a, b) => a.order - b.order);
  const first = plans
    .filter(({ leg, step }) => leg === 0 && (step === "load" || step === "departure"))
    .toSorted((a, b) => a.order - b.order);
  return (aboard.at(-1) ?? first[0])?.vessel?.imo ?? null;
}

function sailingsOf(plans: readonly Fact[], at: Fact | null, datesOnly: boolean): TrueState["sailings"] {
  return plans
    .filter(({ step, order }) => step === "departure" && order > (at?.order ?? 0))
    .map(({ leg, atMs, place, vessel, voyage }) => ({
      leg: leg as number,
      expectedMs: atMs,
      leavesByMs: datesOnly ? atMs + DAY_MS : atMs,
      vessel: vessel?.imo ?? null,
      voyage,
      here: leg === 0 || at?.place === place,
    }));
}

function shipsOf(done: readonly Fact[], step: Step, at: Fact | null): readonly LegShip[] {
  return done
    .filter((fact) => fact.step === step && fact.order + 10 > (at?.order ?? 0))
    .map(({ leg, vessel, voyage, atMs }) => ({
      leg: leg as number,
      vessel: vessel?.imo ?? null,
      voyage,
      atMs,
    }));
}
