/** One box of a shipment: its record from its statements, what was known before, and the time. */
import type { CarrierEvent } from "../sources/carrier-event.ts";
import { changesAtMs } from "../status/changes-at.ts";
import { freeTimeOf } from "../demurrage/free-time.ts";
import { announcedInland } from "../timeline/inland.ts";
import { etaOf, placesOf, vesselAndVoyageOf } from "../timeline/itinerary.ts";
import { milestonesOf } from "../timeline/milestones.ts";
import { misroutingOf } from "../status/misrouting.ts";
import { withModes } from "../timeline/modes.ts";
import { isOtherCargo, cargoDocumentsOf } from "../timeline/transport-documents.ts";
import { progressOf } from "../timeline/progress.ts";
import { isPlan, finalArrival, transshipmentsOf } from "../timeline/route.ts";
import { sailingsOf } from "../timeline/sailings.ts";
import {
  ETA_HISTORY_MAX,
  NOTHING_ANNOUNCED,
  NOTHING_RAISED,
  type Announced,
  type BoxRecord,
  type TripEnd,
  type Eta,
  type EtaEntry,
  type FreeDay,
  type RecordContext,
  type Statements,
} from "./shipment-record.ts";
import { deriveStatus, type StatusReading } from "../status/status.ts";
import { restates, timelineOf, type Timeline } from "../timeline/timeline.ts";
import { currentTrip } from "../timeline/trip.ts";

export type ReducedBox = {
  readonly box: BoxRecord;
  /** How far it has come; only compared with other boxes'. */
  readonly progress: number;
  readonly changesAtMs: number | null;
};

/**
 * The box after an answer, of which `said` concerns it; `before` is null when it is looked at for the
 * first time.
 */
export function nextBox(
  equipment: string | null,
  said: readonly CarrierEvent[],
  { carrier, freeDays }: Pick<Statements, "carrier" | "freeDays">,
  before: BoxRecord | null,
  context: RecordContext,
  nowMs: number,
): ReducedBox {
  const own = withModes(said);
  const { events, anchorMs } = currentTrip(own, before?.anchorMs ?? null);
  const timeline = timelineOf(events);
  if (before !== null && isOfAnotherTrip(before, timeline)) return nextBoxAt(before, carrier, context, nowMs);
  const known = { equipment, timeline, anchorMs, announced: announcedBy(events, timeline, before) };
  const end = before?.end ?? null;
  const stands = end !== null && own.some((event) => restates(event, end.event)) ? end : null;
  return reduceBox(known, before, stands, { carrier, freeDays, context, nowMs });
}

/** The box at a later time, without a new answer. */
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

/** `stands` is the end value that the box had come to, where the carrier still says what it follows from. */
function reduceBox(
  known: BoxInput,
  before: BoxRecord | null,
  stands: TripEnd | null,
  { carrier, freeDays, context, nowMs }: BoxContext,
): ReducedBox {
  const { timeline, announced } = known;
  const { vesselReportOf } = context;
  const reading = deriveStatus(timeline, nowMs, {
    announced,
    ...(vesselReportOf === undefined ? {} : { vesselReportOf }),
  });
  const end = latestEnd(endOf(reading), stands);
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
    milestones: milestonesOf(reading.steps),
    end,
    arrivingFromMs: end === null ? reading.arrivingFromMs : null,
    misrouting,
    sailings: sailingsOf(timeline, before?.sailings ?? [], reading.journey.departures),
    freeTime: null,
    told: before?.told ?? NOTHING_RAISED,
  };
  const whole = { ...box, freeTime: freeTimeOf(box, carrier, context.tariffs, freeDays, nowMs) };
  return {
    box: whole,
    progress: progressOf(reading, status),
    changesAtMs: changesAtMs(whole, reading, nowMs),
  };
}

function endOf({ status, steps }: StatusReading): TripEnd | null {
  if (status !== "delivered" && status !== "returned_empty") return null;
  const step = steps.findLast(({ to }) => to === status);
  return step === undefined ? null : { status, event: step.event };
}

function latestEnd(now: TripEnd | null, stands: TripEnd | null): TripEnd | null {
  return now === null || (now.status === "delivered" && stands?.status === "returned_empty") ? stands : now;
}

/** What the answer announces, also of what has come true since; else what an earlier one announced. */
function announcedBy(
  statements: readonly CarrierEvent[],
  timeline: Timeline,
  before: BoxRecord | null,
): Announced {
  const { port, inland } = before?.announced ?? NOTHING_ANNOUNCED;
  const plans = timelineOf(statements.filter(isPlan));
  return {
    port: finalArrival(plans, timeline)?.place ?? port,
    inland: announcedInland(timeline, plans, inland),
  };
}

function etaHistory(before: readonly EtaEntry[], eta: Eta | null, nowMs: number): readonly EtaEntry[] {
  if (eta === null) return before;
  const last = before.at(-1);
  // Of an estimate that has come true to the minute only its being one has changed.
  if (last?.at.ms === eta.at.ms) return [...before.slice(0, -1), { ...last, ...eta }];
  return [...before, { ...eta, seenMs: nowMs }].slice(-ETA_HISTORY_MAX);
}

/**
 * Some carriers forget a trip once the box is on its next one: an answer that begins after the end of
 * a shipment says nothing about it.
 */
function isOfAnotherTrip(previous: BoxRecord, timeline: Timeline): boolean {
  const isAshore =
    ASHORE.has(previous.status) &&
    isOtherCargo(cargoDocumentsOf(timeline), cargoDocumentsOf(previous.timeline));
  if (previous.status !== "delivered" && previous.status !== "returned_empty" && !isAshore) return false;
  const moves = (events: Timeline): Timeline =>
    events.filter((event) => event.classifier === "actual" && event.kind === "equipment");
  const firstMs = moves(timeline)[0]?.at.ms;
  const endMs = moves(previous.timeline).at(-1)?.at.ms;
  return firstMs !== undefined && endMs !== undefined && firstMs > endMs;
}

/** Whose next trip may have begun without a word of how this one ended. */
const ASHORE: ReadonlySet<string> = new Set(["discharged", "customs_hold", "available"]);
