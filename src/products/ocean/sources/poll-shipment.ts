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
import { hasOwnTime, timeOfAnswer } from "../../../freight/sources/as-of.ts";
import type { BatchBounds } from "../../../engine/batch-writer.ts";
import { createAccountWaits, type AccountWaits } from "../../../freight/polling/account-waits.ts";
import {
  createPollHandler,
  type Claim,
  type Polled,
  type PollHandler,
  type ReadStored,
  type Reevaluated,
} from "../../../freight/polling/poll-handler.ts";
import {
  POLLER_DEFAULTS,
  type Poller,
  type PollerSettings,
  createPoller as createPollerOf,
  type PollerPorts as AnyPollerPorts,
  UNKNOWN_SOURCE,
} from "../../../freight/polling/poller.ts";
import type { ClaimedShipment } from "../../../freight/polling/store/polls.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";
import { shipmentReadGiven } from "../../../freight/tracking/store/shipments.sql.ts";
import { nextPollAfter } from "../../../freight/work/backoff.ts";
import { utcText } from "../../../model/instant.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import {
  historyOf,
  reduceBehind,
  reduceTime,
  pollStateOf,
  type Reduction,
} from "../record/reduce-shipment.ts";
import { believedAt } from "../timeline/early-actuals.ts";
import type { CarrierClient } from "./carrier-client.ts";
import type { CarrierAnswer } from "./carrier-event.ts";
import { carrierNamed } from "./carriers.ts";
import { findCarrier, type Refusal } from "./find-carrier.ts";
import {
  ingestImports,
  mayBeImported,
  NO_IMPORTS,
  readImports,
  type IngestPorts,
} from "./imported/ingest.ts";
import { withImports } from "./imported/merge.ts";
import { knownReferences, readGiven, type ReadKnownReferences } from "./known-references.ts";
import type { Found } from "./poll-carriers.ts";
import { isGivenUp, waitAfterAnswer, type PollScheduleSettings } from "./poll-schedule.ts";
import { KINDS } from "./question-schema.ts";

export type PollHandlerPorts = IngestPorts &
  Pick<NodeContext, "clock" | "log"> & {
    readonly database: Connection;
    readonly client: CarrierClient;
    readonly random: Pick<NodeContext["random"], "fraction">;
    readonly polling: PollScheduleSettings;
  };

export function createShipmentPollHandler(ports: PollHandlerPorts, batches: BatchBounds): PollHandler {
  const polling = { ...ports, accountWaits: createAccountWaits(ports.log) };
  return createPollHandler(ports, batches, {
    waits: ports.polling,
    poll: (claim, read) => pollShipment(polling, claim, read),
    reevaluate: (cell, claimed, read) => reevaluate(ports, cell, claimed, read),
  });
}

type PollPorts = PollHandlerPorts & { readonly accountWaits: AccountWaits };

async function pollShipment(
  ports: PollPorts,
  { cell, claimed, deadlineMs }: Claim,
  read: ReadStored,
): Promise<Polled> {
  // Beside imports even a known answer is read again: the record does not tell which statements are the carrier's.
  const isAlone = !(await mayBeImported(ports, claimed));
  const readOthers = othersReader(ports, cell, claimed, read);
  const sought = { ...claimed, readOthers, ...(isAlone ? {} : { answerDigest: null }) };
  const found = await findCarrier(ports, sought, deadlineMs);
  if (found.kind === "refused") return onNoAnswer(ports, claimed, found, read);
  const { answer } = found;
  if (answer.kind === "events") return onAnswer(ports, claimed, { ...found, answer }, await read());
  const nowMs = ports.clock.nowMs();
  const reduction = await reevaluateIfDue(ports, claimed, nowMs, read);
  return answeredPoll(ports, claimed, nowMs, "unchanged", answer.digest, reduction);
}

async function reevaluate(
  ports: PollHandlerPorts,
  cell: Cell,
  claimed: ClaimedShipment,
  read: ReadStored,
): Promise<Reevaluated> {
  const { polling, random } = ports;
  const nowMs = ports.clock.nowMs();
  const imported = await ingestImports(ports, claimed, read, nowMs);
  const { state, events } = imported ?? (await reevaluateIfDue(ports, claimed, nowMs, read));
  const changed = { state, events, refreshedAtMs: imported?.state ? nowMs : null };
  if (imported !== null && (await lacksNoMore(claimed, othersReader(ports, cell, claimed, read))))
    return { ...changed, nextPollAtMs: nowMs };
  const waitMs = waitAfterAnswer(pollStateOf(claimed, state), nowMs, polling);
  const nearMs = nextPollAfter(waitMs, nowMs, polling, random.fraction());
  // A change may make the next poll earlier, never later.
  const isEarlier = claimed.nextPollAt !== null && nearMs !== null && nearMs < claimed.nextPollAt.getTime();
  return isEarlier ? { ...changed, nextPollAtMs: nearMs } : changed;
}

const PROBLEMS_LOGGED_MAX = 10;

/** Of no answer. */
const NO_DIGEST = Buffer.alloc(0);

