/** Entries of a carriers file that name a carrier of the catalogue, written out in full. */
import { entryOf, type Catalogue } from "../../../../freight/source-catalogue/carriers.ts";
import {
  filledEntry,
  writtenOutBy,
  type Filled,
  type WrittenOut,
} from "../../../../freight/source-catalogue/fill-entry.ts";
import type { JsonObject } from "../../../../model/json.ts";

/** Other text does not change: its reader says what is wrong. */
export function writtenOut(text: string, catalogue: () => Catalogue): WrittenOut {
  return writtenOutBy(text, "carrier", (entry) => filledFrom(entry, catalogue()));
}

function filledFrom({ carrier, ...given }: JsonObject, catalogue: Catalogue): Filled {
  const known = typeof carrier === "string" ? entryOf(catalogue, carrier) : null;
  if (known === null) {
    return { problems: ["carrier must be a SCAC that `boathook carriers catalogue` lists"] };
  }
  if (known.unsupported !== undefined) {
    return { problems: [`carrier cannot be polled: ${known.unsupported}`] };
  }
  const { scac, name, entry = {} } = known;
  return filledEntry(known, { scac, name, ...entry }, given);
}
