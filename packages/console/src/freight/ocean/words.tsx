/** Statuses and reasons in words. */
import { Badge, type Tone } from "../../ui/parts.tsx";
import type { Container } from "./answers.ts";

const STATUSES: Readonly<Record<string, readonly [name: string, tone: Tone]>> = {
  pending: ["Pending", "none"],
  pre_departure: ["Before departure", "none"],
  in_transit: ["In transit", "info"],
  at_transshipment: ["At transshipment", "info"],
  at_anchor: ["At anchor", "info"],
  at_berth: ["At berth", "info"],
  arriving: ["Arriving", "info"],
  discharged: ["Discharged", "good"],
  customs_hold: ["Held by customs", "bad"],
  available: ["Available", "good"],
  delivered: ["Delivered", "good"],
  returned_empty: ["Returned empty", "none"],
  cancelled: ["Cancelled", "none"],
  unknown: ["Unknown", "none"],
};

export const STATUS_NAMES: readonly (readonly [value: string, name: string])[] = Object.entries(STATUSES).map(
  ([value, [name]]) => [value, name],
);

export function statusName(status: string): string {
  return STATUSES[status]?.[0] ?? status;
}

export function statusTone(status: string): Tone {
  return STATUSES[status]?.[1] ?? "none";
}

export function StatusBadge({ of }: { readonly of: string }) {
  return <Badge tone={statusTone(of)}>{statusName(of)}</Badge>;
}

const REASONS: Readonly<Record<string, readonly [name: string, tone: Tone]>> = {
  customs_hold: ["Customs hold", "bad"],
  misrouted: ["Wrong port", "bad"],
  free_time_over: ["Free time is over", "bad"],
  free_time_ends: ["Free time ends", "warn"],
};

const FAILURES: Readonly<Record<string, string>> = {
  not_found: "Not found",
  wrong_carrier: "Wrong carrier",
  needs_container_id: "Container number missing",
  needs_bill_of_lading: "Bill of lading missing",
  needs_booking: "Booking missing",
  not_permitted: "Credentials refused",
  unavailable: "Carrier unavailable",
};

type ReasonsProps = {
  readonly of: Container;
  /** The status does not stand beside it. */
  readonly isAlone?: boolean;
};

/** Why somebody should look at it; nothing where all is well. */
export function Reasons({ of: { attention, last_failure: failure, status }, isAlone = false }: ReasonsProps) {
  const known = attention.filter((one) => isAlone || one !== status);
  return (
    <>
      {known.map((one) => (
        <Badge key={one} tone={REASONS[one]?.[1] ?? "warn"}>
          {REASONS[one]?.[0] ?? one}
        </Badge>
      ))}
      {failure !== null && <Badge tone="warn">{FAILURES[failure.code] ?? failure.code}</Badge>}
    </>
  );
}
