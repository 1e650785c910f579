/** Demurrage alerting ends in the cell as in the directory, in whatever order and how often its messages come. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { systemRandom } from "../../src/runtime/system-random.ts";
import { accountMessages, insertAccount, updateAccount } from "../../src/store/accounts/accounts.ts";
import { type Cells, directoryOf } from "../../src/store/cell.ts";
import { FORWARDER_DEFAULTS } from "../../src/store/outbox/forwarder.ts";
import { claimMessages } from "../../src/store/outbox/outbox.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

describe("arming an account whose cell lives on another server", () => {
  const random = systemRandom();
  const clock = manualClock();
  let on: TestDatabase;
  let cells: Cells;
  before(async () => {
    on = await createTestDatabase({ cells: 2, homes: 2 });
    cells = on.cells as Cells;
  });
  after(() => on.drop());
  let accountId: string;
  beforeEach(async () => {
    const [nowMs, cell] = [clock.nowMs(), cells[1]!];
    accountId = random.uuid(nowMs);
    const account = { id: accountId, name: "Acme", entitlements: [], demurrageAlerting: false };
    await insertAccount(on.database, cell, {
      ...account,
      cell: cell.number,
      createdAt: new Date(nowMs),
    });
  });

  const set = (demurrageAlerting: boolean) =>
    updateAccount(on.database, cells, accountId, { demurrageAlerting }, clock.nowMs());
  const armedAt = async (): Promise<Date | null> => {
    const sql = "select demurrage_armed_at as at from cell.accounts where id = $1";
    return (await on.queryIn(cells[1]!, sql, [accountId])).rows[0].at;
  };
  const claim = (messagesMax: number) =>
    claimMessages(
      on.database,
      directoryOf(cells[0]),
      cells[1]!,
      Object.keys(accountMessages),
      clock.nowMs(),
      {
        ...FORWARDER_DEFAULTS,
        messagesMax,
      },
    );
  type Claimed = Awaited<ReturnType<typeof claim>>;
  const apply = async (messages: Claimed) => {
    for (const { kind, payload, id } of messages)
      await accountMessages[kind]!(on.database, cells[1]!, payload, id);
  };

  test("an earlier change that comes late, of a node that hung or died, changes nothing", async () => {
    await set(true);
    const late = await claim(1);
    await set(false);
    const next = await claim(1);
    await apply(next);
    await apply(late);
    assert.equal(await armedAt(), null);
    await clock.advance(1);
    await set(true);
    const last = await claim(1);
    for (const again of [last, next, late, last]) await apply(again);
    assert.equal((await armedAt())?.getTime(), clock.nowMs());
  });

  test("changes that race on two nodes end in the cell as in the directory, in whatever order they come", async () => {
    for (let round = 0; round < 6; round += 1) {
      await query(on.address, `truncate ${cells[0].directory}.outbox, ${cells[0].directory}.outbox_messages`);
      await Promise.all(Array.from({ length: 6 }, (_, number) => set(number % 2 === 0)));
      const batches: Claimed[] = [];
      for (let batch = await claim(2); batch.length > 0; batch = await claim(2)) batches.push(batch);
      assert.equal(batches.length, 3);
      const shuffled = [...batches, ...batches].toSorted(() => random.fraction() - 0.5);
      await Promise.all(shuffled.map(apply));
      const sql = "select demurrage_alerting as on from directory.accounts where id = $1";
      const { rows } = await query(on.address, sql.replace("directory", cells[0].directory), [accountId]);
      assert.equal((await armedAt()) !== null, rows[0].on);
    }
  });
});
