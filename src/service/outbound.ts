/** The way out: whom deliveries may reach, whom they trust, and what that means for an endpoint's URL. */
import { addressPolicy } from "../engine/send/address.ts";
import { createSender, type Sender } from "../engine/send/attempt.ts";
import { checkTargetUrl } from "../engine/send/target-url.ts";
import type { UrlVerdict } from "../http/ports.ts";
import type { Clock } from "../runtime/clock.ts";
import { ownAddresses } from "../runtime/own-addresses.ts";
import type { Settings } from "../runtime/settings.ts";
import { systemDnsLookup } from "../runtime/system-dns-lookup.ts";

export type Outbound = {
  readonly sender: Sender;
  /** Whether an endpoint's URL can ever be delivered to. */
  readonly checkUrl: (url: string) => UrlVerdict;
};

type OutboundSettings = Pick<Settings, "allowPrivateTargets" | "attemptTimeoutMs" | "listen" | "opsListen">;

/** Connections are kept for receivers beyond those that requests are open to, this many at least. */
const CONNECTIONS_MAX = 4_000;

/** `openMax` is how many attempts there may be at once; `authorities` are trusted besides the usual ones. */
export function openOutbound(
  settings: OutboundSettings,
  authorities: readonly string[] | null,
  openMax: number,
  clock: Clock,
): Outbound {
  const own = [settings.listen, settings.opsListen].flatMap(({ host }) => ownAddresses(host));
  const policy = addressPolicy(settings.allowPrivateTargets, own);
  const sender = createSender({
    clock,
    policy,
    dnsLookup: systemDnsLookup(),
    timeoutMs: settings.attemptTimeoutMs,
    // Endpoints of many accounts may be on one host: an attempt that waited for another's connection
    // could run out of its time without having been sent.
    connectionsPerOriginMax: openMax,
    connectionsMax: Math.max(CONNECTIONS_MAX, 2 * openMax),
    ...(authorities === null ? {} : { extraCa: authorities }),
  });
  return { sender, checkUrl: (url) => checkTargetUrl(url, policy) };
}
