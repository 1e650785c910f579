/**
 * Endpoints whose claim failed although the server answered: one of their deliveries cannot be read. Each
 * is claimed alone until that works, so that it does not keep the others from being claimed.
 *
 *     claimed with others ─(fails)─▶ claimed alone ─(succeeds)─▶ claimed with others
 *                                       └─(fails again)─▶ alone, after a longer wait
 */
export type FailedClaims = ReturnType<typeof createFailedClaims>;

/** Short, since the database may have failed as a whole and be well again. */
const WAIT_MS_MAX = 30_000;

export function createFailedClaims(firstWaitMs: number) {
  /** Failures of the endpoint claimed alone, by its id; its first successful claim removes it. */
  const failures = new Map<string, number>();
  return {
    /** Picks what to claim now: one failed endpoint alone, or all when none has failed. `putBack` takes the rest. */
    choose(due: readonly string[], putBack: (endpointId: string) => void): readonly string[] {
      const failed = due.find((endpointId) => failures.has(endpointId));
      if (failed === undefined) return due;
      for (const endpointId of due) if (endpointId !== failed) putBack(endpointId);
      return [failed];
    },
    record(endpointIds: readonly string[]): void {
      const isAlone = endpointIds.length === 1;
      for (const endpointId of endpointIds)
        failures.set(endpointId, isAlone ? (failures.get(endpointId) ?? 0) + 1 : 0);
    },
    clear(endpointIds: readonly string[]): void {
      for (const endpointId of endpointIds) failures.delete(endpointId);
    },
    /** Milliseconds until the next claim of the endpoint. */
    waitMs: (endpointId: string): number =>
      Math.min(WAIT_MS_MAX, firstWaitMs * 2 ** (failures.get(endpointId) ?? 0)),
  };
}
