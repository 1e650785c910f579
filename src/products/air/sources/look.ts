/**
 * One look at one waybill. What the airline answers and what it has pushed count alike:
 *
 *     claim ─▶ ask ─▶ answer, and the messages pushed ─▶ record ─▶ changes ─▶ next look, record, events
 *               ├───▶ it does not know the waybill ─▶ the messages alone ───▶ the same, and a growing wait
 *               ├───▶ no answer ─▶ the messages, where there are any ───────▶ likewise
 *               └───▶ not asked (quota, breaker) ─▶ given back
 *
 * An airline that only pushes is not asked. A message that comes between two looks is looked at by itself
 * (`atTime`), whether or not the airline can be asked.
 */
import type { Clock } from "../../../runtime/clock.ts";
import type { Log } from "../../../runtime/log.ts";
import type { Random } from "../../../runtime/random.ts";
import type { CheckEventData } from "../../../model/event-check.ts";
import type { Connection } from "../../../store/database.ts";
import type { ClaimedShipment } from "../../../freight/polling/store/polls.ts";
import type { BatchSettings } from "../../../freight/polling/batch.ts";
import type { Claim, Finding, Looked, LookOutcome, Looks } from "../../../freight/polling/looks.ts";
import { createRecordReader } from "../../../freight/polling/record-reader.ts";
import { nextPollAfterFailure } from "../../../freight/polling/waits.ts";
import type { WaybillStatement } from "../timeline/air-event.ts";
import type { AirlineAnswer } from "./airline-answer.ts";
import { airlineWith, type Airline } from "./airlines/airlines-file.ts";
import { awbOf } from "../../../freight/references/awb.ts";
import type { AirlineDesk } from "./desk.ts";
import { isOver, nextLook, type AirPollSettings } from "./schedule.ts";
import { afterStatements, standingOf, type Succession } from "../record/succession.ts";

export type AirLookPorts = {
  readonly database: Connection;
  readonly airlines: readonly Airline[];
  readonly desk: Pick<AirlineDesk, "ask">;
  /** All that the airline has pushed of a waybill. */
  readonly messagesOf: (awb: string) => Promise<readonly WaybillStatement[]>;
  readonly check: CheckEventData;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  readonly log: Log;
  readonly polling: AirPollSettings;
};

type NoAnswer = Exclude<AirlineAnswer, { kind: "statement" | "same" }>;

export function createAirLooks(ports: AirLookPorts, batches: BatchSettings): Looks {
  const read = createRecordReader(ports, batches);
  return {
    async atCarrier(claim) {
      return lookAtAirline(ports, claim, () => read(claim.cell, claim.claimed));
    },
    async atTime(cell, claimed) {
      return lookAtMessages(ports, claimed, await read(cell, claimed));
    },
  };
}

/** Whether an airline has an API that can be asked, or only pushes. */
export function isAsked({ sources }: Airline): boolean {
  return sources.some(({ kind }) => kind !== "push");
}

async function lookAtAirline(
  ports: AirLookPorts,
  { claimed, deadlineMs }: Claim,
  read: () => Promise<string | null>,
): Promise<Looked> {
  const airline = airlineWith(ports.airlines, awbOf(claimed.reference).prefix);
  if (airline === null) throw new Error(`waybill ${claimed.reference} is in the lane of no airline`);
  const answer = isAsked(airline) ? await answerBy(ports, airline, claimed, deadlineMs) : null;
  const waitMs = answer === null ? null : unaskedWaitMs(answer, ports.polling);
  if (waitMs !== null) return { kind: "postponed", waitMs };
  const pushed = await ports.messagesOf(claimed.reference);
  const statements = answer?.kind === "statement" ? [answer.statement, ...pushed] : pushed;
  const stored = await read();
  const after = (): Succession =>
    afterStatements(ports.check, claimed, airline, statements, stored, ports.clock.nowMs());
  switch (answer?.kind) {
    case "not_found":
      return withoutAnswer(ports, claimed, answer, after());
    case "not_permitted":
    case "unavailable": {
      const isAwaited = stored === null && claimed.failures < FIRST_LOOK_TRIES;
      return withoutAnswer(ports, claimed, answer, isAwaited || pushed.length === 0 ? null : after());
    }
    case "statement":
      tellProblems(ports, claimed, answer.problems);
      return withAnswer(ports, claimed, answer.digest, after());
    case "same":
      return withAnswer(ports, claimed, answer.digest, after());
    case undefined:
      return withAnswer(ports, claimed, null, after());
  }
}

/**
 * So often a first look waits for the airline before the messages alone are one: what they leave out of the
 * past would be news afterwards.
 */
const FIRST_LOOK_TRIES = 3;

