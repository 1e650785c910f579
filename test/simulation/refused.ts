/** What must be refused: keys, links and sessions that are revoked, and what needs an entitlement that is taken. */
import { KNOWN_MS_MAX, type Observed, RECOVERED_MS_MAX, seconds, stateOver } from "./observed.ts";

/** Spec 5: keys and entitlements. */
export function wrongOfRights({ knocks, entitled, entitlements, faults }: Observed): string[] {
  const isFaulty = (fromMs: number, untilMs: number): boolean =>
    faults.some((one) => one.fromMs <= untilMs && fromMs <= one.untilMs + RECOVERED_MS_MAX);
  const wrong = knocks
    .filter(({ isLetIn }) => isLetIn)
    .filter(
      ({ isOwn, revokedMs, askedMs, doneMs }) =>
        isOwn || (askedMs > revokedMs + KNOWN_MS_MAX && !isFaulty(revokedMs, doneMs)),
    )
    .map(
      ({ node, askedMs, revokedMs }) =>
        `${node} let in at ${seconds(askedMs)} what was revoked at ${seconds(revokedMs)}`,
    );
  for (const { account, askedMs, doneMs, status } of entitled) {
    if (isFaulty(askedMs, doneMs)) continue;
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
