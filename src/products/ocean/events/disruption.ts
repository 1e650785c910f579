/**
 * `schedule_disruption` of spec 2.4 and 6.3: a sailing of the box is to leave days after it was first
 * promised, or has not left and nobody says when it will, or is not made at all. Each is told once for each
 * sailing, whoever says so first: the box's carrier, or the record of schedules where that has the call.
 */
import type { Place } from "../sources/carrier-event.ts";
import { portOf } from "../../../freight/places/ports.ts";
import { dayIn, zoneOf } from "../../../freight/places/port-zone.ts";
import { sailingKey } from "../timeline/sailings.ts";
import type { ScheduledCall } from "../../../freight/scheduled-calls/scheduled-calls.ts";
import { NO_SCHEDULE, type FindScheduledCall } from "../scheduled/scheduled-call.ts";
import type { BoxRecord, Sailing, AlreadyRaised } from "../record/shipment-record.ts";
import type { ContainerStatus } from "../status/status.ts";
import type { EventDrafts } from "./draft.ts";
import { DAY_MS, HOUR_MS } from "../../../runtime/durations.ts";

/** A departure this much after the one first promised is a slip and no correction. */
const SLIP_MS_MIN = 48 * HOUR_MS;

/** Carriers report a departure within hours: this long after it was expected, silence is news. */
const NOT_DEPARTED_MS_MIN = 24 * HOUR_MS;

/** A box whose sailings lie behind it, or will not be made. */
export const PAST_SAILING_STATUSES: readonly ContainerStatus[] = [
  "discharged",
  "customs_hold",
  "available",
  "delivered",
  "returned_empty",
  "cancelled",
];

type Disruption = {
  /** The sailing and the kind: what is told once for a box. */
  readonly key: string;
  readonly kind: "slipped" | "not_departed";
  /** Written for what is told alone: most of what holds has been. */
  readonly headline: () => string;
  /** Null while nobody knows. */
  readonly delayHours: number | null;
};

/** `trackedBy` tells the boxes of all shipments apart: the shipment's id and the container's number. */
export function disruptionEvents(
  box: BoxRecord,
  told: AlreadyRaised,
  trackedBy: string,
  nowMs: number,
  scheduledAt?: FindScheduledCall,
): EventDrafts {
  const fresh = disruptionsOf(box, nowMs, scheduledAt).filter(({ key }) => !told.disruptions.includes(key));
  if (fresh.length === 0) return { drafts: [], raised: told };
  return {
    drafts: fresh.map(({ key, kind, headline, delayHours }) => ({
      type: "schedule_disruption",
      data: { kind, dedup_key: `${trackedBy}:${key}`, headline: headline(), delay_hours: delayHours },
      key: `schedule_disruption:${key}`,
    })),
    raised: { ...told, disruptions: [...told.disruptions, ...fresh.map(({ key }) => key)] },
  };
}

/** When the silence about a sailing of the box becomes news, if nothing is heard; null: about none. */
export function disruptionDueMs(
  box: BoxRecord,
  nowMs: number,
  scheduledAt: FindScheduledCall = NO_SCHEDULE,
): number | null {
  const dueMs = nextSailings(box)
    .flatMap((sailing) => notDepartedFromMs(sailing, scheduledAt(box, sailing)) ?? [])
    .filter((ms) => ms > nowMs);
  return dueMs.length === 0 ? null : Math.min(...dueMs);
}

/** All that hold now, told or not. */
export function disruptionsOf(
  box: BoxRecord,
  nowMs: number,
  scheduledAt: FindScheduledCall = NO_SCHEDULE,
): readonly Disruption[] {
  if (PAST_SAILING_STATUSES.includes(box.status)) return [];
  const looked = openSailings(box).map((sailing) => ({ sailing, call: scheduledAt(box, sailing) }));
  const slipped = looked
    .map(({ sailing, call }) => ({ sailing, toMs: slippedToMs(sailing, call) }))
    .filter(({ sailing, toMs }) => toMs - sailing.promisedMs >= SLIP_MS_MIN)
    .map(({ sailing, toMs }) => slipDisruption(sailing, toMs, box));
  const cancelled = looked.flatMap(({ sailing, call }) =>
    call === null || call.cancelled === null ? [] : [cancelledDisruption(sailing, box, call.cancelled)],
  );
  const silent = nextSailings(box)
    .map((sailing) => ({ sailing, fromMs: notDepartedFromMs(sailing, scheduledAt(box, sailing)) }))
    .filter(({ fromMs }) => fromMs !== null && nowMs >= fromMs)
    .map(({ sailing }) => notDepartedDisruption(sailing, box));
  return [...slipped, ...cancelled, ...silent];
}

