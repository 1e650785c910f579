/** A made-up world behind a socket on loopback. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import type { Answer } from "./answer.ts";

export type RunningServer = {
  /** What paths begin with. */
  readonly url: string;
  close(): Promise<void>;
};

/**
 * Port 0: the system picks one. An answer of status 0 keeps the request until the client gives up or the server
 * closes.
 */
export async function listen(
  port: number,
  answer: (request: IncomingMessage) => Promise<Answer>,
  host = "127.0.0.1",
): Promise<RunningServer> {
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, headers, body }) => {
        if (status !== 0) response.writeHead(status, headers).end(body);
      },
      () => response.destroy(),
    );
  });
  server.listen(port, host);
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve).once("error", reject);
  });
  const { address, family, port: own } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${own}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((cause) => (cause === undefined ? resolve() : reject(cause)));
        server.closeAllConnections();
      }),
  };
}

/** The wait that is asked for, in the seconds of a client whose clock runs so many times slower. */
export function scaleRetryAfter(answer: Answer, speed: number): Answer {
  const waitS = answer.headers["retry-after"];
  if (waitS === undefined) return answer;
  const seconds = String(Math.ceil(Number(waitS) / speed));
  return { ...answer, headers: { ...answer.headers, "retry-after": seconds } };
}

export function headersOf(request: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

export async function bodyOf(request: IncomingMessage, bytesMax: number): Promise<string> {
  let body = "";
  for await (const chunk of request) {
    body += String(chunk);
    if (body.length > bytesMax) throw new Error(`a body has at most ${bytesMax} bytes`);
  }
  return body;
}

/** The form of a token request; who asks may also name itself in the way of RFC 6749, 2.3.1. */
export async function formOf(request: IncomingMessage, bytesMax: number): Promise<URLSearchParams> {
  const params = new URLSearchParams(await bodyOf(request, bytesMax));
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (basic === undefined) return params;
  const [id = "", secret = ""] = Buffer.from(basic, "base64").toString("utf8").split(":");
  params.set("client_id", decodeURIComponent(id));
  params.set("client_secret", decodeURIComponent(secret));
  return params;
}
