/** What PostgreSQL says of a mutant before any test runs: one that it refuses to prepare needs no test. */
import pg from "pg";

import { cellsNamed, SCHEMA_PREFIX } from "../../src/store/cell.ts";
import { connectionConfig } from "../../src/store/database.ts";
import { inSchemas } from "../../src/store/sql.ts";
import { databaseName, TEST_CELLS, type TestServer } from "../support/test-server.ts";

export type Refusals = {
  /** The types of a statement's parameters, in their order. */
  typesOf(text: string): Promise<readonly string[]>;
  refuses(text: string): Promise<boolean>;
  close(): Promise<void>;
};

export async function openRefusals(server: TestServer): Promise<Refusals> {
  const name = databaseName(0);
  await server.run(`create database ${name} template ${await server.template(TEST_CELLS)}`);
  const client = new pg.Client(connectionConfig(server.addressOf(name)));
  await client.connect();
  const [cell] = cellsNamed(SCHEMA_PREFIX, 1);
  const prepare = (text: string) => client.query(`prepare mutant as ${inSchemas(text, cell)}`);
  return {
    async typesOf(text) {
      await prepare(text);
      const { rows } = await client.query<{ types: string[] }>(
        "select parameter_types::text[] as types from pg_prepared_statements where name = 'mutant'",
      );
      await client.query("deallocate mutant");
      return rows[0]!.types;
    },
    async refuses(text) {
      try {
        await prepare(text);
      } catch {
        return true;
      }
      await client.query("deallocate mutant");
      return false;
    },
    async close() {
      await client.end();
      await server.run(`drop database ${name} with (force)`);
    },
  };
}
