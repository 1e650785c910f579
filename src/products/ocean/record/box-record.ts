/** The record of one box, from its statements, its previous record and the time. */
import { placeKey, type FreeDay, type CarrierEvent } from "../sources/carrier-event.ts";
import { freeTimeOf } from "../demurrage/free-time.ts";
import { announcedBy } from "../timeline/announced.ts";
import { etaOf, placesOf, vesselAndVoyageOf } from "../status/itinerary.ts";
import { milestonesOf } from "../status/milestones.ts";
import { misroutingOf } from "../status/misrouting.ts";
import { withModes } from "../timeline/modes.ts";
import { progressOf } from "../status/progress.ts";
import { NOTHING_ANNOUNCED, transshipmentsOf, withLanding, type Announced } from "../timeline/route.ts";
import { sailingsOf, withTakenBack } from "../status/sailings.ts";
import {
  ETA_HISTORY_MAX,
  NOTHING_RAISED,
  type BoxRecord,
  type TripEnd,
  type Eta,
  type EtaEntry,
  type RecordContext,
  type Statements,
} from "./shipment-record.ts";
import { isEndShown } from "../status/ashore.ts";
import { statusHistory } from "../status/status-history.ts";
import { ASHORE } from "../status/status-groups.ts";
import { deriveStatus, type StatusReading } from "../status/status.ts";
import { timelineOf } from "../timeline/timeline.ts";
import { believedAt, believedFromMs } from "../timeline/early-actuals.ts";
import { currentTrip } from "../timeline/trip.ts";
import { lastMoveMs, lostEnd, shownTrip, withPruned } from "./box-trip.ts";
import { isWithoutTrip } from "./other-trips.ts";
import { isVesselCall } from "../timeline/calls.ts";
import { freeTimeChangesMs } from "../events/demurrage.ts";
import { etaChangeDueMs } from "../events/eta.ts";
import { leftOutOf } from "../events/updated.ts";
import { disruptionDueMs } from "../events/disruption.ts";
import { OVERDUE_MS_MAX } from "../timeline/final-discharge.ts";

export type ReducedBox = {
  readonly box: BoxRecord;
  /** Compared only with that of other boxes. */
  readonly progress: number;
  readonly changesAtMs: number | null;
};

/** The box after an answer; `statements` concern this box. */
export function nextBox(
  equipment: string | null,
  statements: readonly CarrierEvent[],
  about: Omit<Statements, "events">,
  last: BoxRecord | null,
  context: RecordContext,
  nowMs: number,
): ReducedBox {
  const { carrier, identifierType } = about;
  // By now, what the last answer stated ahead of its time may have happened.
  const isDue = last?.early?.some((event) => believedFromMs(event) <= nowMs) === true;
  const before = isDue ? nextBoxAt(last, carrier, context, nowMs).box : last;
  const stated = withModes(latestOf(statements));
  const own = withPruned(stated, before);
  const { events, anchorMs, number, afterMs } = shownTrip(own, before, about);
  const timeline = timelineOf(events);
  // The record of another trip says nothing of this one.
  const earlier = before !== null && (before.trip ?? 0) === number ? before : null;
  if (earlier !== null && isWithoutTrip(earlier, stated, timeline, about.reference))
    return nextBoxAt(earlier, carrier, context, nowMs);
  const known = {
    equipment,
    timeline,
    ...earlyIn(events),
    anchorMs,
    announced: announcedBy(events, timeline, earlier?.announced),
    ...(number === 0 ? {} : { trip: number }),
  };
  const freeDays = about.freeDays.filter((day) => isOfTrip(day, equipment, events));
  const given = { carrier, freeDays, context, nowMs };
  const next = reduceBox(known, earlier, null, given);
  const kept = earlier === null ? null : boxOfLostEnd(next.box, earlier, { own, events }, known, given);
  if (kept !== null) return kept;
  // An end that is gone no longer tells which moves the carrier has pruned.
  if (own !== stated && earlier?.end && outranks(earlier.end, next.box.end ?? null)) {
    const unended = { ...earlier, status: next.box.status, end: null };
    return nextBox(equipment, statements, about, unended, context, nowMs);
  }
  const hasEnded = next.box.end !== null;
  const isNextMeant = before === null ? identifierType === "container_id" : afterMs !== null;
  const awaitedMs = hasEnded && isNextMeant ? lastMoveMs(events) : number > 0 ? afterMs : null;
  return awaitedMs === null ? next : { ...next, box: { ...next.box, afterTripMs: awaitedMs } };
}

