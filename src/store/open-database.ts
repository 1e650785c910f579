import { moved, STORE_FAULTS, StoreUnavailable } from "../model/errors.ts";
import type { Cell } from "./cell.ts";
import type { Connection, Database, DatabaseAddress, DedicatedConnection } from "./database.ts";
import { fixedHomes, type Homes } from "./homes/homes.ts";
import { openServer, type Server, type ServerOptions, type Transaction } from "./server.ts";
import type { Shards } from "./shards/on-shards.ts";
import type { Statement } from "./sql.ts";

/** A database on one server. */
export function openDatabase(address: DatabaseAddress, options: ServerOptions): Database {
  return openDatabaseOn(
    fixedHomes(() => address),
    options,
  );
}

type Servers = {
  readonly homes: Homes;
  readonly opened: Map<DatabaseAddress, Server>;
  readonly options: ServerOptions;
};

/** A database on the servers that `homes` names; `options` hold for each. Connects when first used. */
export function openDatabaseOn(homes: Homes, options: ServerOptions): Database {
  const servers: Servers = { homes, opened: new Map(), options };
  const serverOf = (schema: string | undefined) => serverAt(servers, homes.addressOf(schema));
  const ownerOf = (schema: string | undefined) => serverAt(servers, homes.ownerOf(schema));
  return {
    rows: (statement, parameters) =>
      whereItLives(homes, () => serverOf(statement.schema).rows(onShards(homes, statement), parameters)),
    transaction: (work) =>
      whereItLives(homes, () => transaction(serverOf, (statement) => onShards(homes, statement), work)),
    at: (address) => serverAt(servers, address),
    async dedicated(cell, onLost) {
      const connection = await serverOf(cell.schema).dedicated(onLost);
      const rows: Connection["rows"] = (statement, parameters) =>
        connection.rows(onShards(homes, statement), parameters);
      return { ...connection, rows } satisfies DedicatedConnection;
    },
    homeOf: (cell) => homes.addressOf(cell.schema),
    homeName: (cell) => homes.nameOf(cell.schema),
    owner: ({ schema }: Cell) => ({
      rows: (statement, parameters) => ownerOf(schema).rows(statement, parameters),
      transaction: (work) => transaction(ownerOf, (statement) => statement, work),
      dedicated: (onLost) => ownerOf(schema).dedicated(onLost),
    }),
    async close() {
      await Promise.all([...servers.opened.values()].map((server) => server.close()));
    },
  };
}

function serverAt({ opened, options }: Servers, address: DatabaseAddress): Server {
  const known = opened.get(address);
  if (known !== undefined) return known;
  const server = openServer(address, options);
  opened.set(address, server);
  return server;
}

/**
 * The servers of Citus commit a move one after the other: for some milliseconds the coordinator does not know yet where
 * the cell is now. Between two tries it is asked.
 */
const MOVED_TRIES_MAX = 6;

/** Runs work again, at its cell's new home, if the cell has moved: nothing was done where it was. */
async function whereItLives<T>(homes: Homes, run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (cause) {
      if (!isMoved(cause) || tries === MOVED_TRIES_MAX) throw cause;
      await homes.refresh().catch(() => {
        throw cause;
      });
    }
  }
}

function isMoved(cause: unknown): boolean {
  return cause instanceof StoreUnavailable && cause.reason === "moved";
}

/** Statements by the shards that they name, made once. */
const named = new WeakMap<Statement, { readonly shards: Shards; readonly statement: Statement }>();

function onShards<S extends Statement>(homes: Homes, statement: S): S {
  const shards = homes.shardsOf(statement.schema);
  // Without its guard a write could be lost in a move.
  if (shards === null) throw new StoreUnavailable(STORE_FAULTS.unreachable, { commitUnknown: false });
  if (shards.size === 0 || statement.onShards === undefined) return statement;
  const known = named.get(statement);
  if (known?.shards === shards) return known.statement as S;
  const made = { ...statement, name: `${statement.name} on shards`, text: statement.onShards(shards) };
  named.set(statement, { shards, statement: made });
  return made;
}

type Begun = {
  readonly schema: string | undefined;
  readonly server: Server;
  readonly tx: Promise<Transaction>;
};

async function transaction<T>(
  serverOf: (schema: string | undefined) => Server,
  placed: <S extends Statement>(statement: S) => S,
  work: (tx: Connection) => Promise<T>,
): Promise<T> {
  let begun: Begun | null = null;
  const rows: Connection["rows"] = async (statement, parameters) => {
    const { name, schema } = statement;
    const server = serverOf(schema);
    const asked = placed(statement);
    begun ??= { schema, server, tx: server.begin() };
    if (begun.server !== server) {
      // Another statement has found the cell moved.
      if (begun.schema === schema) throw moved();
      throw new Error(`${name} is of another server than its transaction`);
    }
    return (await begun.tx).rows(asked, parameters);
  };
  const ended = (): Promise<Transaction | undefined> => Promise.resolve(begun?.tx);
  try {
    const result = await work({ rows });
    await (await ended())?.commit();
    return result;
  } catch (cause) {
    // What could not begin has nothing to roll back.
    await (await ended().catch(() => undefined))?.rollBack(cause);
    throw cause;
  }
}