function withAnswer(
  { clock, polling, random }: AirLookPorts,
  claimed: ClaimedShipment,
  answerDigest: Buffer | null,
  { known, events, standing, isSame }: Succession,
): Looked {
  const nowMs = clock.nowMs();
  const nextPollAtMs = nextLook(standing, nowMs, polling, random.fraction());
  const after = { failures: 0, failure: null, refreshedAtMs: nowMs, answerDigest };
  const result = { claimed, nextPollAtMs, ...after, known: isSame ? null : known };
  return looked(isSame ? "unchanged" : "changed", true, { events, result });
}

/** `next` is what follows from messages alone; that an airline knows nothing is known as well. */
function withoutAnswer(
  { clock, polling, random, log }: AirLookPorts,
  claimed: ClaimedShipment,
  answer: NoAnswer,
  next: Succession | null,
): Looked {
  const nowMs = clock.nowMs();
  const isUnavailable = answer.kind === "unavailable";
  const failure = isUnavailable ? `unavailable_${answer.reason}` : answer.kind;
  const retryAfterMs = isUnavailable ? answer.retryAfterMs : null;
  log.info({ shipment: claimed.id, reference: claimed.reference, failure }, "a look had no answer");
  // An airline that says when to come back has not failed this waybill.
  const failures = claimed.failures + (retryAfterMs === null ? 1 : 0);
  const waits = isUnavailable ? polling : { ...polling, failureWaitMsMax: polling.notFoundWaitMsMax };
  const nextMs = nextPollAfterFailure(Math.max(failures, 1), retryAfterMs, nowMs, waits, random.fraction());
  const finding: Finding = {
    events: next?.events ?? [],
    result: {
      claimed,
      nextPollAtMs: isOver(next?.standing ?? standingOf(claimed), nowMs, polling) ? null : nextMs,
      failures,
      failure,
      // That it does not know a waybill is an answer, and as fresh as any.
      refreshedAtMs: answer.kind === "not_found" ? nowMs : null,
      answerDigest: null,
      known: next === null || next.isSame ? null : next.known,
    },
  };
  return looked(isUnavailable ? "unavailable" : answer.kind, !isUnavailable, finding);
}

async function lookAtMessages(
  { airlines, messagesOf, check, clock }: AirLookPorts,
  claimed: ClaimedShipment,
  stored: string | null,
): Promise<Finding> {
  const awb = claimed.reference;
  const airline = airlineWith(airlines, awbOf(awb).prefix);
  const { known, events } = afterStatements(
    check,
    claimed,
    airline,
    await messagesOf(awb),
    stored,
    clock.nowMs(),
  );
  const { failures, failure, nextPollAt } = claimed;
  const nextPollAtMs = nextPollAt?.getTime() ?? null;
  const unasked = { failures, failure, refreshedAtMs: null, answerDigest: null };
  return { events, result: { claimed, nextPollAtMs, ...unasked, known } };
}

/** The airline's answer, or that there was none by `deadlineMs` of the monotonic clock. */
async function answerBy(
  { desk, clock }: AirLookPorts,
  airline: Airline,
  { reference, answerDigest }: ClaimedShipment,
  deadlineMs: number,
): Promise<AirlineAnswer> {
  // Of one that is replayed, the same answer may say something else on a later date.
  const digest = airline.asOf === "answer-date" ? null : answerDigest;
  const { promise: late, resolve } = Promise.withResolvers<AirlineAnswer>();
  const cancel = clock.after(Math.max(0, deadlineMs - clock.monotonicMs()), () =>
    resolve({ kind: "unavailable", reason: "deadline", retryAfterMs: null }),
  );
  try {
    return await Promise.race([desk.ask(airline, reference, digest), late]);
  } finally {
    cancel();
  }
}

/** Null: it was asked. */
function unaskedWaitMs(answer: AirlineAnswer, { failureWaitMs }: AirPollSettings): number | null {
  if (answer.kind !== "unavailable") return null;
  const isUnasked = answer.reason === "quota" || answer.reason === "breaker_open";
  return isUnasked ? (answer.retryAfterMs ?? failureWaitMs) : null;
}

/** Problems written to the log, of one answer. */
const PROBLEMS_LOGGED_MAX = 10;

function tellProblems(
  { log }: AirLookPorts,
  { id, reference }: ClaimedShipment,
  all: readonly string[],
): void {
  if (all.length === 0) return;
  const problems = all.slice(0, PROBLEMS_LOGGED_MAX);
  log.warn({ shipment: id, reference, problems }, "parts of an airline's answer could not be read");
}

function looked(outcome: LookOutcome, isAnswered: boolean, finding: Finding): Looked {
  return { kind: "looked", outcome, answered: isAnswered, finding };
}
