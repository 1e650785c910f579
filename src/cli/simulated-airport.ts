/** The airport's side of `boathook simulate`: served, told of, tracked, and pushing. */
import { airlineEntry } from "../../sim/airport/airlines-file.ts";
import { createAirport, type Airport } from "../../sim/airport/airport.ts";
import { startPushing } from "../../sim/airport/pushing.ts";
import { serveAirport } from "../../sim/airport/server.ts";
import type { Waybill } from "../../sim/airport/waybill.ts";
import type { Airline } from "../producers/air/airlines/airlines-file.ts";
import type { Clock } from "../runtime/clock.ts";

export type SimulatedAirport = {
  /** What the airlines' paths begin with. */
  readonly url: string;
  /** Their entries in the airlines file. */
  readonly airlines: readonly Airline[];
  /** Some that are under way, to try. */
  readonly shown: readonly Waybill[];
  close(): Promise<void>;
};

export type SimulatedAirportOptions = {
  readonly seed: number;
  readonly waybills: number;
  readonly startMs: number;
  readonly speed: number;
  readonly clock: Clock;
  /** The operator's listener of a running service, for the airlines that push; null: they are not heard. */
  readonly operator: Operator | null;
  /** 0: one that is free. */
  readonly port: number;
};

export type Operator = { readonly url: string; readonly token: string };

/** Waybills to try, and how many are looked through for them. */
const SHOWN = 20;
const LOOKED_THROUGH_MAX = 2_000;
/** Booked so long ago cargo is likely to be on its way. */
const UNDER_WAY_DAYS = [1, 4] as const;
const DAY_MS = 24 * 3_600_000;

const PUSH_MS_MAX = 10_000;

export async function openAirport(options: SimulatedAirportOptions): Promise<SimulatedAirport> {
  const { seed, waybills, startMs, speed, clock, operator, port } = options;
  const airport = createAirport({ seed, waybills, startMs });
  const servedMs = clock.nowMs();
  const nowMs = (): number => Math.floor(startMs + (clock.nowMs() - servedMs) * speed);
  const served = await serveAirport({ airport, nowMs, speed, port });
  const stop =
    operator === null
      ? () => {}
      : startPushing({ airport, clock, nowMs, deliver: (messages) => push(operator, messages, nowMs()) });
  return {
    url: served.url,
    airlines: airport.airlines.map((airline) => airlineEntry(airline, served.url, "answer-date")),
    shown: underWay(airport, startMs, operator !== null),
    close() {
      stop();
      return served.close();
    },
  };
}

/** Messages have no year: it is inferred by the airport's clock, which is not the service's. */
async function push({ url, token }: Operator, messages: readonly string[], atMs: number): Promise<boolean> {
  const answer = await fetch(`${url.replace(/\/+$/, "")}/v1/air/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ messages, received_at: new Date(atMs).toISOString() }),
    signal: AbortSignal.timeout(PUSH_MS_MAX),
  });
  await answer.arrayBuffer();
  return answer.ok;
}

function underWay(airport: Airport, nowMs: number, withPushed: boolean): readonly Waybill[] {
  const shown: Waybill[] = [];
  const [least, most] = UNDER_WAY_DAYS;
  const last = Math.min(airport.waybillCount, LOOKED_THROUGH_MAX);
  for (let index = 0; index < last && shown.length < SHOWN; index += 1) {
    const waybill = airport.waybillAt(index);
    const days = (nowMs - waybill.bookedMs) / DAY_MS;
    const isHeard = withPushed || waybill.airline.speaks !== "fsu";
    if (isHeard && days >= least && days <= most) shown.push(waybill);
  }
  return shown.length > 0 ? shown : [airport.waybillAt(0)];
}

/** For a person, without the last line's end. `path` is where the airlines file was written. */
export function textOfAirport({ url, shown, airlines }: SimulatedAirport, path: string | undefined): string {
  const file = path ?? "airlines.json";
  return [
    `${airlines.length} airlines are at ${url}`,
    path === undefined
      ? `To have them asked, write their entries with --airlines-file ${file}, and add to the service's settings`
      : `Their entries are in ${path}; add to the service's settings`,
    `  BOATHOOK_AIRLINES_FILE=${file}`,
    "Waybills to try:",
    ...shown.map(({ awb, airline, route }) => {
      return `  ${awb.slice(0, 3)}-${awb.slice(3)} ${airline.iata}  ${route.join("-")}`;
    }),
  ].join("\n");
}

export function jsonOfAirport({ url, shown, airlines }: SimulatedAirport): object {
  return { url, airlines, waybills: shown.map(({ awb, airline }) => ({ awb, airline: airline.iata })) };
}
