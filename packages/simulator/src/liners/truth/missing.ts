/** What a fetch was complete about, and the calls that it should have contained and did not. */
import { DAY_MS } from "../../world/durations.ts";
import type { CallReport } from "../reporting.ts";
import { expectedArrival, expectedDeparture, type KnownCall } from "./known-call.ts";

type Scope = {
  readonly nowMs: number;
  readonly untilMs: number;
  /** From then to then it was certainly complete, to the horizon before a call that it lists. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly horizonMs: number;
};

const SLIDE_MS = 7 * DAY_MS;

/** What a whole answer was complete about: an empty one about all that was asked for, one of past calls about nothing. */
export function scopeOf(reports: readonly CallReport[], askedUntilMs: number, nowMs: number): Scope {
  const times = reports.flatMap(({ arrival, departure }) =>
    [arrival, departure].map(({ actual, estimated, planned }) => actual ?? estimated ?? planned ?? 0),
  );
  const horizonMs = askedUntilMs - SLIDE_MS;
  const lastMs = reports.length === 0 ? askedUntilMs : Math.max(...times, nowMs);
  const toMs = Math.min(horizonMs, lastMs - SLIDE_MS);
  return { nowMs, untilMs: askedUntilMs, fromMs: nowMs + DAY_MS, toMs, horizonMs };
}

export type Missing = { readonly known: KnownCall; readonly isSure: boolean };

/** The calls that an answer should have contained and did not. */
export function missingCalls(
  asked: readonly KnownCall[],
  reported: ReadonlySet<KnownCall>,
  { nowMs, untilMs, fromMs, toMs, horizonMs }: Scope,
  listsVoyages: boolean,
): readonly Missing[] {
  const arrivalOf = (known: KnownCall) => expectedArrival(known) ?? fromMs;
  const toCome = asked.filter(
    (known) => departureMsOf(known) > nowMs && arrivalOf(known) >= nowMs && !known.isLost,
  );
  const voyages = Map.groupBy(toCome, ({ call, facts }) => `${call.service} ${facts.get("export")}`);
  return [...voyages.values()].flatMap((voyage) => {
    const updated = voyage.filter((known) => reported.has(known));
    const isAsked = (known: KnownCall) => departureMsOf(known) <= untilMs;
    const isWhole = listsVoyages && updated.length === 0 && voyage.some(isAsked);
    const sureUntilMs = Math.max(toMs, Math.min(horizonMs, Math.max(...updated.map(departureMsOf))));
    return voyage
      .filter((known) => !reported.has(known) && (isWhole || isAsked(known)))
      .map((known) => {
        const ms = departureMsOf(known);
        return { known, isSure: ms >= fromMs && arrivalOf(known) >= fromMs && ms <= sureUntilMs };
      });
  });
}

export function departureMsOf(known: KnownCall): number {
  return expectedDeparture(known) ?? expectedArrival(known) ?? 0;
}
