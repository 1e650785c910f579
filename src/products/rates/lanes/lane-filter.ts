/** Which lanes are asked for, and on which day: read as the fields of a file are. */
import { Flaw, readDay } from "../../../freight/tables/field.ts";
import { readEquipment } from "./equipment.ts";
import { readCarrierOrMarket, readPlace } from "./rate-fields.ts";

export type WantedLanes = {
  readonly origin?: string | undefined;
  readonly destination?: string | undefined;
  readonly equipment?: string | undefined;
  readonly carrier?: string | undefined;
  readonly on?: string | undefined;
};

/** Null where it is not asked for; the carrier of the market's rate is empty. */
export type LanesFilter = { readonly [Name in keyof WantedLanes]-?: string | null };

export type ReadFilter =
  | { readonly kind: "filter"; readonly filter: LanesFilter }
  /** `message` follows the name. */
  | { readonly kind: "invalid"; readonly name: string; readonly message: string };

const READERS: { readonly [Name in keyof WantedLanes]-?: (written: unknown) => string } = {
  origin: readPlace,
  destination: readPlace,
  equipment: readEquipment,
  carrier: (written) => readCarrierOrMarket(written) ?? "",
  on: readDay,
};

export function readLanesFilter(wanted: WantedLanes): ReadFilter {
  const filter: Record<keyof WantedLanes, string | null> = {
    origin: null,
    destination: null,
    equipment: null,
    carrier: null,
    on: null,
  };
  for (const name of Object.keys(READERS) as (keyof WantedLanes)[]) {
    try {
      if (wanted[name] !== undefined) filter[name] = READERS[name](wanted[name]);
    } catch (error) {
      if (error instanceof Flaw) return { kind: "invalid", name, message: error.message };
      throw error;
    }
  }
  return { kind: "filter", filter };
}
