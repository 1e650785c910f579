/** Which addresses deliveries may reach, whom they trust, and which URLs an endpoint may have. */
import { addressPolicy } from "../engine/send/address.ts";
import { createSender } from "../engine/send/attempt.ts";
import { checkTargetUrl } from "../engine/send/target-url.ts";
import type { UrlVerdict } from "../http/ports.ts";
import type { Clock } from "../runtime/clock.ts";
import { ownAddresses } from "../runtime/own-addresses.ts";
import type { Settings } from "../runtime/settings.ts";
import { systemDnsLookup } from "../runtime/system-dns-lookup.ts";

/** The least bound on connections, open requests and idle ones. */
const CONNECTIONS_MAX = 4_000;

/** `openMax`: attempts at once. `authorities` are trusted in addition to the usual ones. */
export function openOutbound(
  settings: Settings,
  authorities: readonly string[] | null,
  openMax: number,
  clock: Clock,
) {
  const own = [settings.listen, settings.opsListen].flatMap(({ host }) => ownAddresses(host));
  const policy = addressPolicy(settings.allowPrivateTargets, own);
  const sender = createSender({
    clock,
    policy,
    dnsLookup: systemDnsLookup(),
    timeoutMs: settings.attemptTimeoutMs,
    // Endpoints of many accounts may share a host: an attempt that waits for another's connection could time out unsent.
    connectionsPerOriginMax: openMax,
    connectionsMax: Math.max(CONNECTIONS_MAX, 2 * openMax),
    ...(authorities === null ? {} : { extraCa: authorities }),
  });
  return { sender, checkUrl: (url: string): UrlVerdict => checkTargetUrl(url, policy) };
}
