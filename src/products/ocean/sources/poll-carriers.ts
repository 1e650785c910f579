/**
 * Asking carriers for one reference: a few at once, the likely ones first, until one has a live answer.
 *
 *     likely ones ─(all answered, or a head start is over)─▶ the others ─(a live answer, all answered, deadline)─▶ over
 *
 * What is still being asked then is left to end by itself, and its answer is dropped.
 */
import type { Clock } from "../../../runtime/clock.ts";
import type { CarrierAnswer } from "./carrier-answer.ts";
import type { Carrier } from "./carriers.ts";
import type { CarrierClient } from "./carrier-client.ts";
import { isLive } from "./liveness.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";

export type PollCarriersPorts = {
  readonly client: Pick<CarrierClient, "fetch">;
  readonly clock: Clock;
};

/** What is asked for; a claimed shipment is one. */
export type SoughtReference = {
  readonly reference: string;
  readonly identifierType: string | null;
};

export type Found = {
  readonly kind: "found";
  readonly carrier: Carrier;
  /** As the carrier knows the reference. */
  readonly type: IdentifierType;
  /** `same` only where the digest of an earlier answer was given. */
  readonly answer: Answer;
};

export type CarrierReply =
  | Found
  | { readonly kind: "refused"; readonly carrier: Carrier; readonly answer: NoAnswer };

type Answer = Extract<CarrierAnswer, { kind: "events" | "same" }>;
export type NoAnswer = Exclude<CarrierAnswer, Answer>;

/** Whom to ask, in their order. */
export type CarrierOrder = { readonly likely: readonly Carrier[]; readonly others: readonly Carrier[] };

/** Carriers asked at once about one reference. */
export const POLLED_AT_ONCE_MAX = 4;
/** How long the likely carriers are waited for before the others are asked as well. */
export const HEAD_START_MS = 3_000;

/** Asks until one answer is decisive; gives what has been answered by then. */
export function pollCarriers(
  ports: PollCarriersPorts,
  wanted: SoughtReference,
  { likely, others }: CarrierOrder,
  deadlineMs: number,
  digest: Buffer | null = null,
): Promise<readonly CarrierReply[]> {
  const { clock } = ports;
  const { promise, resolve, reject } = Promise.withResolvers<readonly CarrierReply[]>();
  const asked: CarrierReply[] = [];
  const waiting = [...likely];
  let held = [...others];
  let open = 0;
  let over = false;

  const stop = (): void => {
    over = true;
    cancelDeadline();
    cancelHeadStart();
  };
  const end = (): void => {
    stop();
    resolve(asked);
  };
  const fail = (error: unknown): void => {
    stop();
    reject(error);
  };
  const release = (): void => {
    waiting.push(...held);
    held = [];
    proceed();
  };
  const proceed = (): void => {
    if (over) return;
    if (open === 0 && waiting.length === 0) {
      if (held.length > 0) return release();
      return end();
    }
    for (; open < POLLED_AT_ONCE_MAX && waiting.length > 0; open += 1) ask(waiting.shift() as Carrier);
  };
  const ask = (carrier: Carrier): void => {
    pollCarrier(ports, carrier, wanted, digest).then((one) => {
      open -= 1;
      if (over) return;
      asked.push(one);
      if (one.kind === "found" && isDecisive(one, wanted, clock)) end();
      else proceed();
    }, fail);
  };
  const cancelDeadline = clock.after(Math.max(0, deadlineMs - clock.monotonicMs()), end);
  const cancelHeadStart = others.length > 0 ? clock.after(HEAD_START_MS, release) : () => undefined;
  proceed();
  return promise;
}

async function pollCarrier(
  { client }: PollCarriersPorts,
  carrier: Carrier,
  { reference, identifierType }: SoughtReference,
  digest: Buffer | null,
): Promise<CarrierReply> {
  let refused: NoAnswer = { kind: "not_found" };
  for (const type of typesOf(identifierType as IdentifierType | null)) {
    const answer = await client.fetch(carrier, type, reference, digest);
    if (answer.kind === "events" || answer.kind === "same") return { kind: "found", carrier, type, answer };
    refused = worse(refused, answer);
    if (answer.kind === "unavailable") break;
  }
  return { kind: "refused", carrier, answer: refused };
}

/** A paper's number does not tell whether it is a bill of lading or a booking: the carrier knows. */
function typesOf(type: IdentifierType | null): readonly IdentifierType[] {
  return type === null ? ["bill_of_lading", "booking"] : [type];
}

/**
 * Whether nobody else need be asked. A bill of lading that names its line is that line's, whatever it says
 * of it; any other number may be known to several.
 */
export function isDecisive(found: Found, { identifierType }: SoughtReference, clock: Clock): boolean {
  const { carrier, answer } = found;
  if (answer.kind === "same" || identifierType === "bill_of_lading") return true;
  const nowMs = carrier.asOf === "answer-date" ? (answer.dateMs ?? clock.nowMs()) : clock.nowMs();
  return isLive(answer.events, nowMs);
}

/** From what says most to what says least about the reference. */
const SEVERITY: readonly NoAnswer["kind"][] = ["not_found", "not_permitted", "unavailable"];

/** What is said of several: the worst, since who was down may know more. */
export function worse(one: NoAnswer, other: NoAnswer): NoAnswer {
  return SEVERITY.indexOf(other.kind) > SEVERITY.indexOf(one.kind) ? other : one;
}
