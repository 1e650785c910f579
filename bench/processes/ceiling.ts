/**
 * The ceiling, a process of its own: undici's `dispatch` in a bare loop that signs and posts the same bodies to the
 * same receiver, with no store, no queue and no retry behind it.
 */
import { createHmac, createSecretKey, randomUUID } from "node:crypto";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";

import { Client, type Dispatcher } from "undici";

import { buildDeliveryBody } from "../../src/model/delivery-body.ts";
import { dataOf, EVENT_TYPE, SEQUENCE_FIRST } from "../setting/events.ts";
import { answerCalls } from "./calls.ts";

const key = createSecretKey(Buffer.alloc(32, 9));
const bodies = Array.from({ length: 1_000 }, (_, index) => {
  const id = randomUUID();
  return { id, text: buildDeliveryBody(id, EVENT_TYPE, Date.now(), dataOf(SEQUENCE_FIRST + index)) };
});
let next = 0;

function request(endpoint: number): Dispatcher.DispatchOptions {
  const { id, text } = bodies[next++ % bodies.length]!;
  const signature = createHmac("sha256", key).update(text).digest("hex");
  return {
    path: `/${endpoint}`,
    method: "POST",
    headers: [
      ...["content-type", "application/json", "user-agent", "Tracking-Webhooks/1"],
      ...["X-Tracking-Event", EVENT_TYPE, "X-Tracking-Delivery", id],
      ...["X-Tracking-Signature", `sha256=${signature}`],
    ],
    body: text,
  };
}

/** Calls `ended` when the answer has ended, whatever it was. */
class PostHandler implements Dispatcher.DispatchHandler {
  readonly ended: () => void;
  constructor(ended: () => void) {
    this.ended = ended;
  }
  onRequestStart(): void {}
  onResponseStart(): void {}
  onResponseData(): void {}
  onResponseEnd(): void {
    this.ended();
  }
  onResponseError(_controller: unknown, error: Error): void {
    throw error;
  }
}

const CLIENT_OPTIONS = {
  allowH2: false,
  pipelining: 1,
  keepAliveTimeout: 120_000,
  headersTimeout: 0,
  bodyTimeout: 0,
};

export type CeilingPace = { readonly sent: number; readonly seconds: number };

let secureContext: SecureContext;
let warmClients: Client[] = [];
const sessions = new Map<number, Buffer>();

/** A connection that nobody has used, with the origin's last TLS session. */
function openClient(port: number): Client {
  return new Client(`https://127.0.0.1:${port}`, {
    ...CLIENT_OPTIONS,
    connect(_options, callback) {
      const session = sessions.get(port);
      const socket: TLSSocket = connect({
        host: "127.0.0.1",
        port,
        secureContext,
        ALPNProtocols: ["http/1.1"],
        ...(session === undefined ? {} : { session }),
      });
      socket.setNoDelay(true);
      socket.on("session", (ticket: Buffer) => sessions.set(port, ticket));
      socket.once("secureConnect", () => callback(null, socket));
      socket.once("error", (error) => callback(error, null));
    },
  });
}

const calls = {
  trust({ ca }: { ca: string }): void {
    secureContext = createSecureContext({ ca });
  },
  /** Every origin has one connection that stays open, and one request open at a time. */
  warm({ ports, seconds }: { ports: readonly number[]; seconds: number }): Promise<CeilingPace> {
    if (warmClients.length === 0) warmClients = ports.map(openClient);
    const startedMs = performance.now();
    const endMs = startedMs + seconds * 1_000;
    let sent = 0;
    let running = ports.length;
    const { promise, resolve } = Promise.withResolvers<CeilingPace>();
    warmClients.forEach((client, endpoint) => {
      const post = new PostHandler(() => {
        sent += 1;
        // Not within the parser's own stack, which would have undici queue the request.
        if (performance.now() < endMs) queueMicrotask(go);
        else if (--running === 0) resolve({ sent, seconds: (performance.now() - startedMs) / 1_000 });
      });
      const go = (): void => void client.dispatch(request(endpoint), post);
      go();
    });
    return promise;
  },
  /** Every request opens a connection, resuming the origin's TLS session where there is one, and closes it. */
  cold({
    ports,
    seconds,
    open: width,
  }: {
    ports: readonly number[];
    seconds: number;
    open: number;
  }): Promise<CeilingPace> {
    const startedMs = performance.now();
    // Without a time: once round all of them, which gets everybody a session.
    const endMs = seconds === 0 ? Number.POSITIVE_INFINITY : startedMs + seconds * 1_000;
    const sentMax = seconds === 0 ? ports.length : Number.POSITIVE_INFINITY;
    let started = 0;
    let sent = 0;
    let running = width;
    const { promise, resolve } = Promise.withResolvers<CeilingPace>();
    const go = (): void => {
      if (performance.now() >= endMs || started >= sentMax) {
        if (--running === 0) resolve({ sent, seconds: (performance.now() - startedMs) / 1_000 });
        return;
      }
      const endpoint = started++ % ports.length;
      const client = openClient(ports[endpoint]!);
      client.dispatch(
        request(endpoint),
        new PostHandler(() => {
          sent += 1;
          queueMicrotask(() => void client.destroy());
          queueMicrotask(go);
        }),
      );
    };
    for (let lane = 0; lane < width; lane++) go();
    return promise;
  },
};

export type CeilingCalls = typeof calls;

answerCalls(calls);
