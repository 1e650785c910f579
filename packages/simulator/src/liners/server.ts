/** The trade behind a socket on loopback, each feed on a path of its own, under a sped-up clock. */
import type { IncomingMessage } from "node:http";

import { formOf, headersOf, listen, scaleRetryAfter, type RunningServer } from "../world/http-server.ts";
import type { Answer } from "../world/answer.ts";
import { answerOf } from "./answers.ts";
import type { LinerTrade } from "./trade.ts";

export type ServeTradeOptions = {
  readonly trade: LinerTrade;
  /** The trade's time, milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Milliseconds of the trade for each of the client's. */
  readonly speed: number;
  /** Default 0: the system picks one. */
  readonly port?: number;
};

/** The form of a token request. */
const FORM_BYTES_MAX = 4_096;

/** `GET /{feed}` and `POST /{scac}/token`; its url is what these paths begin with. */
export function serveTrade(options: ServeTradeOptions): Promise<RunningServer> {
  return listen(options.port ?? 0, (request) => answerTo(request, options));
}

async function answerTo(
  request: IncomingMessage,
  { trade, nowMs, speed }: ServeTradeOptions,
): Promise<Answer> {
  const url = new URL(request.url ?? "/", "http://trade");
  const { method = "GET" } = request;
  const form = method === "POST" ? await formOf(request, FORM_BYTES_MAX) : new URLSearchParams();
  return scaleRetryAfter(
    answerOf(trade, { method, url, headers: headersOf(request), form }, nowMs(), speed),
    speed,
  );
}
