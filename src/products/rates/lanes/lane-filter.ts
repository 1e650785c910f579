/** Reads the filters of a list of lanes, as the fields of a file are read. */
import { ValidationError, readDay } from "../../../freight/tables/field.ts";
import { readEquipment } from "./equipment.ts";
import { readCarrierOrMarket, readPlace } from "./rate-fields.ts";

const READERS = {
  origin: readPlace,
  destination: readPlace,
  equipment: readEquipment,
  carrier: (written: unknown) => readCarrierOrMarket(written) ?? "",
  on: readDay,
};

type FilterName = keyof typeof READERS;

export type LaneFilterInput = { readonly [Name in FilterName]?: string | undefined };

/** Null: no filter; an empty carrier: the market's rates. */
export type LaneFilterValues = { readonly [Name in FilterName]: string | null };

export type LaneFilterResult =
  | { readonly kind: "filter"; readonly filter: LaneFilterValues }
  /** `message` follows the name. */
  | { readonly kind: "invalid"; readonly name: string; readonly message: string };

export function readLaneFilter(input: LaneFilterInput): LaneFilterResult {
  const filter: Record<FilterName, string | null> = {
    origin: null,
    destination: null,
    equipment: null,
    carrier: null,
    on: null,
  };
  for (const name of Object.keys(READERS) as FilterName[]) {
    try {
      if (input[name] !== undefined) filter[name] = READERS[name](input[name]);
    } catch (error) {
      if (error instanceof ValidationError) return { kind: "invalid", name, message: error.message };
      throw error;
    }
  }
  return { kind: "filter", filter };
}
