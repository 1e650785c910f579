/** All that an airline says of one waybill, and what of it can be heard at a moment. */
import type { Spell } from "../harbour/spells.ts";
import type { Saying } from "./telling.ts";
import type { Waybill } from "./waybill.ts";

export type Life = {
  readonly waybill: Waybill;
  /** In the order in which it is said. */
  readonly sayings: readonly Saying[];
  /** When the airline's source does not answer. */
  readonly spells: readonly Spell[];
};

/**
 * Null: the source does not answer. Empty: it does not know the waybill, or has pushed nothing. What is pushed
 * is kept until somebody looks: that is what came after `afterMs`, the look before.
 */
export function heardAt(
  { waybill, sayings, spells }: Life,
  atMs: number,
  afterMs: number,
): readonly Saying[] | null {
  if (waybill.airline.speaks === "fsu") {
    return sayings.filter(({ saidMs }) => saidMs > afterMs && saidMs <= atMs);
  }
  if (spells.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)) return null;
  const said = sayings.filter(({ saidMs }) => saidMs <= atMs);
  const newestMs = said.at(-1)?.saidMs;
  if (waybill.airline.answers === "latest") return said.filter(({ saidMs }) => saidMs === newestMs);
  const last = new Map(said.map((saying) => [saying.key, saying.happening]));
  return said.filter(({ key, happening }) => last.get(key) === happening);
}

/** When something new can be heard, and at first; each once, in order. */
export function momentsOf({ sayings, spells }: Life, fromMs: number): readonly number[] {
  const moments = [fromMs, ...sayings.map(({ saidMs }) => saidMs), ...spells.map(({ untilMs }) => untilMs)];
  return [...new Set(moments.filter((ms) => ms >= fromMs))].toSorted((a, b) => a - b);
}
