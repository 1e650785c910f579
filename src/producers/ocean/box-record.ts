/** One box of a shipment: its record from its statements, what was known before, and the time. */
import { freeTimeTurnsMs } from "./changes/demurrage.ts";
import { disruptionDueMs } from "./changes/disruption.ts";
import { freeTimeOf } from "./demurrage/free-time.ts";
import { isVesselCall, plannedLanding } from "./route.ts";
import { sailingsOf } from "./sailings.ts";
import {
  ETA_HISTORY_MAX,
  NOTHING_TOLD,
  type BoxRecord,
  type Eta,
  type FreeDay,
  type EtaSeen,
  type Milestone,
  type MilestoneType,
  type RecordContext,
  type Statements,
} from "./shipment-record.ts";
import { readStatus, type ContainerStatus, type Reading, type Step } from "./status.ts";
import { timelineOf, type Timeline } from "./timeline.ts";
import { currentTrip } from "./trip.ts";

export type BoxLook = {
  readonly box: BoxRecord;
  /** How far it has come; only compared with other boxes'. */
  readonly progress: number;
  readonly changesAtMs: number | null;
};

/** The box after an answer; `before` is null when it is looked at for the first time. */
export function boxAfterAnswer(
  equipment: string | null,
  statements: Statements,
  before: BoxRecord | null,
  context: RecordContext,
  nowMs: number,
): BoxLook {
  const own = statements.events.filter((event) => event.equipment === null || event.equipment === equipment);
  const trip = currentTrip(own, before?.anchorMs ?? null);
  const timeline = timelineOf(trip.events);
  const { carrier, freeDays } = statements;
  if (before !== null && isOfAnotherTrip(before, timeline)) return boxLater(before, carrier, context, nowMs);
  const known = { equipment, timeline, anchorMs: trip.anchorMs };
  return look(known, before, carrier, freeDays, context, nowMs);
}

/** The box at a later time, without a new answer. */
export function boxLater(box: BoxRecord, carrier: string, context: RecordContext, nowMs: number): BoxLook {
  const { equipment, timeline, anchorMs } = box;
  const stated = box.freeTime?.source === "carrier" ? box.freeTime.lastFreeDay : null;
  const freeDays = stated === null ? [] : [{ equipment, lastFreeDay: stated }];
  return look({ equipment, timeline, anchorMs }, box, carrier, freeDays, context, nowMs);
}

function look(
  known: Pick<BoxRecord, "equipment" | "timeline" | "anchorMs">,
  before: BoxRecord | null,
  carrier: string,
  freeDays: readonly FreeDay[],
  context: RecordContext,
  nowMs: number,
): BoxLook {
  const { timeline } = known;
  const reading = readStatus(timeline, nowMs);
  const eta = etaOf(reading);
  const box: BoxRecord = {
    ...known,
    status: reading.status,
    eta,
    etaHistory: etaHistory(before?.etaHistory ?? [], eta, nowMs),
    ...shipOf(reading),
    ...placesOf(reading),
    transshipments: [],
    milestones: milestonesOf(reading.steps),
    arrivingFromMs: reading.arrivingFromMs,
    misrouting: null,
    sailings: sailingsOf(timeline, before?.sailings ?? [], reading.voyage.departures),
    freeTime: null,
    told: before?.told ?? NOTHING_TOLD,
  };
  const whole = { ...box, freeTime: freeTimeOf(box, carrier, context.tariffs, freeDays, nowMs) };
  return {
    box: whole,
    progress: progressOf(reading.status),
    changesAtMs: nextChange(whole, nowMs),
  };
}

/** How far a box has come, by its status alone. */
function progressOf(status: ContainerStatus): number {
  return PROGRESS.indexOf(status);
}

const PROGRESS: readonly ContainerStatus[] = [
  "unknown",
  "pre_departure",
  "in_transit",
  "at_transshipment",
  "arriving",
  "at_anchor",
  "at_berth",
  "discharged",
  "customs_hold",
  "available",
  "delivered",
  "returned_empty",
  "cancelled",
];

