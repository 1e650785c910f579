/**
 * Decides whether a delivery may go to an IP address. Every address is checked here: from an endpoint's URL,
 * from DNS, and again right before a connection opens.
 */
import { BlockList } from "node:net";

import ipaddr from "ipaddr.js";

import { GLOBAL_UNICAST_V6, NAT64_WELL_KNOWN, REFUSED_RANGES } from "./address-ranges.ts";

export type AddressVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string };

/** What is allowed besides the public internet, and which public addresses are not. */
export type AddressPolicy = {
  /** Ranges that the operator allows, or `"all"` (`BOATHOOK_ALLOW_PRIVATE_TARGETS`). */
  readonly allowedRanges: "all" | Ranges | null;
  /** True when the NAT64 prefix is allowed: then the embedded IPv4 address is checked. */
  readonly decodesNat64: boolean;
  /** Ranges that stay refused whatever is allowed (`BOATHOOK_DENY_TARGETS`). */
  readonly deniedRanges: Ranges;
  /** This machine's addresses, and its links' if they are denied, as they are now. */
  readonly ownRanges: () => Ranges;
};

/** What the operator refuses besides the addresses that are not public. */
export type ClosedNetworks = {
  /** CIDRs, and `ON_LINK` for the networks of this machine's interfaces. */
  readonly denied?: readonly string[];
  /** This machine's addresses in CIDR form (`203.0.113.7/24`). The same array means the same addresses. */
  readonly own?: () => readonly string[];
};

/** In `BOATHOOK_DENY_TARGETS`: the networks that this machine's interfaces are in. */
export const ON_LINK = "on-link";

type Ranges = { readonly check: (address: string, family: "ipv4" | "ipv6") => boolean };

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const ALLOWED: AddressVerdict = { allowed: true };

const refusedRanges = REFUSED_RANGES.map(([cidr, name]) => ({ block: ipaddr.parseCIDR(cidr), cidr, name }));
const refusedBlocks = blocksOf(REFUSED_RANGES.map(([cidr]) => cidr));
const globalUnicastV6 = ipaddr.parseCIDR(GLOBAL_UNICAST_V6);

/**
 * @param opened `true`, `false` or CIDRs (a bare address is a range of one)
 * @throws Error that names the entry which is no CIDR
 */
export function addressPolicy(
  opened: boolean | readonly string[],
  { denied = [], own = () => NONE }: ClosedNetworks = {},
): AddressPolicy {
  const ranges = Array.isArray(opened) ? opened.map(normalCidr) : [];
  return {
    allowedRanges: opened === true ? "all" : ranges.length === 0 ? null : blocksOf(ranges),
    decodesNat64: ranges.includes(normalCidr(NAT64_WELL_KNOWN)),
    deniedRanges: blocksOf(denied.filter((entry) => entry !== ON_LINK)),
    ownRanges: rangesNow(own, denied.includes(ON_LINK)),
  };
}

const NONE: readonly string[] = [];

function rangesNow(own: () => readonly string[], includesLinks: boolean): () => Ranges {
  let seen = NONE;
  let ranges = blocksOf(NONE);
  return () => {
    const now = own();
    if (now === seen) return ranges;
    ranges = blocksOf(includesLinks ? now : now.map((cidr) => cidr.split("/", 1)[0]!));
    seen = now;
    return ranges;
  };
}

/** @param address as `net.isIP` accepts it, without brackets; anything else is refused */
export function checkAddress(address: string, policy: AddressPolicy): AddressVerdict {
  if (address.includes("%")) return refused(`${address} names an interface of this machine`);
  const parsed = parse(address);
  return parsed === null ? refused(`${address} is no IP address`) : checkParsed(parsed, policy);
}

function checkParsed(address: Address, policy: AddressPolicy): AddressVerdict {
  const text = address.toString();
  const family = address.kind();
  if (policy.deniedRanges.check(text, family)) return refused(`${text} ${OF_THE_OPERATOR}`);
  const nat64 = policy.decodesNat64 ? embeddedByNat64(address) : null;
  if (nat64 !== null) return checkParsed(nat64, policy);
  if (policy.allowedRanges === "all" || policy.allowedRanges?.check(text, family) === true) return ALLOWED;
  if (refusedBlocks.check(text, family)) return refused(`${text} is ${rangeName(address)}`);
  if (policy.ownRanges().check(text, family)) return refused(`${text} ${OF_THE_OPERATOR}`);
  if (address instanceof ipaddr.IPv6) {
    if (!address.match(globalUnicastV6)) return refused(`${text} is outside the public internet (2000::/3)`);
    const isatap = embeddedByIsatap(address);
    if (isatap !== null && !checkParsed(isatap, policy).allowed)
      return refused(`${text} leads to ${isatap.toString()}`);
  }
  return ALLOWED;
}

/** The same for all three kinds: clients read it at registration. */
const OF_THE_OPERATOR = "is in a network of this service's operator";

function refused(reason: string): AddressVerdict {
  return { allowed: false, reason };
}

function parse(address: string): Address | null {
  // ipaddr.js reads 0177.1 as libc does; here only four decimal parts are an address.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  // ipaddr.js reads ::8.8.8.8 as ::ffff:8.8.8.8, so let the URL parser expand it first.
  const groups = URL.parse(`https://[${address}]/`)?.hostname.slice(1, -1);
  if (groups === undefined || !ipaddr.IPv6.isValid(groups)) return null;
  const parsed = ipaddr.IPv6.parse(groups);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
}

function rangeName(address: Address): string {
  const range = refusedRanges.find(
    ({ block }) => block[0].kind() === address.kind() && address.match(block as [never, number]),
  );
  return range === undefined ? "not a public address" : `${range.name}, ${range.cidr}`;
}

/** The last 32 bits of an address in 64:ff9b::/96 (RFC 6052 2.2). */
function embeddedByNat64(address: Address): ipaddr.IPv4 | null {
  if (!(address instanceof ipaddr.IPv6)) return null;
  return address.match(ipaddr.parseCIDR(NAT64_WELL_KNOWN)) ? lastFourBytes(address) : null;
}

/** The last 32 bits behind an interface id of 0:5efe or 200:5efe (RFC 5214 6.1). */
function embeddedByIsatap(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const [group, marker] = [address.parts[4], address.parts[5]];
  return marker === 0x5efe && (group === 0 || group === 0x200) ? lastFourBytes(address) : null;
}

function lastFourBytes(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/** IPv4 mapped into IPv6 as IPv4, as addresses are checked. */
function normalCidr(entry: string): string {
  const text = entry.trim();
  const range = text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`;
  if (!ipaddr.isValidCIDR(range)) throw new Error(`"${entry}" is no CIDR such as 127.0.0.0/8 or ::1/128`);
  const [address, bits] = ipaddr.parseCIDR(range);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS
    ? `${address.toIPv4Address().toString()}/${bits - MAPPED_BITS}`
    : `${address.toString()}/${bits}`;
}

const MAPPED_BITS = 96;

/** By family: a `BlockList` counts all of IPv4 to `::/0`. */
function blocksOf(cidrs: readonly string[]): Ranges {
  const blocks = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const cidr of cidrs) {
    const [address, bits] = ipaddr.parseCIDR(normalCidr(cidr));
    blocks[address.kind()].addSubnet(address.toString(), bits, address.kind());
  }
  return { check: (address, family) => blocks[family].check(address, family) };
}
