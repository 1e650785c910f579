import assert from "node:assert/strict";
import http, { type RequestListener } from "node:http";
import net, { type AddressInfo } from "node:net";
import { after, before, describe, it, type TestContext } from "node:test";

import express from "express";
import fastify from "fastify";

import { createReceiver, type Receiver, type ReceiverOptions } from "../../packages/receiver/src/receiver.ts";
import { OTHER_SECRET, SECRET, send, sign } from "./sender.ts";

type Framework = {
  readonly name: string;
  /** Serves `receiver` at `/hooks` until `close`. */
  readonly serve: (receiver: Receiver) => Promise<Served>;
};
type Served = { readonly url: string; readonly close: () => Promise<void> };

const frameworks: readonly Framework[] = [
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
function expressApp(): express.Express {
  return express().set("env", "test");
}

async function listen(listener: RequestListener): Promise<Served> {
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
function overFetch(handle: (request: Request) => Promise<Response>): RequestListener {
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
function statusOfChunked(
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
function statusOfEndless(url: string, headers: Record<string, string>): Promise<number> {
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

const BODY_BYTES_MAX = 2_000;

for (const { name, serve } of frameworks) {
  describe(`a receiver under ${name}`, () => {
    const handled: string[] = [];
    let failures = 0;
    let served: Served;
    before(async () => {
      served = await serve(
        createReceiver({
          secret: [SECRET],
          bodyBytesMax: BODY_BYTES_MAX,
          onError: () => {},
          onDelivery: async ({ id }) => {
            await new Promise((resolve) => setImmediate(resolve));
            if (failures > 0) {
              failures -= 1;
              throw new Error("not now");
            }
            handled.push(id);
          },
        }),
      );
    });
    after(() => served.close());
    const timesHandled = (id: string): number => handled.filter((one) => one === id).length;
    const post = async (
      body: string | Uint8Array<ArrayBuffer>,
      headers: Record<string, string>,
    ): Promise<number> => {
      const response = await fetch(served.url, { method: "POST", body, headers });
      await response.arrayBuffer();
      return response.status;
    };

    it("takes a delivery once, however often it comes", async () => {
      const { id, body, headers } = send({ data: { message: "Grüße, 上海, 🚢" } });
      const together = await Promise.all([post(body, headers), post(body, headers), post(body, headers)]);
      assert.deepEqual(together, [204, 204, 204]);
      assert.equal(await post(body, headers), 204);
      assert.equal(timesHandled(id), 1);
    });

    it("answers 401 to a wrong signature and to a changed body", async () => {
      const wrong = send({ secret: OTHER_SECRET });
      assert.equal(await post(wrong.body, wrong.headers), 401);
      const { id, body, headers } = send();
      assert.equal(await post(body.replace("hello", "hullo"), headers), 401);
      assert.equal(timesHandled(id), 0);
    });

    it("verifies bytes, whatever they are and whatever type they are said to have", async () => {
      const { body, headers } = send();
      for (const type of [
        "application/json; charset=utf-8",
        "text/plain",
        "application/x-www-form-urlencoded",
      ]) {
        if (name.includes("express.json()") && !type.includes("json")) continue;
        assert.equal(await post(body, { ...headers, "Content-Type": type }), 204, type);
      }
    });

    it("answers 413 to a body over its bound, announced or not, and goes on", async () => {
      const { body, headers } = send({ data: { message: "x".repeat(BODY_BYTES_MAX) } });
      assert.equal(await post(body, headers), 413);
      assert.equal(await statusOfChunked(served.url, body, headers), 413);
      const small = send();
      assert.equal(await post(small.body, small.headers), 204);
    });

    // Express's own parsers refuse it as well, but wait for its end.
    if (!name.includes("express.")) {
      it("answers 413 to a body without end, and does not wait for it", async () => {
        assert.equal(await statusOfEndless(served.url, send().headers), 413);
      });
    }

    it("answers 405 to other methods", async () => {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const response = await fetch(served.url, { method });
        assert.equal(response.status, 405, method);
        assert.equal(response.headers.get("allow"), "POST");
      }
      assert.equal((await fetch(served.url, { method: "HEAD" })).status, 405);
    });

    it("refuses a signature header that is sent twice", async () => {
      const { id, body, headers } = send();
      const twice = { ...headers, "X-Tracking-Signature": [sign(body), sign(body)] };
      assert.equal(await statusOfChunked(served.url, body, twice), 401);
      assert.equal(timesHandled(id), 0);
    });

    it("goes on when the sender leaves in the middle of its body", async () => {
      const { port } = new URL(served.url);
      const socket = net.connect(Number(port), "127.0.0.1");
      socket.on("error", () => {});
      socket.write(
        `POST /hooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
      );
      await new Promise((resolve) => socket.write("", resolve));
      socket.destroy();
      const { body, headers } = send();
      assert.equal(await post(body, headers), 204);
    });
  });
}

describe("a body that is gone", () => {
  async function served(t: TestContext, listener: (receiver: Receiver) => RequestListener, instead?: string) {
    const errors: unknown[] = [];
    const options: ReceiverOptions = {
      secret: SECRET,
      onDelivery: () => {},
      onError: (error) => errors.push(error),
    };
    const { url, close } = await listen(listener(createReceiver(options)));
    t.after(close);
    const { body, headers } = send();
    const response = await fetch(url, { method: "POST", body: instead ?? body, headers });
    return { status: response.status, text: await response.text(), errors };
  }

  it("is explained when express.json() has parsed it, and not handled", async (t) => {
    const { status, text, errors } = await served(t, (receiver) =>
      expressApp().use(express.json()).post("/hooks", receiver.express),
    );
    assert.equal(status, 500);
    assert.match(text, /express\.json\(\) ran before.*Mount the receiver before the parser/s);
    assert.equal(errors.length, 1);
  });

  for (const [what, body] of [
    ["a part of it", send().body],
    ["the nothing that it was", ""],
  ] as const) {
    it(`is explained when a middleware has read ${what}`, async (t) => {
      const { status, text } = await served(
        t,
        (receiver) =>
          expressApp()
            .use((request, _response, next) => {
              request.once(body === "" ? "end" : "data", () => next());
              request.resume();
            })
            .post("/hooks", receiver.express),
        body,
      );
      assert.equal(status, 500);
      assert.match(text, /raw body is gone/);
    });
  }

  it("is explained when a Fetch handler has read the request before", async (t) => {
    const { status, text, errors } = await served(t, (receiver) =>
      overFetch(async (request) => {
        await request.json();
        return receiver.fetch(request);
      }),
    );
    assert.equal(status, 500);
    assert.match(text, /has read the request/);
    assert.equal(errors.length, 1);
  });
});

describe("the Fastify plugin", () => {
  it("leaves the application's own parsers alone", async (t) => {
    const app = fastify();
    t.after(() => app.close());
    await app.register(createReceiver({ secret: SECRET, onDelivery: () => {} }).fastify, {
      prefix: "/hooks",
    });
    app.post("/other", (request) => ({ parsed: request.body }));
    const response = await app.inject({ method: "POST", url: "/other", payload: { a: 1 } });
    assert.deepEqual(response.json(), { parsed: { a: 1 } });
    const text = await app.inject({
      method: "POST",
      url: "/other",
      headers: { "content-type": "text/csv" },
      payload: "a",
    });
    assert.equal(text.statusCode, 415);
  });
});
