/** Sample statements of feeds: HERON DAWN 014E at Yokohama unless they say otherwise. */
import type {
  CallStatement,
  CallTime,
  CallTimes,
} from "../../src/products/schedules/calls/call-statement.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export function at(ms: number): CallTime {
  return { ms, offsetMinutes: 540 };
}

const NO_TIMES: CallTimes = { planned: null, estimated: null, actual: null };

type Times = { readonly [which in keyof CallTimes]?: number };

function times(named: Times): CallTimes {
  const own = Object.entries(named).map(([which, ms]) => [which, at(ms)]);
  return { ...NO_TIMES, ...(Object.fromEntries(own) as object) };
}

export type Said = Partial<Omit<CallStatement, "arrival" | "departure" | "cutOffs">> & {
  readonly arrival?: Times;
  readonly departure?: Times;
  /** By code. */
  readonly cutOffs?: Readonly<Record<string, number>> | null;
};

export function said({ arrival = {}, departure = {}, cutOffs = null, ...more }: Said = {}): CallStatement {
  return {
    carrier: "HRNL",
    service: { code: "HE1", name: "Heron Express", universal: null },
    vessel: { imo: "9321483", name: "HERON DAWN", isDummy: false },
    voyage: { import: "014E", export: "014E" },
    port: "JPYOK",
    portName: "Yokohama",
    terminal: null,
    reference: null,
    status: null,
    delayReason: null,
    remark: null,
    ...more,
    arrival: times(arrival),
    departure: times(departure),
    cutOffs: cutOffs === null ? null : Object.entries(cutOffs).map(([code, ms]) => ({ code, at: at(ms) })),
  };
}

/** The same call, arriving then and leaving a day later. */
export function saidFor(arrivalMs: number, more: Said = {}): CallStatement {
  return said({ arrival: { estimated: arrivalMs }, departure: { estimated: arrivalMs + DAY_MS }, ...more });
}
