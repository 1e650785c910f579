/** What worlds have shown: how often what happened under which kind of fault, and which seed may show what is rare. */
import { ANY_FAULT, FAULTS, NO_FAULT, type Story, storyOf } from "./story.ts";

export type Coverage = {
  add(seen: Readonly<Record<string, number>>): void;
  /** The seed among the next ones whose story has the rarest pairs of a call, or a fault, and a fault beside it. */
  choose(from: number): number;
  /** Steps under a fault: statements, attempts, calls, polls. */
  faulted(): number;
  /** A table in Markdown: a row for each thing that happens, a column for each kind of fault. */
  table(): string;
};

/** Seeds that one is chosen of. */
export const CANDIDATES = 8;
/** Steps so near each other meet. */
const NEAR_MS = 10_000;

export function createCoverage(): Coverage {
  const counts = new Map<string, number>();
  const pairs = new Map<string, number>();
  const rarity = (story: Story): number =>
    pairsOf(story).reduce((sum, pair) => sum + 1 / (1 + (pairs.get(pair) ?? 0)), 0);
  return {
    add(seen) {
      for (const [key, count] of Object.entries(seen)) counts.set(key, (counts.get(key) ?? 0) + count);
    },
    choose(from) {
      const seeds = Array.from({ length: CANDIDATES }, (_, index) => from + index);
      const chosen = seeds.toSorted((one, other) => rarity(storyOf(other)) - rarity(storyOf(one)))[0]!;
      for (const pair of pairsOf(storyOf(chosen))) pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      return chosen;
    },
    faulted: () =>
      [...counts].reduce((sum, [key, count]) => sum + (key.endsWith(`, ${ANY_FAULT}`) ? count : 0), 0),
    table() {
      const columns = [NO_FAULT, ANY_FAULT, ...FAULTS];
      const rows = [
        ...new Set([...counts.keys()].map((key) => key.slice(0, key.lastIndexOf(",")))),
      ].toSorted();
      return [
        `| | ${columns.join(" | ")} |`,
        `| --- |${columns.map(() => " ---: |").join("")}`,
        ...rows.map(
          (row) => `| ${row} | ${columns.map((one) => counts.get(`${row}, ${one}`) ?? 0).join(" | ")} |`,
        ),
      ].join("\n");
    },
  };
}

/** What of a story may meet: each fault with each step near it. */
function pairsOf({ steps }: Story): readonly string[] {
  const faults = steps.filter((step) => (FAULTS as readonly string[]).includes(step.do));
  const found = faults.flatMap((fault) =>
    steps
      .filter((step) => step !== fault && Math.abs(step.atMs - fault.atMs) <= NEAR_MS)
      .map((step) => `${fault.do} ${step.do}`),
  );
  return [...new Set(found)];
}
