/** The status of a waybill, in one colour on every page. */
import { Badge, type Tone } from "../../ui/parts.tsx";

const TONES: Readonly<Record<string, Tone>> = {
  "In transit": "info",
  Arrived: "warn",
  "Ready for pickup": "warn",
  Delivered: "good",
};

export function StatusBadge({ of }: { readonly of: string }) {
  return <Badge tone={TONES[of] ?? "none"}>{of}</Badge>;
}

/** What waybills are called and counted in. */
const amount = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export function awbText(awb: string): string {
  return /^\d{11}$/.test(awb) ? `${awb.slice(0, 3)}-${awb.slice(3)}` : awb;
}

export function amountOf(value: number | null, unit: string): string {
  return value === null ? "–" : `${amount.format(value)} ${unit}`;
}

export function placeText(station: string | null): string {
  return station ?? "?";
}

/** `4 of 10`, or all of it. */
export function partText(pieces: number | null, total: number | null): string {
  if (pieces === null) return "–";
  return total === null || pieces >= total
    ? amount.format(pieces)
    : `${amount.format(pieces)} of ${amount.format(total)}`;
}
