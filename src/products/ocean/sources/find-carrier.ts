/**
 * Finds the carrier that knows a reference, and polls it (spec 1: container_tracking).
 *
 *     carrier found before ─▶ it alone
 *     hint, configured ─────▶ it alone; if it does not know the reference, the others, to see whether one does
 *     else ─────────────────▶ the likely ones ─(all answered, or a head start is over)─▶ the others, a few at once
 *
 * A live answer ends the search; open requests run out, and their answers are dropped. If carriers know a box from
 * older trips only, the one with the latest event counts, once the unavailable ones have had time to answer. For
 * users: docs/finding-carriers.md.
 */
import { hasOwnTime } from "../../../freight/sources/as-of.ts";
import {
  latestEventMs,
  pollCarriers,
  isDecisive,
  type CarrierReply,
  type PollCarriersPorts,
  type Found,
  type NoAnswer,
  type CarrierOrder,
  type SoughtReference,
} from "./poll-carriers.ts";
import { carrierNamed, likelyCarriers, type Carrier } from "./carriers.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";
import { worse } from "../../../freight/upstream/no-answer.ts";
import { MINUTE_MS } from "../../../runtime/durations.ts";

export type FindCarrierPorts = PollCarriersPorts & { readonly carriers: readonly Carrier[] };

/** A claimed shipment is one. */
export type SoughtShipment = SoughtReference & {
  /** The SCAC that the client named. */
  readonly carrierHint: string | null;
  /** The digest of its last answer. */
  readonly answerDigest: Buffer | null;
  /** Polls without an answer so far. */
  readonly failures: number;
  readonly createdAt: Date;
};

export type Refusal = {
  readonly kind: "refused";
  /**
   * Stored with the shipment. `not_found`: no polled carrier knows the reference. `wrong_carrier`: the hinted
   * carrier does not know it, but another does. `wrong_carrier_not_asked`: the hinted carrier is not configured,
   * and no other knows it. `unavailable_deadline`: not all could be polled in time.
   * `unavailable_not_configured`: the carriers file has no carrier, or no longer the one found before. `needs_booking`
   * and its like: a carrier can only be asked with such a reference as well, and none is known. Other codes are the
   * carriers' reasons.
   */
  readonly failure:
    | "not_found"
    | "wrong_carrier"
    | "wrong_carrier_not_asked"
    | "not_permitted"
    | `needs_${IdentifierType}`
    | `unavailable_${string}`;
  /** The shortest wait that the carriers ask for; null unless all of them ask for one. */
  readonly retryAfterMs: number | null;
  /** No carrier knows the reference: only then may it be given up. */
  readonly final: boolean;
  /** No request was sent (quota, breaker): no failure of this reference. */
  readonly notSent: boolean;
  /** For the log: the result by SCAC; `events` from a carrier that knows the reference. */
  readonly replies: Readonly<Record<string, string>>;
};

/** While a carrier is unavailable, an answer that is not live counts only after this: it may have the live trip. */
export const STALE_WAIT_MS = 10 * MINUTE_MS;

/** Never rejects. Ends at `deadlineMs` of the monotonic clock with the answers so far. */
export function findCarrier(
  ports: FindCarrierPorts,
  shipment: SoughtShipment,
  deadlineMs: number,
): Promise<Found | Refusal> {
  const { carrier, carrierHint } = shipment;
  if (carrier !== null) return pollFoundBefore(ports, shipment, carrier, deadlineMs);
  const hinted = carrierHint === null ? null : carrierNamed(ports.carriers, carrierHint);
  return hinted === null
    ? pollAll(ports, shipment, deadlineMs)
    : pollHinted(ports, shipment, hinted, deadlineMs);
}

async function pollAll(
  ports: FindCarrierPorts,
  shipment: SoughtShipment,
  deadlineMs: number,
): Promise<Found | Refusal> {
  const { carriers, clock } = ports;
  if (carriers.length === 0)
    return { ...refusalOf([], 0), failure: "unavailable_not_configured", final: false };
  const replies = await pollCarriers(ports, shipment, carrierOrder(carriers, shipment), deadlineMs);
  const found = replies.filter((one) => one.kind === "found");
  const decisive = found.find((one) => isDecisive(one, shipment, clock));
  if (decisive !== undefined) return decisive;
  const refusal = refusalOf(replies, carriers.length - replies.length);
  const isYoung = clock.nowMs() - shipment.createdAt.getTime() < STALE_WAIT_MS;
  const mayBeDown = refusal.failure.startsWith("unavailable_");
  if (mayBeDown && (isYoung || found.length === 0)) return refusal;
  const isUnknown = refusal.failure === "not_found" || refusal.failure.startsWith("needs_");
  const wrong: Refusal = isUnknown ? { ...refusal, failure: "wrong_carrier_not_asked" } : refusal;
  if (shipment.carrierHint === null) return mostRecent(found) ?? refusal;
  // The hinted carrier is not configured: an old trip of the box with another carrier is not the one meant.
  return shipment.identifierType === "container_id" ? wrong : (mostRecent(found) ?? wrong);
}

