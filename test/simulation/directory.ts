/** What goes on while the directory alone is away: who raises, and callers whose keys a node knows, wait for nobody. */
import { isNearFault, isVisible, type Observed, seconds } from "./observed.ts";

/** Until every node knows of an account: it reads every five seconds which are new. */
const ACCOUNT_KNOWN_MS_MAX = 6_000;
/** Of an answer, once nodes have noticed that the directory is away. */
const ANSWERED_MS_MAX = 1_500;

export function wrongOfDirectory(seen: Observed): string[] {
  const { faults, directoryOutages } = seen;
  const wrong: string[] = [];
  for (const { what, sinceMs, askedMs, doneMs, isAnswered } of seen.served) {
    if (isNearFault(faults, askedMs, doneMs)) continue;
    const outage = directoryOutages.find((one) => one.fromMs <= doneMs && askedMs <= one.untilMs);
    if (outage !== undefined && outage.fromMs < sinceMs + ACCOUNT_KNOWN_MS_MAX) continue;
    if (!isAnswered)
      wrong.push(`${what} at ${seconds(askedMs)}, ${outage ? "without the directory" : "without a fault"}`);
    else if (outage !== undefined && isVisible(outage, askedMs, doneMs) && doneMs - askedMs > ANSWERED_MS_MAX)
      wrong.push(
        `${what} at ${seconds(askedMs)}, and took ${seconds(doneMs - askedMs)} without the directory`,
      );
  }
  for (const { node, askedMs, doneMs, isReady, missesDirectory } of seen.readiness) {
    const ownFaults = faults.filter((one) => one.node === node);
    const isMissed = directoryOutages.some((one) => isVisible(one, askedMs, doneMs));
    if (isReady && !missesDirectory && isMissed && !isNearFault(ownFaults, askedMs, doneMs))
      wrong.push(`${node} did not name the directory at ${seconds(askedMs)}, which is away`);
    if (missesDirectory && !isNearFault([...faults, ...directoryOutages], askedMs, doneMs))
      wrong.push(`${node} named the directory at ${seconds(askedMs)}, which is there`);
  }
  return wrong;
}
