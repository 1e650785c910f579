import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

const WILDCARDS = ["0.0.0.0", "::"];

/** What listening on `host` covers: the address, or all of this machine's; none for a name. */
export function ownAddresses(host: string): readonly string[] {
  if (isIP(host) === 0) return [];
  if (!WILDCARDS.includes(host)) return [host];
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  );
}
