/**
 * One look at one shipment:
 *
 *     claim ─▶ ask ─▶ the same as last time ────────────────────────────▶ next look
 *               ├───▶ answer ─▶ record ─▶ changes ──────────────────────▶ next look, record, events
 *               └───▶ no answer ─▶ has time changed something? ─▶ record ─▶ changes ─▶ the same
 *
 * What it comes to is saved by polling/saving.ts, the record and the events that tell of it together.
 */
import type { Clock } from "../../../runtime/clock.ts";
import type { Log } from "../../../runtime/log.ts";
import type { Random } from "../../../runtime/random.ts";
import type { Connection } from "../../../store/database.ts";
import type { ClaimedShipment } from "../../../freight/polling/store/polls.ts";
import type { Found } from "./asking.ts";
import type { BatchSettings } from "../../../freight/polling/batch.ts";
import type { Claim, Finding, Looked, LookOutcome, Looks } from "../../../freight/polling/looks.ts";
import { createRecordReader } from "../../../freight/polling/record-reader.ts";
import { nextPollAfterFailure } from "../../../freight/polling/waits.ts";
import type { CarrierDesk } from "./desk.ts";
import { findCarrier, type Refusal } from "./finding.ts";
import { isGivenUp, nextPollAfterAnswer, type PollSettings, type Standing } from "./schedule.ts";
import {
  afterAnswer,
  afterTime,
  standingOf,
  type Succession,
  type SuccessionPorts,
} from "../record/succession.ts";

export type LookPorts = SuccessionPorts & {
  readonly database: Connection;
  readonly desk: CarrierDesk;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  readonly log: Log;
  readonly polling: PollSettings;
};

export function createLooks(ports: LookPorts, batches: BatchSettings): OceanLooks {
  const read = createRecordReader(ports, batches);
  return {
    atCarrier: (claim) => lookAtCarrier(ports, claim, () => read(claim.cell, claim.claimed)),
    atTime: (cell, claimed) => lookAtTime(ports, claimed, () => read(cell, claimed)),
  };
}

type OceanLooks = Looks & { readonly atTime: NonNullable<Looks["atTime"]> };

/** The record as it is stored; null until a carrier has answered. */
type ReadStored = () => Promise<string | null>;

async function lookAtCarrier(
  ports: LookPorts,
  { claimed, deadlineMs }: Claim,
  read: ReadStored,
): Promise<Looked> {
  const found = await findCarrier(ports, claimed, deadlineMs);
  if (found.kind === "refused") return withoutAnswer(ports, claimed, found, read);
  const { answer } = found;
  if (answer.kind === "same") return looked("unchanged", await again(ports, claimed, answer.digest, read));
  return withAnswer(ports, claimed, { ...found, answer }, await read());
}

async function lookAtTime(ports: LookPorts, claimed: ClaimedShipment, read: ReadStored): Promise<Finding> {
  const nowMs = ports.clock.nowMs();
  const changed = await changedByTime(ports, claimed, nowMs, read);
  const { failures, failure, nextPollAt } = claimed;
  const result = { ...untouched(claimed), failures, failure, known: changed.known };
  const nearMs = nextPollAfterAnswer(standingOf(claimed, changed.known), nowMs, ports.polling, chance(ports));
  // What has changed may bring news of the carrier nearer; it puts no look off.
  const earlier = nextPollAt !== null && nearMs !== null && nearMs < nextPollAt.getTime();
  return {
    result: earlier ? { ...result, nextPollAtMs: nearMs } : result,
    events: changed.events,
  };
}

/** Skipped events written to the log, of one answer. */
const SKIPPED_LOGGED_MAX = 10;

