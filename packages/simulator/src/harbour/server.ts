/** The harbour behind a socket on loopback, each line on a path of its own, under a sped-up clock. */
import type { IncomingMessage } from "node:http";

import { formOf, headersOf, listen, scaleRetryAfter, type RunningServer } from "../world/http-server.ts";
import { json, type Answer } from "../world/answer.ts";
import type { Harbour } from "./harbour.ts";

/** Its url is what the lines' paths begin with. */
export type ServedHarbour = RunningServer;

export type ServeHarbourOptions = {
  readonly harbour: Harbour;
  /** The clock of the client. */
  readonly clock: { nowMs(): number };
  /** The harbour's time when it is first served, milliseconds since the epoch. */
  readonly startMs: number;
  /** Milliseconds of the harbour for each of the clock's. */
  readonly speed: number;
  /** What the world shows of itself at its own path, `GET /`. */
  readonly index?: () => object;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: the system picks one. */
  readonly port?: number;
};

/** The form of a token request. */
const FORM_BYTES_MAX = 4_096;

/**
 * `GET /{scac}/events` and `POST /{scac}/token`. A line that does not answer keeps the request until the
 * client gives up or the server closes.
 */
export function serveHarbour(options: ServeHarbourOptions): Promise<ServedHarbour> {
  const { clock, startMs, speed } = options;
  const servedMs = clock.nowMs();
  const nowMs = (): number => Math.floor(startMs + (clock.nowMs() - servedMs) * speed);
  return listen(options.port ?? 0, (request) => answerTo(request, options, nowMs()), options.host);
}

async function answerTo(
  request: IncomingMessage,
  { harbour, speed, index }: ServeHarbourOptions,
  atMs: number,
): Promise<Answer> {
  const url = new URL(request.url ?? "/", "http://harbour");
  const scac = url.pathname.split("/")[1] ?? "";
  if (request.method === "POST") {
    return harbour.token(scac, await formOf(request, FORM_BYTES_MAX), atMs, speed);
  }
  if (url.pathname === "/" && index !== undefined) return json(200, index(), atMs);
  return scaleRetryAfter(harbour.answer(scac, url, headersOf(request), atMs), speed);
}
