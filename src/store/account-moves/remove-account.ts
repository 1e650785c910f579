/**
 * Removes an account with all that is its. Each step may be repeated, so one that was interrupted is finished by calling
 * it again.
 *
 *     there ─▶ keys revoked ─▶ closed, as for a move ─▶ nothing left in its cell ─▶ gone from the directory
 */
import { ARMING } from "../accounts/accounts.ts";
import { insertChange } from "../accounts/changes.ts";
import { cellNumbered } from "../cell.ts";
import { closeAccount } from "./fence.ts";
import { holdAccount, type MovePorts } from "./move-account.ts";
import { MoveRefused, type Move } from "./move.ts";
import { removeDeliveries, removeKeys } from "./raised-tables.ts";
import * as sql from "./statements.ts";
import { removeVersioned } from "./versioned-tables.ts";

const EVENTS_MAX = 10_000;

/** False: there is no such account. Rejects with `MoveRefused` where it cannot be removed now. */
export function removeAccount(ports: MovePorts, accountId: string): Promise<boolean> {
  return holdAccount(ports, accountId, async ({ database, cells, clock, ...held }) => {
    const [found] = await database.rows(sql.moveRead(cells[0]), [accountId]);
    if (found === undefined) return false;
    if (found.to !== null) {
      const finish = `boathook accounts move ${accountId} ${found.to}`;
      throw new MoveRefused(`the account moves to another cell: finish that first (${finish})`);
    }
    const home = cellNumbered(cells, found.cell);
    const move: Move = { ...held, database, clock, accountId, from: home, to: home };
    await database.transaction(async (tx) => {
      const at = new Date(clock.nowMs());
      await tx.rows(sql.accountRevokeKeys(home), [accountId, at]);
      await insertChange(tx, home, { kind: "account", subject: accountId }, at);
    });
    const endpointIds = await closeAccount(move);
    for (const id of endpointIds) await removeDeliveries(move, home, id);
    await removeEvents(move);
    await removeVersioned(move, home);
    await removeKeys(move, home);
    await database.transaction(async (tx) => {
      await tx.rows(sql.endpointRemove(home), [accountId]);
      await tx.rows(sql.accountRemove(home), [accountId]);
    });
    await database.transaction(async (tx) => {
      await tx.rows(sql.accountForget(home), [accountId, ARMING]);
      await insertChange(tx, home, { kind: "account", subject: accountId }, new Date(clock.nowMs()));
    });
    return true;
  });
}

async function removeEvents({ database, from, accountId, progress }: Move): Promise<void> {
  for (;;) {
    const [removed] = await database.rows(sql.eventRemove(from), [accountId, EVENTS_MAX]);
    progress("moving the history", removed!.count);
    if (removed!.count < EVENTS_MAX) return;
  }
}
