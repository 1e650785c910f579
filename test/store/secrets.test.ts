/** Sealed secrets as a rotation of the master key replaces them. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { readSealedSecrets, replaceSeals } from "../../src/store/endpoints/secrets.ts";
import { secretCountSeals } from "../../src/store/endpoints/secrets.sql.ts";
import { idOf, storeRows } from "./store-rows.ts";
import { columns } from "../support/columns.ts";

const seal = (fingerprint: number, rest: number) =>
  Buffer.from([1, fingerprint, fingerprint, fingerprint, fingerprint, rest]);

describe("sealed secrets", () => {
  const rows = storeRows();
  beforeEach(async () => {
    await rows.account(1);
    for (const id of [3, 1, 2]) await rows.endpoint(id, { sealed_secret_hash: seal(7, id) });
  });

  const secret = (id: number) => ({ endpointId: idOf(id), accountId: idOf(1), sealed: seal(7, id) });
  const seals = () => rows.read("select id, sealed_secret_hash from cell.endpoints order by 1");

  test("are read page by page, in the order of their endpoints", async () => {
    const page = (afterId: string | null) =>
      readSealedSecrets(rows.database, rows.cell, { afterId, limit: 2 });
    assert.deepEqual([await page(null), await page(idOf(2))], [[secret(1), secret(2)], [secret(3)]]);
  });

  test("are replaced where they are as they were read, each by its own, and counted by their keys", async () => {
    // No two seals are the same; one that were would still be another endpoint's.
    await rows.run(
      `update cell.endpoints set sealed_secret_hash = '\\x${seal(7, 1).toString("hex")}' where id = '${idOf(3)}'`,
    );
    const replaced = await replaceSeals(rows.database, rows.cell, [
      { ...secret(1), fresh: seal(8, 1) },
      { ...secret(2), sealed: seal(7, 9), fresh: seal(8, 2) },
    ]);
    assert.equal(replaced, 1);
    assert.deepEqual(await seals(), [
      [1, seal(8, 1)],
      [2, seal(7, 2)],
      [3, seal(7, 1)],
    ]);
    const counts = await secretCountSeals(rows.database, rows.cell);
    assert.deepEqual(
      columns(
        counts.toSorted((a, b) => a.count - b.count),
        "fingerprint",
        "count",
      ),
      [
        [Buffer.alloc(4, 8), 1],
        [Buffer.alloc(4, 7), 2],
      ],
    );
  });
});
