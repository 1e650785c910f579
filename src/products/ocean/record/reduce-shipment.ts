/**
 * What is to be stored and told when one record takes the place of another: after an answer, or when time
 * alone has gone on.
 */
import type { RaisedEvent } from "../../../model/event.ts";
import type { CheckEventData } from "../../../model/event-check.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Log } from "../../../runtime/log.ts";
import { runInSlices, type SlicedWork } from "../../../runtime/time-slices.ts";
import type { ClaimedShipment, ShipmentState } from "../../../freight/polling/store/polls.ts";
import { aboardOf, reportExpiresMs } from "../sources/ais/aboard.ts";
import type { Carrier } from "../sources/carriers.ts";
import { changesBetween } from "../events/compare.ts";
import { disruptionDueMs } from "../events/disruption.ts";
import type { Tariffs } from "../demurrage/tariff.ts";
import { transportDocumentsOf } from "../timeline/transport-documents.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { awaitedKeys } from "../scheduled/awaited-sailings.ts";
import type { ReadSchedule } from "../scheduled/schedule-reader.ts";
import type { FindScheduledCall } from "../scheduled/scheduled-call.ts";
import { readRecord, nextRecordAt, nextRecordSteps } from "./record.ts";
import { endedAtMs, type PollState } from "../sources/poll-schedule.ts";
import type { RecordContext, ShipmentRecord, Statements } from "./shipment-record.ts";

export type ReducePorts = {
  readonly carriers: readonly Carrier[];
  readonly tariffs: () => Tariffs;
  /** What vessels say of themselves, where anybody tells. */
  readonly vesselReportOf?: RecordContext["vesselReportOf"];
  /** What the record of schedules has of the sailings of a shipment, where any feed tells it. */
  readonly readSchedule?: ReadSchedule;
  readonly check: CheckEventData;
  readonly log: Pick<Log, "error">;
  readonly clock: Pick<Clock, "monotonicMs">;
};

export type Reduction = {
  /** Null: what is stored stays. */
  readonly state: ShipmentState | null;
  readonly events: readonly RaisedEvent[];
};

/** Time goes on by so much at least before time alone is asked again. */
const REEVALUATE_MS_MIN = 1_000;

/** By which time a record is made, and at which it is told of: ours, unless the carrier is replayed. */
export type RecordTimes = { readonly asOfMs: number; readonly nowMs: number };

/** `stored` is the record as it was, null before the first answer. */
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
  // Vessels and schedules tell of our time.
  const own = isReplayed || vesselReportOf === undefined ? context : { ...context, vesselReportOf };
  const next = await runInSlices(nextRecordSteps(statements, previous, own, moment.asOfMs), ports.clock);
  const scheduledAt = isReplayed ? undefined : await ports.readSchedule?.(next);
  const change = { previous, next, ...(scheduledAt === undefined ? {} : { scheduledAt }) };
  return runInSlices(reduceSteps(ports, claimed, change, stored, moment), ports.clock);
}

type Change = {
  readonly previous: ShipmentRecord | null;
  readonly next: ShipmentRecord;
  readonly scheduledAt?: FindScheduledCall;
};

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
  const known = shipmentStateOf(ports, { ...change, next: record }, claimed, nowMs, isReplayed);
  const isSame = known.record === stored && known.changesAtMs === (claimed.changesAt?.getTime() ?? null);
  return {
    state: isSame ? null : known,
    events: isReplayed ? events.map((event) => ({ ...event, occurredAtMs: nowMs })) : events,
  };
}

/** What time alone has changed, or a schedule has. */
export async function reduceTime(
  ports: ReducePorts,
  claimed: ClaimedShipment,
  stored: string,
  nowMs: number,
): Promise<Reduction> {
  const previous = readRecord(stored);
  const carrier = ports.carriers.find(({ scac }) => scac === previous.carrier);
  // Its time is not ours: only its answers tell it.
  if (carrier?.asOf === "answer-date") {
    const known = shipmentStateOf(ports, { previous, next: previous }, claimed, nowMs, true);
    return { state: { ...known, record: stored }, events: [] };
  }
  const next = nextRecordAt(previous, contextOf(ports, claimed), nowMs);
  const scheduledAt = await ports.readSchedule?.(next);
  const change = { previous, next, ...(scheduledAt === undefined ? {} : { scheduledAt }) };
  const { record, events } = changesOf(ports, claimed, change, nowMs);
  return { state: shipmentStateOf(ports, { ...change, next: record }, claimed, nowMs, false), events };
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

/** One that breaks its schema would break it at every look to come: it is left out, and all else is kept. */
function isValidEvent(
  { check, log }: ReducePorts,
  { id }: ClaimedShipment,
  type: string,
  data: object,
): boolean {
  const checked = check(OCEAN_PRODUCT, type, data);
  if (!checked.ok) {
    const error = new Error(checked.message);
    log.error({ error, shipment: id, type }, "an event breaks its schema, and is not raised");
  }
  return checked.ok;
}

function shipmentStateOf(
  { vesselReportOf, readSchedule }: ReducePorts,
  { next: record, scheduledAt }: Change,
  { endedAt, reference }: ClaimedShipment,
  nowMs: number,
  isReplayed: boolean,
): ShipmentState {
  const { carrier, identifierType, status, eta } = record;
  const changes = [
    record.changesAtMs,
    reportExpiresMs(record, vesselReportOf),
    ...(scheduledAt === undefined ? [] : record.boxes.map((box) => disruptionDueMs(box, nowMs, scheduledAt))),
  ].filter((ms) => ms !== null);
  return {
    carrier,
    identifierType,
    status,
    etaMs: eta?.at.ms ?? null,
    record: JSON.stringify(record),
    endedAtMs: endedAtMs(status, endedAt?.getTime() ?? null, nowMs),
    changesAtMs:
      isReplayed || changes.length === 0 ? null : Math.max(Math.min(...changes), nowMs + REEVALUATE_MS_MIN),
    aboard: aboardOf(record),
    // Where nobody tells of schedules nobody looks for them.
    awaitedSailings: readSchedule === undefined ? [] : awaitedKeys(record),
    transportDocuments: transportDocumentsOf(record.boxes.flatMap(({ timeline }) => timeline)).filter(
      (paper) => paper !== reference,
    ),
  };
}

function contextOf({ tariffs, vesselReportOf }: ReducePorts, { armedAt }: ClaimedShipment): RecordContext {
  const context = { tariffs: tariffs(), armedFromMs: armedAt?.getTime() ?? null };
  return vesselReportOf === undefined ? context : { ...context, vesselReportOf };
}

/** Where a shipment stands after a look: as it is known now, else as it was. */
export function pollStateOf(claimed: ClaimedShipment, known: ShipmentState | null): PollState {
  if (known !== null) {
    const { status, etaMs, changesAtMs, endedAtMs: endedMs } = known;
    return { status: status as PollState["status"], etaMs, changesAtMs, endedMs };
  }
  return {
    status: claimed.status as PollState["status"],
    etaMs: claimed.eta?.getTime() ?? null,
    changesAtMs: claimed.changesAt?.getTime() ?? null,
    endedMs: claimed.endedAt?.getTime() ?? null,
  };
}
