/** An event as `raise` takes it. */
export type RaisedEvent = {
  readonly product: string;
  readonly accountId: string;
  readonly type: string;
  /** JSON text, at most {@link DATA_BYTES_MAX} bytes of UTF-8, stored and sent byte for byte. */
  readonly data: string;
  /** Milliseconds since the epoch (spec 2.3: occurred_at). */
  readonly occurredAtMs: number;
  /** What it is found by (references.ts); without it, what its data says. */
  readonly references?: readonly string[];
  /** A key already seen for this account and product raises nothing. */
  readonly dedupKey?: string;
  /** Set on a `ping` only: the one endpoint that receives it, whatever its subscription. */
  readonly onlyEndpointId?: string;
};

/** The largest event data, in bytes of UTF-8. */
export const DATA_BYTES_MAX = 256 * 1024;

/** The deepest nesting of event data, objects and arrays counted. */
export const DATA_DEPTH_MAX = 64;

export type RaiseReceipt = {
  readonly accepted: number;
  /** Events whose `dedupKey` had been seen before. */
  readonly duplicates: number;
  /** What the accepted events have made: none where no active endpoint takes them. */
  readonly deliveries: number;
};
