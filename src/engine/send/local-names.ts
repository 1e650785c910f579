/**
 * Top-level domains of local networks, of this machine, or of nothing (RFC 2606, 6761, 6762, 7686,
 * 8375, 9476, ICANN's `internal`, and what routers, Docker and Kubernetes use); `arpa` covers the reverse
 * zones and `home.arpa`.
 */
const LOCAL_TOP_LEVELS: ReadonlySet<string> = new Set([
  "alt",
  "arpa",
  "consul",
  "corp",
  "example",
  "home",
  "internal",
  "intranet",
  "invalid",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "onion",
  "private",
  "svc",
  "test",
]);

/** Clouds' metadata services under public domains, which no rule above covers. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata.amazonaws.com",
  "metadata.goog",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "metadata.tencentyun.com",
]);

/**
 * Why a delivery to this name is refused without a DNS query, or null. Such a name may be registered.
 * @param hostname in lower case, without a trailing dot
 */
export function localNameReason(hostname: string): string | null {
  const dot = hostname.lastIndexOf(".");
  if (dot === -1) return `${hostname} is a name of a local network (it has a single label)`;
  const topLevel = hostname.slice(dot + 1);
  if (LOCAL_TOP_LEVELS.has(topLevel)) return `${hostname} is a special-use or local name (.${topLevel})`;
  if (METADATA_NAMES.has(hostname)) return `${hostname} is a cloud's metadata service`;
  return null;
}

/** These mean the loopback addresses, without a DNS query (RFC 6761 6.3). */
export function isLocalhost(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost");
}
