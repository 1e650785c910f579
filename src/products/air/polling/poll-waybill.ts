/**
 * One poll of one waybill. The airline's answer and its pushed messages count alike:
 *
 *     claim ─▶ poll ─▶ answer, and pushed messages ─▶ record ─▶ changes ─▶ next poll, record, events
 *                ├───▶ not found ─▶ the messages alone ──────────────────▶ the same, with a growing wait
 *                ├───▶ no answer ─▶ the messages, if there are any ──────▶ the same, with a growing wait
 *                ├───▶ not polled (quota, breaker) ─▶ postponed
 *                └───▶ not polled (its account has lost the entitlement) ─▶ the next poll, which asks again
 *
 * An airline that only pushes is not polled. A message that comes between two polls is ingested by itself
 * (`reevaluate`), even if the airline cannot be polled.
 */
import { hasOwnTime } from "../../../freight/sources/as-of.ts";
import type { Random } from "../../../runtime/random.ts";
import type { CheckEventData } from "../../../model/event-check.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import { isUrgent, type ClaimedShipment } from "../../../freight/polling/store/polls.ts";
import type { BatchBounds } from "../../../engine/batch-writer.ts";
import {
  createPollHandler,
  type Claim,
  type Polled,
  type PollHandler,
  type ReadStored,
} from "../../../freight/polling/poll-handler.ts";
import { nextPollAfter } from "../../../freight/work/backoff.ts";
import { unavailable, type NoAnswer } from "../../../freight/upstream/no-answer.ts";
import type { AirlineAnswer } from "../sources/airline-answer.ts";
import { configuredAirline, type Airline } from "../sources/airlines/airlines-file.ts";
import { awbOf } from "../../../freight/references/awb.ts";
import type { AirlineClient } from "../sources/airline-client.ts";
import type { IsEntitled } from "./entitled.ts";
import { isTrackingOver, waitAfterAnswer, type AirPollSettings } from "./poll-schedule.ts";
import type { WaybillStatement } from "../timeline/air-event.ts";
import { pushedStatementsOf, type PushedMessagesPorts } from "../sources/pushed-messages.ts";
import { reduceStatements, trackingStateOf, type ReducedWaybill } from "../record/reduce-statements.ts";

export type AirPollPorts = Pick<NodeContext, "database" | "clock" | "log"> & {
  readonly index: PushedMessagesPorts["index"];
  readonly airlines: readonly Airline[];
  readonly client: Pick<AirlineClient, "fetch">;
  readonly check: CheckEventData;
  readonly random: Pick<Random, "fraction">;
  readonly polling: AirPollSettings;
  readonly isEntitled: IsEntitled;
};

export function createAirPollHandler(ports: AirPollPorts, batches: BatchBounds): PollHandler {
  return createPollHandler(ports, batches, {
    waits: ports.polling,
    poll: (claim, read) => pollAirline(ports, claim, read),
    async reevaluate(_cell, claimed, read) {
      const stored = await read();
      const airline = configuredAirline(ports.airlines, awbOf(claimed.reference).prefix);
      const pushed = await readPushed(ports, claimed, stored);
      const { known: state, events } = reduce(ports, claimed, airline, pushed, stored);
      return { events, state };
    },
  });
}

/** False for an airline that only pushes. */
export function isPolled({ sources }: Airline): boolean {
  return sources.some(({ kind }) => kind !== "push");
}

async function pollAirline(
  ports: AirPollPorts,
  { claimed, deadlineMs }: Claim,
  read: ReadStored,
): Promise<Polled> {
  const airline = configuredAirline(ports.airlines, awbOf(claimed.reference).prefix);
  if (airline === null) throw new Error(`waybill ${claimed.reference} is in the source queue of no airline`);
  const isDue = isUrgent(claimed) || (await ports.isEntitled(claimed.accountId));
  if (!isDue) return unentitledPoll(ports, claimed);
  const answer = isPolled(airline) ? await fetchBefore(ports, airline, claimed, deadlineMs) : null;
  const waitMs = answer === null ? null : postponedWaitMs(answer, ports.polling);
  if (waitMs !== null) return { kind: "postponed", waitMs };
  const stored = await read();
  const pushed = await readPushed(ports, claimed, stored);
  const statements = answer?.kind === "statement" ? [answer.statement, ...pushed] : pushed;
  const reduced = (): ReducedWaybill => reduce(ports, claimed, airline, statements, stored);
  switch (answer?.kind) {
    case "not_found":
      return unansweredPoll(ports, claimed, answer, reduced());
    case "not_permitted":
    case "unavailable": {
      const isAwaited = stored === null && claimed.failures < FIRST_POLL_TRIES;
      return unansweredPoll(ports, claimed, answer, isAwaited || pushed.length === 0 ? null : reduced());
    }
    case "statement":
      logProblems(ports, claimed, answer.problems);
      return answeredPoll(ports, answer.digest, reduced());
    case "unchanged":
    case undefined:
      return answeredPoll(ports, answer?.digest ?? null, reduced());
  }
}

