/** One box of a shipment: its record from its statements, what was known before, and the time. */
import type { CarrierEvent } from "../sources/carrier-event.ts";
import { changesAtMs } from "../status/changes-at.ts";
import { freeTimeOf } from "../demurrage/free-time.ts";
import { announcedInland } from "../timeline/inland.ts";
import { etaOf, placesOf, shipOf } from "../timeline/itinerary.ts";
import { milestonesOf } from "../timeline/milestones.ts";
import { misroutingOf } from "../status/misrouting.ts";
import { withModes } from "../timeline/modes.ts";
import { isOtherCargo, namedByAll } from "../timeline/named-papers.ts";
import { progressOf } from "../timeline/progress.ts";
import { isPlan, lastLanding, transshipmentsOf } from "../timeline/route.ts";
import { sailingsOf } from "../timeline/sailings.ts";
import {
  ETA_HISTORY_MAX,
  NOTHING_ANNOUNCED,
  NOTHING_TOLD,
  type Announced,
  type BoxRecord,
  type End,
  type Eta,
  type EtaSeen,
  type FreeDay,
  type RecordContext,
  type Statements,
} from "./shipment-record.ts";
import { readStatus, type Reading } from "../status/status.ts";
import { restates, timelineOf, type Timeline } from "../timeline/timeline.ts";
import { currentTrip } from "../timeline/trip.ts";

export type BoxLook = {
  readonly box: BoxRecord;
  /** How far it has come; only compared with other boxes'. */
  readonly progress: number;
  readonly changesAtMs: number | null;
};

/**
 * The box after an answer, of which `said` concerns it; `before` is null when it is looked at for the
 * first time.
 */
export function boxAfterAnswer(
  equipment: string | null,
  said: readonly CarrierEvent[],
  { carrier, freeDays }: Pick<Statements, "carrier" | "freeDays">,
  before: BoxRecord | null,
  context: RecordContext,
  nowMs: number,
): BoxLook {
  const own = withModes(said);
  const { events, anchorMs } = currentTrip(own, before?.anchorMs ?? null);
  const timeline = timelineOf(events);
  if (before !== null && isOfAnotherTrip(before, timeline)) return boxLater(before, carrier, context, nowMs);
  const known = { equipment, timeline, anchorMs, announced: announcedBy(events, timeline, before) };
  const end = before?.end ?? null;
  const stands = end !== null && own.some((event) => restates(event, end.event)) ? end : null;
  return look(known, before, stands, { carrier, freeDays, context, nowMs });
}

/** The box at a later time, without a new answer. */
export function boxLater(box: BoxRecord, carrier: string, context: RecordContext, nowMs: number): BoxLook {
  const { equipment, timeline, anchorMs, announced = NOTHING_ANNOUNCED, end } = box;
  const stated = box.freeTime?.source === "carrier" ? box.freeTime.lastFreeDay : null;
  const freeDays = stated === null ? [] : [{ equipment, lastFreeDay: stated }];
  const known = { equipment, timeline, anchorMs, announced };
  return look(known, box, end ?? null, { carrier, freeDays, context, nowMs });
}

type Known = Pick<BoxRecord, "equipment" | "timeline" | "anchorMs"> & { readonly announced: Announced };

type Circumstances = {
  readonly carrier: string;
  readonly freeDays: readonly FreeDay[];
  readonly context: RecordContext;
  readonly nowMs: number;
};

/** `stands` is the end value that the box had come to, where the carrier still says what it follows from. */
function look(
  known: Known,
  before: BoxRecord | null,
  stands: End | null,
  { carrier, freeDays, context, nowMs }: Circumstances,
): BoxLook {
  const { timeline, announced } = known;
  const { vesselAt } = context;
  const reading = readStatus(timeline, nowMs, { announced, ...(vesselAt === undefined ? {} : { vesselAt }) });
  const end = laterEnd(endOf(reading), stands);
  const status = end?.status ?? reading.status;
  const eta = status === "cancelled" ? null : etaOf(reading);
  const misrouting = misroutingOf(reading.route);
  const box: BoxRecord = {
    ...known,
    status,
    eta,
    etaHistory: etaHistory(before?.etaHistory ?? [], eta, nowMs),
    ...shipOf(reading),
    ...placesOf(reading, misrouting),
    transshipments: transshipmentsOf(reading.route, reading.voyage.transshipments),
    milestones: milestonesOf(reading.steps),
    end,
    arrivingFromMs: end === null ? reading.arrivingFromMs : null,
    misrouting,
    sailings: sailingsOf(timeline, before?.sailings ?? [], reading.voyage.departures),
    freeTime: null,
    told: before?.told ?? NOTHING_TOLD,
  };
  const whole = { ...box, freeTime: freeTimeOf(box, carrier, context.tariffs, freeDays, nowMs) };
  return {
    box: whole,
    progress: progressOf(reading, status),
    changesAtMs: changesAtMs(whole, reading, nowMs),
  };
}

function endOf({ status, steps }: Reading): End | null {
  if (status !== "delivered" && status !== "returned_empty") return null;
  const step = steps.findLast(({ to }) => to === status);
  return step === undefined ? null : { status, event: step.event };
}

function laterEnd(now: End | null, stands: End | null): End | null {
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
    port: lastLanding(plans, timeline)?.place ?? port,
    inland: announcedInland(timeline, plans, inland),
  };
}

function etaHistory(before: readonly EtaSeen[], eta: Eta | null, nowMs: number): readonly EtaSeen[] {
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
    ASHORE.has(previous.status) && isOtherCargo(namedByAll(timeline), namedByAll(previous.timeline));
  if (previous.status !== "delivered" && previous.status !== "returned_empty" && !isAshore) return false;
  const moves = (events: Timeline): Timeline =>
    events.filter((event) => event.classifier === "actual" && event.kind === "equipment");
  const firstMs = moves(timeline)[0]?.at.ms;
  const endMs = moves(previous.timeline).at(-1)?.at.ms;
  return firstMs !== undefined && endMs !== undefined && firstMs > endMs;
}

/** Whose next trip may have begun without a word of how this one ended. */
const ASHORE: ReadonlySet<string> = new Set(["discharged", "customs_hold", "available"]);
