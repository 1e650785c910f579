import { type JsonObject, isObject } from "../../../../model/json.ts";
import { field, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";

const REFERENCES_MAX = 200;

/** The containers among the `references` of 2.2, as written. */
export function equipmentAmongReferences(raw: JsonObject, spelling: Spelling): readonly string[] {
  const list = field(raw, "references", spelling);
  if (!Array.isArray(list)) return [];
  return list.slice(0, REFERENCES_MAX).flatMap((entry: unknown) => {
    const isEquipment = isObject(entry) && text(entry, "referenceType", spelling)?.toUpperCase() === "EQ";
    return isEquipment ? (text(entry, "referenceValue", spelling) ?? []) : [];
  });
}
