/** Texts of airlines, and what they say of air waybills. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";

import {
  listAirStatements,
  insertAirMessages,
  pruneAirMessages,
} from "../../src/products/air/store/air-messages.ts";
import { messageId } from "../../src/products/air/sources/message-id.ts";
import { idOf, storeRows, plain, timeOf } from "./store-rows.ts";

const [AWB, OTHER_AWB] = ["02012345675", "17612345675"];

const messageOf = (
  id: number,
  text: string,
  said: readonly (readonly [awb: string, statement: string])[],
) => ({
  id: idOf(id),
  digest: createHash("sha256").update(text).digest(),
  message: Buffer.from(text),
  problem: said.length === 0 ? "unreadable" : null,
  statements: said.map(([awb, statement]) => ({ awb, message: messageId(statement, null), statement })),
  isRepeat: false,
});

describe("messages of airlines in the store", () => {
  const rows = storeRows((of) => of.run("truncate cell.air_messages cascade"));

  const insert = async (atMs: number, ...messages: readonly ReturnType<typeof messageOf>[]) =>
    (
      plain([...(await insertAirMessages(rows.database, rows.cell, messages, timeOf(atMs)))]) as number[]
    ).toSorted((a, b) => a - b);
  const said = (awb: string, countMax = 9) => listAirStatements(rows.database, rows.cell, awb, countMax);

  test("are kept once, with what they say", async () => {
    assert.deepEqual(await insert(1, messageOf(1, "FSU", [[AWB, "a"]]), messageOf(2, "?", [])), [1, 2]);
    assert.deepEqual(await insert(2, messageOf(3, "FSU", [[AWB, "b"]]), messageOf(4, "!", [])), [4]);
    assert.deepEqual(await said(AWB), ["a"]);
    assert.deepEqual(
      await rows.read(
        "select id, convert_from(message, 'UTF8'), received_at, problem from cell.air_messages order by id",
      ),
      [
        [1, "FSU", 1, null],
        [2, "?", 1, "unreadable"],
        [4, "!", 2, "unreadable"],
      ],
    );
  });

  test("say of a waybill what came last, the oldest of it first", async () => {
    // The later text has the smaller id.
    await insert(
      2,
      messageOf(1, "one", [
        [AWB, "f"],
        [OTHER_AWB, "other"],
      ]),
    );
    await insert(
      1,
      messageOf(2, "two", [
        [AWB, "a"],
        [AWB, "b"],
        [AWB, "c"],
      ]),
      messageOf(3, "three", [[AWB, "d"]]),
    );
    await insert(1, messageOf(4, "four", [[AWB, "e"]]));
    assert.deepEqual(await said(AWB), ["a", "b", "c", "d", "e", "f"]);
    assert.deepEqual(await said(AWB, 1), ["f"]);
    assert.deepEqual(await said(AWB, 2), ["e", "f"]);
    assert.deepEqual(await said(AWB, 4), ["c", "d", "e", "f"]);
    assert.deepEqual(await said(OTHER_AWB), ["other"]);
  });

  test("are forgotten by age", async () => {
    await insert(5, messageOf(1, "one", [[AWB, "a"]]));
    await insert(4, messageOf(2, "two", [[AWB, "b"]]));
    await insert(6, messageOf(3, "three", [[AWB, "c"]]));
    assert.equal(await pruneAirMessages(rows.database, rows.cell, timeOf(5)), false);
    assert.deepEqual(await said(AWB), ["a", "c"]);
  });

  test("are forgotten in steps, the oldest first", async () => {
    await rows.run(
      `insert into cell.air_messages (id, digest, received_at, message)
       select gen_random_uuid(), sha256(n::text::bytea), to_timestamp(3000 - n), '' from generate_series(1, 2001) n`,
    );
    assert.equal(await pruneAirMessages(rows.database, rows.cell, timeOf(5)), true);
    assert.deepEqual(
      await rows.read("select extract(epoch from received_at)::integer from cell.air_messages"),
      [[2_999]],
    );
    assert.equal(await pruneAirMessages(rows.database, rows.cell, timeOf(5)), false);
  });
});
