import { Resolver } from "node:dns";

import type { DnsLookup } from "./dns-lookup.ts";

/** One try at one name server, milliseconds, and how many tries. */
const TRY_TIMEOUT_MS = 1_500;
const TRIES = 3;

/** Asks the name servers directly: `dns.lookup` uses the four threads of file access, which four slow names block. */
export function systemDnsLookup(): DnsLookup {
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  return (hostname, family, done) => {
    const answer = (
      error: NodeJS.ErrnoException | null,
      records?: { address: string; ttl: number }[],
    ): void => {
      done(error, error === null ? records!.map(({ address, ttl }) => ({ address, ttlS: ttl })) : []);
    };
    // The dot keeps the resolver from appending this machine's domain.
    if (family === 4) resolver.resolve4(`${hostname}.`, { ttl: true }, answer);
    else resolver.resolve6(`${hostname}.`, { ttl: true }, answer);
  };
}
