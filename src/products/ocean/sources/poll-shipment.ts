/**
 * One poll of one shipment, which loads its history and keeps it live (spec 1: container_tracking):
 *
 *     claim ─▶ fetch ─▶ same answer ─▶ re-evaluate if due ─────┬─▶ next poll, record, events
 *                ├────▶ answer ─▶ next record ─▶ changes ──────┤
 *                └────▶ no answer ─▶ re-evaluate if due ───────┘
 *
 * What was imported of the shipment counts beside the answer, and without one as well (`imported/ingest.ts`). The poller
 * writes the result: the record together with its events.
 */
import type { Connection } from "../../../store/database.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import type { ClaimedShipment } from "../../../freight/polling/store/polls.ts";
import type { Found } from "./poll-carriers.ts";
import type { BatchBounds } from "../../../engine/batch-writer.ts";
import type {
  Claim,
  PollUpdate,
  PollReply,
  PollOutcome,
  PollHandler,
} from "../../../freight/polling/poll-handler.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";
import { createRecordReader } from "../../../freight/polling/record-reader.ts";
import { nextPollAfterFailure } from "../../../freight/work/backoff.ts";
import { createAccountWaits, type AccountWaits } from "./account-waits.ts";
import type { CarrierClient } from "./carrier-client.ts";
import { utcText } from "../../../model/instant.ts";
import type { CarrierAnswer } from "./carrier-event.ts";
import { believedAt } from "../timeline/early-actuals.ts";
import { findCarrier, type Refusal } from "./find-carrier.ts";
import {
  ingestImports,
  mayBeImported,
  NO_IMPORTS,
  readImports,
  takesImports,
  type IngestPorts,
} from "./imported/ingest.ts";
import { withImports } from "./imported/merge.ts";
import { lacksNoMore, othersReader } from "./read-others.ts";
import {
  isGivenUp,
  nextPollAfterAnswer,
  type PollScheduleSettings,
  type PollState,
} from "./poll-schedule.ts";
import {
  historyOf,
  reduceBehind,
  reduceTime,
  pollStateOf,
  type Reduction,
} from "../record/reduce-shipment.ts";
import {
  POLLER_DEFAULTS,
  type Poller,
  type PollerSettings,
  batchSettings,
  createPoller as createPollerOf,
  type PollerPorts as AnyPollerPorts,
} from "../../../freight/polling/poller.ts";
import type { Cell } from "../../../store/cell.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";

export type PollHandlerPorts = IngestPorts &
  Pick<NodeContext, "clock" | "log"> & {
    readonly database: Connection;
    readonly client: CarrierClient;
    readonly random: Pick<NodeContext["random"], "fraction">;
    readonly polling: PollScheduleSettings;
  };

export function createPollHandler(ports: PollHandlerPorts, batches: BatchBounds): OceanPollHandler {
  const read = createRecordReader(ports, batches);
  const polling = { ...ports, accountWaits: createAccountWaits(ports.carriers, ports.log) };
  return {
    poll: (claim) => pollShipment(polling, claim, () => read(claim.cell, claim.claimed)),
    reevaluate: (cell, claimed) => reevaluate(ports, cell, claimed, () => read(cell, claimed)),
  };
}

type OceanPollHandler = PollHandler & { readonly reevaluate: NonNullable<PollHandler["reevaluate"]> };

/** Null until a carrier has answered. */
type ReadStoredRecord = () => Promise<string | null>;

type PollPorts = PollHandlerPorts & { readonly accountWaits: AccountWaits };

async function pollShipment(
  ports: PollPorts,
  { cell, claimed, deadlineMs }: Claim,
  read: ReadStoredRecord,
): Promise<PollReply> {
  // Beside imports even a known answer is read again: the record does not tell which statements are the carrier's.
  const isAlone = !(await mayBeImported(ports, claimed));
  const readOthers = othersReader(ports, cell, claimed, read);
  const sought = { ...claimed, readOthers, ...(isAlone ? {} : { answerDigest: null }) };
  const found = await findCarrier(ports, sought, deadlineMs);
  if (found.kind === "refused") return onNoAnswer(ports, claimed, found, read);
  const { answer } = found;
  if (answer.kind === "unchanged")
    return polled("unchanged", await onSameAnswer(ports, claimed, answer.digest, read));
  return onAnswer(ports, claimed, { ...found, answer }, await read());
}

