import type { Clock } from "../runtime/clock.ts";
import { DAY_MS, SECOND_MS } from "../runtime/durations.ts";
import type { Log } from "../runtime/log.ts";
import { createLimiter, type ShareUses } from "./limiter.ts";
import type { Listener } from "./listener.ts";
import { blocksOf, isIn } from "./network.ts";

/** Any client may send the header: however many do, the service warns once. */
const WARNING_INTERVAL_S = DAY_MS / SECOND_MS;

/** Warns of a reverse proxy that the operator has not named: all of its clients share one address's limits. */
export function warnOfUnnamedProxy(
  app: Listener,
  named: readonly string[],
  { clock, log, share }: { readonly clock: Clock; readonly log: Log; readonly share: ShareUses | undefined },
): void {
  const proxies = blocksOf(named);
  const warnings = createLimiter(clock, 1, { share, windowS: WARNING_INTERVAL_S });
  app.addHook("onRequest", async ({ headers, socket: { remoteAddress: address } }) => {
    if (headers["x-forwarded-for"] === undefined || address === undefined) return;
    if (isIn(proxies, address) || !warnings.take("all").allowed) return;
    log.warn(
      { address },
      "this address sends X-Forwarded-For and is not trusted: if it is your proxy, name it in BOATHOOK_TRUST_PROXY, or its clients share one limit",
    );
  });
}
