/**
 * In which cell each account lives, known on every node without asking the directory: read at the start, and what is new
 * every few seconds. An account stays in its cell.
 */
import { firstUuidOf } from "../../model/uuid.ts";
import { MINUTE_MS } from "../../runtime/durations.ts";
import type { Cell } from "../cell.ts";
import type { NodeContext } from "../node-context.ts";
import { accountListCells } from "./accounts.sql.ts";

export type AccountCells = {
  /** The cell's number; undefined: not known here. */
  cellOf(accountId: string): number | undefined;
  learn(accountId: string, number: number): void;
  /** The directory has no such account. */
  forget(accountId: string): void;
  /** Call it every so often. Rejects while the directory cannot be reached. */
  refresh(): Promise<void>;
};

/** Some 30 MB. A node asks the directory for an account beyond them that it has not met. */
const ACCOUNTS_MAX = 250_000;
const ACCOUNTS_READ_MAX = 10_000;
/** Ids follow the clocks of nodes, which differ by less; so does a transaction that commits late. */
const LATE_MS_MAX = 10 * MINUTE_MS;

export function createAccountCells({
  database,
  cells,
  clock,
}: Pick<NodeContext, "database" | "clock"> & { readonly cells: readonly Cell[] }): AccountCells {
  const known = new Map<string, number>();
  let behind = "00000000-0000-0000-0000-000000000000";

  function learn(accountId: string, number: number): void {
    if (known.size < ACCOUNTS_MAX) known.set(accountId, number);
  }

  return {
    // All live in the one cell.
    cellOf: (accountId) => (cells.length === 1 ? 0 : known.get(accountId)),
    learn,
    forget: (accountId) => void known.delete(accountId),
    async refresh() {
      if (cells.length === 1) return;
      for (let afterId = behind; known.size < ACCOUNTS_MAX;) {
        const page = await accountListCells(database, cells[0]!, {
          afterId,
          accountsReadMax: ACCOUNTS_READ_MAX,
        });
        for (const { id, cell } of page) learn(id, cell);
        if (page.length < ACCOUNTS_READ_MAX) break;
        afterId = page.at(-1)!.id;
      }
      behind = firstUuidOf(clock.nowMs() - LATE_MS_MAX);
    },
  };
}
