/** What the steps of one account's move work on. */
import type { Clock } from "../../runtime/clock.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { Cell } from "../cell.ts";
import type { Database } from "../database.ts";
import type { AccountTable } from "./account-table.ts";

export type Move = {
  readonly database: Database;
  readonly clock: Clock;
  readonly accountId: string;
  readonly from: Cell;
  readonly to: Cell;
  /** Who writes broadcasts to cells: the directory and the cells of products. */
  readonly sources: readonly Cell[];
  readonly accountTables: readonly AccountTable[];
  /** Between two batches; throws once this process may not go on. */
  readonly progress: (step: MoveStep, count?: number) => void;
};

/** What the command is at, as it says it. */
export type MoveStep =
  | "copying what changes seldom"
  | "closing the account"
  | "copying the rest"
  | "opening the account"
  | "moving the history"
  | "undoing";

/** The move cannot be made, or cannot go on now; the message says what to do. */
export class MoveRefused extends Error {
  override readonly name = "MoveRefused";
}

const CHECK_MS = 50;

/** Rejects with `MoveRefused` when that takes longer than `msMax`. */
export async function waitUntil(
  { clock }: Pick<Move, "clock">,
  msMax: number,
  what: string,
  holds: () => Promise<boolean>,
): Promise<void> {
  const untilMs = clock.monotonicMs() + msMax;
  while (!(await holds())) {
    if (clock.monotonicMs() >= untilMs) {
      throw new MoveRefused(`${what}, and did so for ${Math.round(msMax / 1_000)} seconds`);
    }
    await sleep(clock, CHECK_MS);
  }
}
