/** A world that another process serves: `--track` takes up its references instead of beginning another. */

/** What a world says of itself at its first port. */
export type WorldIndex = {
  readonly boathook: "simulated world";
  readonly containers: readonly string[];
  readonly waybills: readonly string[];
};

const ANSWER_MS_MAX = 2_000;

/** Null: none runs on that port. */
export async function runningWorld(port: number): Promise<WorldIndex | null> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { signal });
    const index = (await answer.json()) as Partial<WorldIndex> | null;
    return index?.boathook === "simulated world" ? (index as WorldIndex) : null;
  } catch {
    return null;
  }
}
