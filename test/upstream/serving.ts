/** A server on loopback for one test, asked over real sockets. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

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
  const { close, ...server } = await listening(listener, clock);
  try {
    return await work(server);
  } finally {
    await close();
  }
}

/** Until the test ends. */
export async function served(t: TestContext, listener: RequestListener): Promise<Served> {
  const { close, ...server } = await listening(listener, realClock);
  t.after(close);
  return server;
}

async function listening(listener: RequestListener, clock: Clock) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const agent = new Agent();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    http: createHttpPort(agent, clock),
    async close() {
      server.closeAllConnections();
      server.close();
      await agent.destroy();
    },
  };
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
