/** Origin, destination, pieces and weight of a waybill, by what kind of statement says them, and when. */
import type { WaybillStatement } from "../timeline/air-event.ts";
import { timeOf } from "../timeline/event-order.ts";
import { saidMs } from "../timeline/parts.ts";
import type { About, SaidEvent } from "./said.ts";

const NAMES = ["origin", "destination", "pieces", "weightKg"] as const;

type Fact = {
  readonly value: string | number;
  /** Said of cargo in hand, not of a booking. */
  readonly isInHand: boolean;
  /** When its source said it first, after another value. */
  readonly ms: number;
};

type FactsOfAnswer = { readonly [name in (typeof NAMES)[number]]?: Fact };

/** By polled source: the facts of its last answer; `document`: of the waybill or house manifest pushed last. */
export type AnsweredFacts = { readonly [source: string]: FactsOfAnswer };

/** Facts of a record stored before, which did not keep their source. */
export type FactsBefore = {
  readonly [name in (typeof NAMES)[number]]: { readonly value: string | number } | null;
};

export function factsBefore(facts: FactsBefore, isInHand: boolean): AnsweredFacts {
  const entries = NAMES.flatMap((name) => {
    const value = facts[name]?.value;
    return value === undefined ? [] : [[name, { value, isInHand, ms: -1 }] as const];
  });
  return entries.length === 0 ? {} : { before: Object.fromEntries(entries) };
}

/** `said`: all that stands. While it has cargo in hand, an answer with a booking alone does not replace what was counted. */
export function ingestFacts(
  known: AnsweredFacts,
  statements: readonly WaybillStatement[],
  said: readonly SaidEvent[],
): AnsweredFacts {
  const isKnownInHand = said.some(isOfCargoInHand);
  const answered: Record<string, FactsOfAnswer> = { ...known };
  for (const { answer: polled, isDocument, saidMs: ms = 0, events, ...facts } of statements) {
    const answer = polled ?? (isDocument === true ? "document" : undefined);
    if (answer === undefined) continue;
    const before = answered[answer] ?? {};
    const isInHand = events.some(isOfCargoInHand);
    const next = NAMES.flatMap((name) => {
      const [value, last] = [facts[name], before[name]];
      const isOutranked = last?.isInHand === true && !isInHand && isKnownInHand;
      if (value === null || isOutranked) return last === undefined ? [] : [[name, last] as const];
      const isSame = last?.value === value && last.isInHand === isInHand;
      return [[name, isSame ? last : { value, isInHand, ms }] as const];
    });
    answered[answer] = Object.fromEntries(next);
  }
  return answered;
}

/** Cargo in hand outranks a booking; then what was said last counts. */
export function factsOf(said: readonly SaidEvent[], answered: AnsweredFacts): About {
  const best = (name: (typeof NAMES)[number]): string | number | null => {
    const ofMessages = said.flatMap((event) => {
      const value = event.about?.[name] ?? null;
      const ranks = { isInHand: isOfCargoInHand(event), ms: saidMs(event), atMs: timeOf(event) };
      return value === null ? [] : [{ value, ...ranks }];
    });
    const ofAnswers = Object.values(answered).flatMap((facts) => {
      const fact = facts[name];
      return fact === undefined ? [] : [{ ...fact, atMs: Number.NEGATIVE_INFINITY }];
    });
    const [first, ...others] = [...ofMessages, ...ofAnswers];
    return first === undefined ? null : others.reduce(stronger, first).value;
  };
  return Object.fromEntries(NAMES.map((name) => [name, best(name)])) as About;
}

type RankedFact = Fact & { readonly atMs: number };

/** The value decides between facts said at once, never the order of arrival. */
function stronger(a: RankedFact, b: RankedFact): RankedFact {
  if (a.isInHand !== b.isInHand) return a.isInHand ? a : b;
  if (a.ms !== b.ms) return a.ms > b.ms ? a : b;
  if (a.atMs !== b.atMs) return a.atMs > b.atMs ? a : b;
  return a.value > b.value ? a : b;
}

/** Before the cargo is accepted, its pieces and its weight are as booked. TRM may come before. */
const BOOKING_CODES: readonly string[] = ["BKD", "DPU", "DOC", "FOH", "PRE", "TRM"];

function isOfCargoInHand({ code, planned }: SaidEvent): boolean {
  return planned !== true && !BOOKING_CODES.includes(code);
}
