/** Randomness as an argument. */
export type Random = {
  /** A new UUIDv7 (RFC 9562) of the time `atMs`, in its usual form; of one source, each greater than the last. */
  uuid(atMs: number): string;
  /** `count` bytes that nobody can guess. */
  bytes(count: number): Buffer;
  /** A number from 0 up to, not including, 1; for jitter, not for secrets. */
  fraction(): number;
};
