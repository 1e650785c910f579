/** The state to store and the events to raise when a record changes: after an answer, or by time alone. */
import { hasOwnTime } from "../../../freight/sources/as-of.ts";
import type { RaisedEvent } from "../../../model/event.ts";
import type { CheckEventData } from "../../../model/event-check.ts";
import { StoreUnavailable } from "../../../model/errors.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { MINUTE_MS } from "../../../runtime/durations.ts";
import type { Log } from "../../../runtime/log.ts";
import { runInSlices, type SlicedWork } from "../../../runtime/time-slices.ts";
import type { ClaimedShipment, ShipmentState } from "../../../freight/polling/store/polls.ts";
import { aboardOf, reportExpiresMs } from "./aboard.ts";
import { attentionOf } from "./attention.ts";
import { mapPositionOf } from "./map-position.ts";
import type { CarrierEvent } from "../sources/carrier-event.ts";
import { carrierNamed, type Carrier } from "../sources/carriers.ts";
import { changesBetween } from "../events/changes.ts";
import { disruptionDueMs } from "../events/disruption.ts";
import type { Tariffs } from "../demurrage/tariff.ts";
import { transportDocumentsOf } from "../timeline/transport-documents.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { awaitedKeys } from "../scheduled/awaited-sailings.ts";
import type { ReadSchedule } from "../scheduled/schedule-reader.ts";
import type { FindScheduledCall } from "../scheduled/scheduled-call.ts";
import { isAwaitingNextTrip } from "./box-trip.ts";
import { previousBox, readRecord, nextRecordAt, nextRecordSteps } from "./record.ts";
import { endedAtMs, type PollState } from "../sources/poll-schedule.ts";
import type { RecordContext, ShipmentRecord, Statements } from "./shipment-record.ts";

export type ReducePorts = {
  readonly carriers: readonly Carrier[];
  readonly tariffs: () => Tariffs;
  readonly vesselReportOf?: RecordContext["vesselReportOf"];
  /** Reads the sailings of a shipment from the schedules product, if it has a feed. */
  readonly readSchedule?: ReadSchedule;
  readonly check: CheckEventData;
  readonly log: Pick<Log, "error">;
  readonly clock: Pick<Clock, "monotonicMs">;
};

export type Reduction = {
  /** Null: the stored state stays. */
  readonly state: ShipmentState | null;
  readonly events: readonly RaisedEvent[];
  /** The answer left out the end of a box without a reason: the next one is read, even if it is the same. */
  readonly isDoubted: boolean;
};

/** The least wait until the next re-evaluation. */
const REEVALUATE_MS_MIN = 1_000;
const SCHEDULE_RETRY_MS = MINUTE_MS;

/** `asOfMs` is the time of the record, `nowMs` our clock; they differ if the carrier is replayed. */
export type RecordTimes = { readonly asOfMs: number; readonly nowMs: number };

/** `stored` is the previous record; null before the first answer. */
export async function reduceAnswer(
  ports: ReducePorts,
  claimed: ClaimedShipment,
  statements: Statements,
  stored: string | null,
  moment: RecordTimes,
): Promise<Reduction> {
  const previous = stored === null ? null : readRecord(stored);
  const isReplayed = moment.asOfMs !== moment.nowMs;
  const { vesselReportOf, ...context } = contextOf(ports, claimed);
  // Vessel reports and schedules are of our time.
  const vesselContext = isReplayed || vesselReportOf === undefined ? context : { ...context, vesselReportOf };
  const steps = nextRecordSteps(statements, previous, vesselContext, moment.asOfMs);
  const next = await runInSlices(steps, ports.clock);
  const scheduledAt = isReplayed ? undefined : await scheduleOf(ports, previous, next);
  const carrier = statements.isFound === false ? "" : statements.carrier;
  const change = { previous, next, carrier, ...(scheduledAt === undefined ? {} : { scheduledAt }) };
  return runInSlices(reduceSteps(ports, claimed, change, stored, moment), ports.clock);
}

