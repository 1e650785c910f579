/**
 * Last free days that a carrier states in its answer: on an event or beside the list of events, as a date or in
 * the form of DCSA's Arrival Notice.
 */
import { type JsonObject, isObject } from "../../../../model/json.ts";
import type { FreeDay } from "../carrier-event.ts";
import { plainReference } from "../../timeline/transport-documents.ts";
import { field, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";
import { isPlausibleYear } from "../../../../freight/dcsa/time.ts";

const FREE_TIMES_MAX = 200;

/** `equipment` is the container that the object is about; null: all containers of the answer. */
export function freeDaysIn(
  from: JsonObject,
  equipment: string | null,
  spelling: Spelling,
): readonly FreeDay[] {
  const lastFreeDay = readDay(text(from, "lastFreeDay", spelling));
  const own = lastFreeDay === null ? [] : [{ equipment, lastFreeDay }];
  const list = field(from, "freeTimes", spelling);
  if (!Array.isArray(list)) return own;
  return [...own, ...list.slice(0, FREE_TIMES_MAX).flatMap((entry) => freeTime(entry, equipment, spelling))];
}

/** `FreeTime` of Arrival Notice 1.0.1: demurrage only, not detention or storage. */
function freeTime(entry: unknown, equipment: string | null, spelling: Spelling): readonly FreeDay[] {
  if (!isObject(entry)) return [];
  const types = field(entry, "typeCodes", spelling);
  if (Array.isArray(types) && types.length > 0 && !types.includes("DEM")) return [];
  const lastFreeDay =
    readDay(valueOf(entry, "lastFreeDate", spelling)) ??
    readDay(valueOf(entry, "lastFreeDateTime", spelling));
  if (lastFreeDay === null) return [];
  const references = field(entry, "equipmentReferences", spelling);
  const named = Array.isArray(references) ? references.filter((one) => typeof one === "string") : [];
  if (named.length === 0) return [{ equipment, lastFreeDay }];
  return named.slice(0, FREE_TIMES_MAX).map((one) => ({ equipment: plainReference(one), lastFreeDay }));
}

/** A date with its classifier, or the date alone. */
function valueOf(entry: JsonObject, name: string, spelling: Spelling): string | null {
  const written = field(entry, name, spelling);
  return isObject(written) ? text(written, "value", spelling) : text(entry, name, spelling);
}

/** The day as written is the port's, whatever time follows it. */
function readDay(written: string | null): string | null {
  const day = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(written ?? "")?.[0];
  if (day === undefined || !isPlausibleYear(day)) return null;
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day ? null : day;
}
