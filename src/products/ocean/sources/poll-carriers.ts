/**
 * Polls carriers for one reference: a few at once, the likely ones first, until one has a live answer.
 *
 *     likely ones ─(all answered, or a head start is over)─▶ the others ─(a live answer, all answered, deadline)─▶ done
 *
 * Open requests then run out, and their answers are dropped.
 */
import { timeOfAnswer } from "../../../freight/sources/as-of.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Carrier } from "./carriers.ts";
import type { CarrierClient } from "./carrier-client.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";
import type { CarrierAnswer, CarrierEvent } from "./carrier-event.ts";
import { believedAt } from "../timeline/early-actuals.ts";
import { currentTrip } from "../timeline/trip.ts";
import { isEmptyReturn } from "../timeline/trip-start.ts";
import { DAY_MS } from "../../../runtime/durations.ts";
import { worse } from "../../../freight/upstream/no-answer.ts";
import type { ReadKnownReferences } from "./known-references.ts";

export type PollCarriersPorts = {
  readonly client: Pick<CarrierClient, "fetch">;
  readonly clock: Clock;
};

export type SoughtReference = {
  readonly reference: string;
  readonly identifierType: string | null;
  /** The SCAC of the carrier found before. */
  readonly carrier: string | null;
  /** Whose shipment it is. */
  readonly accountId?: string;
  /** Absent: no other reference of it is known. */
  readonly readOthers?: ReadKnownReferences;
};

export type Found = {
  readonly kind: "found";
  readonly carrier: Carrier;
  /** As the carrier knows the reference. */
  readonly type: IdentifierType;
  readonly answer: Answer;
};

export type CarrierReply =
  | Found
  | { readonly kind: "refused"; readonly carrier: Carrier; readonly answer: NoAnswer };

type Answer = Extract<CarrierAnswer, { kind: "events" | "unchanged" }>;
export type NoAnswer = Exclude<CarrierAnswer, Answer>;

export type CarrierOrder = { readonly likely: readonly Carrier[]; readonly others: readonly Carrier[] };

export const POLLED_AT_ONCE_MAX = 4;
/** The likely carriers' start before the others are polled as well. */
export const HEAD_START_MS = 3_000;

/** Polls until one answer is decisive, and resolves with the answers so far. */
export function pollCarriers(
  ports: PollCarriersPorts,
  sought: SoughtReference,
  { likely, others }: CarrierOrder,
  deadlineMs: number,
  digest: Buffer | null = null,
): Promise<readonly CarrierReply[]> {
  const { clock } = ports;
  const { promise, resolve, reject } = Promise.withResolvers<readonly CarrierReply[]>();
  const replies: CarrierReply[] = [];
  const waiting = [...likely];
  let deferred = [...others];
  let inFlight = 0;
  let isDone = false;

  const stop = (): void => {
    isDone = true;
    cancelDeadline();
    cancelHeadStart();
  };
  const end = (): void => {
    stop();
    resolve(replies);
  };
  const fail = (error: unknown): void => {
    stop();
    reject(error);
  };
  const releaseOthers = (): void => {
    waiting.push(...deferred);
    deferred = [];
    proceed();
  };
  const proceed = (): void => {
    if (isDone) return;
    if (inFlight === 0 && waiting.length === 0) {
      if (deferred.length > 0) return releaseOthers();
      return end();
    }
    for (; inFlight < POLLED_AT_ONCE_MAX && waiting.length > 0; inFlight += 1)
      ask(waiting.shift() as Carrier);
  };
  const ask = (carrier: Carrier): void => {
    pollCarrier(ports, carrier, sought, digest).then((one) => {
      inFlight -= 1;
      if (isDone) return;
      replies.push(one);
      if (one.kind === "found" && isDecisive(one, sought, clock)) end();
      else proceed();
    }, fail);
  };
  const cancelDeadline = clock.after(Math.max(0, deadlineMs - clock.monotonicMs()), end);
  const cancelHeadStart = others.length > 0 ? clock.after(HEAD_START_MS, releaseOthers) : () => undefined;
  proceed();
  return promise;
}

async function pollCarrier(
  { client }: PollCarriersPorts,
  carrier: Carrier,
  { reference, identifierType, carrier: foundBefore, accountId, readOthers }: SoughtReference,
  digest: Buffer | null,
): Promise<CarrierReply> {
  const refused: NoAnswer[] = [];
  for (const type of typesOf(identifierType as IdentifierType | null)) {
    const isUnresolved = foundBefore === null;
    const answer = await client.fetch(carrier, type, reference, digest, isUnresolved, accountId, readOthers);
    if (answer.kind === "events" || answer.kind === "unchanged")
      return { kind: "found", carrier, type, answer };
    refused.push(answer);
    if (answer.kind === "unavailable") break;
  }
  // Of a document that may be of either kind, it is enough that the carrier was asked for one.
  const asked = refused.filter(({ kind }) => kind !== "lacking");
  return {
    kind: "refused",
    carrier,
    answer: (asked.length > 0 ? asked : refused).reduce((one, other) => worse(one, other)),
  };
}

/** A document number does not show whether it is a bill of lading or a booking: the carrier knows. */
function typesOf(type: IdentifierType | null): readonly IdentifierType[] {
  return type === null ? ["bill_of_lading", "booking"] : [type];
}

/**
 * Whether no other carrier need be polled. A bill of lading with its line's prefix is that line's; several
 * carriers may know any other number.
 */
export function isDecisive(found: Found, { identifierType }: SoughtReference, clock: Clock): boolean {
  const { carrier, answer } = found;
  if (answer.kind === "unchanged" || identifierType === "bill_of_lading") return true;
  const nowMs = timeOfAnswer(carrier, answer, clock);
  return isLive(
    answer.events.map((event) => believedAt(event, nowMs)),
    nowMs,
  );
}

/** A trip without events for so long is over, even if its end was never reported. */
const QUIET_MS_MAX = 60 * DAY_MS;

/**
 * Whether the latest trip of some box has not ended with its empty return and has a recent or future event. A
 * carrier that carried the box last year still knows its number.
 */
export function isLive(events: readonly CarrierEvent[], nowMs: number): boolean {
  const named = Map.groupBy(events, ({ equipment }) => equipment);
  const common = named.get(null) ?? [];
  named.delete(null);
  if (named.size === 0) return isOngoing(common, nowMs);
  return [...named.values()].some((own) => isOngoing([...own, ...common], nowMs));
}

function isOngoing(events: readonly CarrierEvent[], nowMs: number): boolean {
  const trip = currentTrip(events, null).events;
  const lastMove = trip.findLast(({ kind, classifier }) => kind === "equipment" && classifier === "actual");
  if (lastMove !== undefined && isEmptyReturn(lastMove)) return false;
  return latestEventMs(trip) > nowMs - QUIET_MS_MAX;
}

/** Planned events included. */
export function latestEventMs(events: readonly CarrierEvent[]): number {
  return events.reduce((latest, { at }) => Math.max(latest, at.ms), Number.NEGATIVE_INFINITY);
}