function reduce(
  { check, clock, log }: AirPollPorts,
  claimed: ClaimedShipment,
  airline: Airline | null,
  statements: readonly WaybillStatement[],
  stored: string | null,
): ReducedWaybill {
  const reduced = reduceStatements(check, claimed, airline, statements, stored, clock.nowMs());
  logProblems({ log }, claimed, reduced.problems);
  return reduced;
}

/**
 * Polls before a first record is made of pushed messages alone: statuses reached in the past that they leave out would
 * be raised by the airline's later answer.
 */
const FIRST_POLL_TRIES = 3;

function unentitledPoll({ clock, polling, random }: AirPollPorts, claimed: ClaimedShipment): Polled {
  const nowMs = clock.nowMs();
  const waitMs = waitAfterAnswer(trackingStateOf(claimed), nowMs, polling);
  const nextPollAtMs = nextPollAfter(waitMs, nowMs, polling, random.fraction());
  return { kind: "unasked", outcome: "not_entitled", nextPollAtMs };
}

function answeredPoll(
  { clock, polling }: AirPollPorts,
  answerDigest: Buffer | null,
  { known, events, state, isUnchanged }: ReducedWaybill,
): Polled {
  const atMs = clock.nowMs();
  const waitMs = waitAfterAnswer(state, atMs, polling);
  const outcome = isUnchanged ? "unchanged" : "changed";
  return { kind: "answered", outcome, answerDigest, atMs, waitMs, events, state: isUnchanged ? null : known };
}

/** `reduced`: the record from pushed messages alone; null leaves the stored record. */
function unansweredPoll(
  { clock, polling }: AirPollPorts,
  claimed: ClaimedShipment,
  answer: NoAnswer,
  reduced: ReducedWaybill | null,
): Polled {
  const nowMs = clock.nowMs();
  const isUnavailable = answer.kind === "unavailable";
  return {
    kind: "unanswered",
    outcome: answer.kind,
    failure: isUnavailable ? `unavailable_${answer.reason}` : answer.kind,
    retryAfterMs: isUnavailable ? answer.retryAfterMs : null,
    waits: isUnavailable ? polling : { ...polling, backoffMsMax: polling.notFoundWaitMsMax },
    isOver: isTrackingOver(reduced?.state ?? trackingStateOf(claimed), nowMs, polling),
    // "Not found" is an answer, as fresh as any.
    refreshedAtMs: answer.kind === "not_found" ? nowMs : null,
    events: reduced?.events ?? [],
    state: reduced === null || reduced.isUnchanged ? null : reduced.known,
  };
}

/** The record has ingested all but the latest. Rejects without a record if not all can be read. */
async function readPushed(
  ports: AirPollPorts,
  { id, reference }: ClaimedShipment,
  stored: string | null,
): Promise<readonly WaybillStatement[]> {
  const { statements, failures } = await pushedStatementsOf(ports, reference);
  const [cause] = failures;
  if (cause === undefined) return statements;
  if (stored === null) throw cause;
  ports.log.warn({ shipment: id, reference, cause }, "pushed messages wait for the next poll");
  return statements;
}

/** `unavailable` without an answer by `deadlineMs` of the monotonic clock. */
async function fetchBefore(
  { client, clock }: AirPollPorts,
  airline: Airline,
  { reference, answerDigest, status }: ClaimedShipment,
  deadlineMs: number,
): Promise<AirlineAnswer> {
  // The same answer of a replayed airline may mean something else on a later date.
  const digest = hasOwnTime(airline) ? null : answerDigest;
  const isUnresolved = status === "pending" || status === "unknown";
  const { promise: deadline, resolve } = Promise.withResolvers<AirlineAnswer>();
  const cancel = clock.after(Math.max(0, deadlineMs - clock.monotonicMs()), () =>
    resolve(unavailable("deadline")),
  );
  try {
    return await Promise.race([client.fetch(airline, reference, digest, isUnresolved), deadline]);
  } finally {
    cancel();
  }
}

/** Null: the airline was polled. */
function postponedWaitMs(answer: AirlineAnswer, { backoffMs }: AirPollSettings): number | null {
  if (answer.kind !== "unavailable") return null;
  const isUnpolled = answer.reason === "quota" || answer.reason === "breaker_open";
  return isUnpolled ? (answer.retryAfterMs ?? backoffMs) : null;
}

/** Logged of one answer. */
const PROBLEMS_LOGGED_MAX = 10;

function logProblems(
  { log }: Pick<AirPollPorts, "log">,
  { id, reference }: ClaimedShipment,
  all: readonly string[],
): void {
  if (all.length === 0) return;
  const problems = all.slice(0, PROBLEMS_LOGGED_MAX);
  log.warn({ shipment: id, reference, problems }, "parts of what an airline said could not be used");
}
