/** Which waiting plan is made next. */

type Plan = { readonly accountId: string; readonly isSmall: boolean };

/**
 * Null: no waiting plan may begin. One of the threads is free of large plans, and an account has half of them at most,
 * so that one thread at least is left to others. `served`: accounts whose plans have begun, the latest last.
 */
export function nextJob<Job extends Plan>(
  waiting: readonly Job[],
  running: readonly Plan[],
  served: readonly string[],
  threads: number,
): Job | null {
  if (running.length >= threads) return null;
  const largeMax = Math.max(1, threads - 1);
  const perAccountMax = Math.max(1, Math.floor(threads / 2));
  const isLargeFull = running.filter(({ isSmall }) => !isSmall).length >= largeMax;
  const runningOf = ({ accountId }: Plan): number =>
    running.filter((one) => one.accountId === accountId).length;
  const [next] = waiting
    .filter((job) => runningOf(job) < perAccountMax && (job.isSmall || !isLargeFull))
    .toSorted(
      (one, other) =>
        runningOf(one) - runningOf(other) ||
        served.indexOf(one.accountId) - served.indexOf(other.accountId) ||
        Number(other.isSmall) - Number(one.isSmall),
    );
  return next ?? null;
}