async function pollFoundBefore(
  ports: FindCarrierPorts,
  shipment: SoughtShipment,
  scac: string,
  deadlineMs: number,
): Promise<Found | Refusal> {
  const carrier = carrierNamed(ports.carriers, scac);
  if (carrier === null) return { ...refusalOf([], 0), failure: "unavailable_not_configured", final: false };
  // The same answer of a replayed carrier means something else on a later date.
  const isSame = carrier.scac === scac && !hasOwnTime(carrier);
  const digest = isSame ? shipment.answerDigest : null;
  const replies = await pollCarriers(ports, shipment, { likely: [carrier], others: [] }, deadlineMs, digest);
  const [one] = replies;
  return one?.kind === "found" ? one : refusalOf(replies, 1 - replies.length);
}

/** Only the hinted carrier's answer counts. The others are polled to tell a wrong hint from an early one. */
async function pollHinted(
  ports: FindCarrierPorts,
  shipment: SoughtShipment,
  hinted: Carrier,
  deadlineMs: number,
): Promise<Found | Refusal> {
  const first = await pollCarriers(ports, shipment, { likely: [hinted], others: [] }, deadlineMs);
  const [one] = first;
  if (one?.kind === "found") return one;
  const refusal = refusalOf(first, 1 - first.length);
  if (refusal.failure !== "not_found") return refusal;
  const { likely, others } = carrierOrder(ports.carriers, shipment);
  const not = (carrier: Carrier): boolean => carrier !== hinted;
  const rest = { likely: likely.filter(not), others: others.filter(not) };
  const replies = [...first, ...(await pollCarriers(ports, shipment, rest, deadlineMs))];
  const isKnown = replies.some((other) => other.kind === "found" && isDecisive(other, shipment, ports.clock));
  return { ...refusal, failure: isKnown ? "wrong_carrier" : "not_found", replies: outcomes(replies) };
}

/** With every poll the others start one carrier later, so that slow ones do not always delay the same. */
function carrierOrder(carriers: readonly Carrier[], { reference, failures }: SoughtShipment): CarrierOrder {
  const likely = likelyCarriers(carriers, reference);
  const others = carriers.filter((carrier) => !likely.includes(carrier));
  const from = others.length > 0 ? failures % others.length : 0;
  return { likely, others: [...others.slice(from), ...others.slice(0, from)] };
}

function mostRecent(found: readonly Found[]): Found | null {
  const heardMs = ({ answer }: Found): number =>
    answer.kind === "events" ? latestEventMs(answer.events) : Number.POSITIVE_INFINITY;
  return found.toSorted((one, other) => heardMs(other) - heardMs(one))[0] ?? null;
}

/** The worst of several answers counts: a carrier that was down may know more. */
function refusalOf(replies: readonly CarrierReply[], missing: number): Refusal {
  const refused = replies.flatMap((one) => (one.kind === "refused" ? [one.answer] : []));
  const worst = refused.reduce<NoAnswer>((one, other) => worse(one, other), { kind: "not_found" });
  return {
    kind: "refused",
    failure: failureOf(worst, missing),
    retryAfterMs: missing === 0 ? retryAfterMsOf(refused) : null,
    final: missing === 0 && (worst.kind === "not_found" || worst.kind === "lacking"),
    notSent: refused.length > 0 && refused.every(wasNotSent),
    replies: outcomes(replies),
  };
}

function retryAfterMsOf(refused: readonly NoAnswer[]): number | null {
  const waits = refused.map((answer) => (answer.kind === "unavailable" ? answer.retryAfterMs : null) ?? 0);
  const shortestMs = Math.min(...waits);
  return shortestMs > 0 && Number.isFinite(shortestMs) ? shortestMs : null;
}

function failureOf(worst: NoAnswer, missing: number): Refusal["failure"] {
  if (worst.kind === "unavailable") return `unavailable_${worst.reason}`;
  if (worst.kind === "lacking" && missing === 0) return `needs_${worst.needs}`;
  if (worst.kind === "lacking") return "unavailable_deadline";
  return missing > 0 ? "unavailable_deadline" : worst.kind;
}

function wasNotSent(answer: NoAnswer): boolean {
  return answer.kind === "unavailable" && (answer.reason === "quota" || answer.reason === "breaker_open");
}

function outcomes(replies: readonly CarrierReply[]): Readonly<Record<string, string>> {
  return Object.fromEntries(replies.map(({ carrier, answer }) => [carrier.scac, outcomeText(answer)]));
}

function outcomeText(answer: CarrierReply["answer"]): string {
  if ("reason" in answer) return `unavailable_${answer.reason}`;
  return answer.kind === "lacking" ? `needs_${answer.needs}` : answer.kind;
}