/**
 * The same behind a history that fires nothing: what happened before the shipment was tracked (spec 3.3:
 * first_resolution), whenever it is known. What has happened since is raised.
 */
export async function reduceBehind(
  ports: ReducePorts,
  claimed: ClaimedShipment,
  history: Statements["events"] | null,
  statements: Statements,
  stored: string | null,
  moment: RecordTimes,
): Promise<Reduction> {
  if (history === null) return reduceAnswer(ports, claimed, statements, stored, moment);
  const past = { ...statements, events: history };
  const { state: before } = await reduceAnswer(ports, claimed, past, stored, moment);
  const reduced = await reduceAnswer(ports, claimed, statements, before?.record ?? stored, moment);
  return { ...reduced, state: reduced.state ?? before };
}

/** What happened before the shipment was tracked, and what is planned. */
export function historyOf(
  events: readonly CarrierEvent[],
  { createdAt }: Pick<ClaimedShipment, "createdAt">,
): readonly CarrierEvent[] {
  return events.filter(({ classifier, at }) => classifier !== "actual" || at.ms <= createdAt.getTime());
}

type Change = {
  readonly previous: ShipmentRecord | null;
  readonly next: ShipmentRecord;
  /** The SCAC of the carrier that was found; empty: none was. */
  readonly carrier: string;
  /** Null: nobody can say now. */
  readonly scheduledAt?: FindScheduledCall | null;
};

/**
 * While the schedules cannot be read, all but disruptions goes on, and these are found later. What holds at the first
 * answer of a trip is never raised (spec 3.3: first_resolution), so that a new one waits for the schedules.
 */
async function scheduleOf(ports: ReducePorts, previous: ShipmentRecord | null, next: ShipmentRecord) {
  try {
    return await ports.readSchedule?.(next);
  } catch (cause) {
    const isKnown = next.boxes.every(({ equipment, trip = 0 }) => {
      const before = previousBox(previous, equipment);
      return before !== null && (before.trip ?? 0) === trip;
    });
    if (!isKnown || !(cause instanceof StoreUnavailable)) throw cause;
    return null;
  }
}

function* reduceSteps(
  ports: ReducePorts,
  claimed: ClaimedShipment,
  change: Change,
  stored: string | null,
  { asOfMs, nowMs }: RecordTimes,
): SlicedWork<Reduction> {
  const isReplayed = asOfMs !== nowMs;
  const { record, events } = changesOf(ports, claimed, change, asOfMs);
  yield;
  const state = shipmentStateOf(ports, { ...change, next: record }, claimed, { asOfMs, nowMs });
  const isSame = state.record === stored && state.changesAtMs === (claimed.changesAt?.getTime() ?? null);
  return {
    state: isSame ? null : state,
    events: isReplayed ? events.map((event) => ({ ...event, occurredAtMs: nowMs })) : events,
    isDoubted: record.boxes.some(({ end }) => end?.doubted === true),
  };
}

/** The changes by time alone, or by a schedule. */
export async function reduceTime(
  ports: ReducePorts,
  claimed: ClaimedShipment,
  stored: string,
  nowMs: number,
): Promise<Reduction> {
  const previous = readRecord(stored);
  const carrier = claimed.carrier ?? "";
  // A replayed carrier has its own time, which only its answers state. A carrier that imports name has not been found.
  const found = carrier === "" ? null : carrierNamed(ports.carriers, carrier);
  if (found !== null && hasOwnTime(found)) {
    const unchanged = { previous, next: previous, carrier };
    const state = shipmentStateOf(ports, unchanged, claimed, { asOfMs: null, nowMs });
    return { state: { ...state, record: stored }, events: [], isDoubted: false };
  }
  const next = nextRecordAt(previous, contextOf(ports, claimed), nowMs);
  const scheduledAt = await scheduleOf(ports, previous, next);
  const change = { previous, next, carrier, ...(scheduledAt === undefined ? {} : { scheduledAt }) };
  const { record, events } = changesOf(ports, claimed, change, nowMs);
  const state = shipmentStateOf(ports, { ...change, next: record }, claimed, { asOfMs: nowMs, nowMs });
  return { state, events, isDoubted: false };
}

