/** The way out: whom deliveries may reach, whom they trust, and what that means for an endpoint's URL. */
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";

import { addressPolicy } from "../engine/send/address.ts";
import { createSender, type Sender } from "../engine/send/attempt.ts";
import { checkTargetUrl } from "../engine/send/target-url.ts";
import type { UrlVerdict } from "../http/ports.ts";
import type { Clock } from "../runtime/clock.ts";
import { ownAddresses } from "../runtime/own-addresses.ts";
import type { Settings } from "../runtime/settings.ts";
import { systemNameLookUp } from "../runtime/system-name-lookup.ts";
import { ServiceRefused } from "./refused.ts";

export type Sending = {
  readonly sender: Sender;
  /** Whether an endpoint's URL can ever be delivered to. */
  readonly checkUrl: (url: string) => UrlVerdict;
};

type SendingSettings = Pick<
  Settings,
  "allowPrivateTargets" | "extraCaFile" | "attemptTimeoutMs" | "listen" | "opsListen"
>;

/** Connections are kept for receivers beyond those that requests are open to, this many at least. */
const CONNECTIONS_MAX = 4_000;

/** `openMax` is how many attempts there may be at once. */
export async function openSending(
  settings: SendingSettings,
  openMax: number,
  clock: Clock,
): Promise<Sending> {
  const { allowPrivateTargets, extraCaFile } = settings;
  const own = [settings.listen, settings.opsListen].flatMap(({ host }) => ownAddresses(host));
  const policy = addressPolicy(allowPrivateTargets, own);
  const sender = createSender({
    clock,
    policy,
    lookUp: systemNameLookUp(),
    timeoutMs: settings.attemptTimeoutMs,
    // Endpoints of many accounts may be on one host: an attempt that waited for another's connection
    // could run out of its time without having been sent.
    connectionsPerOriginMax: openMax,
    connectionsMax: Math.max(CONNECTIONS_MAX, 2 * openMax),
    ...(extraCaFile === null ? {} : { extraCa: await authoritiesIn(extraCaFile) }),
  });
  return { sender, checkUrl: (url) => checkTargetUrl(url, policy) };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

async function authoritiesIn(file: string): Promise<readonly string[]> {
  try {
    const authorities = (await readFile(file, "utf8")).match(CERTIFICATE) ?? [];
    if (authorities.length === 0) throw new Error(`${file} holds no certificate in PEM`);
    // One that cannot be read would be left out without a word.
    for (const authority of authorities) void new X509Certificate(authority);
    return authorities;
  } catch (cause) {
    throw new ServiceRefused(`BOATHOOK_EXTRA_CA_FILE cannot be used: ${(cause as Error).message}.`, {
      cause,
    });
  }
}
