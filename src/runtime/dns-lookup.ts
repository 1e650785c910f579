/** Name servers as an argument. `records` is empty with an error. */
export type DnsLookup = (
  hostname: string,
  family: 4 | 6,
  done: (error: NodeJS.ErrnoException | null, records: readonly DnsRecord[]) => void,
) => void;

export type DnsRecord = { readonly address: string; readonly ttlS: number };
