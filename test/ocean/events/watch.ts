/** One poll after another of a box whose records are made by hand. */
import { changesBetween, type ChangeContext } from "../../../src/products/ocean/events/changes.ts";
import type { BoxRecord, Sailing } from "../../../src/products/ocean/record/shipment-record.ts";
import { checkEvents } from "../../support/check-deliveries.ts";
import { event, march } from "../event.ts";
import { TRACKED } from "../life.ts";
import { box, record } from "../records.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const NOT_ARMED: ChangeContext = { armedFromMs: null };

export type Raised = { readonly type: string; readonly data: Readonly<Record<string, unknown>> };

/** Evaluates the box again with the given differences, and returns the raised events. */
type LookAgain = (differs: Partial<BoxRecord>, nowMs: number, context?: ChangeContext) => readonly Raised[];

/** The first look, which must tell nothing. */
export function watch(
  first: Partial<BoxRecord>,
  nowMs: number,
  context: ChangeContext = NOT_ARMED,
): LookAgain {
  const seen = changesBetween(TRACKED, null, record([box(first)]), context, nowMs);
  if (seen.events.length > 0) throw new Error(`a first poll raised ${seen.events[0]?.type}`);
  let before = seen.record;
  return (differs, laterMs, laterContext = context) => {
    const next = { ...before, boxes: [{ ...before.boxes[0]!, ...differs }] };
    const { events, record: after } = changesBetween(TRACKED, before, next, laterContext, laterMs);
    before = after;
    checkEvents(events);
    return events.map(({ type, data }) => ({ type, data: JSON.parse(data) as Raised["data"] }));
  };
}

export function types(events: readonly Raised[]): readonly string[] {
  return events.map(({ type }) => type);
}

/** When the vessel of `waiting` was to leave when it was first planned. */
export const PROMISED_MS = march(21);

export function sailing(expectedMs: number, more: Partial<Sailing> = {}): Sailing {
  const { vessel, voyage } = { vessel: "MSC ANNA", voyage: "123W" };
  return { from: "NLRTM", vessel, voyage, promisedMs: PROMISED_MS, expectedMs, departedMs: null, ...more };
}

/** A box that waits at Rotterdam for its vessel. */
export const waiting: Partial<BoxRecord> = {
  status: "pre_departure",
  timeline: [event("GTIN", "NLRTM", march(18))],
  sailings: [sailing(PROMISED_MS)],
};

/** The vessel so much later. */
export const late = (hours: number) => ({ sailings: [sailing(PROMISED_MS + hours * HOUR_MS)] });
