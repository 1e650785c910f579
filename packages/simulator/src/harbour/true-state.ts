/**
 * What a line's statements come to for one box at one moment: status, ETA, vessel and place of discharge,
 * read from what each statement means in the journey. It shares nothing with the service, which has only
 * the answers' wording to go by.
 */
import type { PlaceCode } from "../world/places.ts";
import type { Fact, Step } from "./fact.ts";

export type TrueStatus =
  | "pre_departure"
  | "in_transit"
  | "at_transshipment"
  | "at_anchor"
  | "at_berth"
  | "arriving"
  | "discharged"
  | "customs_hold"
  | "available"
  | "delivered"
  | "returned_empty"
  | "cancelled";

export type TrueState = {
  readonly status: TrueStatus;
  readonly eta: { readonly ms: number; readonly actual: boolean; readonly place: PlaceCode | null } | null;
  /** From when on it is less than 48 hours from its last port; null while not aboard on the last leg. */
  readonly nearFromMs: number | null;
  readonly vessel: string | null;
  readonly discharge: PlaceCode | null;
  /** Sailings still to be made. */
  readonly sailings: readonly TrueSailing[];
  readonly misrouted: Fact | null;
  /** What has happened to the box by all reports, over by now or not, in its order. */
  readonly milestones: readonly Milestone[];
  /** The discharge that free time counts from. */
  readonly landing: Fact | null;
};

export type TrueSailing = {
  readonly leg: number;
  readonly expectedMs: number;
  /** As the line writes them; null: it does not. */
  readonly vessel: string | null;
  readonly voyage: string | null;
  /** The box waits for it at its port. */
  readonly here: boolean;
};

export type Milestone = {
  readonly type: string;
  /** One occasion, which is told once. */
  readonly key: string;
  readonly about: string;
  /** The status that it reports. */
  readonly status: TrueStatus;
};

/** Spec 8, `container_arrived`: less than 48 hours. */
const ARRIVING_MS = 48 * 3_600_000;

/** `facts`: what the line said at `reportedMs`, when it last answered, of this box or of all boxes. */
export function stateOf(facts: readonly Fact[], reportedMs: number, nowMs: number): TrueState {
  const done = facts.filter(({ classifier }) => classifier === "actual");
  const plans = facts.filter((fact) => isPlan(fact, done, reportedMs));
  const is = (step: Step): boolean => done.some((fact) => fact.step === step);
  const moves = done.filter(({ step }) => !DOCUMENT_STEPS.has(step));
  const at = moves.reduce<Fact | null>(
    (far, move) => (far === null || move.order > far.order ? move : far),
    null,
  );
  const calledOff = is("called_off");
  const lastLeg = Math.max(...[...done, ...plans].flatMap(({ leg }) => leg ?? []));
  const find = (list: readonly Fact[], step: Step, leg: number): Fact | undefined =>
    list.find((fact) => fact.step === step && fact.leg === leg);
  const misrouted =
    moves.find(
      ({ step, leg, place }) =>
        step === "discharge" && plans.some((plan) => isArrivalOf(plan, leg) && plan.place !== place),
    ) ?? null;
  const landed = misrouted === null ? find(done, "discharge", lastLeg) : undefined;
  // A ship at anchor has not come to its berth yet.
  const arrived = find(done, "arrival", lastLeg);
  const expected = plans.find((plan) => plan.step === "arrival" && plan.leg === lastLeg);
  const arrival = calledOff ? undefined : (arrived ?? landed ?? expected);
  const eta =
    arrival === undefined
      ? null
      : { ms: arrival.atMs, actual: arrival.classifier === "actual", place: arrival.place };
  const isComing = at !== null && ABOARD.has(at.step) && at.leg === lastLeg && eta?.actual === false;
  const nearFromMs = isComing ? eta.ms - ARRIVING_MS : null;
  const goesInland = facts.some(
    ({ step, classifier }) => step === "rail_discharge" || (step === "gate_out" && classifier !== "actual"),
  );
  // Free time runs where the journey ends, which may be inland.
  const landing = (goesInland ? done.find(({ step }) => step === "rail_discharge") : landed) ?? null;
  const settled = statusOf(at, {
    calledOff,
    lastLeg,
    misrouted,
    held: is("hold") && !is("clearance"),
    // What goes on by rail can be fetched where its journey ends, not at the port.
    released: is("release") && (!goesInland || at?.step === "rail_discharge"),
  });
  const isNear = nearFromMs !== null && nowMs > nearFromMs;
  const status = settled === "in_transit" && isNear ? "arriving" : settled;
  return {
    status,
    eta,
    nearFromMs,
    vessel: vesselOf(moves, plans),
    discharge: (landed ?? arrived ?? expected)?.place ?? null,
    sailings: calledOff ? [] : sailingsOf(plans, at),
    misrouted,
    milestones: [
      ...departuresOf(moves),
      ...(isNear ? [milestone("container_arrived", `${eta?.place}`, status)] : []),
      ...ashoreOf(done, landed !== undefined, landing),
      ...(is("gate_out") ? [milestone("container_delivered", "", "delivered")] : []),
    ],
    landing,
  };
}

