/** The airport behind a socket on loopback, each airline on a path of its own, under a sped-up clock. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import type { Airport } from "./airport.ts";
import { answerOf, type AirportAnswer } from "./answering.ts";

export type ServedAirport = {
  /** What the airlines' paths begin with. */
  readonly url: string;
  close(): Promise<void>;
};

export type ServeAirportOptions = {
  readonly airport: Airport;
  /** The airport's time, milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Milliseconds of the airport for each of the asker's. */
  readonly speed: number;
  /** Default 0: the system picks one. */
  readonly port?: number;
};

/** A status request, or the form of a token request. */
const BODY_BYTES_MAX = 8_192;

/** An airline that does not answer keeps the request until the asker gives up or the server closes. */
export async function serveAirport(options: ServeAirportOptions): Promise<ServedAirport> {
  const server = createServer((request, response) => {
    answerTo(request, options).then(
      ({ status, headers, body }) => {
        if (status !== 0) response.writeHead(status, headers).end(body);
      },
      () => response.destroy(),
    );
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve).once("error", reject);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((cause) => (cause === undefined ? resolve() : reject(cause)));
        server.closeAllConnections();
      }),
  };
}

async function answerTo(
  request: IncomingMessage,
  { airport, nowMs, speed }: ServeAirportOptions,
): Promise<AirportAnswer> {
  const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "airport"}`);
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
  const { method = "GET" } = request;
  const body = await bodyOf(request);
  return patient(answerOf(airport, { method, url, headers, body }, nowMs(), speed), speed);
}

/** The wait that is asked for, in the asker's seconds. */
function patient(answer: AirportAnswer, speed: number): AirportAnswer {
  const waitS = answer.headers["retry-after"];
  if (waitS === undefined) return answer;
  return {
    ...answer,
    headers: { ...answer.headers, "retry-after": String(Math.ceil(Number(waitS) / speed)) },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) {
    body += String(chunk);
    if (body.length > BODY_BYTES_MAX) throw new Error(`a body has at most ${BODY_BYTES_MAX} bytes`);
  }
  return body;
}
