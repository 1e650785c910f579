/**
 * Broadcasts that an account may have missed between two cells (docs/decisions/store-account-moves.md). Cells keep what
 * has reached every account while one of them moves.
 */
import { MINUTE_MS } from "../../runtime/durations.ts";
import { ARMING } from "../accounts/accounts.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { lastMessage } from "../outbox/outbox.ts";
import { transactionsEnd } from "./fence.ts";
import { waitUntil, type Move } from "./move.ts";
import * as sql from "./statements.ts";
import { jsonArray } from "./versioned-tables.ts";

const BROADCASTS_MAX = 50;
const OUTBOX_MS_MAX = 2 * MINUTE_MS;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** From now on the new cell keeps broadcasts; what it finished before has come to the old one. */
export async function keepBroadcasts(move: Move): Promise<void> {
  const { database, accountId, from, to } = move;
  const [account] = await database.rows(sql.accountTakeOut(from), [accountId]);
  await database.rows(sql.accountPut(to), [jsonArray([account!.row])]);
  await transactionsEnd(move, to, "copying what changes seldom");
  await Promise.all(move.sources.map((source) => forwarded(move, source)));
}

/** What the source has written to the old cell has come there. */
async function forwarded(move: Move, source: Cell): Promise<void> {
  const { database, from } = move;
  // Those of an account wait for its move.
  const last = await lastMessage(database, source, from, ARMING, null);
  if (last === null) return;
  const what = `messages wait for cell ${from.number} (no service runs?)`;
  await waitUntil(move, OUTBOX_MS_MAX, what, async () => {
    move.progress("copying what changes seldom");
    return (await lastMessage(database, source, from, ARMING, last)) === null;
  });
}

/** Those of the old cell come to the account in the new one, unless it has had them. */
export async function handOverBroadcasts({ database, accountId, from, to }: Move): Promise<void> {
  for (let after = FIRST_ID; ;) {
    const rows = await database.rows(sql.broadcastTakeOut(from), [after, BROADCASTS_MAX]);
    if (rows.length > 0) {
      const moved = jsonArray(rows.map(({ row }) => row));
      await database.rows(sql.broadcastPut(to), [moved, before(accountId)]);
    }
    if (rows.length < BROADCASTS_MAX) return;
    after = rows.at(-1)!.id;
  }
}

/** Broadcasts that are past the account in the new cell come to it again. */
export async function rewindBroadcasts(db: Connection, { accountId, to }: Move): Promise<void> {
  await db.rows(sql.broadcastRewind(to), [before(accountId)]);
}

/** The id before that of an account. */
function before(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll("-", "")}`) - 1n).toString(16).padStart(32, "0");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
