/**
 * What an answer becomes: the record that a first poll would store, and the events that polls would have raised on the
 * way. The answer is lived through by the reducers of polling itself, at each moment that it says something happened:
 * what is expected is known from the beginning, what happened from its time on.
 */
import { createEventDataCheck } from "../../../model/event-check.ts";
import type { RaisedEvent } from "../../../model/event.ts";
import type { ClaimedShipment } from "../../../freight/polling/store/polls.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Log } from "../../../runtime/log.ts";
import { tracking } from "../catalogue.ts";
import { reduceAnswer, reduceTime, type Reduction } from "../record/reduce-shipment.ts";
import type { Statements } from "../record/shipment-record.ts";
import type { CarrierAnswer } from "../sources/carrier-event.ts";
import type { Carrier } from "../sources/carriers.ts";
import type { Found } from "../sources/poll-carriers.ts";
import type { ShipmentDetail } from "../tracking/container-schema.ts";
import { shipmentDetail } from "../tracking/shipment-view.ts";

export type Outcome = {
  /** As clients would see it. */
  readonly shipment: ShipmentDetail;
  readonly raised: readonly RaisedThen[];
  /** Events of the answer that could not be read. */
  readonly skipped: readonly { readonly index: number; readonly reason: string }[];
  readonly events: number;
};

type RaisedThen = { readonly at: string; readonly type: string; readonly data: unknown };

export type OutcomePorts = { readonly clock: Clock; readonly log: Pick<Log, "error"> };

/** The moments of one answer; the earliest are left out of longer ones. */
const MOMENTS_MAX = 1_000;

const ID = "00000000-0000-7000-8000-000000000000";

export async function outcomeOf(
  { clock, log }: OutcomePorts,
  { carrier, type, answer }: Found & { readonly answer: Extract<CarrierAnswer, { kind: "events" }> },
  reference: string,
): Promise<Outcome> {
  const nowMs = carrier.asOf === "answer-date" ? (answer.dateMs ?? clock.nowMs()) : clock.nowMs();
  const { events, withdrawn = [], freeDays, skipped, incomplete } = answer;
  const about = { carrier: carrier.scac, identifierType: type, reference, events, withdrawn, freeDays };
  const statements = incomplete === undefined ? about : { ...about, incomplete };
  const ports = {
    carriers: [{ ...carrier, asOf: "now" }] satisfies readonly Carrier[],
    tariffs: () => [],
    check: createEventDataCheck([tracking]),
    log,
    clock,
  };
  const life = await livedThrough(ports, statements, reference, nowMs);
  return { ...life, skipped, events: events.length };
}

type Ports = Parameters<typeof reduceAnswer>[0];

async function livedThrough(ports: Ports, statements: Statements, reference: string, nowMs: number) {
  // Only the answer itself is cut; what was known before is a part of it by its own times.
  const { incomplete: _, ...about } = statements;
  const { events } = statements;
  const happened = events.filter(({ classifier, at }) => classifier === "actual" && at.ms < nowMs);
  const moments = [...new Set(happened.map(({ at }) => at.ms))].toSorted((one, other) => one - other);
  // A moment before all of them: what is expected was known then, and what holds at the first poll is never raised.
  const first = moments[0] === undefined || happened.length === events.length ? [] : [moments[0] - 1];
  const raised: RaisedThen[] = [];
  const keys = new Set<string>();
  let state: NonNullable<Reduction["state"]> | null = null;
  const settle = (reduction: Reduction, atMs: number): void => {
    state = reduction.state ?? state;
    raised.push(
      ...reduction.events.filter((event) => isNew(event, keys)).map((event) => raisedThen(event, atMs)),
    );
  };
  for (const atMs of [...first, ...moments.slice(-MOMENTS_MAX), nowMs]) {
    await passTime(ports, () => claimedAs(statements, reference, state), atMs, settle);
    const known = events.filter(({ classifier, at }) => classifier !== "actual" || at.ms <= atMs);
    const claimed = claimedAs(statements, reference, state);
    const stated = atMs === nowMs ? statements : { ...about, events: known };
    settle(await reduceAnswer(ports, claimed, stated, recordOf(state), { asOfMs: atMs, nowMs: atMs }), atMs);
  }
  return { shipment: shownAt(claimedAs(statements, reference, state), recordOf(state), nowMs), raised };
}

/** Re-evaluations that come due before `untilMs`; far more than there can be. */
const REEVALUATIONS_MAX = 50;

/** What time alone changes, as a node re-evaluates it. */
async function passTime(
  ports: Ports,
  claim: () => Claimed,
  untilMs: number,
  settle: (reduction: Reduction, atMs: number) => void,
): Promise<void> {
  for (let count = 0; count < REEVALUATIONS_MAX; count += 1) {
    const { record, ...claimed } = claim();
    const dueMs = claimed.changesAt?.getTime() ?? null;
    if (record === null || dueMs === null || dueMs >= untilMs) return;
    settle(await reduceTime(ports, claimed, record, dueMs), dueMs);
  }
}

/** As the engine does with a key that it has seen. */
function isNew({ dedupKey }: RaisedEvent, keys: Set<string>): boolean {
  if (dedupKey === undefined) return true;
  const isFirst = !keys.has(dedupKey);
  keys.add(dedupKey);
  return isFirst;
}

function raisedThen({ type, data }: RaisedEvent, atMs: number): RaisedThen {
  return { at: new Date(atMs).toISOString(), type, data: JSON.parse(data) as unknown };
}

type State = Reduction["state"];
type Claimed = ClaimedShipment & { readonly record: string | null };

const recordOf = (state: State): string | null => state?.record ?? null;

/** A shipment that nobody stores, as a poll would claim it. */
function claimedAs({ carrier, identifierType }: Statements, reference: string, state: State): Claimed {
  const at = (ms: number | null | undefined): Date | null =>
    ms === null || ms === undefined ? null : new Date(ms);
  return {
    id: ID,
    accountId: ID,
    reference,
    identifierType,
    carrierHint: null,
    carrier,
    status: state?.status ?? "pending",
    eta: at(state?.etaMs),
    endedAt: at(state?.endedAtMs),
    changesAt: at(state?.changesAtMs),
    createdAt: new Date(0),
    source: carrier,
    nextPollAt: null,
    lease: 0n,
    failures: 0,
    failure: null,
    refreshedAt: null,
    answerDigest: null,
    armedAt: null,
    record: recordOf(state),
  } as unknown as Claimed;
}

function shownAt(claimed: Claimed, record: string | null, nowMs: number): ShipmentDetail {
  const refreshedAt = new Date(nowMs);
  const stored = { ...claimed, record, attention: null, vessels: null, refreshedAt, createdAt: refreshedAt };
  return shipmentDetail(stored, nowMs);
}
