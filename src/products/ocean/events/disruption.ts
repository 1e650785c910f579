/**
 * A sailing of the box slips by days, does not leave and gets no new date, or is cancelled. Each is raised once
 * a sailing, whether the box's carrier states it or the call in the schedules (spec 2.4: schedule_disruption;
 * 6.3: schedule_disruption).
 */
import { placeKey } from "../sources/carrier-event.ts";
import { portOf, zoneOf } from "../../../freight/places/ports.ts";
import { dayIn } from "../../../freight/places/local-time.ts";
import type { ScheduledCall } from "../../../freight/scheduled-calls/scheduled-calls.ts";
import { NO_SCHEDULE, type FindScheduledCall } from "../scheduled/scheduled-call.ts";
import type { BoxRecord, Sailing, AlreadyRaised } from "../record/shipment-record.ts";
import type { ContainerStatus } from "../event-data.ts";
import { ASHORE } from "../status/status-groups.ts";
import { sailingKey } from "../status/sailings.ts";
import { hoursOf, type EventDrafts } from "./draft.ts";
import { DAY_MS, HOUR_MS } from "../../../runtime/durations.ts";

/** A smaller delay is a correction. */
const SLIP_MS_MIN = 48 * HOUR_MS;

/** Carriers report a departure within hours. */
const NOT_DEPARTED_MS_MIN = 24 * HOUR_MS;

export const PAST_SAILING_STATUSES: readonly ContainerStatus[] = [...ASHORE, "cancelled"];

type Disruption = {
  /** Sailing and kind: raised once a box. */
  readonly key: string;
  readonly kind: "slipped" | "not_departed";
  /** Composed only when the event is raised. */
  readonly headline: () => string;
  /** Null while unknown. */
  readonly delayHours: number | null;
};

/** `dedupPrefix` is unique among the boxes of all shipments. */
export function disruptionEvents(
  box: BoxRecord,
  raised: AlreadyRaised,
  dedupPrefix: string,
  nowMs: number,
  scheduledAt?: FindScheduledCall,
): EventDrafts {
  const current = disruptionsOf(box, nowMs, scheduledAt);
  const newDisruptions = current.filter(({ key }) => !raised.disruptions.includes(key));
  if (newDisruptions.length === 0) return { drafts: [], raised };
  return {
    drafts: newDisruptions.map(({ key, kind, headline, delayHours }) => ({
      type: "schedule_disruption",
      data: { kind, dedup_key: `${dedupPrefix}:${key}`, headline: headline(), delay_hours: delayHours },
      key: `schedule_disruption:${key}`,
    })),
    raised: { ...raised, disruptions: [...raised.disruptions, ...newDisruptions.map(({ key }) => key)] },
  };
}

/** When a sailing of the box next counts as not departed, unless a departure is reported; null: never. */
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

/** All current disruptions, raised or not. */
export function disruptionsOf(
  box: BoxRecord,
  nowMs: number,
  scheduledAt: FindScheduledCall = NO_SCHEDULE,
): readonly Disruption[] {
  if (PAST_SAILING_STATUSES.includes(box.status)) return [];
  const withCalls = openSailings(box).map((sailing) => ({ sailing, call: scheduledAt(box, sailing) }));
  const slipped = withCalls
    .map(({ sailing, call }) => ({ sailing, toMs: slippedToMs(sailing, call) }))
    .filter(({ sailing, toMs }) => toMs - sailing.promisedMs >= SLIP_MS_MIN)
    .map(({ sailing, toMs }) => slipDisruption(sailing, toMs, box));
  const cancelled = withCalls.flatMap(({ sailing, call }) =>
    call === null || call.cancelled === null ? [] : [cancelledDisruption(sailing, box, call.cancelled)],
  );
  const overdue = nextSailings(box)
    .map((sailing) => ({ sailing, fromMs: notDepartedFromMs(sailing, scheduledAt(box, sailing)) }))
    .filter(({ fromMs }) => fromMs !== null && nowMs >= fromMs)
    .map(({ sailing }) => notDepartedDisruption(sailing, box));
  return [...slipped, ...cancelled, ...overdue];
}

/** The box's carrier counts first. A departed or cancelled call has not slipped. */
function slippedToMs({ expectedMs, promisedMs }: Sailing, call: ScheduledCall | null): number {
  const isOpen = call !== null && call.cancelled === null && call.departedMs === null;
  return expectedMs - promisedMs >= SLIP_MS_MIN || !isOpen ? expectedMs : (call.expectedMs ?? expectedMs);
}

/** Null: the schedules have the departure, or cancel the call. */
function notDepartedFromMs({ expectedMs }: Sailing, call: ScheduledCall | null): number | null {
  if (call !== null && (call.departedMs !== null || call.cancelled !== null)) return null;
  return Math.max(expectedMs, call?.expectedMs ?? expectedMs) + NOT_DEPARTED_MS_MIN;
}

function openSailings({ sailings }: BoxRecord): readonly Sailing[] {
  return sailings.filter(({ departedMs }) => departedMs === null);
}

/**
 * The sailing that the box waits for at its port, not a left-over plan from elsewhere. A later sailing cannot be
 * overdue while the box has yet to reach it: the carrier reports departures only to boxes at the port.
 */
function nextSailings(box: BoxRecord): readonly Sailing[] {
  if (PAST_SAILING_STATUSES.includes(box.status)) return [];
  const open = openSailings(box);
  const last = box.timeline.findLast(({ classifier, place }) => classifier === "actual" && place !== null);
  const here = open.find(({ from }) => from === placeKey(last?.place ?? null));
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
    delayHours: hoursOf(delayMs),
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

function sailingText({ vessel, voyage }: Sailing): string {
  if (vessel === null) return voyage === null ? "The vessel" : `Voyage ${voyage}`;
  return voyage === null ? vessel : `${vessel} ${voyage}`;
}

/** `Rotterdam (NLRTM)`. */
function portText({ from }: Sailing, { timeline }: BoxRecord): string {
  const stated = timeline.find(({ place }) => place?.unlocode === from && place.name !== null)?.place?.name;
  const name = portOf(from)?.name ?? stated ?? null;
  return name === null ? from : `${name} (${from})`;
}

/** `24 November`, by the port's calendar. */
function dayText(port: string, ms: number): string {
  const day = Temporal.PlainDate.from(dayIn(zoneOf(port) ?? "UTC", ms));
  return day.toLocaleString("en-GB", { day: "numeric", month: "long" });
}
