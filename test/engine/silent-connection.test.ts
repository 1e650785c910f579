import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import type { Cell } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { eventFor, startHarness, type Harness } from "./harness.ts";

describe("a connection that is gone without a word", () => {
  let on: Harness;
  afterEach(() => on.stop());

  /** Lets the first `count` statements of the node's own connections go unanswered, until that connection is closed. */
  function silence(database: Database, pattern: RegExp, count: number): { readonly opened: () => number } {
    const { dedicated } = database;
    let opened = 0;
    let left = count;
    Object.assign(database, {
      async dedicated(cell: Cell, onLost: (cause: Error) => void) {
        const connection = await dedicated(cell, onLost);
        opened += 1;
        const isWell = left <= 0;
        let close: (cause: Error) => void = () => undefined;
        const closed = new Promise<never>((_resolve, reject) => (close = reject));
        closed.catch(() => undefined);
        return {
          ...connection,
          rows: (statement: { readonly name: string }, parameters: readonly unknown[]) =>
            pattern.test(statement.name) && left-- > 0
              ? closed
              : connection.rows(statement as never, parameters),
          close() {
            close(new Error("closed"));
            // The server does not notice: it thinks the session alive, which keeps its locks.
            return left < count && !isWell ? Promise.resolve() : connection.close();
          },
        };
      },
    });
    return { opened: () => opened };
  }

  test("is replaced after a lease; until then nothing is sent, and the engine is unhealthy", async () => {
    on = await startHarness();
    const { account } = await on.receiver();
    // Of the node's next connections: the heartbeats of the first two stay without an answer.
    const { opened } = silence(on.test.database, new RegExp(`^node_heartbeat@${on.cell.schema}$`), 2);
    const node = (await on.sql("select id from cell.nodes"))[0]!["id"];
    // The connection that the node has is cut for real, so that it opens others.
    await on.sql(
      `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and d.datname = current_database()`,
    );
    await on.until(() => opened() === 1, "the first silent connection");
    await on.raise([eventFor(account)]);
    await on.clock.advance(29_000);
    assert.equal(on.arrivals.length, 0, "nothing is sent by a node that may have been replaced");
    await on.until(() => opened() === 2, "the second, after a lease");
    await on.clock.advance(28_000);
    await on.until(() => on.engine.illCells().has(on.cell), "the engine is ill");
    assert.match(String(on.engine.illCells().get(on.cell)), /membership in cell/);
    await on.until(() => on.arrivals.length === 1, "the delivery, over the third");
    await on.until(() => !on.engine.illCells().has(on.cell), "the engine is well");
    const waiting = await on.sql(
      "select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()",
    );
    assert.equal(waiting.length, 0, "no session is left waiting for a lock");
    assert.equal((await on.sql("select id from cell.nodes"))[0]!["id"], node, "nobody replaced it");
  });
});
