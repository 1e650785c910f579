/** The airlines of a simulation: served, described, and pushing. */
import { airlineEntry, type AirlineEntry } from "../airport/airlines-file.ts";
import { createAirport, type Airport } from "../airport/airport.ts";
import { startPushing } from "../airport/pushing.ts";
import { serveAirport } from "../airport/server.ts";
import type { Waybill } from "../airport/waybill.ts";
import { DAY_MS } from "../world/durations.ts";
import type { Clock } from "../world/clock.ts";

export type SimulatedAirport = {
  /** Their entries in the airlines file. */
  readonly airlines: readonly AirlineEntry[];
  /** Waybills in transit, to try. */
  readonly shown: readonly Waybill[];
  readonly json: object;
  /** For a person, without the last line's end. `path` is where the airlines file was written. */
  textFor(path: string | undefined): string;
  close(): Promise<void>;
};

export type SimulatedAirportOptions = {
  readonly seed: number;
  readonly waybills: number;
  readonly startMs: number;
  readonly speed: number;
  readonly clock: Clock;
  /** The operator's listener of a running service, for the airlines that push; null: nothing is pushed. */
  readonly operator: Operator | null;
  /** Called with a line, its end included, when the listener begins to refuse messages. */
  readonly warn: (line: string) => void;
  /** 0: one that is free. */
  readonly port: number;
};

type Operator = { readonly url: string; readonly token: string };

/** Waybills to try, and how many journeys are searched for them. */
const WAYBILLS_SHOWN = 20;
const SCANNED_MAX = 2_000;
/** Cargo booked this long ago is likely to be in transit. */
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
  const airlines = airport.airlines.map((airline) => airlineEntry(airline, served.url, "answer-date"));
  const shown = waybillsUnderWay(airport, startMs, operator !== null);
  const waybillsShown = shown.map(({ awb, airline }) => ({ awb, airline: airline.iata }));
  return {
    airlines,
    shown,
    json: { url: served.url, airlines, waybills: waybillsShown },
    textFor: (path) => textOf(served.url, airlines.length, shown, path),
    close() {
      stop();
      return served.close();
    },
  };
}

/** Pushes messages. Warns when they are refused: once, until the reason changes. */
function createPush(
  operator: Operator,
  nowMs: () => number,
  warn: (line: string) => void,
): (messages: readonly string[]) => Promise<boolean> {
  let reported: string | null = null;
  return async (messages) => {
    const failure = await push(operator, messages, nowMs());
    if (failure !== null && failure !== reported) {
      warn(`What airlines push is not taken, and tried again until it is: ${operator.url} ${failure}\n`);
    }
    reported = failure;
    return failure === null;
  };
}

/**
 * What is wrong, or null. Messages have no year: the service infers it from `received_at`, which is by the airport's
 * clock, not the service's.
 */
async function push(
  { url, token }: Operator,
  messages: readonly string[],
  atMs: number,
): Promise<string | null> {
  try {
    const answer = await fetch(`${url}/v1/air/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ messages, received_at: new Date(atMs).toISOString() }),
      signal: AbortSignal.timeout(PUSH_MS_MAX),
    });
    const body = await answer.text();
    return answer.ok ? null : `answers ${answer.status} ${body.slice(0, ANSWER_LENGTH_MAX)}`;
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

function textOf(
  url: string,
  airlineCount: number,
  shown: readonly Waybill[],
  path: string | undefined,
): string {
  const file = path ?? "airlines.json";
  return [
    `${airlineCount} airlines are at ${url}`,
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

/** The innermost message: the system's own. */
function causeText(cause: unknown): string {
  if (cause instanceof AggregateError) return causeText(cause.errors[0]);
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause === undefined ? cause.message : causeText(cause.cause);
}