async function reevaluate(
  ports: PollHandlerPorts,
  cell: Cell,
  claimed: ClaimedShipment,
  read: ReadStoredRecord,
): Promise<PollUpdate> {
  const nowMs = ports.clock.nowMs();
  const imported = await ingestImports(ports, claimed, read, nowMs);
  const changed = imported ?? (await reevaluateIfDue(ports, claimed, nowMs, read));
  const { failures, failure, nextPollAt } = claimed;
  const refreshedAtMs = imported?.state ? nowMs : null;
  const result = { ...unchangedPoll(claimed), failures, failure, refreshedAtMs, state: changed.state };
  const state = pollStateOf(claimed, changed.state);
  const nearMs = nextPollAfterAnswer(state, nowMs, ports.polling, ports.random.fraction());
  // A change may make the next poll earlier, never later.
  const earlier = nextPollAt !== null && nearMs !== null && nearMs < nextPollAt.getTime();
  if (imported !== null && (await lacksNoMore(claimed, othersReader(ports, cell, claimed, read))))
    return { result: { ...result, nextPollAtMs: nowMs }, events: changed.events };
  return { result: earlier ? { ...result, nextPollAtMs: nearMs } : result, events: changed.events };
}

const PROBLEMS_LOGGED_MAX = 10;

/** Of no answer. */
const NO_DIGEST = Buffer.alloc(0);

async function onAnswer(
  ports: PollHandlerPorts,
  claimed: ClaimedShipment,
  { carrier, type, answer }: Found & { readonly answer: Extract<Found["answer"], { kind: "events" }> },
  stored: string | null,
): Promise<PollReply> {
  const nowMs = ports.clock.nowMs();
  const { scac, asOf } = carrier;
  const { id, reference } = claimed;
  const asOfMs = asOf === "answer-date" ? (answer.dateMs ?? nowMs) : nowMs;
  logProblems(ports, { shipment: id, reference, carrier: scac }, answer, asOfMs);
  const { freeDays, digest, incomplete } = answer;
  const imported = takesImports(carrier) ? await readImports(ports, claimed, stored) : NO_IMPORTS;
  const about = {
    ...{ carrier: scac, identifierType: type, reference, freeDays },
    events: withImports(answer.events, imported.events),
    withdrawn: [...(answer.withdrawn ?? []), ...imported.withdrawn],
    ...(carrier.accounts?.[claimed.accountId] === undefined ? {} : { isPrivate: true as const }),
    ...(incomplete === undefined ? {} : { incomplete }),
  };
  // A record of imports alone does not make the carrier's own history new.
  const isFirst = claimed.carrier === null && stored !== null;
  const known = isFirst ? withImports(historyOf(answer.events, claimed), imported.events) : null;
  const reduced = await reduceBehind(ports, claimed, known, about, stored, { asOfMs, nowMs });
  const { state, isDoubted } = reduced;
  const result = answeredPoll(ports, claimed, nowMs, pollStateOf(claimed, state));
  return polled("changed", {
    events: reduced.events,
    result: { ...result, answerDigest: isDoubted ? NO_DIGEST : digest, state },
  });
}

function logProblems(
  { log }: PollHandlerPorts,
  about: object,
  { skipped, events, incomplete }: Extract<CarrierAnswer, { kind: "events" }>,
  asOfMs: number,
): void {
  if (incomplete === true) log.warn(about, "an answer was cut, and what it leaves out is not retracted");
  if (skipped.length > 0) {
    log.warn(
      { ...about, skipped: skipped.slice(0, PROBLEMS_LOGGED_MAX) },
      "events of an answer were skipped",
    );
  }
  const early = events.filter((event) => believedAt(event, asOfMs).early === true);
  if (early.length > 0) {
    const shown = early.slice(0, PROBLEMS_LOGGED_MAX).map(({ code, at }) => `${code} ${utcText(at.ms)}`);
    log.warn({ ...about, early: shown }, "actual events of an answer lie in the future");
  }
}

async function onSameAnswer(
  ports: PollHandlerPorts,
  claimed: ClaimedShipment,
  answerDigest: Buffer,
  read: ReadStoredRecord,
): Promise<PollUpdate> {
  const nowMs = ports.clock.nowMs();
  const { state, events } = await reevaluateIfDue(ports, claimed, nowMs, read);
  const result = answeredPoll(ports, claimed, nowMs, pollStateOf(claimed, state));
  return { events, result: { ...result, answerDigest, state } };
}

