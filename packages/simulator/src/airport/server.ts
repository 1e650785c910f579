/** The airport behind a socket on loopback, each airline on a path of its own, under a sped-up clock. */
import type { IncomingMessage } from "node:http";

import { bodyOf, headersOf, listen, scaleRetryAfter, type RunningServer } from "../world/http-server.ts";
import type { Answer } from "../world/answer.ts";
import type { Airport } from "./airport.ts";
import { answerOf } from "./answers.ts";

/** Its url is what the airlines' paths begin with. */
export type ServedAirport = RunningServer;

export type ServeAirportOptions = {
  readonly airport: Airport;
  /** The airport's time, milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Milliseconds of the airport for each of the client's. */
  readonly speed: number;
  /** Default 0: the system picks one. */
  readonly port?: number;
};

/** A status request, or the form of a token request. */
const BODY_BYTES_MAX = 8_192;

/** An airline that does not answer keeps the request until the client gives up or the server closes. */
export function serveAirport(options: ServeAirportOptions): Promise<ServedAirport> {
  return listen(options.port ?? 0, (request) => answerTo(request, options));
}

async function answerTo(
  request: IncomingMessage,
  { airport, nowMs, speed }: ServeAirportOptions,
): Promise<Answer> {
  const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "airport"}`);
  const { method = "GET" } = request;
  const body = await bodyOf(request, BODY_BYTES_MAX);
  return scaleRetryAfter(
    answerOf(airport, { method, url, headers: headersOf(request), body }, nowMs(), speed),
    speed,
  );
}
