/**
 * Which events of an answer still stand. In 3.0 an id is an event's name: a later version replaces an
 * earlier one, and a retraction takes back all of them. In 2.2 an id names a message, carriers renew
 * it or write one for several events, and only a retraction says something of others.
 */
import { field, isObject, object, text, type JsonObject, type Spelling } from "./spelling.ts";
import { readDateTime } from "./time.ts";
import { isVersion3 } from "./version-3.ts";

/** Whether the event at an index of `raws` stands; retractions themselves never do. */
export function standing(raws: readonly unknown[], spelling: Spelling): (index: number) => boolean {
  const retractedAt = new Map<string, number>();
  const latest = new Map<string, { readonly index: number; readonly updatedMs: number }>();
  for (const [index, raw] of raws.entries()) {
    const id = isObject(raw) ? idOf(raw, spelling) : null;
    if (id === null || !isObject(raw)) continue;
    if (isRetraction(raw, spelling)) {
      // Without a time it takes back whatever there is.
      const atMs = updatedMs(raw, spelling) ?? Number.POSITIVE_INFINITY;
      retractedAt.set(id, Math.max(atMs, retractedAt.get(id) ?? 0));
    } else if (isVersion3(raw, spelling)) {
      const written = updatedMs(raw, spelling) ?? 0;
      const name = `${originOf(raw, spelling)} ${id}`;
      const known = latest.get(name);
      if (known === undefined || written >= known.updatedMs) latest.set(name, { index, updatedMs: written });
    }
  }
  return (index) => {
    const raw = raws[index];
    if (!isObject(raw)) return true;
    if (isRetraction(raw, spelling)) return false;
    const id = idOf(raw, spelling);
    if (id === null) return true;
    const retractedMs = retractedAt.get(id);
    if (retractedMs !== undefined && (updatedMs(raw, spelling) ?? 0) <= retractedMs) return false;
    return !isVersion3(raw, spelling) || latest.get(`${originOf(raw, spelling)} ${id}`)?.index === index;
  };
}

function isRetraction(raw: JsonObject, spelling: Spelling): boolean {
  return field(raw, "isRetracted", spelling) === true;
}

function idOf(raw: JsonObject, spelling: Spelling): string | null {
  return text(raw, "eventID", spelling);
}

function updatedMs(raw: JsonObject, spelling: Spelling): number | null {
  const written = text(raw, "eventUpdatedDateTime", spelling) ?? text(raw, "eventCreatedDateTime", spelling);
  return written === null ? null : (readDateTime(written)?.ms ?? null);
}

/** Ids are unique for their originating party alone. */
function originOf(raw: JsonObject, spelling: Spelling): string {
  const party = object(object(raw, "eventRouting", spelling), "originatingParty", spelling);
  const part = (name: string): string => text(party, name, spelling) ?? "";
  return JSON.stringify([part("partyCode"), part("codeListProvider"), part("codeListName")]);
}