/** Statements read of one box, all its trips and repeated estimates included; a real one has some hundreds. */
const STATEMENTS_MAX = 3_000;

function latestOf(statements: readonly CarrierEvent[]): readonly CarrierEvent[] {
  if (statements.length <= STATEMENTS_MAX) return statements;
  return statements.toSorted((a, b) => a.at.ms - b.at.ms).slice(-STATEMENTS_MAX);
}

/** An earlier trip of the box had free time, too. */
function isOfTrip({ equipment, of }: FreeDay, own: string | null, events: readonly CarrierEvent[]): boolean {
  if (equipment !== null && equipment !== own) return false;
  const key = placeKey(of?.place ?? null);
  return of === undefined || events.some(({ at, place }) => at.ms === of.at.ms && placeKey(place) === key);
}

/** The box whose answer no longer shows its end, as far as the end stands; null: it does not. */
function boxOfLostEnd(
  next: BoxRecord,
  before: BoxRecord,
  { own, events }: { readonly own: readonly CarrierEvent[]; readonly events: readonly CarrierEvent[] },
  known: BoxInput,
  given: BoxContext,
): ReducedBox | null {
  const { end = null } = before;
  if (end === null || !outranks(end, next.end ?? null)) return null;
  const lost = lostEnd(end, before, own, { events, timeline: next.timeline });
  if (lost === "pruned") return reduceBox({ ...known, ...awaitedBy(before) }, before, end, given);
  if (lost === "explained" || end.doubted === true) return null;
  return nextBoxAt({ ...before, end: { ...end, doubted: true } }, given.carrier, given.context, given.nowMs);
}

function awaitedBy({ afterTripMs }: BoxRecord): Pick<BoxRecord, "afterTripMs"> {
  return afterTripMs === undefined ? {} : { afterTripMs };
}

/** The box at a later time without a new answer. */
export function nextBoxAt(
  box: BoxRecord,
  carrier: string,
  context: RecordContext,
  nowMs: number,
): ReducedBox {
  const { equipment, announced = NOTHING_ANNOUNCED, end } = box;
  const stated = box.freeTime?.source === "carrier" ? box.freeTime.lastFreeDay : null;
  const freeDays = stated === null ? [] : [{ equipment, lastFreeDay: stated }];
  const { trip } = box;
  const known = {
    ...{ equipment, ...timelineAt(box, nowMs), announced, ...awaitedBy(box) },
    ...(trip === undefined ? {} : { trip }),
  };
  return reduceBox(known, box, end ?? null, { carrier, freeDays, context, nowMs });
}

type BoxInput = Pick<BoxRecord, "equipment" | "timeline" | "early" | "anchorMs" | "afterTripMs" | "trip"> & {
  readonly announced: Announced;
};

/** Stored of one box, the next to happen first. */
const EARLY_MAX = 100;

function earlyIn(events: readonly CarrierEvent[]): Pick<BoxRecord, "early"> {
  const early = new Map(
    events.flatMap((event) => (event.early === true ? [[JSON.stringify(event), event] as const] : [])),
  );
  if (early.size === 0) return {};
  const inOrder = [...early].toSorted(([a, one], [b, other]) => one.at.ms - other.at.ms || (a < b ? -1 : 1));
  return { early: inOrder.slice(0, EARLY_MAX).map(([, event]) => event) };
}

/** Early events of the last answer count from their time on, also if another estimate outranked them. */
function timelineAt(
  { timeline, early = [], anchorMs }: BoxRecord,
  nowMs: number,
): Pick<BoxRecord, "timeline" | "early" | "anchorMs"> {
  if (early.length === 0) return { timeline, anchorMs };
  const known = [...timeline, ...early].map((event) => believedAt(event, nowMs));
  const trip = currentTrip(known, anchorMs);
  return { timeline: timelineOf(trip.events), ...earlyIn(trip.events), anchorMs: trip.anchorMs };
}

type BoxContext = {
  readonly carrier: string;
  readonly freeDays: readonly FreeDay[];
  readonly context: RecordContext;
  readonly nowMs: number;
};

const NOTHING_BEFORE = { sailings: [], told: NOTHING_RAISED };

