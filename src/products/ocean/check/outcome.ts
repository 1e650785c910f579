/** What an answer becomes: the record that a first poll would store, and the events that polls would have raised. */
import { timeOfAnswer } from "../../../freight/sources/as-of.ts";
import { createEventDataCheck } from "../../../model/event-check.ts";
import { claimedAs, createRaised, momentsOf } from "../../../freight/source-check/live-through.ts";
import type { Raised } from "../../../freight/source-check/report.ts";
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
  readonly raised: readonly Raised[];
  /** Events of the answer that could not be read. */
  readonly skipped: readonly { readonly index: number; readonly reason: string }[];
  readonly events: number;
};

export type OutcomePorts = { readonly clock: Clock; readonly log: Pick<Log, "error"> };

export async function outcomeOf(
  { clock, log }: OutcomePorts,
  { carrier, type, answer }: Found & { readonly answer: Extract<CarrierAnswer, { kind: "events" }> },
  reference: string,
): Promise<Outcome> {
  const nowMs = timeOfAnswer(carrier, answer, clock);
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
  const moments = momentsOf(
    happened.map(({ at }) => at.ms),
    nowMs,
    happened.length < events.length,
  );
  const { raised, add } = createRaised();
  let state: NonNullable<Reduction["state"]> | null = null;
  const settle = (reduction: Reduction, atMs: number): void => {
    state = reduction.state ?? state;
    add(reduction.events, atMs);
  };
  for (const atMs of moments) {
    await passTime(ports, () => claimedFor(statements, reference, state), atMs, settle);
    const known = events.filter(({ classifier, at }) => classifier !== "actual" || at.ms <= atMs);
    const claimed = claimedFor(statements, reference, state);
    const stated = atMs === nowMs ? statements : { ...about, events: known };
    settle(await reduceAnswer(ports, claimed, stated, recordOf(state), { asOfMs: atMs, nowMs: atMs }), atMs);
  }
  return { shipment: shownAt(claimedFor(statements, reference, state), recordOf(state), nowMs), raised };
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

type State = Reduction["state"];
type Claimed = ReturnType<typeof claimedFor>;

const recordOf = (state: State): string | null => state?.record ?? null;

function claimedFor({ carrier, identifierType }: Statements, reference: string, state: State) {
  const at = (ms: number | null | undefined): Date | null =>
    ms === null || ms === undefined ? null : new Date(ms);
  return claimedAs({
    ...{ reference, identifierType, carrier, source: carrier },
    ...{ status: state?.status ?? "pending", eta: at(state?.etaMs) },
    ...{ endedAt: at(state?.endedAtMs), changesAt: at(state?.changesAtMs), record: recordOf(state) },
  });
}

function shownAt(claimed: Claimed, record: string | null, nowMs: number): ShipmentDetail {
  const refreshedAt = new Date(nowMs);
  const stored = { ...claimed, record, attention: null, vessels: null, refreshedAt, createdAt: refreshedAt };
  return shipmentDetail(stored, nowMs);
}