function milestone(type: string, occasion: string, status: TrueStatus, about = ""): Milestone {
  return { type, key: `${type} ${occasion}`, about, status };
}

/** A departure is told once, with its time if that is known; what is reported from farther on implies it. */
function departuresOf(moves: readonly Fact[]): readonly Milestone[] {
  const legs = [...new Set(moves.flatMap(({ leg }) => leg ?? []))].toSorted((a, b) => a - b);
  const farthest = Math.max(...moves.map(({ order }) => order));
  return legs.flatMap((leg) => {
    const told = moves.find((fact) => fact.step === "departure" && fact.leg === leg);
    if (told === undefined && farthest <= 1_000 + leg * 100 + DEPARTURE_ORDER) return [];
    const about = told === undefined ? "implied" : new Date(told.atMs).toISOString();
    return [milestone("vessel_departed", String(leg), "in_transit", about)];
  });
}

/** How far along its leg a departure is. */
const DEPARTURE_ORDER = 20;

/** Each hold at the destination; the availability, and each again that follows a hold. */
function ashoreOf(done: readonly Fact[], isLanded: boolean, landing: Fact | null): readonly Milestone[] {
  const holds = done.filter(({ step }) => step === "hold");
  const told = isLanded
    ? holds.map(({ order, atMs }) => ({
        atMs,
        one: milestone("customs_hold", String(order), "customs_hold"),
      }))
    : [];
  if (landing === null) return told.map(({ one }) => one);
  for (const { atMs: releasedMs, order, place } of done.filter(({ step }) => step === "release")) {
    const key = `${landing.place} ${place} ${order}`;
    const readyMs = Math.max(releasedMs, landing.atMs);
    const clearedMs = (hold: Fact): number =>
      done.find((fact) => fact.step === "clearance" && fact.order === hold.order + 1)?.atMs ?? Infinity;
    const first = Math.max(readyMs, ...holds.filter(({ atMs }) => atMs <= readyMs).map(clearedMs));
    const again = holds.filter(({ atMs }) => atMs > readyMs).map(clearedMs);
    for (const [occasion, atMs] of [first, ...again].entries()) {
      if (atMs === Infinity) continue;
      told.push({ atMs, one: milestone("container_available", `${key} ${occasion}`, "available") });
    }
  }
  return told.toSorted((a, b) => a.atMs - b.atMs).map(({ one }) => one);
}

/** What a ship does with the box aboard, the arrival at its port aside. */
const ABOARD: ReadonlySet<Step> = new Set(["departure", "call", "call_departure", "anchorage"]);

const DOCUMENT_STEPS: ReadonlySet<Step> = new Set(["booked", "called_off", "hold", "clearance", "release"]);

/** A plan that is still meant, and that has not been reported as done. */
function isPlan(fact: Fact, done: readonly Fact[], reportedMs: number): boolean {
  if (fact.classifier === "actual" || fact.staleFromMs <= reportedMs) return false;
  return !done.some(({ step, leg }) => step === fact.step && leg === fact.leg);
}

function isArrivalOf({ step, leg }: Fact, of: number | null): boolean {
  return leg === of && (step === "arrival" || step === "discharge");
}

type Circumstances = {
  readonly calledOff: boolean;
  readonly lastLeg: number;
  readonly misrouted: Fact | null;
  readonly held: boolean;
  readonly released: boolean;
};

function statusOf(at: Fact | null, circumstances: Circumstances): TrueStatus {
  const { calledOff, lastLeg, misrouted, held, released } = circumstances;
  const ashore = held ? "customs_hold" : released ? "available" : "discharged";
  switch (at?.step) {
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
      return "at_berth";
    case "discharge":
      return at.leg === lastLeg && misrouted === null ? ashore : "at_transshipment";
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

/** The ship that the box is or was aboard; before it is loaded the one that is to take it. */
function vesselOf(moves: readonly Fact[], plans: readonly Fact[]): string | null {
  const aboard = moves.filter(({ vessel }) => vessel !== null).toSorted((a, b) => a.order - b.order);
  const first = plans.filter(({ leg }) => leg === 0).toSorted((a, b) => a.order - b.order);
  return (aboard.at(-1) ?? first[0])?.vessel?.imo ?? null;
}

function sailingsOf(plans: readonly Fact[], at: Fact | null): TrueState["sailings"] {
  return plans
    .filter(({ step, order }) => step === "departure" && order > (at?.order ?? 0))
    .map(({ leg, atMs, place, vessel, voyage }) => ({
      leg: leg as number,
      expectedMs: atMs,
      vessel: vessel?.imo ?? null,
      voyage,
      here: leg === 0 || at?.place === place,
    }));
}
