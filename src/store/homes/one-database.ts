/** Each database has one name among the servers: moved from one name to another, a cell would be copied onto itself. */
import { waitAtMost } from "../../runtime/cleanup.ts";
import type { Clock } from "../../runtime/clock.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { cellsNamed, SCHEMA_PREFIX } from "../cell.ts";
import type { Connection, Database, DatabaseAddress } from "../database.ts";
import * as sql from "./statements.ts";

/** A start does not wait longer for servers that are gone. A move asks again. */
const ASK_MS_MAX = 2_000;
/** The statement is of no schema. */
const [NO_CELL] = cellsNamed(SCHEMA_PREFIX, 1);

export async function isOneDatabase(one: Connection, other: Connection): Promise<boolean> {
  return (await identityOf(one)) === (await identityOf(other));
}

/** Throws `StartupError` when two of the servers, by name, are one database. Passes over servers that do not answer. */
export async function refuseTwoNames(
  database: Database,
  servers: ReadonlyMap<string, DatabaseAddress>,
  clock: Clock,
): Promise<void> {
  if (servers.size < 2) return;
  const names = new Map<string, string>();
  const ask = async ([name, address]: readonly [string, DatabaseAddress]) => {
    const identity = await identityOf(database.at(address)).catch(() => name);
    const other = names.get(identity);
    if (other === undefined) return void names.set(identity, name);
    throw new StartupError(
      `The servers ${[other, name].toSorted().join(" and ")} are one database. Name each once in BOATHOOK_SERVERS, ` +
        "and that of BOATHOOK_DATABASE_URL never.",
    );
  };
  const asked = Promise.all([...servers].map(ask)).then(() => undefined);
  await waitAtMost(clock, ASK_MS_MAX, asked);
}

async function identityOf(db: Connection): Promise<string> {
  return (await db.rows(sql.databaseIdentity(NO_CELL), []))[0]!.identity;
}