async function onNoAnswer(
  ports: PollPorts,
  claimed: ClaimedShipment,
  refusal: Refusal,
  read: ReadStoredRecord,
): Promise<PollReply> {
  const { clock, polling, log } = ports;
  const nowMs = clock.nowMs();
  const { failure, retryAfterMs, notSent, replies } = refusal;
  if (notSent && claimed.carrier !== null) {
    const waitMs = retryAfterMs ?? polling.backoffMs;
    const waiting = failure === "unavailable_quota" ? ports.accountWaits(claimed, waitMs, nowMs) : null;
    return waiting ?? { kind: "postponed", waitMs };
  }
  const { id, reference, carrier } = claimed;
  log.info({ shipment: id, reference, carrier, failure, asked: replies }, "a poll had no answer");
  const imported = await ingestImports(ports, claimed, read, nowMs);
  const { state, events } = imported ?? (await reevaluateIfDue(ports, claimed, nowMs, read));
  // A carrier that asks for a wait has not failed this shipment.
  const failures = claimed.failures + (notSent || retryAfterMs !== null ? 0 : 1);
  const fraction = ports.random.fraction();
  const next = nextPollAfterFailure(Math.max(failures, 1), retryAfterMs, nowMs, polling, fraction);
  const refreshedAtMs = imported?.state ? nowMs : null;
  const knownMs = refreshedAtMs ?? (claimed.refreshedAt ?? claimed.createdAt).getTime();
  const isOver = refusal.final && isGivenUp(pollStateOf(claimed, state), knownMs, nowMs, polling);
  return {
    kind: "polled",
    outcome: outcomeOf(failure),
    answered: !isUnavailable(failure),
    update: {
      events,
      result: {
        ...unchangedPoll(claimed),
        ...{ failures, failure, nextPollAtMs: isOver ? null : next, refreshedAtMs, state },
      },
    },
  };
}

function outcomeOf(failure: Refusal["failure"]): PollOutcome {
  if (isUnavailable(failure)) return "unavailable";
  if (isLacking(failure)) return "not_found";
  return failure === "wrong_carrier_not_asked" ? "wrong_carrier" : failure;
}

function isLacking(failure: Refusal["failure"]): failure is `needs_${IdentifierType}` {
  return failure.startsWith("needs_");
}

function isUnavailable(failure: Refusal["failure"]): failure is `unavailable_${string}` {
  return failure.startsWith("unavailable_");
}

async function reevaluateIfDue(
  ports: PollHandlerPorts,
  claimed: ClaimedShipment,
  nowMs: number,
  read: ReadStoredRecord,
): Promise<Reduction> {
  if (claimed.changesAt === null || claimed.changesAt.getTime() > nowMs) return UNCHANGED;
  const stored = await read();
  return stored === null ? UNCHANGED : reduceTime(ports, claimed, stored, nowMs);
}

const UNCHANGED: Reduction = { state: null, events: [], isDoubted: false };

function polled(outcome: PollOutcome, update: PollUpdate): PollReply {
  return { kind: "polled", outcome, answered: true, update };
}

function unchangedPoll(claimed: ClaimedShipment) {
  const nextPollAtMs = claimed.nextPollAt?.getTime() ?? null;
  return { claimed, nextPollAtMs, refreshedAtMs: null, answerDigest: null };
}

function answeredPoll(ports: PollHandlerPorts, claimed: ClaimedShipment, nowMs: number, state: PollState) {
  const nextPollAtMs = nextPollAfterAnswer(state, nowMs, ports.polling, ports.random.fraction());
  return { claimed, nextPollAtMs, failures: 0, failure: null, refreshedAtMs: nowMs };
}

export type PollerPorts = PollHandlerPorts & AnyPollerPorts;

export const UNKNOWN_CARRIER = "";

/** A source queue for each carrier, and one for shipments of an unknown carrier. */
export function createPoller(
  ports: PollerPorts,
  cells: readonly Cell[],
  settings: PollerSettings = POLLER_DEFAULTS,
): Poller {
  const { carriers, client } = ports;
  const kind = {
    product: OCEAN_PRODUCT,
    handler: createPollHandler(ports, batchSettings(settings)),
    slots: new Map([
      [UNKNOWN_CARRIER, settings.slotsPerSource],
      ...carriers.map(({ scac, requestsMax }) => [scac, requestsMax ?? settings.slotsPerSource] as const),
    ]),
    isBreakerOpen: (source: string) => source !== UNKNOWN_CARRIER && client.isBreakerOpen(source),
  };
  return createPollerOf(ports, kind, cells, settings);
}