async function onAnswer(
  ports: PollHandlerPorts,
  claimed: ClaimedShipment,
  { carrier, type, answer }: Found & { readonly answer: Extract<Found["answer"], { kind: "events" }> },
  stored: string | null,
): Promise<Polled> {
  const nowMs = ports.clock.nowMs();
  const { scac } = carrier;
  const { id, reference } = claimed;
  const asOfMs = timeOfAnswer(carrier, answer, ports.clock);
  logProblems(ports, { shipment: id, reference, carrier: scac }, answer, asOfMs);
  const { freeDays, digest, incomplete } = answer;
  // Imports have the clock's time.
  const imported = hasOwnTime(carrier) ? NO_IMPORTS : await readImports(ports, claimed, stored);
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
  return answeredPoll(ports, claimed, nowMs, "changed", reduced.isDoubted ? NO_DIGEST : digest, reduced);
}

function answeredPoll(
  { polling }: PollHandlerPorts,
  claimed: ClaimedShipment,
  atMs: number,
  outcome: "changed" | "unchanged",
  answerDigest: Buffer,
  { state, events }: Reduction,
): Polled {
  const waitMs = waitAfterAnswer(pollStateOf(claimed, state), atMs, polling);
  return { kind: "answered", outcome, answerDigest, atMs, waitMs, state, events };
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

async function onNoAnswer(
  ports: PollPorts,
  claimed: ClaimedShipment,
  { failure, retryAfterMs, notSent: isUnsent, replies: asked, final }: Refusal,
  read: ReadStored,
): Promise<Polled> {
  const { clock, polling, carriers, accountWaits } = ports;
  const nowMs = clock.nowMs();
  const { carrier } = claimed;
  if (isUnsent && carrier !== null) {
    const waitMs = retryAfterMs ?? polling.backoffMs;
    const source = failure === "unavailable_quota" ? carrierNamed(carriers, carrier) : null;
    const nextPollAtMs = accountWaits(source, claimed, waitMs, nowMs);
    if (nextPollAtMs === null) return { kind: "postponed", waitMs };
    return { kind: "unasked", outcome: "unavailable", nextPollAtMs };
  }
  const imported = await ingestImports(ports, claimed, read, nowMs);
  const { state, events } = imported ?? (await reevaluateIfDue(ports, claimed, nowMs, read));
  const refreshedAtMs = imported?.state ? nowMs : null;
  const knownMs = refreshedAtMs ?? (claimed.refreshedAt ?? claimed.createdAt).getTime();
  const isOver = final && isGivenUp(pollStateOf(claimed, state), knownMs, nowMs, polling);
  return {
    ...{ kind: "unanswered", outcome: outcomeOf(failure), failure, retryAfterMs, isUnsent, isOver },
    ...{ refreshedAtMs, state, events, about: { carrier, asked } },
  };
}

function outcomeOf(failure: Refusal["failure"]) {
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
  read: ReadStored,
): Promise<Reduction> {
  if (claimed.changesAt === null || claimed.changesAt.getTime() > nowMs) return UNCHANGED;
  const stored = await read();
  return stored === null ? UNCHANGED : reduceTime(ports, claimed, stored, nowMs);
}

const UNCHANGED: Reduction = { state: null, events: [], isDoubted: false };

export type PollerPorts = PollHandlerPorts & AnyPollerPorts;

/** A source queue for each carrier, and one for shipments of an unknown carrier. */
export function createPoller(
  ports: PollerPorts,
  cells: readonly Cell[],
  settings: PollerSettings = POLLER_DEFAULTS,
): Poller {
  const { carriers, client } = ports;
  const kind = {
    product: OCEAN_PRODUCT,
    handler: createShipmentPollHandler(ports, settings),
    slots: new Map([
      [UNKNOWN_SOURCE, settings.slotsPerSource],
      ...carriers.map(({ scac, requestsMax }) => [scac, requestsMax ?? settings.slotsPerSource] as const),
    ]),
    isBreakerOpen: (source: string) => source !== UNKNOWN_SOURCE && client.isBreakerOpen(source),
  };
  return createPollerOf(ports, kind, cells, settings);
}

type OthersPorts = IngestPorts & { readonly database: Connection };

/** Once for all carriers that are asked. */
function othersReader(
  ports: OthersPorts,
  cell: Cell,
  claimed: ClaimedShipment,
  read: () => Promise<string | null>,
): ReadKnownReferences {
  const readAll = async () => {
    const [given, stored] = await Promise.all([shipmentReadGiven(ports.database, cell, claimed.id), read()]);
    const { record, events } = await readImports(ports, claimed, stored);
    return knownReferences(readGiven(given?.given ?? null), events, record);
  };
  let known: ReturnType<ReadKnownReferences> | null = null;
  return () => (known ??= readAll());
}

/** Its last poll lacked a reference that is known by now. */
async function lacksNoMore({ failure }: ClaimedShipment, readOthers: ReadKnownReferences): Promise<boolean> {
  const needs = KINDS.find((kind) => failure === `needs_${kind}`);
  return needs !== undefined && (await readOthers())[needs].length > 0;
}
