/**
 * Where each schema lives: the server that holds it, which statements reach directly. The directory and the cells of a
 * single server live at the same address. On Citus the home of a cell is the worker that holds its distributed schema, and
 * the tables are there under other names, its shards.
 */
import type { DatabaseAddress } from "../database.ts";
import type { Shards } from "../shards/on-shards.ts";

export type Homes = {
  /** Without a schema: the directory's server. Schemas of one server have the same address object. */
  addressOf(schema: string | undefined): DatabaseAddress;
  /** The name of that server, the same on every node; empty: the directory's. */
  nameOf(schema: string | undefined): string;
  /** The server that takes changes of the schema's tables: the coordinator of Citus, else the home. */
  ownerOf(schema: string | undefined): DatabaseAddress;
  /** Empty: the tables have their own names. Null: not known, since the server could not be asked. */
  shardsOf(schema: string | undefined): Shards | null;
  /** Reads again where the cells live, after a statement found its cell gone. */
  refresh(): Promise<void>;
};

/** Where one cell lives. */
export type Home = {
  readonly name: string;
  readonly address: DatabaseAddress;
  readonly shards: Shards | null;
};

const NO_SHARDS: Shards = new Map();

/** Homes that never change. */
export function fixedHomes(addressOf: Homes["addressOf"], nameOf: Homes["nameOf"] = () => ""): Homes {
  return { addressOf, nameOf, ownerOf: addressOf, shardsOf: () => NO_SHARDS, refresh: async () => undefined };
}

/** Homes that change: what is not placed lives at `directory`. */
export function createHomes(directory: DatabaseAddress, refresh: () => Promise<void>) {
  const placed = new Map<string, Home>();
  const homeOf = (schema: string | undefined): Home | undefined =>
    schema === undefined ? undefined : placed.get(schema);
  return {
    addressOf: (schema: string | undefined) => homeOf(schema)?.address ?? directory,
    nameOf: (schema: string | undefined) => homeOf(schema)?.name ?? "",
    ownerOf: () => directory,
    shardsOf(schema: string | undefined): Shards | null {
      const home = homeOf(schema);
      return home === undefined ? NO_SHARDS : home.shards;
    },
    refresh,
    place: (schema: string, home: Home): void => void placed.set(schema, home),
    placedAt: homeOf,
  };
}
