/** The airport's side of `boathook simulate`: served, told of, tracked, and pushing. */
import { airlineEntry } from "../../../packages/simulator/src/airport/airlines-file.ts";
import { createAirport, type Airport } from "../../../packages/simulator/src/airport/airport.ts";
import { startPushing } from "../../../packages/simulator/src/airport/pushing.ts";
import { serveAirport } from "../../../packages/simulator/src/airport/server.ts";
import type { Waybill } from "../../../packages/simulator/src/airport/waybill.ts";
import type { Airline } from "../../products/air/sources/airlines/airlines-file.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import type { Clock } from "../../runtime/clock.ts";
import { causeText } from "./failure.ts";

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
  /** Hears a line, its end included, when what airlines push begins not to be taken. */
  readonly warn: (line: string) => void;
  /** 0: one that is free. */
  readonly port: number;
};

export type Operator = { readonly url: string; readonly token: string };

/** Waybills to try, and how many are looked through for them. */
const WAYBILLS_SHOWN = 20;
const SCANNED_MAX = 2_000;
/** Booked so long ago cargo is likely to be on its way. */
const UNDER_WAY_DAYS = [1, 4] as const;

const PUSH_MS_MAX = 10_000;
const ANSWER_LENGTH_MAX = 300;

/** Many minutes of the airport pass in it; by default it is half an hour. */
const POLL_INTERVAL = "5s";

export async function openAirport(options: SimulatedAirportOptions): Promise<SimulatedAirport> {
  const { seed, waybills, startMs, speed, clock, operator, warn, port } = options;
  const airport = createAirport({ seed, waybills, startMs });
  const servedMs = clock.nowMs();
  const nowMs = (): number => Math.floor(startMs + (clock.nowMs() - servedMs) * speed);
  const served = await serveAirport({ airport, nowMs, speed, port });
  const stop =
    operator === null
      ? () => {}
      : startPushing({ airport, clock, nowMs, deliver: createPush(operator, nowMs, warn) });
  return {
    url: served.url,
    airlines: airport.airlines.map((airline) => airlineEntry(airline, served.url, "answer-date")),
    shown: waybillsUnderWay(airport, startMs, operator !== null),
    close() {
      stop();
      return served.close();
    },
  };
}

/** Pushes messages, and tells why they are not taken: once, until that is another reason. */
function createPush(
  operator: Operator,
  nowMs: () => number,
  tell: (line: string) => void,
): (messages: readonly string[]) => Promise<boolean> {
  let told: string | null = null;
  return async (messages) => {
    const failure = await push(operator, messages, nowMs());
    if (failure !== null && failure !== told) {
      tell(`What airlines push is not taken, and tried again until it is: ${operator.url} ${failure}\n`);
    }
    told = failure;
    return failure === null;
  };
}

/**
 * What is wrong, or null. Messages have no year: it is inferred by the airport's clock, which is not the service's.
 */
async function push(
  { url, token }: Operator,
  messages: readonly string[],
  atMs: number,
): Promise<string | null> {
  try {
    const answer = await fetch(`${url.replace(/\/+$/, "")}/v1/air/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ messages, received_at: new Date(atMs).toISOString() }),
      signal: AbortSignal.timeout(PUSH_MS_MAX),
    });
    const said = await answer.text();
    return answer.ok ? null : `answers ${answer.status} ${said.slice(0, ANSWER_LENGTH_MAX)}`;
  } catch (cause) {
    return `does not answer: ${causeText(cause)}`;
  }
}

function waybillsUnderWay(airport: Airport, nowMs: number, withPushed: boolean): readonly Waybill[] {
  const shown: Waybill[] = [];
  const [least, most] = UNDER_WAY_DAYS;
  const last = Math.min(airport.waybillCount, SCANNED_MAX);
  for (let index = 0; index < last && shown.length < WAYBILLS_SHOWN; index += 1) {
    const waybill = airport.waybillAt(index);
    const days = (nowMs - waybill.bookedMs) / DAY_MS;
    const isHeard = withPushed || waybill.airline.protocol !== "fsu";
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
    `  BOATHOOK_AIRLINES_FILE=${file} BOATHOOK_AIR_POLL_INTERVAL=${POLL_INTERVAL}`,
    "Waybills to try:",
    ...shown.map(({ awb, airline, route }) => {
      return `  ${awb.slice(0, 3)}-${awb.slice(3)} ${airline.iata}  ${route.join("-")}`;
    }),
  ].join("\n");
}

export function jsonOfAirport({ url, shown, airlines }: SimulatedAirport): object {
  return { url, airlines, waybills: shown.map(({ awb, airline }) => ({ awb, airline: airline.iata })) };
}
