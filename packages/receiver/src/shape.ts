/** Properties may be added at any time (spec 2.4): ignore unknown ones. */
export type Additional = { readonly [property: string]: unknown };

/**
 * When a real-world shipment event happened (spec 2.3). `utc_offset_minutes` and `event_timezone` are
 * absent, not null, where no zone was reported.
 */
export type ShipmentEventTimes = {
  /** UTC instant: use it for sorting and logic. */
  readonly event_date_time?: string;
  /** Local wall clock without an offset, for display only. */
  readonly event_local_datetime?: string;
  /** Minutes to add to UTC. */
  readonly utc_offset_minutes?: number;
  /** IANA zone. */
  readonly event_timezone?: string;
};
