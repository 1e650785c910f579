/**
 * One refresh of one shipment:
 *
 *     claim ─▶ fetch ─▶ parse ─▶ timeline ─▶ status ─▶ changes ─▶ one transaction
 *
 * The new record and the events that tell of it commit together, fenced by the claim: a refresh that
 * was overtaken writes and raises nothing.
 */
import type { Engine } from "../../engine/engine.ts";
import type { RaisedEvent } from "../../model/event.ts";
import type { CheckEventData } from "../../products/check.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Random } from "../../runtime/random.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { saveFailedRefresh, saveRefreshed, type ClaimedShipment } from "../../store/shipments.ts";
import { candidates, type Carrier } from "./carriers.ts";
import { changesBetween } from "./changes.ts";
import { fetchEvents, type CarrierAnswer } from "./dcsa/fetch.ts";
import type { HttpGet } from "./dcsa/http.ts";
import { readRecord, recordOf } from "./record.ts";
import type { IdentifierType } from "./reference.ts";
import type { RecordContext, ShipmentRecord } from "./shipment-record.ts";
import {
  endedAtMs,
  isGivenUp,
  nextPollAfterAnswer,
  nextPollAfterFailure,
  type PollSettings,
} from "./schedule.ts";

export type RefreshPorts = {
  readonly database: Connection;
  readonly carriers: readonly Carrier[];
  readonly get: HttpGet;
  readonly raiseWithin: Engine["raiseWithin"];
  readonly check: CheckEventData;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  readonly log: Log;
  readonly settings: PollSettings;
};

export type RefreshOutcome =
  | { readonly kind: "refreshed"; readonly record: ShipmentRecord; readonly events: readonly RaisedEvent[] }
  | { readonly kind: "failed"; readonly failure: string }
  /** Another claim has taken over: nothing was written. */
  | { readonly kind: "overtaken" };

/** Rejects when the store does not answer or a derived event breaks its schema; the claim's end frees the shipment. */
export async function refreshShipment(
  ports: RefreshPorts,
  cell: Cell,
  claimed: ClaimedShipment,
  deadlineMs: number,
): Promise<RefreshOutcome> {
  const found = await askCarriers(ports, claimed, deadlineMs);
  if (found.answer.kind !== "events") return fail(ports, cell, claimed, found.answer);
  const { carrier, type, answer } = found as Found;
  if (answer.skipped.length > 0) {
    const { id, reference } = claimed;
    const skipped = answer.skipped.slice(0, SKIPPED_LOGGED_MAX);
    ports.log.warn(
      { shipment: id, reference, carrier: carrier.scac, skipped },
      "events of an answer were skipped",
    );
  }
  const nowMs = ports.clock.nowMs();
  const asOfMs = carrier.asOf === "answer-date" ? (answer.dateMs ?? nowMs) : nowMs;
  const previous = recordIn(claimed);
  const { events: said, freeDays } = answer;
  const { reference } = claimed;
  const statements = { carrier: carrier.scac, identifierType: type, reference, events: said, freeDays };
  const next = recordOf(statements, previous, UNARMED, asOfMs);
  const { events, record } = changesBetween(claimed, previous, next, UNARMED, nowMs);
  for (const event of events) {
    const checked = ports.check(event.product, event.type, JSON.parse(event.data));
    if (!checked.ok) throw new Error(`${event.type} of shipment ${claimed.id}: ${checked.message}`);
  }
  return (await commit(ports, cell, claimed, record, events, nowMs))
    ? { kind: "refreshed", record, events }
    : { kind: "overtaken" };
}

const UNARMED: RecordContext = { tariffs: [], armedFromMs: null };

function recordIn(claimed: ClaimedShipment): ShipmentRecord | null {
  return claimed.record === null ? null : readRecord(claimed.record);
}

/** Skipped events written to the log, of one answer. */
const SKIPPED_LOGGED_MAX = 10;

