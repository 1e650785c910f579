import type { PublicPorts, UrlVerdict } from "../ports.ts";

/** Whether an endpoint may have this URL (spec 4.1). The scheme is looked for as it is written. */
export function checkEndpointUrl(url: string, checkUrl: PublicPorts["checkUrl"]): UrlVerdict {
  return url.startsWith("https://") ? checkUrl(url) : { ok: false, reason: "it must start with https://" };
}
