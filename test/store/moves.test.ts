/** A cell moves from one server to another: whole, and whatever step is the last of a process. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { listCells } from "../../src/store/homes/cells.ts";
import { inOrder } from "../../src/store/moves/copy-schema.ts";
import { holdCell } from "../../src/store/moves/hold-cell.ts";
import { MoveRefused, type MoveStep } from "../../src/store/moves/move-cell.ts";
import { query } from "../support/database.ts";
import { assertAtHome, assertMoved, contents, kill, mover, openScene } from "./moving-cell.ts";

describe("moving a cell to another server", () => {
  test("carries every row, and leaves nothing behind", async (t) => {
    const scene = await openScene(t);
    assert.equal(await scene.move("east"), "moved");
    await assertMoved(scene);
    const copied = scene.steps.filter(({ step }) => step === "copied").length;
    assert.ok(copied > 20, "each table was reported");
    assert.equal(await scene.move("east"), "there");
  });

  test("makes partitions with the settings that they had", async (t) => {
    const scene = await openScene(t);
    const shape = (address: DatabaseAddress) =>
      query(
        address,
        `select c.relname, pg_get_expr(c.relpartbound, c.oid) as bound, c.reloptions,
           (select count(*) from pg_index i where i.indrelid = c.oid) as indexes,
           (select count(*) from pg_constraint k where k.conrelid = c.oid and contype <> 'n') as constraints
         from pg_class c where c.relnamespace = '${scene.cell.schema}'::regnamespace and c.relkind in ('r', 'p') order by 1`,
      );
    const before = (await shape(scene.directory)).rows;
    await scene.move("east");
    assert.deepEqual((await shape(scene.other)).rows, before);
  });

  test("a cell has nothing that a copy would not carry: no sequences, no triggers", async (t) => {
    const { directory, cell } = await openScene(t);
    const found = await query(
      directory,
      `select c.relname from pg_class c
       where c.relnamespace = '${cell.schema}'::regnamespace and (c.relkind not in ('r', 'p', 'i', 'I', 't') and c.relname !~ '^migrations'
         or exists (select from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal))`,
    );
    assert.deepEqual(found.rows, []);
  });

  for (const killAt of [
    ["prepared", 1],
    ["fenced", 1],
    ["copied", 1],
    ["copied", 20],
    ["placed", 1],
    ["arrived", 1],
    ["ended", 1],
  ] as const) {
    const name = killAt.join(" ");
    test(`goes on where a process was killed behind the step ${name}`, async (t) => {
      const scene = await openScene(t);
      kill(scene, killAt);
      assert.notEqual(await scene.move("east"), null, "the lock went with the process");
      await assertMoved(scene);
    });

    test(`can be undone, or moved back, after a process was killed behind the step ${name}`, async (t) => {
      const scene = await openScene(t);
      kill(scene, killAt);
      const wasPlaced = ["placed", "arrived", "ended"].includes(killAt[0]);
      assert.equal(await scene.move(""), wasPlaced ? "moved" : "undone");
      await assertAtHome(scene);
    });
  }

  test("undoes itself when it is interrupted", async (t) => {
    const scene = await openScene(t);
    const controller = new AbortController();
    const onStep = ({ step }: MoveStep) => {
      if (step === "copied") controller.abort();
    };
    await assert.rejects(scene.move("east", { signal: controller.signal, onStep }), { name: "AbortError" });
    await assertAtHome(scene);
  });

  test("waits for a transaction that writes, and gives up on one that stays open", async (t) => {
    const scene = await openScene(t);
    let stay = () => {};
    const staying = new Promise<void>((resolve) => (stay = resolve));
    let begun = () => {};
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const { schema } = scene.cell;
    const writing = scene.rows.database.transaction(async (tx) => {
      await tx.rows({ name: "w", text: `update ${schema}.changes set number = number + 1`, schema }, []);
      begun();
      await staying;
    });
    await beginning;
    const moving = scene.move("east");
    await assert.rejects(
      moving,
      (cause) => cause instanceof StoreUnavailable && cause.reason === "contention",
    );
    stay();
    await writing;
    assert.equal(await scene.move("east"), "moved");
    const { rows } = await query(scene.other, `select number::int from ${schema}.changes`);
    assert.deepEqual(rows, [{ number: 1 }], "what was written is there");
  });

  test("is one command's at a time, and goes to one server", async (t) => {
    const scene = await openScene(t);
    const second = await holdCell(scene.rows.database, scene.cell, () => scene.move("east"));
    assert.equal(second, null);
    kill(scene, ["fenced", 1]);
    await assert.rejects(scene.move("west"), MoveRefused);
    assert.equal(await scene.move("east"), "moved");
  });

  test("refuses a server that has a schema of the name, which may be live: it advises to drop nothing", async (t) => {
    const scene = await openScene(t);
    await query(scene.other, `create schema ${scene.cell.schema}`);
    await assert.rejects(scene.move("east"), isRefused(/something else/));
    await query(scene.other, `drop schema ${scene.cell.schema}`);
    await assertAtHome(scene);
  });

  test("refuses another name of the database where the cell lives, and drops nothing", async (t) => {
    const scene = await openScene(t);
    const again = { ...scene, other: scene.directory };
    await assert.rejects(mover(again)("east"), isRefused(/^directory and east are one database/));
    await assertAtHome(scene);
  });

  test("ends without the old server once nobody names it, which would hold up the cell for ever", async (t) => {
    const scene = await openScene(t);
    kill(scene, ["placed", 1]);
    // The directory's server stands in for the one that is gone.
    await query(scene.directory, `update boathook.cells set moved_from = 'west' where number = 0`);
    await assert.rejects(scene.move("east"), StoreUnavailable);
    await assert.rejects(scene.move("north"), StoreUnavailable);
    const [waiting] = await listCells(scene.rows.database, scene.cell);
    assert.deepEqual([waiting!.server, waiting!.movedFrom], ["east", "west"]);
    const without = mover({ ...scene, named: ["", "east"] });
    assert.equal(await without("east"), "moved");
    assert.deepEqual(scene.steps.at(-1), { step: "left" });
    const [listed] = await listCells(scene.rows.database, scene.cell);
    assert.deepEqual([listed!.server, listed!.movedFrom], ["east", null]);
    assert.deepEqual(await contents(scene.other, scene.cell.schema), scene.before);
    await assert.rejects(without("west"), isRefused(/^BOATHOOK_SERVERS does not name west$/));
  });

  test("takes its time where the server ends what other clients do slowly", async (t) => {
    const scene = await openScene(t);
    const { rows } = await query(scene.directory, "select current_database() as name");
    await query(
      scene.directory,
      `alter database ${rows[0].name} set idle_in_transaction_session_timeout = '1ms'`,
    );
    assert.equal(await scene.move("east"), "moved");
  });

  test("tables are filled after the tables that their rows refer to", () => {
    const tables = [
      { name: "a", needs: ["b", "c"] },
      { name: "b", needs: ["c", "elsewhere"] },
      { name: "c", needs: [] },
    ];
    assert.deepEqual(
      inOrder(tables).map(({ name }) => name),
      ["c", "b", "a"],
    );
    assert.throws(() => inOrder([{ name: "a", needs: ["a"] }]));
  });
});

function isRefused(why: RegExp) {
  return (error: unknown) =>
    error instanceof MoveRefused && why.test(error.message) && !/\bdrop/.test(error.message);
}