async function withAnswer(
  ports: LookPorts,
  claimed: ClaimedShipment,
  { carrier, type, answer }: Found & { readonly answer: Extract<Found["answer"], { kind: "events" }> },
  stored: string | null,
): Promise<Looked> {
  const nowMs = ports.clock.nowMs();
  const { scac, asOf } = carrier;
  const { id, reference } = claimed;
  if (answer.skipped.length > 0) {
    const skipped = answer.skipped.slice(0, SKIPPED_LOGGED_MAX);
    ports.log.warn({ shipment: id, reference, carrier: scac, skipped }, "events of an answer were skipped");
  }
  const asOfMs = asOf === "answer-date" ? (answer.dateMs ?? nowMs) : nowMs;
  const { events: said, freeDays, digest } = answer;
  const statements = { carrier: scac, identifierType: type, reference, events: said, freeDays };
  const { known, events } = await afterAnswer(ports, claimed, statements, stored, { asOfMs, nowMs });
  const result = answered(ports, claimed, nowMs, standingOf(claimed, known));
  return looked("changed", { events, result: { ...result, answerDigest: digest, known } });
}

/** The carrier says what it said last time. */
async function again(
  ports: LookPorts,
  claimed: ClaimedShipment,
  answerDigest: Buffer,
  read: ReadStored,
): Promise<Finding> {
  const nowMs = ports.clock.nowMs();
  const { known, events } = await changedByTime(ports, claimed, nowMs, read);
  const result = answered(ports, claimed, nowMs, standingOf(claimed, known));
  return { events, result: { ...result, answerDigest, known } };
}

async function withoutAnswer(
  ports: LookPorts,
  claimed: ClaimedShipment,
  refusal: Refusal,
  read: ReadStored,
): Promise<Looked> {
  const { clock, polling, log } = ports;
  const nowMs = clock.nowMs();
  const { failure, retryAfterMs, unasked, asked } = refusal;
  if (unasked && claimed.carrier !== null) {
    return { kind: "postponed", waitMs: retryAfterMs ?? polling.failureWaitMs };
  }
  const { id, reference, carrier } = claimed;
  log.info({ shipment: id, reference, carrier, failure, asked }, "a look had no answer");
  const { known, events } = await changedByTime(ports, claimed, nowMs, read);
  // A carrier that says when to come back has not failed this shipment.
  const failures = claimed.failures + (unasked || retryAfterMs !== null ? 0 : 1);
  const next = nextPollAfterFailure(Math.max(failures, 1), retryAfterMs, nowMs, polling, chance(ports));
  const knownMs = (claimed.refreshedAt ?? claimed.createdAt).getTime();
  const isOver = refusal.final && isGivenUp(standingOf(claimed, known), knownMs, nowMs, polling);
  return {
    kind: "looked",
    outcome: outcomeOf(failure),
    answered: !isUnavailable(failure),
    finding: {
      events,
      result: {
        ...untouched(claimed),
        failures,
        failure,
        nextPollAtMs: isOver ? null : next,
        known,
      },
    },
  };
}

function outcomeOf(failure: Refusal["failure"]): LookOutcome {
  if (isUnavailable(failure)) return "unavailable";
  return failure === "wrong_carrier_not_asked" ? "wrong_carrier" : failure;
}

function isUnavailable(failure: Refusal["failure"]): failure is `unavailable_${string}` {
  return failure.startsWith("unavailable_");
}

/** What time alone has changed, where it is due. */
async function changedByTime(
  ports: LookPorts,
  claimed: ClaimedShipment,
  nowMs: number,
  read: ReadStored,
): Promise<Succession> {
  if (claimed.changesAt === null || claimed.changesAt.getTime() > nowMs) return UNCHANGED;
  const stored = await read();
  return stored === null ? UNCHANGED : afterTime(ports, claimed, stored, nowMs);
}

const UNCHANGED: Succession = { known: null, events: [] };

function chance({ random }: LookPorts): number {
  return random.fraction();
}

function looked(outcome: LookOutcome, finding: Finding): Looked {
  return { kind: "looked", outcome, answered: true, finding };
}

function untouched(claimed: ClaimedShipment) {
  return {
    claimed,
    nextPollAtMs: claimed.nextPollAt?.getTime() ?? null,
    refreshedAtMs: null,
    answerDigest: null,
  };
}

function answered(ports: LookPorts, claimed: ClaimedShipment, nowMs: number, standing: Standing) {
  const nextPollAtMs = nextPollAfterAnswer(standing, nowMs, ports.polling, chance(ports));
  return { claimed, nextPollAtMs, failures: 0, failure: null, refreshedAtMs: nowMs };
}
