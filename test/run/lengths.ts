/** How long each file of tests took in the last run that kept it: only lengths that matter to how files are dealt. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const PATH = "test/lengths.json";
const KEPT_SECONDS_MIN = 1;
/** Of files that are not listed. */
const SHORT_SECONDS = 0.3;

export type Lengths = Readonly<Record<string, number>>;

export function readLengths(): Lengths {
  return JSON.parse(readFileSync(PATH, "utf8")) as Lengths;
}

/** Files that did not run keep theirs, unless they are gone. */
export function writeLengths(seconds: ReadonlyMap<string, number>): void {
  const all = new Map([...Object.entries(readLengths()), ...seconds]);
  const kept = [...all]
    .map(([path, length]) => [path, Math.round(length)] as const)
    .filter(([path, length]) => length >= KEPT_SECONDS_MIN && existsSync(path));
  const sorted = Object.fromEntries(kept.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(PATH, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Longest first. */
export function byLength(files: readonly string[], lengths: Lengths): readonly string[] {
  return files.toSorted((one, other) => lengthOf(other, lengths) - lengthOf(one, lengths));
}

/** In so many lots of about the same length: each file, the longest first, goes to the lot that is shortest so far. */
export function deal(
  files: readonly string[],
  lots: number,
  lengths: Lengths,
): readonly (readonly string[])[] {
  const dealt = Array.from({ length: lots }, () => ({ files: [] as string[], seconds: 0 }));
  for (const file of byLength(files, lengths)) {
    const shortest = dealt.reduce((least, lot) => (lot.seconds < least.seconds ? lot : least));
    shortest.files.push(file);
    shortest.seconds += lengthOf(file, lengths);
  }
  return dealt.map((lot) => lot.files).filter((lot) => lot.length > 0);
}

function lengthOf(file: string, lengths: Lengths): number {
  return lengths[file] ?? SHORT_SECONDS;
}
