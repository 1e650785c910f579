/** Reads the filters of a list of lanes, as the fields of a file are read. */
import { readDay, type ReadField } from "../../../freight/tables/field.ts";
import { fieldsReader } from "../../../freight/tables/rows.ts";
import type { LaneFilter } from "../store/reading/rate-lanes-read.ts";
import { readEquipment } from "./equipment.ts";
import { readCommodity, readContract, readKindOrNone } from "./offer.ts";
import { readCarrierOrMarket, readPlace } from "./rate-fields.ts";

export type LaneFilterResult =
  | { readonly kind: "filter"; readonly filter: Omit<LaneFilter, "day"> & { readonly on: string | null } }
  /** `message` begins with the filter's name. */
  | { readonly kind: "invalid"; readonly message: string };

export function readLaneFilter(input: { readonly [name in string]?: unknown }): LaneFilterResult {
  const problems: string[] = [];
  const readField = fieldsReader(input, problems);
  const read = <T>(name: string, as: ReadField<T>) =>
    readField(name, (written) => (written === undefined ? null : as(written)));
  const filter = {
    origin: read("origin", readPlace),
    destination: read("destination", readPlace),
    equipment: read("equipment", readEquipment),
    carrier: read("carrier", (written) => readCarrierOrMarket(written) ?? ""),
    kind: read("kind", readKindOrNone),
    contract: read("contract", readContract),
    commodity: read("commodity", readCommodity),
    on: read("on", readDay),
  };
  const [message] = problems;
  return message === undefined ? { kind: "filter", filter } : { kind: "invalid", message };
}
