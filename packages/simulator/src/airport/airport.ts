/**
 * A world of airlines, flights and air waybills, all of it from a seed, and what the airlines say at any
 * moment. Nothing is kept for a waybill: its life is derived again from its index at each request.
 *
 *     index ─▶ waybill ─▶ journey (what happens) ─▶ reports (what is reported, and when) ─▶ answer at a moment
 */
import type { Outage } from "../world/answer.ts";
import { DAY_MS } from "../world/durations.ts";
import { AIRLINES, type Airline } from "./airlines.ts";
import { journeyOf } from "./journey.ts";
import type { Life } from "./life.ts";
import { outagesBetween } from "./outages.ts";
import { reportsOf } from "./reporting.ts";
import { WAYBILLS_MAX, waybillNumbered, waybillOf, type Waybill } from "./waybill.ts";

export type AirportOptions = {
  readonly seed: number;
  readonly waybills: number;
  /** Waybills are booked from twelve days before to twenty-five days after it, milliseconds since the epoch. */
  readonly startMs: number;
};

export type Airport = {
  readonly airlines: readonly Airline[];
  readonly waybillCount: number;
  /** 0 up to `waybillCount`. */
  waybillAt(index: number): Waybill;
  /** Null: no number of this world. */
  waybillNumbered(awb: string): Waybill | null;
  lifeOf(waybill: Waybill): Life;
  /** The spell that an airline's source is in; null: it answers. */
  outageAt(airline: Airline, atMs: number): Outage | null;
};

export function createAirport({ seed, waybills, startMs }: AirportOptions): Airport {
  if (!(waybills >= 1 && waybills <= WAYBILLS_MAX)) {
    throw new Error(`waybills must be from 1 to ${WAYBILLS_MAX}`);
  }
  return {
    airlines: AIRLINES,
    waybillCount: waybills,
    waybillAt: (index) => waybillOf(seed, startMs, index),
    waybillNumbered: (awb) => waybillNumbered(seed, startMs, awb, waybills),
    lifeOf(waybill) {
      const reports = reportsOf(seed, waybill, journeyOf(seed, waybill));
      const lastMs = reports.at(-1)?.reportedMs ?? waybill.bookedMs;
      // A poll some hours after the last report may find the airline down.
      const untilMs = lastMs + DAY_MS;
      const outages = outagesBetween(seed, waybill.airline, Math.min(waybill.bookedMs, startMs), untilMs);
      return { waybill, reports, outages };
    },
    outageAt(airline, atMs) {
      const outages = outagesBetween(seed, airline, atMs, atMs);
      return outages.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs) ?? null;
    },
  };
}