/** The box's carrier is asked first; what the record knows to be over, or not to be, has not slipped. */
function slippedToMs({ expectedMs, promisedMs }: Sailing, call: ScheduledCall | null): number {
  const isOpen = call !== null && call.cancelled === null && call.departedMs === null;
  return expectedMs - promisedMs >= SLIP_MS_MIN || !isOpen ? expectedMs : (call.expectedMs ?? expectedMs);
}

/** Null: there is no silence about a departure that the record has, or that it says is not made. */
function notDepartedFromMs({ expectedMs }: Sailing, call: ScheduledCall | null): number | null {
  if (call !== null && (call.departedMs !== null || call.cancelled !== null)) return null;
  return Math.max(expectedMs, call?.expectedMs ?? expectedMs) + NOT_DEPARTED_MS_MIN;
}

function openSailings({ sailings }: BoxRecord): readonly Sailing[] {
  return sailings.filter(({ departedMs }) => departedMs === null);
}

/**
 * The sailing that the box waits for at its port, plans left behind from elsewhere aside. One further on has
 * not failed to leave while the box is still on its way to it: nobody would report that to the box.
 */
function nextSailings(box: BoxRecord): readonly Sailing[] {
  if (PAST_SAILING_STATUSES.includes(box.status)) return [];
  const open = openSailings(box);
  const last = box.timeline.findLast(({ classifier, place }) => classifier === "actual" && place !== null);
  const here = open.find(({ from }) => from === portKey(last?.place ?? null));
  if (here !== undefined) return [here];
  return open[0] !== undefined && open[0] === box.sailings[0] ? [open[0]] : [];
}

function slipDisruption(sailing: Sailing, toMs: number, box: BoxRecord): Disruption {
  const delayMs = toMs - sailing.promisedMs;
  const days = Math.round(delayMs / DAY_MS);
  return {
    key: `${sailingKey(sailing, box.sailings)}:slipped`,
    kind: "slipped",
    headline: () =>
      `${sailingText(sailing)} from ${portText(sailing, box)} now leaves ${days} days later, ` +
      `on ${dayText(sailing.from, toMs)}`,
    delayHours: hours(delayMs),
  };
}

function notDepartedDisruption(sailing: Sailing, box: BoxRecord): Disruption {
  return {
    key: `${sailingKey(sailing, box.sailings)}:not_departed`,
    kind: "not_departed",
    headline: () =>
      `${sailingText(sailing)} has not left ${portText(sailing, box)}, ` +
      `where it was to leave on ${dayText(sailing.from, sailing.expectedMs)}, and the carrier gives no new date`,
    delayHours: null,
  };
}

const CANCELLED: Readonly<Record<NonNullable<ScheduledCall["cancelled"]>, string>> = {
  blanked: "the carrier has blanked the sailing",
  slid: "the carrier has slid the sailing, and its vessel is to leave as a later one",
  omitted: "the vessel omits the port",
  missing: "the carrier's schedule no longer has the call",
};

function cancelledDisruption(
  sailing: Sailing,
  box: BoxRecord,
  why: NonNullable<ScheduledCall["cancelled"]>,
): Disruption {
  return {
    key: `${sailingKey(sailing, box.sailings)}:not_departed`,
    kind: "not_departed",
    headline: () =>
      `${sailingText(sailing)} does not leave ${portText(sailing, box)} as planned: ${CANCELLED[why]}`,
    delayHours: null,
  };
}

function hours(ms: number): number {
  return Math.round((ms / HOUR_MS) * 100) / 100;
}

function sailingText({ vessel, voyage }: Sailing): string {
  if (vessel === null) return voyage === null ? "The vessel" : `Voyage ${voyage}`;
  return voyage === null ? vessel : `${vessel} ${voyage}`;
}

/** `Rotterdam (NLRTM)`. */
function portText({ from }: Sailing, { timeline }: BoxRecord): string {
  const told = timeline.find(({ place }) => place?.unlocode === from && place.name !== null)?.place?.name;
  const name = portOf(from)?.name ?? told ?? null;
  return name === null ? from : `${name} (${from})`;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** `24 November`, by the port's calendar. */
function dayText(port: string, ms: number): string {
  const [, month, day] = dayIn(zoneOf(port) ?? "UTC", ms).split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1]}`;
}

function portKey(place: Place | null): string | null {
  return place?.unlocode ?? place?.name ?? null;
}
