/** What must be refused: keys, links and sessions that are revoked, and what needs an entitlement that is taken. */
import { isNearFault, KNOWN_MS_MAX, type Observed, seconds, stateOver } from "./observed.ts";

/** Spec 5: keys and entitlements. */
export function wrongOfRights(seen: Observed): string[] {
  const { knocks, entitled, entitlements } = seen;
  const faults = [...seen.faults, ...seen.directoryOutages];
  const wrong = knocks
    .filter(({ isLetIn }) => isLetIn)
    .filter(
      ({ isOwn, revokedMs, askedMs, doneMs }) =>
        isOwn || (askedMs > revokedMs + KNOWN_MS_MAX && !isNearFault(faults, revokedMs, doneMs)),
    )
    .map(
      ({ node, askedMs, revokedMs }) =>
        `${node} let in at ${seconds(askedMs)} what was revoked at ${seconds(revokedMs)}`,
    );
  for (const { account, askedMs, doneMs, status } of entitled) {
    if (isNearFault(faults, askedMs, doneMs)) continue;
    const fromTheStart = { askedMs: 0, madeMs: 0, switches: entitlements[account]! };
    const state = stateOver(fromTheStart, askedMs - KNOWN_MS_MAX, doneMs);
    const isRefused = status === 403;
    if (state !== "unknown" && isRefused !== (state === "paused"))
      wrong.push(
        `what needs an entitlement was answered ${status} at ${seconds(doneMs)}, and it was ${state === "paused" ? "taken" : "there"}`,
      );
  }
  return wrong;
}
