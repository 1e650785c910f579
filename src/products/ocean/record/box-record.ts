/** The record of one box, from its statements, its previous record and the time. */
import { samePlace, type FreeDay, type CarrierEvent } from "../sources/carrier-event.ts";
import { freeTimeOf } from "../demurrage/free-time.ts";
import { announcedInland } from "../timeline/inland.ts";
import { etaOf, placesOf, vesselAndVoyageOf } from "../status/itinerary.ts";
import { milestonesOf } from "../status/milestones.ts";
import { misroutingOf } from "../status/misrouting.ts";
import { withModes } from "../timeline/modes.ts";
import { isOtherCargo, cargoDocumentsOf } from "../timeline/transport-documents.ts";
import { progressOf } from "../status/progress.ts";
import {
  announcedVoyage,
  finalArrival,
  isPlan,
  NOTHING_ANNOUNCED,
  transshipmentsOf,
  type Announced,
} from "../timeline/route.ts";
import { sailingsOf } from "../status/sailings.ts";
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
import { AT_TERMINAL, END_VALUES } from "../status/status-groups.ts";
import { deriveStatus, type StatusReading } from "../status/status.ts";
import { restates, timelineOf, type Timeline } from "../timeline/timeline.ts";
import { currentTrip } from "../timeline/trip.ts";
import { isArrivalCall, isSailingCall, isVesselCall } from "../timeline/calls.ts";
import { freeTimeChangesMs } from "../events/demurrage.ts";
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
  { carrier, freeDays }: Pick<Statements, "carrier" | "freeDays">,
  before: BoxRecord | null,
  context: RecordContext,
  nowMs: number,
): ReducedBox {
  const own = withModes(statements);
  const { events, anchorMs } = currentTrip(own, before?.anchorMs ?? null);
  const timeline = timelineOf(events);
  if (before !== null && isOfAnotherTrip(before, timeline)) return nextBoxAt(before, carrier, context, nowMs);
  const known = { equipment, timeline, anchorMs, announced: announcedBy(events, timeline, before) };
  const end = before?.end ?? null;
  const standingEnd = end !== null && own.some((event) => restates(event, end.event)) ? end : null;
  return reduceBox(known, before, standingEnd, { carrier, freeDays, context, nowMs });
}

/** The box at a later time without a new answer. */
export function nextBoxAt(
  box: BoxRecord,
  carrier: string,
  context: RecordContext,
  nowMs: number,
): ReducedBox {
  const { equipment, timeline, anchorMs, announced = NOTHING_ANNOUNCED, end } = box;
  const stated = box.freeTime?.source === "carrier" ? box.freeTime.lastFreeDay : null;
  const freeDays = stated === null ? [] : [{ equipment, lastFreeDay: stated }];
  const known = { equipment, timeline, anchorMs, announced };
  return reduceBox(known, box, end ?? null, { carrier, freeDays, context, nowMs });
}

type BoxInput = Pick<BoxRecord, "equipment" | "timeline" | "anchorMs"> & { readonly announced: Announced };

type BoxContext = {
  readonly carrier: string;
  readonly freeDays: readonly FreeDay[];
  readonly context: RecordContext;
  readonly nowMs: number;
};

