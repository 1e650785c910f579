/** What a rate consists of besides its base: surcharges, what the total leaves out, transit time and free days. */
import type { Rate } from "./answers.ts";
import { amountText } from "./money.tsx";

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
