/** Claims of a poller, cell by cell. */
import { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";
import { perCell } from "../../store/per-cell.ts";
import type { CellTurns } from "../work/cell-turns.ts";
import { createLostClaims } from "../work/lost-claims.ts";
import type { Claim } from "./poll-handler.ts";
import type { ClaimedShipment } from "./store/polls.ts";

export type CellClaims = {
  readonly turns: CellTurns;
  /** False: nothing more is wanted in this round. */
  readonly hasRoom: () => boolean;
  readonly readNextDue: (cell: Cell) => Promise<number | null>;
  /** Claims also what claims took that end at `lostEndsMs`. */
  readonly claim: (
    cell: Cell,
    atMs: number,
    lostEndsMs: readonly number[],
  ) => Promise<readonly ClaimedShipment[]>;
};

/** Makes a function that claims what is due in those cells whose turn it is, without cells that cannot be reached. */
export function createClaimFrom(cells: readonly Cell[], leaseMs: number, clock: Clock) {
  const unreachable = new Set<Cell>();
  /** Named by when they end. */
  const lostIn = perCell(() => createLostClaims<number>(leaseMs));

  /** Where a cell fails for another reason, or none can be reached, it gives back what it has claimed, and rejects. */
  return async (
    { turns, hasRoom, readNextDue, claim }: CellClaims,
    progress: () => void,
    giveBack: (claims: readonly Claim[]) => Promise<void>,
  ): Promise<readonly Claim[]> => {
    const claims: Claim[] = [];
    for (const cell of turns.next()) {
      if (!hasRoom()) break;
      progress();
      const [atMs, deadlineMs] = [clock.nowMs(), clock.monotonicMs() + leaseMs / 2];
      try {
        const due = await turns.ask(
          cell,
          () => readNextDue(cell),
          () => lostIn(cell).claim(atMs + leaseMs, atMs, (lostEndsMs) => claim(cell, atMs, lostEndsMs)),
        );
        unreachable.delete(cell);
        for (const claimed of due) claims.push({ cell, claimed, deadlineMs });
      } catch (error) {
        turns.forget(cell);
        unreachable.add(cell);
        if (error instanceof StoreUnavailable && unreachable.size < cells.length) continue;
        await giveBack(claims);
        throw error;
      }
    }
    return claims;
  };
}
