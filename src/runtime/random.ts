/** Randomness as an argument. */
export type Random = {
  /** A UUIDv7 (RFC 9562) of the time `atMs`, greater than the last one. */
  uuid(atMs: number): string;
  /** Cryptographic. */
  bytes(count: number): Buffer;
  /** From 0 up to, not including, 1; for jitter, not for secrets. */
  fraction(): number;
};
