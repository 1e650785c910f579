/**
 * The last day on which a box can be fetched free of charge, where a carrier states it in its answer:
 * beside an event or the list of events, as a date of its own or in the form of DCSA's Arrival Notice.
 */
import { type JsonObject, isObject } from "../../../../model/json.ts";
import type { FreeDay } from "../carrier-answer.ts";
import { equipmentNumber } from "./equipment.ts";
import { field, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";
import { isPlausibleYear } from "../../../../freight/dcsa/time.ts";

/** Free times read of one object. */
const FREE_TIMES_MAX = 200;

/** What one object states. `equipment` is the container it is about; null: all of the answer's. */
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

/** Arrival Notice 1.0.1, `FreeTime`: of demurrage alone, since detention and storage end otherwise. */
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
  return named.slice(0, FREE_TIMES_MAX).map((one) => ({ equipment: equipmentNumber(one), lastFreeDay }));
}

/** A date with its classifier, or the date alone. */
function valueOf(entry: JsonObject, name: string, spelling: Spelling): string | null {
  const written = field(entry, name, spelling);
  return isObject(written) ? text(written, "value", spelling) : text(entry, name, spelling);
}

/** `YYYY-MM-DD`: the day as written, which is the port's, whatever the time beside it. */
function readDay(written: string | null): string | null {
  const day = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(written ?? "")?.[0];
  if (day === undefined || !isPlausibleYear(day)) return null;
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day ? null : day;
}
