/** Loads the rates of a file; the outcome is what commands and routes show. */
import { loadRates, NOTHING_LOADED, type LoadResult, type RatePorts } from "./load.ts";
import type { RateProblem, ReadRates } from "./read-rates.ts";

export type FileLoadResult = LoadResult & {
  /** False: no line is right, or a strict load has a problem. */
  readonly hasLoaded: boolean;
  readonly lines: number;
  readonly refused: number;
  readonly problems: readonly RateProblem[];
};

/** Loads the lines that are right; in a strict load, a single problem stops all. */
export async function loadFile(
  ports: RatePorts,
  { lines, rates, problems }: Extract<ReadRates, { kind: "rates" }>,
  isStrict: boolean,
): Promise<FileLoadResult> {
  const hasLoaded = rates.length > 0 && !(isStrict && problems.length > 0);
  const loaded = hasLoaded ? await loadRates(ports, rates) : NOTHING_LOADED;
  return { hasLoaded, lines, ...loaded, refused: problems.length, problems };
}
