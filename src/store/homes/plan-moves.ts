/** Where a cell lives, and how much lives in it. */
export type PlacedCell = { readonly number: number; readonly server: string; readonly accounts: number };

export type PlannedMove = { readonly cell: number; readonly from: string; readonly to: string };

/**
 * The fewest moves after which no server has two cells more than another, and those of `drained` have none. Of a
 * server's cells those with the fewest accounts move first: they move soonest. Throws when nowhere is left to go.
 */
export function planMoves(
  cells: readonly PlacedCell[],
  servers: readonly string[],
  drained: readonly string[] = [],
): readonly PlannedMove[] {
  const targets = servers.filter((server) => !drained.includes(server));
  const held = new Map(
    [...servers, ...cells.map(({ server }) => server)].map((server) => [server, [] as PlacedCell[]]),
  );
  for (const cell of cells.toSorted(byAccounts)) held.get(cell.server)!.push(cell);
  const countOf = (server: string): number => held.get(server)!.length;
  const emptiest = (): string | undefined =>
    targets.toSorted((one, other) => countOf(one) - countOf(other) || (one < other ? -1 : 1))[0];
  const moves: PlannedMove[] = [];
  const moveFirst = (from: string, to: string): void => {
    const cell = held.get(from)!.shift()!;
    held.get(to)!.push(cell);
    moves.push({ cell: cell.number, from, to });
  };
  for (const server of held.keys()) {
    if (targets.includes(server)) continue;
    while (countOf(server) > 0) {
      const to = emptiest();
      if (to === undefined) throw new Error("no other server is left to hold the cells");
      moveFirst(server, to);
    }
  }
  for (;;) {
    const to = emptiest();
    const from = targets.toSorted((one, other) => countOf(other) - countOf(one) || (one < other ? -1 : 1))[0];
    if (to === undefined || from === undefined || countOf(from) - countOf(to) < 2) return moves;
    moveFirst(from, to);
  }
}

function byAccounts(one: PlacedCell, other: PlacedCell): number {
  return one.accounts - other.accounts || one.number - other.number;
}
