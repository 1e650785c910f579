import type pg from "pg";

import type { Log } from "../runtime/log.ts";
import type { SchemaTargets } from "./migration-targets.ts";
import { sqlTokens } from "./sql-tokens.ts";

/** Runs the migrations that a schema lacks, all in one transaction. Call it under the lock; answers the names of what ran. */
export async function runMigrations(
  dbClient: pg.ClientBase,
  targets: SchemaTargets,
  log: Log,
): Promise<readonly string[]> {
  const { runner } = await import("node-pg-migrate");
  const ran: string[] = [];
  for (const { schema, folder, table, prefix } of targets) {
    const note = (message: string) => log.debug({ schema }, message);
    const migrations = (
      await runner({
        dbClient,
        dir: folder,
        direction: "up",
        schema,
        createSchema: true,
        migrationsTable: table,
        singleTransaction: true,
        noLock: true,
        logger: { info: note, warn: note, error: note },
      })
    ).map(({ name }) => name);
    if (migrations.length > 0) log.info({ schema, migrations }, "migrated the database");
    ran.push(...migrations.map((name) => `${schema}/${prefix}${name}`));
  }
  return ran;
}

/** The client, for files of several statements: Citus takes a change of a distributed table by itself only. */
export function oneByOne(client: pg.Client): pg.ClientBase {
  const query = async (text: string, values?: unknown[]) => {
    let answer: unknown;
    for (const one of statementsIn(text)) answer = await client.query(one, values);
    return answer;
  };
  return { query } as unknown as pg.ClientBase;
}

/** The statements of a file: its text cut at semicolons, but not at those in strings and comments. */
function statementsIn(text: string): readonly string[] {
  const ends = [...sqlTokens(text)].filter((token) => token.text === ";").map(({ start }) => start + 1);
  const pieces = [0, ...ends].map((start, index) => text.slice(start, ends[index]));
  return pieces.filter((piece) =>
    [...sqlTokens(piece)].some(
      ({ kind, text: token }) => kind !== "space" && kind !== "comment" && token !== ";",
    ),
  );
}
