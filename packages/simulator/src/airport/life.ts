/** All that an airline says of one waybill, and what of it can be heard at a moment. */
import type { Spell } from "../world/answer.ts";
import type { Saying } from "./telling.ts";
import type { Waybill } from "./waybill.ts";

export type Life = {
  readonly waybill: Waybill;
  /** In the order in which it is said. */
  readonly sayings: readonly Saying[];
  /** When the airline's source does not answer. */
  readonly spells: readonly Spell[];
};

/** What its source answers. Null: it does not answer. Empty: it does not know the waybill, or cannot be asked. */
export function answeredAt({ waybill, sayings, spells }: Life, atMs: number): readonly Saying[] | null {
  if (waybill.airline.speaks === "fsu") return [];
  if (spells.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)) return null;
  const said = sayings.filter(({ saidMs }) => saidMs <= atMs);
  const newestMs = said.at(-1)?.saidMs;
  if (waybill.airline.answers === "latest") return said.filter(({ saidMs }) => saidMs === newestMs);
  const last = new Map(said.map((saying) => [saying.key, saying.happening]));
  return said.filter(({ key, happening }) => last.get(key) === happening);
}

/** Each a message of its own. Messages tell what happened, and not what is to come. */
export function pushedIn({ waybill: { airline }, sayings }: Life): readonly Saying[] {
  if (airline.speaks !== "fsu" && !airline.alsoPushes) return [];
  return sayings.filter(({ planned }) => !planned);
}

/** What comes is kept until somebody looks: that is what came after `afterMs`, the look before. */
export function pushedBetween(life: Life, afterMs: number, atMs: number): readonly Saying[] {
  return pushedIn(life).filter(({ saidMs }) => saidMs > afterMs && saidMs <= atMs);
}

/** When something new can be heard, and at first; each once, in order. */
export function momentsOf({ sayings, spells }: Life, fromMs: number): readonly number[] {
  const moments = [fromMs, ...sayings.map(({ saidMs }) => saidMs), ...spells.map(({ untilMs }) => untilMs)];
  return [...new Set(moments.filter((ms) => ms >= fromMs))].toSorted((a, b) => a - b);
}
