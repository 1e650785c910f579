/** The outside world in a thread of its own, so that its work is not the service's: clients, and upstreams that answer. */
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

import { ACCOUNT, ANSWERS, BODIES } from "./worst-inputs.ts";

export type Sent = {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A name in `BODIES`, or JSON. */
  readonly body?: string | object | undefined;
  /** The account that the events of a body are for. */
  readonly account?: string;
  /** Base64; what a carrier signs its callbacks with. */
  readonly secret?: string;
};

export type Answered = { readonly status: number; readonly text: string };

export type World = {
  /** Where `/<name of an answer>/…` is answered with it, and `/<upstream>/…` with what it is to answer with. */
  readonly url: string;
  /** How often an answer was asked for. */
  readonly asked: (answer: string) => number;
  readonly answerWith: (upstream: string, answer: string) => void;
  readonly send: (sent: Sent) => Promise<Answered>;
  readonly close: () => Promise<void>;
};

type Told = {
  readonly id?: number;
  readonly answered?: Answered;
  readonly port?: number;
  readonly answer?: string;
};

export async function startWorld(): Promise<World> {
  const worker = new Worker(new URL(import.meta.url));
  const asked = new Map<string, number>();
  const waiting = new Map<number, PromiseWithResolvers<Answered>>();
  let count = 0;
  const url = await new Promise<string>((resolve, reject) => {
    worker.once("error", reject);
    worker.on("message", ({ id, answered, port, answer }: Told) => {
      if (port !== undefined) return resolve(`http://127.0.0.1:${port}`);
      if (answer !== undefined) return void asked.set(answer, (asked.get(answer) ?? 0) + 1);
      waiting.get(id!)?.resolve(answered!);
      waiting.delete(id!);
    });
  });
  return {
    url,
    send(sent) {
      const id = (count += 1);
      const answer = Promise.withResolvers<Answered>();
      waiting.set(id, answer);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window: it has no origin
      worker.postMessage({ id, sent });
      return answer.promise;
    },
    asked: (answer) => asked.get(answer) ?? 0,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window: it has no origin
    answerWith: (upstream, answer) => worker.postMessage({ told: { [upstream]: answer } }),
    close: async () => void (await worker.terminate()),
  };
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const current: Record<string, string> = {};
  const server = createServer((request, response) => {
    const [, name = ""] = request.url?.split(/[/?]/) ?? [];
    const answer = ANSWERS[current[name] ?? name];
    port.postMessage({ answer: current[name] ?? name });
    request.resume().once("end", () => {
      if (answer === undefined) return void response.writeHead(404).end();
      const { headers = {}, body } = answer();
      response.writeHead(200, { "content-type": "application/json", ...headers }).end(body);
    });
  });
  server.listen(0, "127.0.0.1", () => port.postMessage({ port: (server.address() as AddressInfo).port }));
  port.on("message", ({ id, sent, told }: { id: number; sent?: Sent; told?: Record<string, string> }) => {
    Object.assign(current, told);
    if (sent !== undefined) void send(sent).then((answered) => port.postMessage({ id, answered }));
  });
}

function withAccount(body: string | Uint8Array, account = ACCOUNT): string | Uint8Array {
  return typeof body === "string" ? body.replaceAll(ACCOUNT, account) : body;
}

/** What a body begins with says its type. */
function typeOf(text: string | Uint8Array, url: string): string {
  if (/^[[{]/.test(Buffer.from(text.slice(0, 1)).toString())) return "application/json";
  return url.endsWith("/rates") ? "text/csv" : "text/plain";
}

async function send({ method = "POST", url, headers = {}, body, account, secret }: Sent): Promise<Answered> {
  const text = typeof body === "string" ? withAccount(BODIES[body]!(), account) : JSON.stringify(body);
  const more: Record<string, string> = text === undefined ? {} : { "content-type": typeOf(text, url) };
  if (secret !== undefined && text !== undefined) {
    const signature = createHmac("sha256", Buffer.from(secret, "base64")).update(text).digest("hex");
    more["notification-signature"] = `sha256=${signature}`;
  }
  try {
    const response = await fetch(url, {
      method,
      headers: { ...more, ...headers },
      ...(text === undefined ? {} : { body: text }),
    });
    return { status: response.status, text: (await response.text()).slice(0, 100_000) };
  } catch (cause) {
    return { status: 0, text: String((cause as Error).cause ?? cause) };
  }
}