/** It becomes `arriving`, free time runs out, a sailing has not left: the earliest that is still to come. */
function nextChange(box: BoxRecord, nowMs: number): number | null {
  const { arrivingFromMs } = box;
  const arrivingMs = arrivingFromMs !== null && arrivingFromMs >= nowMs ? arrivingFromMs + 1 : null;
  const times = [arrivingMs, freeTimeTurnsMs(box, nowMs), disruptionDueMs(box, nowMs)].filter(
    (ms) => ms !== null,
  );
  return times.length === 0 ? null : Math.min(...times);
}

function etaHistory(before: readonly EtaSeen[], eta: Eta | null, nowMs: number): readonly EtaSeen[] {
  if (eta === null || before.at(-1)?.at.ms === eta.at.ms) return before;
  return [...before, { at: eta.at, seenMs: nowMs }].slice(-ETA_HISTORY_MAX);
}

/**
 * Some carriers forget a trip once the box is on its next one: an answer that begins after the end of
 * a shipment says nothing about it.
 */
function isOfAnotherTrip(previous: BoxRecord, timeline: Timeline): boolean {
  if (previous.status !== "delivered" && previous.status !== "returned_empty") return false;
  const moves = (events: Timeline): Timeline =>
    events.filter((event) => event.classifier === "actual" && event.kind === "equipment");
  const firstMs = moves(timeline)[0]?.at.ms;
  const endMs = moves(previous.timeline).at(-1)?.at.ms;
  return firstMs !== undefined && endMs !== undefined && firstMs > endMs;
}

function etaOf({ arrival }: Reading): Eta | null {
  return arrival === null ? null : { at: arrival.at, actual: arrival.classifier === "actual" };
}

/** Until the box is loaded, the ship that is planned to take it from its origin. */
function shipOf({ voyage, route }: Reading): Pick<BoxRecord, "vessel" | "voyage"> {
  if (voyage.where !== "origin" || voyage.loaded) return { vessel: voyage.vessel, voyage: voyage.voyage };
  const call = route.timeline.find((event) => event.mode === "vessel");
  const planned = call !== undefined && isVesselCall(call, "LOAD", "DEPA") ? call : null;
  return { vessel: planned?.vessel ?? null, voyage: planned?.voyage ?? null };
}

function placesOf({
  voyage,
  route,
  arrival,
}: Reading): Pick<BoxRecord, "origin" | "discharge" | "destination"> {
  const moves = route.timeline.filter((event) => event.kind !== "shipment" && event.place !== null);
  const landing = voyage.landing ?? plannedLanding(route) ?? (arrival?.mode === "vessel" ? arrival : null);
  const discharge = landing?.mode === "vessel" ? landing.place : null;
  const first = moves.find((event) => event.laden !== false) ?? moves[0];
  return { origin: first?.place ?? null, discharge, destination: route.landDestination ?? discharge };
}

/** Each once in a box's life, departures and holds once each time: counted, since times get corrected. */
function milestonesOf(steps: readonly Step[]): readonly Milestone[] {
  const milestones: Milestone[] = [];
  const add = (type: MilestoneType, occasion: string, step: Step): void => {
    const nth = milestones.filter(({ key }) => key.startsWith(`${type}:${occasion}:`)).length + 1;
    const { at, place } = step.event;
    milestones.push({ key: `${type}:${occasion}:${nth}`, type, from: step.from, to: step.to, at, place });
  };
  for (const step of steps) {
    if (step.departs) add("vessel_departed", step.event.place?.unlocode ?? "", step);
    if (step.from === step.to) continue;
    if (step.to === "customs_hold") add("customs_hold", "", step);
    if (step.to === "delivered") add("container_delivered", "", step);
    if (step.to === "available" && !milestones.some(({ type }) => type === "container_available")) {
      add("container_available", "", step);
    }
  }
  return milestones;
}
