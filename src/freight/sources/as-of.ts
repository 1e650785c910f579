/** Whose time a source's answers are of: the clock's, or for a replayed or simulated source their own. */
import Type from "typebox";

import type { Clock } from "../../runtime/clock.ts";

/** A field of a source's entry. */
export function asOfField(description: string) {
  return Type.Optional(Type.Union([Type.Literal("now"), Type.Literal("answer-date")], { description }));
}

type Dated = { readonly asOf?: "now" | "answer-date" };

export function hasOwnTime({ asOf }: Dated): boolean {
  return asOf === "answer-date";
}

/** The moment that an answer is of. */
export function timeOfAnswer(
  source: Dated,
  { dateMs }: { readonly dateMs: number | null },
  clock: Pick<Clock, "nowMs">,
): number {
  return hasOwnTime(source) ? (dateMs ?? clock.nowMs()) : clock.nowMs();
}
