/** A box in transit, by the clock of today: what a replayed carrier states of it. */
import type { Statement } from "../carrier-forms/statement.ts";
import { HOUR_MS } from "../../../src/runtime/durations.ts";

const SHANGHAI = { port: "CNSHA", facility: "T1", facilityType: "POTE" };
const ROTTERDAM = { port: "NLRTM", facility: "T2", facilityType: "POTE" };

function stated(code: string, atMs: number, more: Partial<Statement>): Statement {
  return {
    kind: code === "ARRI" || code === "DEPA" ? "transport" : "equipment",
    code,
    classifier: "actual",
    place: SHANGHAI,
    local: new Date(atMs).toISOString().slice(0, 19),
    vessel: "HERON",
    voyage: "12W",
    mode: "VESSEL",
    laden: true,
    movement: null,
    document: null,
    booking: "TST600001",
    box: "HRNU4000017",
    lastFreeDay: null,
    statedMs: atMs,
    ...more,
  };
}

/** Loaded, and to sail: the plans of the voyage. */
export function loaded(nowMs: number): readonly Statement[] {
  const truck = { vessel: null, voyage: null, mode: "TRUCK" } as const;
  const later = { classifier: "estimated", statedMs: nowMs - 48 * HOUR_MS } as const;
  return [
    stated("GTOT", nowMs - 96 * HOUR_MS, { ...truck, laden: false }),
    stated("GTIN", nowMs - 72 * HOUR_MS, truck),
    stated("LOAD", nowMs - 40 * HOUR_MS, {}),
    stated("DEPA", nowMs - 24 * HOUR_MS, later),
    stated("ARRI", nowMs + 700 * HOUR_MS, { ...later, place: ROTTERDAM }),
    stated("DISC", nowMs + 710 * HOUR_MS, { ...later, place: ROTTERDAM }),
  ];
}

/** The same box, once its vessel has left. */
export function sailed(nowMs: number): readonly Statement[] {
  const left = stated("DEPA", nowMs - 24 * HOUR_MS, {});
  return [...loaded(nowMs).filter(({ code }) => code !== "DEPA"), left];
}

/** The same with so many statements before, every second a gate and a truck's call: more than some carriers answer at once. */
export function longVoyage(nowMs: number, count: number): readonly Statement[] {
  const truck = { vessel: null, voyage: null, mode: "TRUCK" } as const;
  const before = Array.from({ length: count }, (_, index) =>
    stated(index % 2 === 0 ? "GTIN" : "ARRI", nowMs - (1_000 - index) * HOUR_MS, truck),
  );
  return [...before, ...sailed(nowMs)];
}
