/** Amounts and days as they are read; nothing is computed with what is exact. */
import type { Lane } from "./answers.ts";

type Offer = Pick<Lane, "kind" | "contract" | "commodity">;

const amount = new Intl.NumberFormat(undefined, { minimumFractionDigits: 0, maximumFractionDigits: 2 });
const dayText = new Intl.DateTimeFormat(undefined, {
  day: "2-digit",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** `2350.50` → `2,350.50`: the digits stay as they are. */
export function amountText(text: string): string {
  const [whole = "", digits] = text.split(".");
  const grouped = /^-?\d+$/.test(whole) ? BigInt(whole).toLocaleString() : whole;
  // What is greater than minus one keeps its sign.
  const signed = whole.startsWith("-") && !grouped.startsWith("-") ? `-${grouped}` : grouped;
  return digits === undefined ? signed : `${signed}.${digits}`;
}

export function priceOf(value: number): string {
  return amount.format(value);
}

export function Money({ of, currency }: { readonly of: string; readonly currency: string }) {
  return (
    <span class="money">
      <span class="quiet">{currency}</span> {amountText(of)}
    </span>
  );
}

/** A rise costs the shipper: it is the one that stands out. */
export function Change({ percent }: { readonly percent: string | null }) {
  if (percent === null) return <span class="quiet">–</span>;
  const value = Number(percent);
  const tone = value > 0 ? "up" : value < 0 ? "down" : "quiet";
  const sign = value > 0 ? "▲" : value < 0 ? "▼" : "";
  return (
    <span class={`change ${tone}`}>
      <span aria-hidden="true">{sign}</span> {value > 0 ? "+" : ""}
      {percent.replace("-", "−")} %
    </span>
  );
}

export function Day({ of, none = "–" }: { readonly of: string | null; readonly none?: string }) {
  if (of === null || Number.isNaN(Date.parse(of))) return <span class="quiet">{none}</span>;
  return <time dateTime={of}>{dayText.format(new Date(`${of.slice(0, 10)}T00:00:00Z`))}</time>;
}

/** What a lane's rates are for, if not for all freight on no stated terms: `contract SC-118, FURNITURE`. */
export function offerText({ kind, contract, commodity }: Offer): string {
  const parts = [contract === null ? kind : `contract ${contract}`, commodity === "FAK" ? null : commodity];
  return parts.filter((part) => part !== null).join(", ");
}

export function laneText(lane: Offer & Pick<Lane, "carrier">): string {
  return [carrierText(lane.carrier), offerText(lane)].filter((part) => part !== "").join(", ");
}

export function carrierText(carrier: string | null): string {
  return carrier ?? "Market";
}