/** `standingEnd` is the previous end value, if it stands. */
function reduceBox(
  known: BoxInput,
  before: BoxRecord | null,
  standingEnd: TripEnd | null,
  { carrier, freeDays, context, nowMs }: BoxContext,
): ReducedBox {
  const { timeline, announced } = known;
  const reading = deriveStatus(timeline, nowMs, { ...context, announced });
  const now = endOf(reading);
  const end = standingEnd === null || outranks(now, standingEnd) ? now : standingEnd;
  const status = end?.status ?? reading.status;
  const eta = status === "cancelled" ? null : etaOf(reading);
  const misrouting = misroutingOf(reading.route);
  const { sailings, missedSailings } = sailingsOf(timeline, before ?? NOTHING_BEFORE, reading.journey);
  const places = placesOf(reading, misrouting);
  const isAshore = misrouting === null && ASHORE.includes(status);
  const box: BoxRecord = {
    ...known,
    announced: withLanding(announced, isAshore ? places.discharge : null),
    status,
    eta,
    etaHistory: etaHistory(before?.etaHistory ?? [], eta, nowMs),
    statusHistory: statusHistory(before?.statusHistory ?? [], status, reading.steps, nowMs),
    ...vesselAndVoyageOf(reading),
    ...places,
    transshipments: transshipmentsOf(reading.route, reading.journey.transshipments),
    milestones: milestonesOf(reading.steps, timeline),
    end,
    arrivingFromMs: end === null ? reading.arrivingFromMs : null,
    misrouting,
    missedSailings,
    sailings: withTakenBack(sailings, before?.sailings ?? [], nowMs),
    freeTime: null,
    told: before?.told ?? NOTHING_RAISED,
  };
  const ended = { ...box, isEndShown: isEndShown(reading.journey, reading.route) };
  const withFreeTime = { ...box, freeTime: freeTimeOf(ended, carrier, context.tariffs, freeDays, nowMs) };
  return {
    box: { ...withFreeTime, ...leftOutOf(withFreeTime, before) },
    progress: progressOf(reading, status),
    changesAtMs: changesAtMs(withFreeTime, reading, nowMs),
  };
}

function endOf({ status, steps }: StatusReading): TripEnd | null {
  if (status !== "delivered" && status !== "returned_empty") return null;
  const step = steps.findLast(({ to }) => to === status);
  return step === undefined ? null : { status, event: step.event };
}

/** `returned_empty` outranks `delivered` (spec 2.4: end_values). */
function outranks(one: TripEnd | null, other: TripEnd | null): boolean {
  return (
    one !== null && (other === null || (one.status === "returned_empty" && other.status === "delivered"))
  );
}

function etaHistory(before: readonly EtaEntry[], eta: Eta | null, nowMs: number): readonly EtaEntry[] {
  if (eta === null) return before;
  const last = before.at(-1);
  // An estimate that came true to the minute only becomes actual.
  if (last?.at.ms === eta.at.ms) return [...before.slice(0, -1), { ...last, ...eta }];
  return [...before, { ...eta, seenMs: nowMs }].slice(-ETA_HISTORY_MAX);
}

/**
 * When time alone next changes a box: it becomes `arriving`, free time runs out, a sailing is overdue, an onward vessel
 * is awaited no longer, an early event happens, or `eta_changed` may be raised again. Milliseconds since the epoch;
 * null: never.
 */
export function changesAtMs(box: BoxRecord, reading: StatusReading, nowMs: number): number | null {
  const { arrivingFromMs } = box;
  const times = [
    ...(arrivingFromMs !== null && arrivingFromMs >= nowMs ? [arrivingFromMs + 1] : []),
    ...overdueMs(reading, nowMs),
    ...(box.early ?? []).map(believedFromMs),
    freeTimeChangesMs(box, nowMs) ?? [],
    etaChangeDueMs(box, nowMs) ?? [],
    disruptionDueMs(box, nowMs) ?? [],
  ].flat();
  return times.length === 0 ? null : Math.min(...times);
}

function overdueMs({ route, journey }: StatusReading, nowMs: number): readonly number[] {
  if (journey.position !== "transshipment" || journey.loaded) return [];
  const moments = route.timeline.filter(isAwaitedEvent).map(({ at }) => at.ms + OVERDUE_MS_MAX + 1);
  return moments.filter((ms) => ms > nowMs);
}

/** A planned move that may carry the box on, or the discharge that it waits since. */
function isAwaitedEvent(event: CarrierEvent): boolean {
  return event.kind !== "shipment" && (event.classifier !== "actual" || isVesselCall(event, "DISC"));
}
