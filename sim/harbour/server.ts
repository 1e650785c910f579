/** The harbour behind a socket on loopback, each line on a path of its own, under a sped-up clock. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import type { HarbourAnswer } from "./answering.ts";
import type { Harbour } from "./harbour.ts";

export type ServedHarbour = {
  /** What the lines' paths begin with. */
  readonly url: string;
  close(): Promise<void>;
};

export type ServeHarbourOptions = {
  readonly harbour: Harbour;
  /** Of whoever asks. */
  readonly clock: { nowMs(): number };
  /** The harbour's time when it is first served, milliseconds since the epoch. */
  readonly startMs: number;
  /** Milliseconds of the harbour for each of the clock's. */
  readonly speed: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: the system picks one. */
  readonly port?: number;
};

/** The form of a token request. */
const FORM_BYTES_MAX = 4_096;

/**
 * `GET /{scac}/events` and `POST /{scac}/token`. A line that does not answer keeps the request until the
 * asker gives up or the server closes.
 */
export async function serveHarbour(options: ServeHarbourOptions): Promise<ServedHarbour> {
  const { clock, startMs, speed } = options;
  const servedMs = clock.nowMs();
  const nowMs = (): number => Math.floor(startMs + (clock.nowMs() - servedMs) * speed);
  const server = createServer((request, response) => {
    answerTo(request, options, nowMs()).then(
      ({ status, headers, body }) => {
        if (status !== 0) response.writeHead(status, headers).end(body);
      },
      () => response.destroy(),
    );
  });
  server.listen(options.port ?? 0, options.host ?? "127.0.0.1");
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve).once("error", reject);
  });
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((cause) => (cause === undefined ? resolve() : reject(cause)));
        server.closeAllConnections();
      }),
  };
}

async function answerTo(
  request: IncomingMessage,
  { harbour, speed }: ServeHarbourOptions,
  atMs: number,
): Promise<HarbourAnswer> {
  const url = new URL(request.url ?? "/", "http://harbour");
  const scac = url.pathname.split("/")[1] ?? "";
  if (request.method === "POST") return harbour.token(scac, await formOf(request), atMs, speed);
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
  return patient(harbour.answer(scac, url, headers, atMs), speed);
}

/** The wait that is asked for, in the asker's seconds. */
function patient(answer: HarbourAnswer, speed: number): HarbourAnswer {
  const waitS = answer.headers["retry-after"];
  if (waitS === undefined) return answer;
  const seconds = String(Math.ceil(Number(waitS) / speed));
  return { ...answer, headers: { ...answer.headers, "retry-after": seconds } };
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let form = "";
  for await (const chunk of request) {
    form += String(chunk);
    if (form.length > FORM_BYTES_MAX) throw new Error(`a form has at most ${FORM_BYTES_MAX} bytes`);
  }
  const params = new URLSearchParams(form);
  // The other way of RFC 6749, 2.3.1.
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (basic === undefined) return params;
  const [id = "", secret = ""] = Buffer.from(basic, "base64").toString("utf8").split(":");
  params.set("client_id", decodeURIComponent(id));
  params.set("client_secret", decodeURIComponent(secret));
  return params;
}
