import type { DatabaseAddress } from "./database.ts";

/** Which server holds which schema. */
export type Homes = {
  /** Without a schema: the directory's server. Schemas of one server have the same address object. */
  addressOf(schema: string | undefined): DatabaseAddress;
};

/** One server holds everything. */
export function oneHome(address: DatabaseAddress): Homes {
  return { addressOf: () => address };
}