async function commit(
  ports: RefreshPorts,
  cell: Cell,
  claimed: ClaimedShipment,
  record: ShipmentRecord,
  events: readonly RaisedEvent[],
  nowMs: number,
): Promise<boolean> {
  const endedMs = endedAtMs(record, claimed.endedAt?.getTime() ?? null, nowMs);
  const refreshed = {
    carrier: record.carrier,
    identifierType: record.identifierType,
    status: record.status,
    etaMs: record.eta?.at.ms ?? null,
    record: JSON.stringify(record),
    refreshedAtMs: nowMs,
    endedAtMs: endedMs,
    nextPollAtMs: nextPollAfterAnswer(record, endedMs, nowMs, ports.settings, ports.random.fraction()),
  };
  if (events.length === 0) return saveRefreshed(ports.database, cell, claimed, refreshed);
  const receipt = await ports.raiseWithin(cell, async (tx) =>
    (await saveRefreshed(tx, cell, claimed, refreshed)) ? events : null,
  );
  return receipt !== null;
}

type Events = Extract<CarrierAnswer, { kind: "events" }>;
type Refusal = Exclude<CarrierAnswer, Events>;
type Found = { readonly carrier: Carrier; readonly type: IdentifierType; readonly answer: Events };

/**
 * The carrier that is known, else one candidate after the other until one knows the reference. Each
 * further look begins one carrier later, so that a slow one cannot keep the others from their turn.
 */
async function askCarriers(
  ports: RefreshPorts,
  claimed: ClaimedShipment,
  deadlineMs: number,
): Promise<Found | { readonly answer: Refusal }> {
  const { reference, carrier: known, carrierHint, failures } = claimed;
  const list = candidates(ports.carriers, reference, known ?? carrierHint);
  const from = known === null && list.length > 0 ? failures % list.length : 0;
  const types = typesOf(claimed.identifierType as IdentifierType | null);
  let worst: Refusal = { kind: "not_found" };
  for (const carrier of [...list.slice(from), ...list.slice(0, from)]) {
    for (const type of types) {
      if (ports.clock.monotonicMs() >= deadlineMs) return { answer: worst };
      const answer = await fetchEvents(ports.get, carrier, type, reference, ports.clock);
      if (answer.kind === "events") return { carrier, type, answer };
      if (SEVERITY.indexOf(answer.kind) > SEVERITY.indexOf(worst.kind)) worst = answer;
      if (answer.kind === "unavailable") break;
    }
  }
  return { answer: worst };
}

/** What is said of a look at several carriers: the worst, since a carrier that was down may know more. */
const SEVERITY: readonly Refusal["kind"][] = ["not_found", "not_permitted", "unavailable"];

/** A paper's number does not tell whether it is a bill of lading or a booking: the carrier knows. */
function typesOf(type: IdentifierType | null): readonly IdentifierType[] {
  return type === null ? ["bill_of_lading", "booking"] : [type];
}

async function fail(
  ports: RefreshPorts,
  cell: Cell,
  claimed: ClaimedShipment,
  refusal: Refusal,
): Promise<RefreshOutcome> {
  const { clock, settings, random, log } = ports;
  const nowMs = clock.nowMs();
  const failure = refusal.kind === "unavailable" ? `unavailable_${refusal.reason}` : refusal.kind;
  const retryAfterMs = refusal.kind === "unavailable" ? refusal.retryAfterMs : null;
  const next = nextPollAfterFailure(claimed.failures + 1, retryAfterMs, nowMs, settings, random.fraction());
  const { id, reference, carrier } = claimed;
  const knownMs = (claimed.refreshedAt ?? claimed.createdAt).getTime();
  const endedMs = claimed.endedAt?.getTime() ?? null;
  const givenUp =
    refusal.kind === "not_found" && isGivenUp(recordIn(claimed), endedMs, knownMs, nowMs, settings);
  log.info({ shipment: id, reference, carrier, failure }, "a refresh had no answer");
  return (await saveFailedRefresh(ports.database, cell, claimed, failure, givenUp ? null : next))
    ? { kind: "failed", failure }
    : { kind: "overtaken" };
}
