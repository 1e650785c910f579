/**
 * The receiver, a process of its own: one `node:https` server with keep-alive behind as many ports as there are
 * endpoints, so that each is an HTTPS origin. It reads the whole request, answers 200 with two bytes, and does
 * as little else as it can. Port number `n` is endpoint number `n`, and so is the path, `/n`.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo } from "node:net";

import { SEQUENCE_FIRST, sequenceOf } from "../setting/events.ts";
import { wallOffset } from "../setting/wall-clock.ts";
import { answerCalls } from "./calls.ts";

const OK = 0;
const HANG = 1;
const FAIL = 2;

let behaviours = new Uint8Array(0);
let connections = 0;
/** Of these, connections that resumed a TLS session. */
let resumed = 0;
let arrivals = 0;
let arrivalsAtHealthy = 0;
/** By the event's sequence number, milliseconds since the epoch; empty while nobody wants to know. */
let arrivedAtMs = new Float64Array(0);
/** From the process's own clock to the wall clock, finer than the wall clock's milliseconds. */
let wallOffsetMs = 0;
let waiting: { readonly count: number; readonly resolve: () => void }[] = [];

function receive(request: IncomingMessage, response: ServerResponse): void {
  if (arrivedAtMs.length > 0) request.on("data", note);
  else request.resume();
  request.on("end", () => answer(Number(request.url!.slice(1)), response));
}

function answer(endpoint: number, response: ServerResponse): void {
  arrivals += 1;
  const behaviour = behaviours[endpoint];
  if (behaviour === HANG) return;
  if (behaviour === FAIL) {
    response.statusCode = 500;
  } else {
    arrivalsAtHealthy += 1;
    if (waiting.length > 0) wake();
  }
  response.end("ok");
}

/** A body is one TLS record, and so one chunk. */
function note(chunk: Buffer): void {
  const index = sequenceOf(chunk) - SEQUENCE_FIRST;
  if (index >= 0 && index < arrivedAtMs.length && arrivedAtMs[index] === 0) {
    arrivedAtMs[index] = wallOffsetMs + performance.now();
  }
}

function wake(): void {
  for (const { count, resolve } of waiting) if (arrivalsAtHealthy >= count) resolve();
  waiting = waiting.filter(({ count }) => count > arrivalsAtHealthy);
}

const calls = {
  /** Opens the ports and returns them. */
  async open({ endpoints, cert, key }: { endpoints: number; cert: string; key: string }): Promise<number[]> {
    const server = createHttpsServer({ cert, key, keepAliveTimeout: 120_000, requestTimeout: 0 }, receive);
    server.on("secureConnection", (socket) => {
      connections += 1;
      if (socket.isSessionReused()) resumed += 1;
    });
    server.on("clientError", (_error, socket) => socket.destroy());
    behaviours = new Uint8Array(endpoints);
    const ports: number[] = [];
    for (let endpoint = 0; endpoint < endpoints; endpoint++) {
      const door = createTcpServer({ noDelay: true }, (socket) => server.emit("connection", socket));
      await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", 1024, resolve));
      ports.push((door.address() as AddressInfo).port);
    }
    return ports;
  },
  /** Forgets what has arrived; `sequences` above 0 has the time of each arrival noted. */
  reset({ sequences }: { sequences: number }): void {
    connections = 0;
    resumed = 0;
    arrivals = 0;
    arrivalsAtHealthy = 0;
    arrivedAtMs = new Float64Array(sequences);
    wallOffsetMs = wallOffset();
  },
  /** Which endpoints hang and which answer 500 from now on. */
  behave({ hang, fail }: { hang: readonly number[]; fail: readonly number[] }): void {
    behaviours.fill(OK);
    for (const endpoint of hang) behaviours[endpoint] = HANG;
    for (const endpoint of fail) behaviours[endpoint] = FAIL;
  },
  /** Resolves once so many deliveries have arrived at endpoints that are well; false after `withinMs`. */
  reached({ count, withinMs }: { count: number; withinMs: number }): Promise<boolean> {
    if (arrivalsAtHealthy >= count) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), withinMs);
      waiting.push({
        count,
        resolve() {
          clearTimeout(timer);
          resolve(true);
        },
      });
    });
  },
  counts: () => ({ connections, resumed, arrivals, arrivalsAtHealthy }),
  arrivedAtMs: () => arrivedAtMs,
};

export type ReceiverCalls = typeof calls;

answerCalls(calls);
