/** Which known rows an import writes again. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, test } from "node:test";

import {
  pruneImportedMilestones,
  upsertImportedMilestones,
} from "../../../src/products/ocean/store/imported-milestones.ts";
import { START_MS } from "../../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type StoredRow = {
  readonly reference: string;
  readonly written: string;
  readonly withdrawn: boolean;
  readonly stated: number;
  readonly received: number;
};

describe("rows of an import", () => {
  let stored: TestDatabase;
  beforeEach(async () => {
    stored = await createTestDatabase();
  });
  afterEach(() => stored.drop());

  const cell = () => stored.cells.at(-1)!;
  const row = (reference: string, statedAtMs = START_MS, withdrawn = false) => {
    const statement = JSON.stringify({ code: "GTIN" });
    const digest = createHash("sha256").update(statement).digest("hex");
    return { reference, digest, statement, statedAtMs, withdrawn };
  };
  const A = "HRNU4000017";
  const B = "HRNU4000022";
  const NEW = "HRNU4000038";
  const digest = row(A).digest;

  const keep = async (atMs: number, ...rows: readonly ReturnType<typeof row>[]) => [
    ...(await upsertImportedMilestones(stored.database, cell(), rows, atMs)),
  ];
  /** By reference, the transaction that wrote its row last, and what the row says. */
  const rows = async (): Promise<readonly StoredRow[]> => {
    const found = await stored.queryIn(
      cell(),
      `select reference, xmin::text as written, withdrawn, extract(epoch from stated_at)::float8 * 1000 as stated,
        extract(epoch from received_at)::float8 * 1000 as received from cell.imported_milestones order by reference`,
    );
    return found.rows as StoredRow[];
  };

  test("a row that is known as it comes is not written again, but once a day, so that it is kept", async () => {
    assert.deepEqual(await keep(START_MS, row(A), row(B)), [digest]);
    const first = await rows();
    assert.deepEqual(await keep(START_MS + 23 * HOUR_MS, row(A), row(B), row(NEW)), [digest]);
    const again = await rows();
    assert.deepEqual([again[0], again[1]], first, "nothing of what is known was touched");
    assert.equal(again.length, 3);
    assert.deepEqual(await keep(START_MS + 25 * HOUR_MS, row(A)), []);
    const [kept, other] = await rows();
    assert.equal(other!.written, first[1]!.written);
    assert.equal(kept!.received, START_MS + 25 * HOUR_MS);
    await pruneImportedMilestones(stored.database, cell(), START_MS + DAY_MS);
    assert.deepEqual(
      (await rows()).map(({ reference }) => reference),
      [A],
    );
  });

  test("what is stated later or taken back is written, and what is stated earlier is not", async () => {
    await keep(START_MS, row(A), row(B));
    const before = await rows();
    await keep(START_MS + HOUR_MS, row(A, START_MS - HOUR_MS, true), row(B, START_MS, true));
    const [a, b] = await rows();
    assert.deepEqual(a, before[0]);
    assert.deepEqual([b!.withdrawn, b!.stated], [true, START_MS]);
    await keep(START_MS + 2 * HOUR_MS, row(A, START_MS + HOUR_MS));
    assert.equal((await rows())[0]!.stated, START_MS + HOUR_MS);
    await keep(START_MS + 26 * HOUR_MS, row(A, START_MS, true));
    const [late] = await rows();
    assert.deepEqual(
      [late!.stated, late!.withdrawn, late!.received],
      [START_MS + HOUR_MS, false, START_MS + 26 * HOUR_MS],
      "kept for longer, as before",
    );
  });
});
