/** What the truth consists of, and what it is asked for. */
export type TrueStatus =
  | "pre_departure"
  | "in_transit"
  | "at_transshipment"
  | "at_anchor"
  | "at_berth"
  | "arriving"
  | "discharged"
  | "customs_hold"
  | "available"
  | "delivered"
  | "returned_empty"
  | "cancelled";

export type TrueEvent = {
  readonly atMs: number;
  readonly type: string;
  readonly equipment: string;
  /** What tells it from others of its type: the leg's departure, the ETAs, the kind, the fields … */
  readonly about: string;
};

export type TrueStatusChange = {
  readonly atMs: number;
  readonly equipment: string;
  readonly status: TrueStatus;
};

export type TruthOptions = {
  /** When the shipment begins to be tracked. */
  readonly fromMs: number;
  /** Since when demurrage alerting is armed; null: it is not. */
  readonly armedFromMs: number | null;
  /** Calendar days free of charge after the day of discharge. */
  readonly freeDays: number;
};
