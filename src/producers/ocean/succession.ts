/**
 * What is to be stored and told when one record takes the place of another: after an answer, or when time
 * alone has gone on.
 */
import type { RaisedEvent } from "../../model/event.ts";
import type { CheckEventData } from "../../products/check.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { inTurns, type Work } from "../../runtime/turns.ts";
import type { ClaimedShipment, KnownShipment } from "../../store/polls.ts";
import { aboardOf, reportEndsMs } from "./ais/aboard.ts";
import type { Carrier } from "./carriers.ts";
import { changesBetween } from "./changes/between.ts";
import type { Tariffs } from "./demurrage/tariff.ts";
import { papersIn } from "./named-papers.ts";
import { readRecord, recordAt, recordMade } from "./record.ts";
import { endedAtMs, type Standing } from "./schedule.ts";
import type { RecordContext, ShipmentRecord, Statements } from "./shipment-record.ts";

export type SuccessionPorts = {
  readonly carriers: readonly Carrier[];
  readonly tariffs: () => Tariffs;
  /** What vessels say of themselves, where anybody tells. */
  readonly vesselAt?: RecordContext["vesselAt"];
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
export function afterAnswer(
  ports: SuccessionPorts,
  claimed: ClaimedShipment,
  statements: Statements,
  stored: string | null,
  moment: Moment,
): Promise<Succession> {
  return inTurns(succeeded(ports, claimed, statements, stored, moment), ports.clock);
}

function* succeeded(
  ports: SuccessionPorts,
  claimed: ClaimedShipment,
  statements: Statements,
  stored: string | null,
  { asOfMs, nowMs }: Moment,
): Work<Succession> {
  const previous = stored === null ? null : readRecord(stored);
  const isReplayed = asOfMs !== nowMs;
  const { vesselAt, ...context } = contextOf(ports, claimed);
  // Vessels tell of our time.
  const own = isReplayed || vesselAt === undefined ? context : { ...context, vesselAt };
  const next = yield* recordMade(statements, previous, own, asOfMs);
  yield;
  const { record, events } = told(ports, claimed, previous, next, asOfMs);
  yield;
  const known = knownOf(ports, record, claimed, nowMs, isReplayed);
  const isSame = known.record === stored && known.changesAtMs === (claimed.changesAt?.getTime() ?? null);
  return {
    known: isSame ? null : known,
    events: isReplayed ? events.map((event) => ({ ...event, occurredAtMs: nowMs })) : events,
  };
}

/** What time alone has changed. */
export function afterTime(
  ports: SuccessionPorts,
  claimed: ClaimedShipment,
  stored: string,
  nowMs: number,
): Succession {
  const previous = readRecord(stored);
  const carrier = ports.carriers.find(({ scac }) => scac === previous.carrier);
  // Its time is not ours: only its answers tell it.
  if (carrier?.asOf === "answer-date") {
    return { known: { ...knownOf(ports, previous, claimed, nowMs, true), record: stored }, events: [] };
  }
  const next = recordAt(previous, contextOf(ports, claimed), nowMs);
  const { record, events } = told(ports, claimed, previous, next, nowMs);
  return { known: knownOf(ports, record, claimed, nowMs, false), events };
}

function told(
  ports: SuccessionPorts,
  claimed: ClaimedShipment,
  previous: ShipmentRecord | null,
  next: ShipmentRecord,
  asOfMs: number,
) {
  const changes = changesBetween(claimed, previous, next, contextOf(ports, claimed), asOfMs);
  return { ...changes, events: changes.events.filter((event) => isSound(ports, claimed, event)) };
}

/** One that breaks its schema would break it at every look to come: it is left out, and all else is kept. */
function isSound({ check, log }: SuccessionPorts, { id }: ClaimedShipment, event: RaisedEvent): boolean {
  const { product, type, data } = event;
  const checked = check(product, type, JSON.parse(data));
  if (!checked.ok) {
    const error = new Error(checked.message);
    log.error({ error, shipment: id, type }, "an event breaks its schema, and is not raised");
  }
  return checked.ok;
}

function knownOf(
  { vesselAt }: SuccessionPorts,
  record: ShipmentRecord,
  { endedAt, reference }: ClaimedShipment,
  nowMs: number,
  isReplayed: boolean,
): KnownShipment {
  const { carrier, identifierType, status, eta } = record;
  const changes = [record.changesAtMs, reportEndsMs(record, vesselAt)].filter((ms) => ms !== null);
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
