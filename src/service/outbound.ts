/** Which addresses deliveries may reach, whom they trust, and which URLs an endpoint may have. */
import { addressPolicy } from "../engine/send/address.ts";
import { createSender } from "../engine/send/attempt.ts";
import { checkTargetUrl } from "../engine/send/target-url.ts";
import type { UrlVerdict } from "../http/ports.ts";
import type { Clock } from "../runtime/clock.ts";
import { openFilesMax } from "../runtime/host.ts";
import { ownAddresses } from "../runtime/own-addresses.ts";
import type { Settings } from "../runtime/settings.ts";
import { systemDnsLookup } from "../runtime/system-dns-lookup.ts";

/** Connections with open requests and idle ones: at most this, and a quarter of the descriptors. */
const CONNECTIONS_MAX = 4_000;

/** `openMax`: attempts at once. `authorities` are trusted in addition to the usual ones. */
export function openOutbound(
  settings: Settings,
  authorities: readonly string[] | null,
  openMax: number,
  clock: Clock,
) {
  const policy = addressPolicy(settings.allowPrivateTargets, {
    denied: settings.denyTargets,
    own: ownAddresses(clock),
  });
  const sender = createSender({
    clock,
    policy,
    dnsLookup: systemDnsLookup(),
    timeoutMs: settings.attemptTimeoutMs,
    // Endpoints of many accounts may share a host: an attempt that waits for another's connection could time out unsent.
    connectionsPerOriginMax: openMax,
    connectionsMax: Math.max(Math.min(CONNECTIONS_MAX, Math.floor(openFilesMax() / 4)), 2 * openMax),
    ...(authorities === null ? {} : { extraCa: authorities }),
  });
  return { sender, checkUrl: (url: string): UrlVerdict => checkTargetUrl(url, policy) };
}
