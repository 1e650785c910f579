import { BlockList, isIP, isIPv6 } from "node:net";

/** A client with one IPv6 address has all of its /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail = ""] = address.split("::", 2);
  const first = head.split(":").filter((group) => group !== "");
  const last = tail.split(":").filter((group) => group !== "");
  const zeros = address.includes("::")
    ? Array.from({ length: 8 - first.length - last.length }, () => "0")
    : [];
  return `${[...first, ...zeros, ...last].slice(0, 4).join(":")}::/64`;
}

/** Addresses and CIDRs. */
export function blocksOf(ranges: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (bits === undefined) blocks.addAddress(address, family);
    else blocks.addSubnet(address, Number(bits), family);
  }
  return blocks;
}

export function isIn(blocks: BlockList, address: string): boolean {
  return blocks.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}
