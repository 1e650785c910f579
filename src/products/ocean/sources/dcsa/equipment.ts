/** The containers that an event names, in its own field or among the references of 2.2. */
import { type JsonObject, isObject } from "../../../../model/json.ts";
import { plainReference } from "../../timeline/transport-documents.ts";
import { field, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";

/** References read of one event. */
const REFERENCES_MAX = 200;

/** A container's number as it is compared: some carriers write it as it is painted on the box, `CSQU 305438-3`. */
export function equipmentNumber(written: string): string {
  return plainReference(written);
}

/** Those of type `EQ` in `references`, as written. */
export function equipmentAmongReferences(raw: JsonObject, spelling: Spelling): readonly string[] {
  const list = field(raw, "references", spelling);
  if (!Array.isArray(list)) return [];
  return list.slice(0, REFERENCES_MAX).flatMap((entry: unknown) => {
    const isEquipment = isObject(entry) && text(entry, "referenceType", spelling)?.toUpperCase() === "EQ";
    return isEquipment ? (text(entry, "referenceValue", spelling) ?? []) : [];
  });
}
