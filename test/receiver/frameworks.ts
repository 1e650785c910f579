/** The frameworks that a receiver runs under, each served for real, and requests that `fetch` cannot make. */
import http, { type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import express from "express";
import fastify from "fastify";

import type { Receiver } from "../../packages/receiver/src/receiver.ts";

export type Framework = {
  readonly name: string;
  /** Serves `receiver` at `/hooks` until `close`. */
  readonly serve: (receiver: Receiver) => Promise<Served>;
};
export type Served = { readonly url: string; readonly close: () => Promise<void> };

export const frameworks: readonly Framework[] = [
  { name: "http", serve: (receiver) => listen(receiver.node) },
  { name: "Express", serve: (receiver) => listen(expressApp().all("/hooks", receiver.express)) },
  {
    name: "Express behind express.raw()",
    serve: (receiver) =>
      listen(
        expressApp()
          .use(express.raw({ type: "*/*" }))
          .all("/hooks", receiver.express),
      ),
  },
  {
    name: "Express behind an express.json() that keeps the raw body",
    serve: (receiver) =>
      listen(
        expressApp()
          .use(
            express.json({ verify: (request, _response, body) => Object.assign(request, { rawBody: body }) }),
          )
          .all("/hooks", receiver.express),
      ),
  },
  {
    name: "Fastify",
    serve: async (receiver) => {
      const app = fastify();
      await app.register(receiver.fastify, { prefix: "/hooks" });
      const url = await app.listen({ host: "127.0.0.1", port: 0 });
      return { url: `${url}/hooks`, close: () => app.close() };
    },
  },
  { name: "the Fetch API", serve: (receiver) => listen(overFetch(receiver.fetch)) },
];

/** Express logs what its parsers refuse, unless its environment is a test. */
export function expressApp(): express.Express {
  return express().set("env", "test");
}

export async function listen(listener: RequestListener): Promise<Served> {
  const server = http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Serves a Fetch handler over HTTP, as Hono's and others' adapters for Node do. */
export function overFetch(handle: (request: Request) => Promise<Response>): RequestListener {
  return (incoming, outgoing) => {
    const bare = incoming.method === "GET" || incoming.method === "HEAD";
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        incoming.on("data", (chunk: Buffer) => controller.enqueue(new Uint8Array(chunk)));
        incoming.on("end", () => controller.close());
        incoming.on("error", (error) => controller.error(error));
      },
      cancel: () => void incoming.removeAllListeners("data").removeAllListeners("end").resume(),
    });
    const init = { method: incoming.method ?? "GET", headers: pairsOf(incoming.rawHeaders) };
    const request = new Request(
      `http://localhost${incoming.url}`,
      bare ? init : { ...init, body, duplex: "half" },
    );
    void handle(request).then(async (response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    });
  };
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as [string, string]] : []));
}

/** Posts without a Content-Length, so that the receiver has to count. */
export function statusOfChunked(
  url: string,
  body: string,
  headers: Record<string, string | string[]>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method: "POST",
      headers: { ...headers, "Transfer-Encoding": "chunked" },
    });
    request.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("error", reject);
    for (let at = 0; at < body.length; at += 512) request.write(body.slice(at, at + 512));
    request.end();
  });
}

/** Posts more than any parser here takes, and never ends. */
export function statusOfEndless(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method: "POST",
      headers: { ...headers, "Transfer-Encoding": "chunked" },
    });
    request.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.on("error", reject);
    request.write("x".repeat(200 * 1024));
  });
}
