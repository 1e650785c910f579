/** A server on loopback for one test, asked over real sockets. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { Agent } from "undici";

import { createHttpPort, type HttpPort } from "../../src/freight/upstream/http.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { realClock } from "../support/real-clock.ts";

export type Served = { readonly url: string; readonly http: HttpPort };

export async function serving<T>(
  listener: RequestListener,
  work: (served: Served) => Promise<T>,
  clock: Clock = realClock,
): Promise<T> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const agent = new Agent();
  try {
    const { port } = server.address() as AddressInfo;
    return await work({ url: `http://127.0.0.1:${port}`, http: createHttpPort(agent, clock) });
  } finally {
    server.closeAllConnections();
    server.close();
    await agent.destroy();
  }
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
