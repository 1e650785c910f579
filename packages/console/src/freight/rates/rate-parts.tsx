/** A lane, and what its rate consists of: the total, surcharges, what the total leaves out, transit time and free days. */
import { withQuery } from "../../ui/api.ts";
import { Link } from "../../ui/route.tsx";
import { useProductPlace } from "../place.tsx";
import type { Lane, Rate } from "./answers.ts";

type Ends = Pick<Lane, "origin" | "destination" | "equipment" | "currency">;

/** To the page of its pair of ports. */
export function LaneLink({ of: { origin, destination, equipment, currency } }: { readonly of: Ends }) {
  const { pages } = useProductPlace();
  return (
    <Link to={withQuery(`${pages}/lanes/${origin}-${destination}`, { box: equipment, currency })}>
      {origin} → {destination}
    </Link>
  );
}

export function Total({ of: { rate, currency } }: { readonly of: Pick<Lane, "rate" | "currency"> }) {
  if (rate === null) return <span class="quiet">no rate today</span>;
  return (
    <>
      <Money of={rate.total} currency={currency} />
      {rate.layer === "promotion" && <span class="second quiet">promotion</span>}
    </>
  );
}

type PricedProps = {
  readonly of: Pick<Rate, "surcharges" | "not_in_total">;
  /** Of the lane. */
  readonly currency: string;
};

export function Surcharges({ of: { surcharges, not_in_total: rest }, currency }: PricedProps) {
  if (surcharges.length === 0) return <span class="quiet">none</span>;
  return (
    <span class="surcharges">
      {surcharges.map((one) => (
        <span key={one.code} title={one.name ?? undefined}>
          {one.code} {one.currency !== currency && <span class="quiet">{one.currency}</span>}{" "}
          {amountText(one.amount)}
          {one.percent !== null && <span class="quiet"> ({one.percent} %)</span>}
          {one.per === "bill" && <span class="quiet"> a bill</span>}
          {one.included && <span class="quiet"> in the base</span>}
        </span>
      ))}
      {rest.length > 0 && (
        <span class="quiet">
          not in the total:{" "}
          {rest
            .map((one) => `${one.currency} ${amountText(one.amount)}${one.per === "bill" ? " a bill" : ""}`)
            .join(", ")}
        </span>
      )}
    </span>
  );
}

const FREE = ["demurrage", "detention", "combined"] as const;

/** `32 in transit · free at destination: demurrage 7, detention 5` */
export function Terms({ of }: { readonly of: Rate }) {
  const freeAt = (end: "origin" | "destination"): string | null => {
    const stated = FREE.flatMap((kind) => {
      const days = of[`${end}_${kind}_free_days`];
      return days === null ? [] : [`${kind} ${days}`];
    });
    return stated.length === 0 ? null : `free at ${end}: ${stated.join(", ")}`;
  };
  const transit = of.transit_days === null ? null : `${of.transit_days} in transit`;
  const parts = [transit, freeAt("origin"), freeAt("destination")].filter((part) => part !== null);
  if (parts.length === 0) return <span class="quiet">–</span>;
  return (
    <span class="surcharges">
      {parts.map((part) => (
        <span key={part}>{part}</span>
      ))}
    </span>
  );
}

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
