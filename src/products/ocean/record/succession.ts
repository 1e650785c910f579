/**
 * What is to be stored and told when one record takes the place of another: after an answer, or when time
 * alone has gone on.
 */
import type { RaisedEvent } from "../../../model/event.ts";
import type { CheckEventData } from "../../../model/event-check.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Log } from "../../../runtime/log.ts";
import { inTurns, type Work } from "../../../runtime/turns.ts";
import type { ClaimedShipment, KnownShipment } from "../../../freight/polling/store/polls.ts";
import { aboardOf, reportEndsMs } from "../sources/ais/aboard.ts";
import type { Carrier } from "../sources/carriers.ts";
import { changesBetween } from "../events/between.ts";
import { disruptionDueMs } from "../events/disruption.ts";
import type { Tariffs } from "../demurrage/tariff.ts";
import { papersIn } from "../timeline/named-papers.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { awaitedKeys } from "../scheduled/awaited.ts";
import type { ReadSchedule } from "../scheduled/reading.ts";
import type { ScheduledAt } from "../scheduled/scheduled-call.ts";
import { readRecord, recordAt, recordMade } from "./record.ts";
import { endedAtMs, type Standing } from "../sources/schedule.ts";
import type { RecordContext, ShipmentRecord, Statements } from "./shipment-record.ts";

export type SuccessionPorts = {
  readonly carriers: readonly Carrier[];
  readonly tariffs: () => Tariffs;
  /** What vessels say of themselves, where anybody tells. */
  readonly vesselAt?: RecordContext["vesselAt"];
  /** What the record of schedules has of the sailings of a shipment, where any feed tells it. */
  readonly readSchedule?: ReadSchedule;
  readonly check: CheckEventData;
  readonly log: Pick<Log, "error">;
  readonly clock: Pick<Clock, "monotonicMs">;
};

export type Succession = {
  /** Null: what is stored stays. */
  readonly known: KnownShipment | null;
  readonly events: readonly RaisedEvent[];
};

/** Time goes on by so much at least before time alone is asked again. */
const CHANGES_AGAIN_MS_MIN = 1_000;

/** By which time a record is made, and at which it is told of: ours, unless the carrier is replayed. */
export type Moment = { readonly asOfMs: number; readonly nowMs: number };

/** `stored` is the record as it was, null before the first answer. */
export async function afterAnswer(
  ports: SuccessionPorts,
  claimed: ClaimedShipment,
  statements: Statements,
  stored: string | null,
  moment: Moment,
): Promise<Succession> {
  const previous = stored === null ? null : readRecord(stored);
  const isReplayed = moment.asOfMs !== moment.nowMs;
  const { vesselAt, ...context } = contextOf(ports, claimed);
  // Vessels and schedules tell of our time.
  const own = isReplayed || vesselAt === undefined ? context : { ...context, vesselAt };
  const next = await inTurns(recordMade(statements, previous, own, moment.asOfMs), ports.clock);
  const scheduledAt = isReplayed ? undefined : await ports.readSchedule?.(next);
  const change = { previous, next, ...(scheduledAt === undefined ? {} : { scheduledAt }) };
  return inTurns(succeeded(ports, claimed, change, stored, moment), ports.clock);
}

type Change = {
  readonly previous: ShipmentRecord | null;
  readonly next: ShipmentRecord;
  readonly scheduledAt?: ScheduledAt;
};

function* succeeded(
  ports: SuccessionPorts,
  claimed: ClaimedShipment,
  change: Change,
  stored: string | null,
  { asOfMs, nowMs }: Moment,
): Work<Succession> {
  const isReplayed = asOfMs !== nowMs;
  const { record, events } = told(ports, claimed, change, asOfMs);
  yield;
  const known = knownOf(ports, { ...change, next: record }, claimed, nowMs, isReplayed);
  const isSame = known.record === stored && known.changesAtMs === (claimed.changesAt?.getTime() ?? null);
  return {
    known: isSame ? null : known,
    events: isReplayed ? events.map((event) => ({ ...event, occurredAtMs: nowMs })) : events,
  };
}

/** What time alone has changed, or a schedule has. */
export async function afterTime(
  ports: SuccessionPorts,
  claimed: ClaimedShipment,
  stored: string,
  nowMs: number,
): Promise<Succession> {
  const previous = readRecord(stored);
  const carrier = ports.carriers.find(({ scac }) => scac === previous.carrier);
  // Its time is not ours: only its answers tell it.
  if (carrier?.asOf === "answer-date") {
    const known = knownOf(ports, { previous, next: previous }, claimed, nowMs, true);
    return { known: { ...known, record: stored }, events: [] };
  }
  const next = recordAt(previous, contextOf(ports, claimed), nowMs);
  const scheduledAt = await ports.readSchedule?.(next);
  const change = { previous, next, ...(scheduledAt === undefined ? {} : { scheduledAt }) };
  const { record, events } = told(ports, claimed, change, nowMs);
  return { known: knownOf(ports, { ...change, next: record }, claimed, nowMs, false), events };
}

function told(
  ports: SuccessionPorts,
  claimed: ClaimedShipment,
  { previous, next, scheduledAt }: Change,
  asOfMs: number,
) {
  const context = {
    ...contextOf(ports, claimed),
    ...(scheduledAt === undefined ? {} : { scheduledAt }),
    isSound: (type: string, data: object) => isSound(ports, claimed, type, data),
  };
  return changesBetween(claimed, previous, next, context, asOfMs);
}

/** One that breaks its schema would break it at every look to come: it is left out, and all else is kept. */
function isSound(
  { check, log }: SuccessionPorts,
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

function knownOf(
  { vesselAt, readSchedule }: SuccessionPorts,
  { next: record, scheduledAt }: Change,
  { endedAt, reference }: ClaimedShipment,
  nowMs: number,
  isReplayed: boolean,
): KnownShipment {
  const { carrier, identifierType, status, eta } = record;
  const changes = [
    record.changesAtMs,
    reportEndsMs(record, vesselAt),
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
      isReplayed || changes.length === 0
        ? null
        : Math.max(Math.min(...changes), nowMs + CHANGES_AGAIN_MS_MIN),
    aboard: aboardOf(record),
    // Where nobody tells of schedules nobody looks for them.
    awaits: readSchedule === undefined ? [] : awaitedKeys(record),
    papers: papersIn(record.boxes.flatMap(({ timeline }) => timeline)).filter((paper) => paper !== reference),
  };
}

function contextOf({ tariffs, vesselAt }: SuccessionPorts, { armedAt }: ClaimedShipment): RecordContext {
  const context = { tariffs: tariffs(), armedFromMs: armedAt?.getTime() ?? null };
  return vesselAt === undefined ? context : { ...context, vesselAt };
}

/** Where a shipment stands after a look: as it is known now, else as it was. */
export function standingOf(claimed: ClaimedShipment, known: KnownShipment | null): Standing {
  if (known !== null) {
    const { status, etaMs, changesAtMs, endedAtMs: endedMs } = known;
    return { status: status as Standing["status"], etaMs, changesAtMs, endedMs };
  }
  return {
    status: claimed.status as Standing["status"],
    etaMs: claimed.eta?.getTime() ?? null,
    changesAtMs: claimed.changesAt?.getTime() ?? null,
    endedMs: claimed.endedAt?.getTime() ?? null,
  };
}
