/** What the payloads of all products have in common. */

/** Further properties may come at any time (spec 2.4): ignore what you do not know. */
export type Additional = { readonly [property: string]: unknown };

/**
 * When a real-world shipment event happened (spec 2.3). `utc_offset_minutes` and `event_timezone` are
 * absent, not null, where no zone was reported.
 */
export type ShipmentEventTimes = {
  /** UTC instant, the one to sort by and to compute with. */
  readonly event_date_time?: string;
  /** Local wall clock without an offset, for display only. */
  readonly event_local_datetime?: string;
  /** Minutes to add to UTC. */
  readonly utc_offset_minutes?: number;
  /** IANA zone. */
  readonly event_timezone?: string;
};
