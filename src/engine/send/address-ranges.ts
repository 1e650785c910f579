/**
 * The addresses that no delivery may go to: IANA's special-purpose registries for IPv4 and IPv6 in full, even
 * blocks that are globally reachable, plus multicast, deprecated blocks and platform addresses that look
 * public.
 *
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export type AddressRange = readonly [cidr: string, name: string];

export const REFUSED_RANGES: readonly AddressRange[] = [
  ["0.0.0.0/8", "this network (RFC 791)"],
  ["10.0.0.0/8", "private use (RFC 1918)"],
  ["100.64.0.0/10", "shared address space (RFC 6598)"],
  ["127.0.0.0/8", "loopback (RFC 1122)"],
  ["169.254.0.0/16", "link-local, cloud metadata among them (RFC 3927)"],
  ["172.16.0.0/12", "private use (RFC 1918)"],
  // Covers .0/29, .8, .9, .10, .170 and .171 of the registry, and a cloud's metadata service on .192.
  ["192.0.0.0/24", "IETF protocol assignments (RFC 6890)"],
  ["192.0.2.0/24", "documentation (RFC 5737)"],
  ["192.31.196.0/24", "AS112 (RFC 7535)"],
  ["192.52.193.0/24", "multicast relays (RFC 7450)"],
  ["192.88.99.0/24", "6to4 relays (RFC 7526)"],
  ["192.168.0.0/16", "private use (RFC 1918)"],
  ["192.175.48.0/24", "AS112 (RFC 7534)"],
  ["198.18.0.0/15", "benchmarking (RFC 2544)"],
  ["198.51.100.0/24", "documentation (RFC 5737)"],
  ["203.0.113.0/24", "documentation (RFC 5737)"],
  ["224.0.0.0/4", "multicast (RFC 5771)"],
  ["240.0.0.0/4", "reserved, broadcast among them (RFC 1112)"],
  ["168.63.129.16/32", "a cloud platform's own service (Azure WireServer)"],

  ["::/128", "unspecified (RFC 4291)"],
  ["::1/128", "loopback (RFC 4291)"],
  ["::/96", "IPv4-compatible, deprecated (RFC 4291)"],
  ["::ffff:0:0:0/96", "IPv4-translated (RFC 2765)"],
  ["64:ff9b::/96", "IPv4 behind NAT64 (RFC 6052)"],
  ["64:ff9b:1::/48", "IPv4 behind a local NAT64 (RFC 8215)"],
  ["100::/64", "discard-only (RFC 6666)"],
  ["100:0:0:1::/64", "dummy prefix (RFC 9780)"],
  // Covers Teredo, ORCHID, ORCHIDv2, AMT, AS112, drone ids and benchmarking of the registry.
  ["2001::/23", "IETF protocol assignments (RFC 2928)"],
  ["2001:db8::/32", "documentation (RFC 3849)"],
  ["2002::/16", "6to4 (RFC 3056)"],
  ["2620:4f:8000::/48", "AS112 (RFC 7534)"],
  ["3fff::/20", "documentation (RFC 9637)"],
  ["5f00::/16", "segment routing (RFC 9602)"],
  ["fc00::/7", "unique local (RFC 4193)"],
  ["fe80::/10", "link-local (RFC 4291)"],
  ["fec0::/10", "site-local, deprecated (RFC 3879)"],
  ["ff00::/8", "multicast (RFC 4291)"],
];

/** IANA allocates the public internet from this range; any other IPv6 address is refused. */
export const GLOBAL_UNICAST_V6 = "2000::/3";

/** IPv4 behind NAT64: an operator whose only route to IPv4 this is may allow it (`address.ts`). */
export const NAT64_WELL_KNOWN = "64:ff9b::/96";
