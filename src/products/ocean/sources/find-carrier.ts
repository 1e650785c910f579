/**
 * Finding the carrier that knows a reference, and asking it.
 *
 *     carrier found before ─▶ it alone
 *     hint, configured ─────▶ it alone; where it does not know the reference, whether another does
 *     else ─────────────────▶ the likely ones ─(all answered, or a head start is over)─▶ the others, a few at once
 *
 * A live answer ends the search at once; what is still being asked then is left to end by itself. A box that
 * carriers remember from older trips only goes to the one that heard of it last, once those that could not
 * be asked have had their time. docs/finding-carriers.md says the same to users.
 */
import {
  pollCarriers,
  isDecisive,
  worse,
  type CarrierReply,
  type PollCarriersPorts,
  type Found,
  type NoAnswer,
  type CarrierOrder,
  type SoughtReference,
} from "./poll-carriers.ts";
import type { Carrier } from "./carriers.ts";
import { carrierNamed, likelyCarriers } from "./likely-carriers.ts";
import { latestEventMs } from "./liveness.ts";
import { MINUTE_MS } from "../../../runtime/durations.ts";

export type FindCarrierPorts = PollCarriersPorts & { readonly carriers: readonly Carrier[] };

/** What is known of a shipment before its carrier is asked; a claimed shipment is one. */
export type SoughtShipment = SoughtReference & {
  /** The client's, a SCAC. */
  readonly carrierHint: string | null;
  /** The SCAC of the carrier that has answered before. */
  readonly carrier: string | null;
  /** The digest of what it answered last. */
  readonly answerDigest: Buffer | null;
  /** Looks without an answer so far. */
  readonly failures: number;
  readonly createdAt: Date;
};

export type Refusal = {
  readonly kind: "refused";
  /**
   * What is written on the record. `not_found`: nobody who was asked knows it. `wrong_carrier`: the
   * hint names a carrier that does not know it while another does. `wrong_carrier_not_asked`: the hint names
   * one that is not configured, and nobody else knows it. Beside the carriers' reasons there is `unavailable_deadline`: not all could be
   * asked in time; and `unavailable_not_configured`: the carrier found before is in the carriers file no
   * more, or none is.
   */
  readonly failure:
    | "not_found"
    | "wrong_carrier"
    | "wrong_carrier_not_asked"
    | "not_permitted"
    | `unavailable_${string}`;
  /** How long all who were asked want to be left alone; null where one of them has said no such thing. */
  readonly retryAfterMs: number | null;
  /** All who could know have said no: only then may the reference be given up in the end. */
  readonly final: boolean;
  /** Nothing was asked of anybody (quota, breaker): no failure of this reference. */
  readonly notSent: boolean;
  /** For the log: what each carrier that was asked came to, by SCAC; `events` from one that knows it. */
  readonly replies: Readonly<Record<string, string>>;
};

/**
 * How long a reference is tracked before an answer that is not live is taken while some carrier could not
 * be asked: that one may have the live trip.
 */
export const STALE_WAIT_MS = 10 * MINUTE_MS;

/** Never rejects. Ends at `deadlineMs` of the monotonic clock with what has been answered by then. */
export function findCarrier(
  ports: FindCarrierPorts,
  sought: SoughtShipment,
  deadlineMs: number,
): Promise<Found | Refusal> {
  const { carrier, carrierHint } = sought;
  if (carrier !== null) return pollFoundBefore(ports, sought, carrier, deadlineMs);
  const hinted = carrierHint === null ? null : carrierNamed(ports.carriers, carrierHint);
  return hinted === null ? pollAll(ports, sought, deadlineMs) : pollHinted(ports, sought, hinted, deadlineMs);
}

