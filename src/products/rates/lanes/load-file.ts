/** Loads what has been read of a file, and says what came of it, as commands and answers show it. */
import { loadRates, NOTHING_LOADED, type LoadResult, type RatePorts } from "./load.ts";
import type { RateProblem, ReadRates } from "./read-rates.ts";

export type FileLoadResult = LoadResult & {
  /** False: nothing was, for what is wrong with it. */
  readonly hasLoaded: boolean;
  readonly lines: number;
  readonly refused: number;
  readonly problems: readonly RateProblem[];
};

/** Lines that are wrong stop nothing else; where it is to be strict, a single one stops all. */
export async function loadFile(
  ports: RatePorts,
  { lines, rates, problems }: Extract<ReadRates, { kind: "rates" }>,
  isStrict: boolean,
): Promise<FileLoadResult> {
  const hasLoaded = rates.length > 0 && !(isStrict && problems.length > 0);
  const loaded = hasLoaded ? await loadRates(ports, rates) : NOTHING_LOADED;
  return { hasLoaded, lines, ...loaded, refused: problems.length, problems };
}
