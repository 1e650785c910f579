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
