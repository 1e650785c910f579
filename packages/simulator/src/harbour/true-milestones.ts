/** What happens to a box once for each trip, port and occasion (spec 6.3), as its line's statements have it. */
import type { PlaceCode } from "../world/places.ts";
import type { Fact, Step } from "./fact.ts";
import type { TrueStatus } from "./true-event.ts";

export type Milestone = {
  readonly type: string;
  /** One occasion, which is raised once. */
  readonly key: string;
  readonly about: string;
  /** The status that it reports. */
  readonly status: TrueStatus;
};

export type Passed = {
  readonly done: readonly Fact[];
  readonly moves: readonly Fact[];
  readonly at: Fact | null;
  readonly lastLeg: number;
  /** The discharge at the last port; its landing may be farther inland, or still to come. */
  readonly ashore: { readonly landing: Fact | null; readonly releases: readonly Fact[] } | null;
  /** The port that the box is arriving at. */
  readonly near: PlaceCode | null;
  readonly status: TrueStatus;
};

export function milestonesOf(passed: Passed): readonly Milestone[] {
  const { moves, near, status } = passed;
  return [
    ...departuresOf(moves),
    ...(near === null ? [] : [milestone("container_arrived", near, status)]),
    ...(passed.ashore === null ? [] : ashoreOf(passed, passed.ashore)),
    ...handoversOf(passed),
  ];
}

function milestone(type: string, occasion: string, status: TrueStatus, about = ""): Milestone {
  return { type, key: `${type} ${occasion}`, about, status };
}

/** As {@link Milestone.key}. */
export function departureKey(leg: number): string {
  return `vessel_departed ${leg}`;
}

/** As {@link Milestone.key}. */
export function arrivalKey(port: PlaceCode | null): string {
  return `container_arrived ${port}`;
}

/** How far along its leg a departure is. */
const DEPARTURE_ORDER = 20;

/** A departure is raised once, with its time if that is known; what is reported from farther on implies it. */
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

/** Each hold at the destination; the availability, and each again that follows a hold. */
function ashoreOf(
  { done, at, lastLeg }: Passed,
  { landing, releases }: NonNullable<Passed["ashore"]>,
): readonly Milestone[] {
  const holds = done.filter(({ step }) => step === "hold");
  const told = holds.map(({ order, atMs }) => ({
    atMs,
    one: milestone("customs_hold", String(order), "customs_hold"),
  }));
  for (const { atMs: releasedMs, order } of landing === null ? [] : releases) {
    // Between two terminals nothing can be fetched.
    if (isOut(at, lastLeg) && releasedMs > at.atMs) continue;
    const readyMs = Math.max(releasedMs, (landing as Fact).atMs);
    const clearedMs = (hold: Fact): number =>
      done.find((fact) => fact.step === "clearance" && fact.order === hold.order + 1)?.atMs ?? Infinity;
    const first = Math.max(readyMs, ...holds.filter(({ atMs }) => atMs <= readyMs).map(clearedMs));
    const again = holds.filter(({ atMs }) => atMs > readyMs).map(clearedMs);
    for (const [occasion, atMs] of [first, ...again].entries()) {
      const key = `${landing?.place} ${order} ${occasion}`;
      if (atMs !== Infinity) told.push({ atMs, one: milestone("container_available", key, "available") });
    }
  }
  return told.toSorted((a, b) => a.atMs - b.atMs).map(({ one }) => one);
}

const OUT: ReadonlySet<Step> = new Set(["truck_out", "barge_out", "train_out"]);
const IN: ReadonlySet<Step> = new Set(["truck_in", "barge_in", "train_in"]);

function isOut(at: Fact | null, lastLeg: number): at is Fact {
  return at !== null && OUT.has(at.step) && at.leg === lastLeg;
}

/** Each place where a box was handed over, and there again once it has come in again; an empty return implies it, and what shows that it was none unsays it. */
function handoversOf({ moves, at, lastLeg }: Passed): readonly Milestone[] {
  const out = moves.find(({ step }) => step === "gate_out" || step === "empty_return");
  const isHandedOver = at?.step === "truck_out" && at.leg === lastLeg && !at.onward;
  const place = out?.place ?? (isHandedOver ? at.place : null);
  const times = moves.filter(({ step, leg }) => IN.has(step) && leg === lastLeg).length;
  return place === null ? [] : [milestone("container_delivered", `${place} ${times}`, "delivered")];
}
