/** Who takes part in the demo: one endpoint on each product and one that fails, and what is raised for them. */

export type DemoEndpoint = {
  readonly product: string;
  /** The last part of its URL. */
  readonly name: string;
  readonly eventTypes: readonly string[];
  /** How many attempts of each delivery it fails before it takes one. */
  readonly failures: number;
};

export const ENDPOINTS: readonly DemoEndpoint[] = [
  { product: "tracking", name: "tracking", eventTypes: [], failures: 0 },
  { product: "air", name: "air", eventTypes: ["awb_arrived", "awb_delivered"], failures: 0 },
  { product: "schedules", name: "schedules", eventTypes: ["sailing_slipped"], failures: 0 },
  { product: "rates", name: "rates", eventTypes: [], failures: 0 },
  { product: "loading", name: "loading", eventTypes: [], failures: 0 },
  { product: "rates", name: "rates-unwell", eventTypes: ["lane_rate_updated"], failures: 2 },
];

/** Those of `try`: every event of every product, and one that fails for good. */
export const TRY_ENDPOINTS: readonly DemoEndpoint[] = [
  ...["tracking", "air", "schedules", "rates", "loading"].map((product) => ({
    product,
    name: product,
    eventTypes: [],
    failures: 0,
  })),
  { product: "tracking", name: "tracking-broken", eventTypes: [], failures: Infinity },
];

/** All that are metered (spec 5, 6). */
export const ENTITLEMENTS = ["aircargo", "freightrates", "loading"] as const;

/** The prefix of the key that each product is used with. */
export const KEY_PREFIXES: Readonly<Record<string, string>> = {
  tracking: "tracking",
  air: "tracking",
  schedules: "schedules",
  rates: "rates",
  loading: "loading",
};

export type DemoEvent = { readonly product: string; readonly type: string; readonly data: object };

/** One of every product whose outside world is not replayed. */
export const EVENTS: readonly DemoEvent[] = [
  {
    product: "air",
    type: "awb_delivered",
    data: { awb: "02012345675", airline_iata: "LH", status: "delivered", origin: "FRA", destination: "ORD" },
  },
  {
    product: "schedules",
    type: "sailing_slipped",
    data: {
      subject: "HERON DAWN 014E",
      carrier: "HRNL",
      service: "HE1",
      vessel_name: "HERON DAWN",
      voyage: "014E",
      port: "JPYOK",
      old_departure: "2026-11-05T09:00:00.000Z",
      new_departure: "2026-11-06T16:00:00.000Z",
      delta_hours: 31,
    },
  },
  {
    product: "rates",
    type: "lane_rate_updated",
    data: {
      subject: "CNSHA-NLRTM 40HC",
      origin: "CNSHA",
      destination: "NLRTM",
      equipment: "40HC",
      carrier: null,
      currency: "USD",
      old_total: "2320.00",
      new_total: "2150.00",
      change: "-170.00",
      change_percent: "-7.33",
    },
  },
  {
    product: "loading",
    type: "plan_created",
    data: {
      subject: "plan 7",
      plan_id: "019a9c1e-0000-7000-8000-000000000007",
      name: "plan 7",
      revision: 1,
      containers: [{ type: "40HC", count: 3 }],
      container_count: 3,
      pieces: 412,
      pieces_placed: 412,
      pieces_left: 0,
      left_by_reason: {},
      volume_fill: 0.91,
      volume_m3: 202.61,
      weight_kg: 61_840,
    },
  },
];
