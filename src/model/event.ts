/** Something that happened in one of the products, as it is handed to `raise`. */
export type RaisedEvent = {
  /** The product's tag, `tracking`, `air` … (`products/`). */
  readonly product: string;
  readonly accountId: string;
  /** A name of the product's catalogue, or `ping`. */
  readonly type: string;
  /**
   * The event's data as JSON text, at most {@link DATA_BYTES_MAX} bytes of UTF-8. It is stored and
   * sent byte for byte; nobody parses it again.
   */
  readonly data: string;
  /** When it was raised, milliseconds since the epoch (spec 2.3: occurred_at). */
  readonly occurredAtMs: number;
  /** A key already seen for this account and product raises nothing. */
  readonly dedupKey?: string;
  /** Set on a `ping` only: the one endpoint that receives it, whatever its subscription. */
  readonly onlyEndpointId?: string;
};

/** The largest event data, in bytes of UTF-8 (design 3). */
export const DATA_BYTES_MAX = 256 * 1024;

/** The deepest nesting of event data, objects and arrays counted (design 3). */
export const DATA_DEPTH_MAX = 64;

/** What became of the events of one call. */
export type RaiseReceipt = {
  readonly accepted: number;
  /** Events whose `dedupKey` had been seen before. */
  readonly duplicates: number;
};
