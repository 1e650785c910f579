/** Problems with feeds' answers, in the log: each cause once, then how often all of them came again. */
import type { Clock } from "../../../runtime/clock.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";
import type { Log } from "../../../runtime/log.ts";

type Problem = { readonly path: string; readonly message: string };

const COUNT_EVERY_MS = 6 * HOUR_MS;
const LOGGED_MAX = 5;
/** Of one feed. Later ones count as known. */
const CAUSES_MAX = 100;

export type ProblemLog = (feed: string, problems: readonly Problem[]) => void;

export function createProblemLog(clock: Pick<Clock, "monotonicMs">, log: Log): ProblemLog {
  const feeds = new Map<string, { readonly causes: Set<string>; again: number; countedMs: number }>();
  return (feed, problems) => {
    const nowMs = clock.monotonicMs();
    const known = feeds.get(feed) ?? { causes: new Set(), again: 0, countedMs: nowMs };
    feeds.set(feed, known);
    const fresh: Problem[] = [];
    for (const problem of problems) {
      const cause = causeOf(problem);
      if (known.causes.has(cause) || known.causes.size >= CAUSES_MAX) known.again += 1;
      else {
        known.causes.add(cause);
        fresh.push(problem);
      }
    }
    if (fresh.length > 0)
      log.warn(
        { feed, problems: fresh.slice(0, LOGGED_MAX) },
        "parts of a feed's answer could not be read; the same is said once",
      );
    if (known.again === 0 || nowMs - known.countedMs < COUNT_EVERY_MS) return;
    log.warn({ feed, times: known.again }, "known parts of a feed's answers could not be read again");
    known.again = 0;
    known.countedMs = nowMs;
  };
}

/** Where in a list it is, and with which value, makes no other cause. */
function causeOf({ path, message }: Problem): string {
  return `${path} ${message}`.replaceAll(/"[^"]*"|\d+/g, "…");
}