/** `standingEnd` is the previous end value, if the carrier repeats the statement that it follows from. */
function reduceBox(
  known: BoxInput,
  before: BoxRecord | null,
  standingEnd: TripEnd | null,
  { carrier, freeDays, context, nowMs }: BoxContext,
): ReducedBox {
  const { timeline, announced } = known;
  const reading = deriveStatus(timeline, nowMs, { ...context, announced });
  const end = latestEnd(endOf(reading), standingEnd);
  const status = end?.status ?? reading.status;
  const eta = status === "cancelled" ? null : etaOf(reading);
  const misrouting = misroutingOf(reading.route);
  const box: BoxRecord = {
    ...known,
    status,
    eta,
    etaHistory: etaHistory(before?.etaHistory ?? [], eta, nowMs),
    ...vesselAndVoyageOf(reading),
    ...placesOf(reading, misrouting),
    transshipments: transshipmentsOf(reading.route, reading.journey.transshipments),
    milestones: milestonesOf(reading.steps, timeline),
    end,
    arrivingFromMs: end === null ? reading.arrivingFromMs : null,
    misrouting,
    sailings: sailingsOf(timeline, before?.sailings ?? [], reading.journey.departures),
    freeTime: null,
    told: before?.told ?? NOTHING_RAISED,
  };
  const withFreeTime = { ...box, freeTime: freeTimeOf(box, carrier, context.tariffs, freeDays, nowMs) };
  return {
    box: withFreeTime,
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
function latestEnd(now: TripEnd | null, standing: TripEnd | null): TripEnd | null {
  const outranks = now?.status === "delivered" && standing?.status === "returned_empty";
  return now === null || outranks ? standing : now;
}

/** What this answer announces, else what an earlier one did. */
function announcedBy(
  statements: readonly CarrierEvent[],
  timeline: Timeline,
  before: BoxRecord | null,
): Announced {
  const { port, voyage, inland } = before?.announced ?? NOTHING_ANNOUNCED;
  const sailed = timeline.filter((event) => event.classifier === "actual" && isSailingCall(event));
  // A port that the box has sailed from since is left over from an earlier plan.
  const isLeftOver = (plan: CarrierEvent): boolean =>
    isArrivalCall(plan) &&
    sailed.some(({ at, place }) => at.ms >= plan.at.ms && samePlace(place, plan.place));
  const plans = timelineOf(statements.filter((event) => isPlan(event) && !isLeftOver(event)));
  const arrival = finalArrival(plans, timeline);
  const planned = arrival === null || arrival.place === null ? null : arrival;
  const by = planned === null ? voyage : announcedVoyage(planned, plans, timeline);
  return {
    port: planned?.place ?? port,
    ...(by === undefined ? {} : { voyage: by }),
    inland: announcedInland(timeline, plans, inland),
  };
}

function etaHistory(before: readonly EtaEntry[], eta: Eta | null, nowMs: number): readonly EtaEntry[] {
  if (eta === null) return before;
  const last = before.at(-1);
  // An estimate that came true to the minute only becomes actual.
  if (last?.at.ms === eta.at.ms) return [...before.slice(0, -1), { ...last, ...eta }];
  return [...before, { ...eta, seenMs: nowMs }].slice(-ETA_HISTORY_MAX);
}

/**
 * Some carriers drop a trip once the box is on its next one: an answer that begins after the end of a shipment
 * does not concern it.
 */
function isOfAnotherTrip(previous: BoxRecord, timeline: Timeline): boolean {
  // The next trip may begin though the carrier never reported the end of this one.
  const isNextCargo =
    AT_TERMINAL.includes(previous.status) &&
    isOtherCargo(cargoDocumentsOf(timeline), cargoDocumentsOf(previous.timeline));
  if (!END_VALUES.includes(previous.status) && !isNextCargo) return false;
  const moves = (events: Timeline): Timeline =>
    events.filter((event) => event.classifier === "actual" && event.kind === "equipment");
  const firstMs = moves(timeline)[0]?.at.ms;
  const endMs = moves(previous.timeline).at(-1)?.at.ms;
  return firstMs !== undefined && endMs !== undefined && firstMs > endMs;
}

/**
 * When time alone next changes a box: it becomes `arriving`, free time runs out, a sailing is overdue, or an
 * onward vessel is awaited no longer. Milliseconds since the epoch; null: never.
 */
export function changesAtMs(box: BoxRecord, reading: StatusReading, nowMs: number): number | null {
  const { arrivingFromMs } = box;
  const times = [
    ...(arrivingFromMs !== null && arrivingFromMs >= nowMs ? [arrivingFromMs + 1] : []),
    ...overdueMs(reading, nowMs),
    freeTimeChangesMs(box, nowMs) ?? [],
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
