/**
 * Name servers as an argument: asks for one kind of address of one name; `records` is empty with an error.
 */
export type DnsLookup = (
  hostname: string,
  family: 4 | 6,
  done: (error: NodeJS.ErrnoException | null, records: readonly DnsRecord[]) => void,
) => void;

/** One answer, and for how many seconds it may be kept. */
export type DnsRecord = { readonly address: string; readonly ttlS: number };
