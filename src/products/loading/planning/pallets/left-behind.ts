/** Why palletised pieces are left behind: no pallet takes them, or their pallet found no place. */
import type { LeftReason } from "../../event-data.ts";
import type { LoadRequest } from "../../request/cargo.ts";
import { fitsOnDeck, type PalletisedCargo } from "./build-pallets.ts";
import { countsOn } from "./built-pallet.ts";

export type LeftBehind = { readonly line: number; readonly count: number; readonly reason: LeftReason };

/** `left`: of the loaded cargo. Of the lines of the request, each once for a reason, in their order. */
export function leftOfLines(
  { cargo, pallet }: LoadRequest,
  { pallets, unbuilt }: PalletisedCargo,
  left: readonly LeftBehind[],
): readonly LeftBehind[] {
  if (pallet === null) return left;
  const all: LeftBehind[] = left.flatMap((one) => {
    const own = pallets[one.line - cargo.length];
    if (own === undefined) return [one];
    return [...countsOn(own)].map(([line, pieces]) => ({ ...one, line, count: one.count * pieces }));
  });
  for (const [line, count] of unbuilt.entries()) {
    if (count === 0) continue;
    const reason = fitsOnDeck(cargo[line]!, pallet) ? "too_heavy_for_pallet" : "too_large_for_pallet";
    all.push({ line, count, reason });
  }
  const byReason = new Map<string, { line: number; count: number; reason: LeftReason }>();
  for (const { line, count, reason } of all) {
    const key = `${line} ${reason}`;
    const before = byReason.get(key)?.count ?? 0;
    byReason.set(key, { line, count: before + count, reason });
  }
  return [...byReason.values()].toSorted((a, b) => a.line - b.line);
}
