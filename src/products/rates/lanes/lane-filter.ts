/** Which lanes are asked for, and on which day: read as the fields of a file are. */
import { ValidationError, readDay } from "../../../freight/tables/field.ts";
import { readEquipment } from "./equipment.ts";
import { readCarrierOrMarket, readPlace } from "./rate-fields.ts";

export type LaneFilterInput = {
  readonly origin?: string | undefined;
  readonly destination?: string | undefined;
  readonly equipment?: string | undefined;
  readonly carrier?: string | undefined;
  readonly on?: string | undefined;
};

/** Null where it is not asked for; the carrier of the market's rate is empty. */
export type LaneFilterValues = { readonly [Name in keyof LaneFilterInput]-?: string | null };

export type LaneFilterResult =
  | { readonly kind: "filter"; readonly filter: LaneFilterValues }
  /** `message` follows the name. */
  | { readonly kind: "invalid"; readonly name: string; readonly message: string };

const READERS: { readonly [Name in keyof LaneFilterInput]-?: (written: unknown) => string } = {
  origin: readPlace,
  destination: readPlace,
  equipment: readEquipment,
  carrier: (written) => readCarrierOrMarket(written) ?? "",
  on: readDay,
};

export function readLaneFilter(wanted: LaneFilterInput): LaneFilterResult {
  const filter: Record<keyof LaneFilterInput, string | null> = {
    origin: null,
    destination: null,
    equipment: null,
    carrier: null,
    on: null,
  };
  for (const name of Object.keys(READERS) as (keyof LaneFilterInput)[]) {
    try {
      if (wanted[name] !== undefined) filter[name] = READERS[name](wanted[name]);
    } catch (error) {
      if (error instanceof ValidationError) return { kind: "invalid", name, message: error.message };
      throw error;
    }
  }
  return { kind: "filter", filter };
}
