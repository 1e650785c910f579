/**
 * Which events of an answer still hold. In 3.0 an id identifies an event: a later version replaces earlier ones, and
 * a retraction removes all of them. In 2.2 an id identifies a message; carriers renew it or use it for several
 * events, so only a retraction affects others.
 */
import { type JsonObject, isObject } from "../../../../model/json.ts";
import { field, object, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";
import { readDateTime } from "../../../../freight/dcsa/time.ts";
import type { SlicedWork } from "../../../../runtime/time-slices.ts";
import { isVersion3 } from "./version-3.ts";

/** `replaced`: by a later version. A retraction is retracted itself. */
export type Standing = "stands" | "replaced" | "retracted";

/** How an event of `raws` stands. */
export function* createStandingFilter(
  raws: readonly unknown[],
  spelling: Spelling,
): SlicedWork<(raw: unknown) => Standing> {
  const retractedMs = new Map<string, number>();
  const latestMs = new Map<string, number>();
  for (const [index, raw] of raws.entries()) {
    if (index % EVENTS_PER_STEP === 0) yield;
    if (!isObject(raw)) continue;
    const retraction = isRetraction(raw, spelling);
    const id = retraction || isVersion3(raw, spelling) ? idOf(raw, spelling) : null;
    if (id === null) continue;
    const updated = updatedMs(raw, spelling);
    // A retraction without a time retracts every version.
    if (retraction) keepLatest(retractedMs, id, updated ?? Number.POSITIVE_INFINITY);
    else keepLatest(latestMs, versionsOf(raw, id, spelling), updated ?? 0);
  }
  return (raw) => {
    if (isRetraction(raw, spelling)) return "retracted";
    if (retractedMs.size === 0 && latestMs.size === 0) return "stands";
    const id = isObject(raw) ? idOf(raw, spelling) : null;
    if (id === null || !isObject(raw)) return "stands";
    const updated = updatedMs(raw, spelling) ?? 0;
    if (updated <= (retractedMs.get(id) ?? Number.NEGATIVE_INFINITY)) return "retracted";
    const isLatest = updated >= (latestMs.get(versionsOf(raw, id, spelling)) ?? 0);
    return isLatest || !isVersion3(raw, spelling) ? "stands" : "replaced";
  };
}

const EVENTS_PER_STEP = 500;

function keepLatest(times: Map<string, number>, key: string, ms: number): void {
  times.set(key, Math.max(ms, times.get(key) ?? Number.NEGATIVE_INFINITY));
}

function isRetraction(raw: unknown, spelling: Spelling): boolean {
  return isObject(raw) && field(raw, "isRetracted", spelling) === true;
}

/** Not truncated: 3.0 allows 500 characters. */
function idOf(raw: JsonObject, spelling: Spelling): string | null {
  const id = field(raw, "eventID", spelling);
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}

function updatedMs(raw: JsonObject, spelling: Spelling): number | null {
  const written = text(raw, "eventUpdatedDateTime", spelling) ?? text(raw, "eventCreatedDateTime", spelling);
  return written === null ? null : (readDateTime(written)?.ms ?? null);
}

/** Ids are unique for their originating party only. */
function versionsOf(raw: JsonObject, id: string, spelling: Spelling): string {
  const party = object(object(raw, "eventRouting", spelling), "originatingParty", spelling);
  const part = (name: string): string | null => text(party, name, spelling);
  return JSON.stringify([part("partyCode"), part("codeListProvider"), part("codeListName"), id]);
}
