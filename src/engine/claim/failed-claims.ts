/**
 * Endpoints for which a claim failed though the server answered: something of one of them cannot be read. Each is
 * claimed for by itself until that works, so that one of them does not keep the others from being claimed for.
 *
 *     claimed with others ─(the claim fails)─▶ suspect: claimed alone ─(done)─▶ claimed with others
 *                                                 └─(fails again)─▶ later, ever later
 */
export type FailedClaims = {
  /** What to claim for now: one suspect alone, or all that are none. `putBack` takes the others. */
  choose(due: readonly string[], putBack: (endpointId: string) => void): readonly string[];
  record(endpointIds: readonly string[]): void;
  clear(endpointIds: readonly string[]): void;
  /** How long the next claim for it waits. */
  waitMs(endpointId: string): number;
};

/** What the whole database failed at, and does no more, should not wait for long. */
const WAIT_MS_MAX = 30_000;

export function createFailedClaims(firstWaitMs: number): FailedClaims {
  /** Failures of the endpoint alone, by its id. It leaves with its first claim that is done. */
  const failures = new Map<string, number>();
  return {
    choose(due, putBack) {
      const suspect = due.find((endpointId) => failures.has(endpointId));
      if (suspect === undefined) return due;
      for (const endpointId of due) if (endpointId !== suspect) putBack(endpointId);
      return [suspect];
    },
    record(endpointIds) {
      const isAlone = endpointIds.length === 1;
      for (const endpointId of endpointIds)
        failures.set(endpointId, isAlone ? (failures.get(endpointId) ?? 0) + 1 : 0);
    },
    clear(endpointIds) {
      for (const endpointId of endpointIds) failures.delete(endpointId);
    },
    waitMs: (endpointId) => Math.min(WAIT_MS_MAX, firstWaitMs * 2 ** (failures.get(endpointId) ?? 0)),
  };
}
