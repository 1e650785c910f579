/**
 * A sailing of the box slips by days, does not leave and gets no new date, is cancelled, or leaves without the box,
 * which is rolled over to a later one. Each is raised once, whether the box's carrier states it or the call in the
 * schedules (spec 2.4: schedule_disruption; 6.2: schedule_disruption; 6.3: schedule_disruption).
 */
import { placeKey } from "../sources/carrier-event.ts";
import type { ScheduledCall } from "../../../freight/scheduled-calls/scheduled-calls.ts";
import { NO_SCHEDULE, type FindScheduledCall } from "../scheduled/scheduled-call.ts";
import type {
  AlreadyRaised,
  BoxRecord,
  MissedSailing,
  RaisedSlip,
  Sailing,
} from "../record/shipment-record.ts";
import type { ContainerStatus } from "../event-data.ts";
import { ASHORE } from "../status/status-groups.ts";
import { isKnownToHaveLeft, missedKey, rolledOver, sailingKey } from "../status/roll-overs.ts";
import { dayText, isoDayIn, portText, rollOverHeadline, sailingText } from "./disruption-text.ts";
import { hoursOf, type EventDrafts } from "./draft.ts";
import { DAY_MS, HOUR_MS } from "../../../runtime/durations.ts";

/** A smaller delay is a correction. */
const SLIP_MS_MIN = 48 * HOUR_MS;

const GROWN_MS_MIN = DAY_MS;

/** Carriers report a departure within hours. */
const NOT_DEPARTED_MS_MIN = 24 * HOUR_MS;

export const PAST_SAILING_STATUSES: readonly ContainerStatus[] = [...ASHORE, "cancelled"];

type Disruption = {
  /** Sailing and kind, with the occasion: raised once a box. */
  readonly key: string;
  /** Keys that are raised with it. */
  readonly covers?: readonly string[];
  readonly slip?: RaisedSlip;
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
  const current = disruptionsOf(box, raised, nowMs, scheduledAt);
  return {
    drafts: current
      .filter(({ key }) => !raised.disruptions.includes(key))
      .map(({ key, kind, headline, delayHours }) => ({
        type: "schedule_disruption",
        data: { kind, dedup_key: `${dedupPrefix}:${key}`, headline: headline(), delay_hours: delayHours },
        key: `schedule_disruption:${key}`,
      })),
    raised: withRaised(raised, current),
  };
}

/** What holds counts as raised. */
export function withDisruptionsRaised(
  box: BoxRecord,
  raised: AlreadyRaised,
  nowMs: number,
  scheduledAt?: FindScheduledCall,
): AlreadyRaised {
  return withRaised(raised, disruptionsOf(box, raised, nowMs, scheduledAt));
}

/** Of one box; the present ones are the last. */
const RAISED_MAX = 500;

function withRaised(raised: AlreadyRaised, current: readonly Disruption[]): AlreadyRaised {
  if (current.length === 0) return raised;
  const now = new Set(current.flatMap(({ key, covers = [] }) => [key, ...covers]));
  const disruptions = [...raised.disruptions.filter((key) => !now.has(key)), ...now].slice(-RAISED_MAX);
  const slips = current.flatMap(({ slip }) => slip ?? []);
  const isMoved = ({ sailing }: RaisedSlip): boolean => slips.some((slip) => slip.sailing === sailing);
  const kept = (raised.slips ?? []).filter((slip) => !isMoved(slip));
  return {
    ...raised,
    disruptions,
    ...(slips.length === 0 ? {} : { slips: [...kept, ...slips].slice(-RAISED_MAX) }),
  };
}

/** When a sailing of the box next counts as not departed, unless a departure is reported; null: never. */
export function disruptionDueMs(
  box: BoxRecord,
  nowMs: number,
  scheduledAt: FindScheduledCall = NO_SCHEDULE,
): number | null {
  const dueMs = nextSailings(box)
    .flatMap((sailing) => silenceOf(sailing, box, scheduledAt(box, sailing))?.endsMs ?? [])
    .filter((ms) => ms > nowMs);
  return dueMs.length === 0 ? null : Math.min(...dueMs);
}

/** All current disruptions that are not raised, and some that are. */
function disruptionsOf(
  box: BoxRecord,
  raised: AlreadyRaised,
  nowMs: number,
  scheduledAt: FindScheduledCall = NO_SCHEDULE,
): readonly Disruption[] {
  if (PAST_SAILING_STATUSES.includes(box.status)) return [];
  const withCalls = openSailings(box).map((sailing) => ({ sailing, call: scheduledAt(box, sailing) }));
  const slipped = withCalls.flatMap(({ sailing, call }) =>
    slipDisruption(sailing, slippedToMs(sailing, call), box, raised),
  );
  const cancelled = withCalls.flatMap(({ sailing, call }) =>
    call === null || call.cancelled === null ? [] : [cancelledDisruption(sailing, box, call.cancelled)],
  );
  const overdue = nextSailings(box).flatMap((sailing) => {
    const silence = silenceOf(sailing, box, scheduledAt(box, sailing));
    if (silence === null || nowMs < silence.endsMs) return [];
    return notDepartedDisruption(sailing, silence.dueMs, box, raised);
  });
  const rolled = rolledOver(box.missedSailings ?? []).flatMap((missed) =>
    rollOverDisruption(missed, box, raised),
  );
  return [...rolled, ...slipped, ...cancelled, ...overdue];
}