function changesOf(
  ports: ReducePorts,
  claimed: ClaimedShipment,
  { previous, next, scheduledAt }: Change,
  asOfMs: number,
) {
  const context = {
    ...contextOf(ports, claimed),
    ...(scheduledAt === undefined ? {} : { scheduledAt }),
    isValidEvent: (type: string, data: object) => isValidEvent(ports, claimed, type, data),
  };
  return changesBetween(claimed, previous, next, context, asOfMs);
}

/** An invalid event would be invalid at every later poll: it is left out, and the rest is kept. */
function isValidEvent(
  { check, log }: ReducePorts,
  { id }: ClaimedShipment,
  type: string,
  data: object,
): boolean {
  const checked = check(OCEAN_PRODUCT, type, data);
  if (!checked.ok) {
    const error = new Error(checked.message);
    log.error({ error, shipment: id, type }, "an event breaks its schema and is not raised");
  }
  return checked.ok;
}

function shipmentStateOf(
  { vesselReportOf, readSchedule }: ReducePorts,
  { next: record, scheduledAt, carrier }: Change,
  { endedAt, reference }: ClaimedShipment,
  { asOfMs, nowMs }: { readonly asOfMs: number | null; readonly nowMs: number },
): ShipmentState {
  const isReplayed = asOfMs !== nowMs;
  const { identifierType, status, eta } = record;
  const changes = [
    record.changesAtMs,
    reportExpiresMs(record, vesselReportOf),
    ...dueByScheduleMs(record, nowMs, scheduledAt),
  ].filter((ms) => ms !== null);
  return {
    carrier,
    identifierType,
    status,
    etaMs: eta?.at.ms ?? null,
    record: JSON.stringify(record),
    position: positionText(record),
    attention: attentionOf(record, asOfMs),
    endedAtMs: record.boxes.some(isAwaitingNextTrip)
      ? null
      : endedAtMs(status, endedAt?.getTime() ?? null, nowMs),
    changesAtMs:
      isReplayed || changes.length === 0 ? null : Math.max(Math.min(...changes), nowMs + REEVALUATE_MS_MIN),
    aboard: aboardOf(record),
    awaitedSailings: readSchedule === undefined ? [] : awaitedKeys(record),
    transportDocuments: transportDocumentsOf(record.boxes.flatMap(({ timeline }) => timeline)).filter(
      (document) => document !== reference,
    ),
  };
}

function positionText(record: ShipmentRecord): string | null {
  const position = mapPositionOf(record);
  return position === null ? null : JSON.stringify(position);
}

function dueByScheduleMs(record: ShipmentRecord, nowMs: number, scheduledAt: Change["scheduledAt"]) {
  if (scheduledAt === undefined) return [];
  if (scheduledAt === null) return [nowMs + SCHEDULE_RETRY_MS];
  return record.boxes.map((box) => disruptionDueMs(box, nowMs, scheduledAt));
}

function contextOf({ tariffs, vesselReportOf }: ReducePorts, { armedAt }: ClaimedShipment): RecordContext {
  const context = { tariffs: tariffs(), armedFromMs: armedAt?.getTime() ?? null };
  return vesselReportOf === undefined ? context : { ...context, vesselReportOf };
}

/** From the new state, else from the claimed one. */
export function pollStateOf(claimed: ClaimedShipment, state: ShipmentState | null): PollState {
  if (state !== null) {
    const { status, etaMs, changesAtMs, endedAtMs: endedMs } = state;
    return { status: status as PollState["status"], etaMs, changesAtMs, endedMs };
  }
  return {
    status: claimed.status as PollState["status"],
    etaMs: claimed.eta?.getTime() ?? null,
    changesAtMs: claimed.changesAt?.getTime() ?? null,
    endedMs: claimed.endedAt?.getTime() ?? null,
  };
}
