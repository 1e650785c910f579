/** Lanes and prices in the store: amounts are text, surcharges JSON, and the market has an empty carrier. */
import type { LaneColumns } from "../store/rate-lanes.ts";
import type { Lane, Price, Surcharge } from "./lane.ts";

export function laneColumns(lane: Lane): LaneColumns {
  return { ...lane, carrier: lane.carrier ?? "" };
}

export function laneOf({ origin, destination, equipment, carrier, currency }: LaneColumns): Lane {
  return { origin, destination, equipment, carrier: carrier === "" ? null : carrier, currency };
}

export type PriceColumns = {
  readonly base: string;
  readonly total: string;
  readonly surcharges: string;
};

export function priceColumns({ base, total, surcharges }: Price): PriceColumns {
  const stored = surcharges.map(({ code, amount, included }) => [code, amount.toString(), included]);
  return { base: base.toString(), total: total.toString(), surcharges: JSON.stringify(stored) };
}

export function priceOf({ base, total, surcharges }: PriceColumns): Price {
  return { base: BigInt(base), total: BigInt(total), surcharges: surchargesOf(surcharges) };
}

function surchargesOf(json: string): readonly Surcharge[] {
  const stored = JSON.parse(json) as readonly (readonly [string, string, boolean])[];
  return stored.map(([code, amount, included]) => ({ code, amount: BigInt(amount), included }));
}