/** The box's carrier counts first. A departed or cancelled call has not slipped. */
function slippedToMs({ expectedMs, promisedMs }: Sailing, call: ScheduledCall | null): number {
  const isOpen = call !== null && call.cancelled === null && call.departedMs === null;
  return expectedMs - promisedMs >= SLIP_MS_MIN || !isOpen ? expectedMs : (call.expectedMs ?? expectedMs);
}

/**
 * From when the vessel is to leave, until it counts as not departed; null: the schedules have the departure, or cancel
 * the call. A departure that an answer leaves out may be known to the next one.
 */
function silenceOf(
  { expectedMs, takenBackMs = expectedMs }: Sailing,
  { timeline }: BoxRecord,
  call: ScheduledCall | null,
): { readonly dueMs: number; readonly endsMs: number } | null {
  if (call !== null && (call.departedMs !== null || call.cancelled !== null)) return null;
  const dueMs = Math.max(expectedMs, call?.expectedMs ?? expectedMs);
  const leavesByMs = givesDates(timeline) ? expectedMs + DAY_MS : expectedMs;
  return { dueMs, endsMs: Math.max(dueMs, leavesByMs, takenBackMs) + NOT_DEPARTED_MS_MIN };
}

/** All that is planned is planned for midnight: a carrier that gives days means any time of the day. */
function givesDates(timeline: BoxRecord["timeline"]): boolean {
  const plans = timeline.filter(({ classifier, kind }) => classifier !== "actual" && kind !== "shipment");
  return plans.length > 0 && plans.every(({ at }) => at.local.endsWith("T00:00:00"));
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

/** Raised again when the delay has grown by {@link GROWN_MS_MIN} since. */
function slipDisruption(
  sailing: Sailing,
  toMs: number,
  box: BoxRecord,
  { disruptions, slips = [] }: AlreadyRaised,
): readonly Disruption[] {
  const delayMs = toMs - sailing.promisedMs;
  if (delayMs < SLIP_MS_MIN) return [];
  const name = sailingKey(sailing, box);
  const first = `${name}:slipped`;
  const last = slips.find((slip) => slip.sailing === name);
  if (last !== undefined && toMs - last.toMs < GROWN_MS_MIN) return [];
  const count = disruptions.filter((key) => key === first || key.startsWith(`${first}:`)).length;
  const days = Math.round(delayMs / DAY_MS);
  return [
    {
      // An older record does not say how late the sailing was when its slip was raised: as late as now.
      key: last === undefined ? first : `${first}:${count + 1}`,
      slip: { sailing: name, toMs, ...(toMs === sailing.expectedMs ? {} : { scheduled: true }) },
      kind: "slipped",
      headline: () =>
        `${sailingText(sailing)} from ${portText(sailing, box)} now leaves ${days} days later, ` +
        `on ${dayText(sailing.from, toMs)}`,
      delayHours: hoursOf(delayMs),
    },
  ];
}

/** Raised again when a new date has passed in silence; not if an earlier answer had the vessel leave without the box. */
function notDepartedDisruption(
  sailing: Sailing,
  dueMs: number,
  box: BoxRecord,
  { disruptions }: AlreadyRaised,
): readonly Disruption[] {
  const anyDay = `${sailingKey(sailing, box)}:not_departed`;
  const dated = (ms: number): string => `${anyDay}:${isoDayIn(sailing.from, ms)}`;
  // Older records do not say of which day a silence was raised.
  const isOlder = disruptions.includes(anyDay) && !disruptions.some((key) => key.startsWith(`${anyDay}:`));
  if (isOlder) return [];
  if (isKnownToHaveLeft(sailing, dueMs, box)) return [];
  return [
    {
      key: dated(dueMs),
      kind: "not_departed",
      headline: () =>
        `${sailingText(sailing)} has not left ${portText(sailing, box)}, ` +
        `where it was to leave on ${dayText(sailing.from, dueMs)}, and the carrier gives no new date`,
      delayHours: null,
    },
  ];
}

/** Raised once for each sailing missed; not if the schedules' cancellation of the sailing was. */
function rollOverDisruption(
  missed: MissedSailing,
  box: BoxRecord,
  { disruptions }: AlreadyRaised,
): readonly Disruption[] {
  const name = missedKey(missed, box);
  if (missed.rollOver === null || disruptions.includes(`${name}:not_departed`)) return [];
  const { next } = missed.rollOver;
  const { departureMs } = missed;
  const delayMs = next === null || departureMs === null ? null : next.expectedMs - departureMs;
  return [
    {
      key: `${name}:rolled_over`,
      kind: next === null ? "not_departed" : "slipped",
      headline: () => rollOverHeadline(missed, next, delayMs, box),
      delayHours: delayMs === null ? null : hoursOf(delayMs),
    },
  ];
}

const CANCELLED: Readonly<Record<NonNullable<ScheduledCall["cancelled"]>, string>> = {
  blanked: "the carrier has blanked the sailing",
  slid: "the carrier has slid the sailing, and its vessel is to leave as a later one",
  omitted: "the vessel omits the port",
  missing: "the carrier's schedule no longer has the call",
};

/** The silence after it is not raised. */
function cancelledDisruption(
  sailing: Sailing,
  box: BoxRecord,
  why: NonNullable<ScheduledCall["cancelled"]>,
): Disruption {
  const key = `${sailingKey(sailing, box)}:not_departed`;
  return {
    key,
    covers: [`${key}:${isoDayIn(sailing.from, sailing.expectedMs)}`],
    kind: "not_departed",
    headline: () =>
      `${sailingText(sailing)} does not leave ${portText(sailing, box)} as planned: ${CANCELLED[why]}`,
    delayHours: null,
  };
}
