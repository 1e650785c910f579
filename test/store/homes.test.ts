/** Each statement goes to the server that is the home of its schema. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Database } from "../../src/store/database.ts";
import { createHomes, fixedHomes } from "../../src/store/homes/homes.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import type { Statement } from "../../src/store/sql.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

/** Tells which database it ran on. */
function whereIs(schema?: string): Statement<{ where: string }> {
  const statement = { name: `where@${schema}`, text: "select current_database() as where" };
  return schema === undefined ? statement : { ...statement, schema };
}

const OPTIONS = { connectionsMax: 2, connectTimeoutMs: 10_000, onIdleError: () => undefined };

function whereIsIt(body: string): string {
  return `create function public.where_it_is() returns text language plpgsql as $$ begin ${body}; end $$`;
}

describe("a database on two servers", () => {
  let one: TestDatabase;
  let other: TestDatabase;
  let database: Database;
  let names: readonly [string, string];
  before(async () => {
    [one, other] = [await createTestDatabase({ cells: 2 }), await createTestDatabase({ cells: 2 })];
    names = [await nameOf(one), await nameOf(other)];
    const [, second] = one.cells;
    const homes = fixedHomes((schema) => (schema === second!.schema ? other.address : one.address));
    database = openDatabaseOn(homes, { ...OPTIONS, sessionName: "boathook test" });
  });
  after(async () => {
    await database.close();
    await one.drop();
    await other.drop();
  });

  async function nameOf({ database: own }: TestDatabase): Promise<string> {
    return (await own.rows(whereIs(), []))[0]!.where;
  }

  test("runs a statement where its schema lives, and one without a schema at the directory", async () => {
    const [first, second] = one.cells;
    const found = [];
    for (const schema of [undefined, first!.directory, first!.schema, second!.schema]) {
      found.push((await database.rows(whereIs(schema), []))[0]!.where);
    }
    assert.deepEqual(found, [names[0], names[0], names[0], names[1]]);
    const own = await database.dedicated(second!, assert.fail);
    assert.deepEqual(await own.rows(whereIs(second!.schema), []), [{ where: names[1] }]);
    await own.close();
  });

  test("runs the statements of a connection one after the other", async () => {
    const warnings: string[] = [];
    const warned = ({ message }: Error) => void warnings.push(message);
    process.on("warning", warned);
    const [cell] = one.cells;
    const connection = await database.dedicated(cell!, assert.fail);
    const statement = (text: string): Statement<{ at: number }> => ({
      name: text,
      text,
      schema: cell!.schema,
    });
    const asked = [
      statement("select 1 as at from pg_sleep(0.05)"),
      statement("select 1 / 0 as at"),
      statement("select 3 as at"),
    ].map((each) => connection.rows(each, []));
    const [first, failed, last] = await Promise.allSettled(asked);
    assert.deepEqual(
      [first!.status, failed!.status, last],
      ["fulfilled", "rejected", { status: "fulfilled", value: [{ at: 3 }] }],
    );
    await connection.close();
    process.off("warning", warned);
    assert.deepEqual(warnings, []);
  });

  test("keeps a transaction on the server of its first statement", async () => {
    const [first, second] = one.cells;
    for (const [schema, foreign] of [
      [first!.schema, second!.schema],
      [second!.schema, first!.directory],
    ] as const) {
      const crossing = database.transaction(async (tx) => {
        await tx.rows(whereIs(schema), []);
        await tx.rows(whereIs(foreign), []);
      });
      await assert.rejects(crossing, /is of another server than its transaction/);
    }
    const same = await database.transaction(async (tx) => [
      ...(await tx.rows(whereIs(first!.directory), [])),
      ...(await tx.rows(whereIs(first!.schema), [])),
    ]);
    assert.deepEqual(same, [{ where: names[0] }, { where: names[0] }]);
  });

  test("follows a cell that has moved, though its new home is known a moment later, and a transaction begins again", async () => {
    const [, second] = one.cells;
    const statement = (text: string) => ({ name: text, text, schema: second!.schema });
    let refreshes = 0;
    const homes = createHomes(one.address, async () => {
      refreshes += 1;
      if (refreshes % 3 > 0) return;
      const { address } = other;
      homes.place(second!.schema, { name: "other", address, shards: new Map() });
    });
    const comeBack = () => homes.place(second!.schema, { name: "", address: one.address, shards: new Map() });
    const moving = openDatabaseOn(homes, { ...OPTIONS, sessionName: "boathook test" });
    await query(one.address, whereIsIt("raise exception 'elsewhere' using errcode = 'BHMOV'"));
    await query(other.address, whereIsIt("return 'there'"));
    for (const { address } of [one, other]) await query(address, "create table public.done (what text)");

    const where = statement("select public.where_it_is() as where");
    comeBack();
    assert.deepEqual(await moving.rows(where, []), [{ where: "there" }]);
    comeBack();
    const done = await moving.transaction(async (tx) => {
      await tx.rows(statement("insert into public.done values ('once')"), []);
      return tx.rows(where, []);
    });
    assert.deepEqual([done, refreshes], [[{ where: "there" }], 6]);
    const kept = await Promise.all(
      [one, other].map(async ({ address }) => (await query(address, "select what from public.done")).rows),
    );
    assert.deepEqual(kept, [[], [{ what: "once" }]]);
    await moving.close();
  });

  test("begins a transaction again whose cell another statement has followed in the middle of it", async () => {
    const { schema } = one.cells[1]!;
    const homes = createHomes(one.address, async () => undefined);
    const moving = openDatabaseOn(homes, { ...OPTIONS, sessionName: "boathook test" });
    const found = await moving.transaction(async (tx) => {
      const first = await tx.rows(whereIs(schema), []);
      homes.place(schema, { name: "other", address: other.address, shards: new Map() });
      return [...first, ...(await tx.rows(whereIs(schema), []))];
    });
    assert.deepEqual(found, [{ where: names[1] }, { where: names[1] }]);
    await moving.close();
  });

  test("refuses statements of a cell whose shards are not known, and opens no connection", async () => {
    const homes = createHomes(one.address, async () => undefined);
    const nowhere = { url: "postgres://nobody@127.0.0.1:1/nothing" };
    homes.place(one.cells[1]!.schema, { name: "", address: nowhere, shards: null });
    const unknown = openDatabaseOn(homes, { ...OPTIONS, sessionName: "boathook test" });
    const refused = (error: unknown) => error instanceof StoreUnavailable && !error.commitUnknown;
    const statement = { ...whereIs(one.cells[1]!.schema), onShards: () => "" };
    await assert.rejects(unknown.rows(statement, []), refused);
    await assert.rejects(
      unknown.transaction((tx) => tx.rows(statement, [])),
      refused,
    );
    await unknown.close();
  });

  test("takes no connection for a transaction without statements", async () => {
    const idle = openDatabaseOn(
      fixedHomes(() => ({ url: "postgres://nobody@127.0.0.1:1/nothing" })),
      { ...OPTIONS, sessionName: "boathook test", onIdleError: assert.fail },
    );
    assert.equal(await idle.transaction(async () => 7), 7);
    await idle.close();
  });

  test("says that a cell moves to another home, and not that a statement is wrong", async () => {
    const faults: string[] = [];
    const away = openDatabaseOn(
      fixedHomes(() => one.address),
      {
        ...{ ...OPTIONS, sessionName: "boathook test" },
        watch: { done: () => undefined, failed: (_what, fault) => void faults.push(fault) },
      },
    );
    const { schema } = one.cells[0]!;
    const read = { name: "read", text: `select number::int from "${schema}".changes`, schema };
    const wrong = { name: "wrong", text: `select from "${schema}".nothing`, schema };
    assert.equal((await away.rows(read, [])).length, 1);
    await assert.rejects(away.rows(wrong, []), { code: "42P01" });
    assert.deepEqual(faults, ["other"]);
    await query(one.address, `alter schema ${schema} rename to ${schema}_moving`);
    const isMoved = (cause: unknown) =>
      cause instanceof StoreUnavailable && cause.reason === "moved" && !cause.commitUnknown;
    // More at once than there are connections, in transactions too.
    const asked = Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0 ? away.rows(read, []) : away.transaction((tx) => tx.rows(read, [])),
    );
    await Promise.all(asked.map((each) => assert.rejects(each, isMoved)));
    assert.deepEqual(new Set(faults.slice(1)), new Set(["moved"]));
    await query(one.address, `alter schema ${schema}_moving rename to ${schema}`);
    assert.equal((await away.rows(read, [])).length, 1);
    await away.close();
  });
});
