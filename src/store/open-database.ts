import type { Connection, Database, DatabaseAddress } from "./database.ts";
import { oneHome, type Homes } from "./homes.ts";
import { openServer, type Server, type ServerOptions, type Transaction } from "./server.ts";

/** A database on one server. */
export function openDatabase(address: DatabaseAddress, options: ServerOptions): Database {
  return openDatabaseOn(oneHome(address), options);
}

type Servers = {
  readonly homes: Homes;
  readonly opened: Map<DatabaseAddress, Server>;
  readonly options: ServerOptions;
};

/** A database on the servers that `homes` names; `options` hold for each. Connects when first used. */
export function openDatabaseOn(homes: Homes, options: ServerOptions): Database {
  const servers: Servers = { homes, opened: new Map(), options };
  return {
    rows: (statement, parameters) => serverOf(servers, statement.schema).rows(statement, parameters),
    transaction: (work) => transaction(servers, work),
    dedicated: (cell, onLost) => serverOf(servers, cell.schema).dedicated(onLost),
    homeOf: (cell) => homes.addressOf(cell.schema),
    async close() {
      await Promise.all([...servers.opened.values()].map((server) => server.close()));
    },
  };
}

function serverOf({ homes, opened, options }: Servers, schema: string | undefined): Server {
  const address = homes.addressOf(schema);
  const known = opened.get(address);
  if (known !== undefined) return known;
  const server = openServer(address, options);
  opened.set(address, server);
  return server;
}

async function transaction<T>(servers: Servers, work: (tx: Connection) => Promise<T>): Promise<T> {
  let begun: { readonly server: Server; readonly tx: Promise<Transaction> } | null = null;
  const rows: Connection["rows"] = async (statement, parameters) => {
    const server = serverOf(servers, statement.schema);
    begun ??= { server, tx: server.begin() };
    if (begun.server !== server)
      throw new Error(`${statement.name} is of another server than its transaction`);
    return (await begun.tx).rows(statement, parameters);
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