async function pollAll(
  ports: FindCarrierPorts,
  sought: SoughtShipment,
  deadlineMs: number,
): Promise<Found | Refusal> {
  const { carriers, clock } = ports;
  if (carriers.length === 0)
    return { ...refusalOf([], 0), failure: "unavailable_not_configured", final: false };
  const asked = await pollCarriers(ports, sought, carrierOrder(carriers, sought), deadlineMs);
  const found = asked.filter((one) => one.kind === "found");
  const decisive = found.find((one) => isDecisive(one, sought, clock));
  if (decisive !== undefined) return decisive;
  const refusal = refusalOf(asked, carriers.length - asked.length);
  const isYoung = clock.nowMs() - sought.createdAt.getTime() < STALE_WAIT_MS;
  const mayBeDown = refusal.failure.startsWith("unavailable_");
  if (mayBeDown && (isYoung || found.length === 0)) return refusal;
  const wrong: Refusal =
    refusal.failure === "not_found" ? { ...refusal, failure: "wrong_carrier_not_asked" } : refusal;
  if (sought.carrierHint === null) return mostRecent(found) ?? refusal;
  // It is said to be with a line that is not asked here: of a box, an old trip with another is not it.
  return sought.identifierType === "container_id" ? wrong : (mostRecent(found) ?? wrong);
}

async function pollFoundBefore(
  ports: FindCarrierPorts,
  sought: SoughtShipment,
  scac: string,
  deadlineMs: number,
): Promise<Found | Refusal> {
  const carrier = carrierNamed(ports.carriers, scac);
  if (carrier === null) return { ...refusalOf([], 0), failure: "unavailable_not_configured", final: false };
  // Of one that is replayed, the same answer may say something else on a later date.
  const isSame = carrier.scac === scac && carrier.asOf !== "answer-date";
  const digest = isSame ? sought.answerDigest : null;
  const asked = await pollCarriers(ports, sought, { likely: [carrier], others: [] }, deadlineMs, digest);
  const [one] = asked;
  return one?.kind === "found" ? one : refusalOf(asked, 1 - asked.length);
}

/** The hinted carrier's word counts, whatever it says; the others are asked only to tell a wrong hint from an early one. */
async function pollHinted(
  ports: FindCarrierPorts,
  sought: SoughtShipment,
  hinted: Carrier,
  deadlineMs: number,
): Promise<Found | Refusal> {
  const first = await pollCarriers(ports, sought, { likely: [hinted], others: [] }, deadlineMs);
  const [one] = first;
  if (one?.kind === "found") return one;
  const refusal = refusalOf(first, 1 - first.length);
  if (refusal.failure !== "not_found") return refusal;
  const { likely, others } = carrierOrder(ports.carriers, sought);
  const not = (carrier: Carrier): boolean => carrier !== hinted;
  const rest = { likely: likely.filter(not), others: others.filter(not) };
  const asked = [...first, ...(await pollCarriers(ports, sought, rest, deadlineMs))];
  const known = asked.some((other) => other.kind === "found" && isDecisive(other, sought, ports.clock));
  return { ...refusal, failure: known ? "wrong_carrier" : "not_found", replies: outcomes(asked) };
}

/** The others begin one carrier later with every look, so that slow ones do not keep the same from their turn. */
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

/** What is said of a look at several carriers: the worst, since a carrier that was down may know more. */
function refusalOf(asked: readonly CarrierReply[], missing: number): Refusal {
  const refused = asked.flatMap((one) => (one.kind === "refused" ? [one.answer] : []));
  const worst = refused.reduce(worse, { kind: "not_found" });
  return {
    kind: "refused",
    failure: failureOf(worst, missing),
    retryAfterMs: missing === 0 ? retryAfterMsOf(refused) : null,
    final: missing === 0 && worst.kind === "not_found",
    notSent: refused.length > 0 && refused.every(wasNotSent),
    replies: outcomes(asked),
  };
}

/** Null when somebody answered, who need not be asked again so soon, or did not say how long to wait. */
function retryAfterMsOf(refused: readonly NoAnswer[]): number | null {
  const waits = refused.map((answer) => (answer.kind === "unavailable" ? answer.retryAfterMs : null) ?? 0);
  const shortestMs = Math.min(...waits);
  return shortestMs > 0 && Number.isFinite(shortestMs) ? shortestMs : null;
}

function failureOf(worst: NoAnswer, missing: number): Refusal["failure"] {
  if (worst.kind === "unavailable") return `unavailable_${worst.reason}`;
  return missing > 0 ? "unavailable_deadline" : worst.kind;
}

function wasNotSent(answer: NoAnswer): boolean {
  return answer.kind === "unavailable" && (answer.reason === "quota" || answer.reason === "breaker_open");
}

function outcomes(asked: readonly CarrierReply[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    asked.map(({ carrier, answer }) => [
      carrier.scac,
      "reason" in answer ? `unavailable_${answer.reason}` : answer.kind,
    ]),
  );
}
