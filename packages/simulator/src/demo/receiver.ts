/** The demo's other side: an HTTPS server that checks every delivery as a client's would. */
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { BODY_BYTES_MAX, verify } from "@boathook/receiver";
import type { Clock } from "../world/clock.ts";
import type { IssuedCertificate } from "./host.ts";

/** One attempt, as it arrived. */
export type Arrival = {
  /** The last part of the endpoint's URL. */
  readonly endpoint: string;
  readonly product: string;
  readonly deliveryId: string;
  readonly type: string;
  readonly occurredAtMs: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly verified: boolean;
  readonly atMs: number;
  readonly answeredStatus: number;
};

export type DemoReceiver = {
  /** `https://127.0.0.1:port`; an endpoint's name goes behind it. */
  readonly url: string;
  /** What the endpoint's deliveries are signed with, as its registration said. */
  setSecret(endpoint: string, secret: string): void;
  close(): Promise<void>;
};

export type ReceiverOptions = {
  readonly certificate: IssuedCertificate["certificate"];
  readonly clock: Clock;
  /** Answers each delivery's first attempts with 503, so many. */
  readonly failuresOf: (endpoint: string) => number;
  readonly onArrival: (arrival: Arrival) => void;
  /** Gets the deliveries to other paths, which are then accepted; without it they are refused. */
  readonly onStranger?: (path: string, type: string) => void;
};

const ACCEPTED = 204;
const REFUSED = 401;
const FAILING = 503;

export async function startReceiver(options: ReceiverOptions): Promise<DemoReceiver> {
  const secrets = new Map<string, string>();
  const attempts = new Map<string, number>();

  async function take(request: IncomingMessage): Promise<number> {
    const endpoint = (request.url ?? "/").slice(1);
    const body = await bodyOf(request);
    const secret = secrets.get(endpoint);
    const atMs = options.clock.nowMs();
    if (secret === undefined && body !== null && options.onStranger !== undefined) {
      options.onStranger(`/${endpoint}`, typeIn(body));
      return ACCEPTED;
    }
    if (secret === undefined || body === null) return REFUSED;
    const verified = verify(body, request.headers, secret);
    if (!verified.ok) {
      options.onArrival({ ...UNREADABLE, endpoint, atMs, answeredStatus: REFUSED });
      return REFUSED;
    }
    const { product } = verified;
    const { id, type, occurred_at: occurredAt, data } = verified.delivery;
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    const answered = attempt <= options.failuresOf(endpoint) ? FAILING : ACCEPTED;
    const occurredAtMs = Date.parse(occurredAt);
    const of = { endpoint, product, deliveryId: id, type, occurredAtMs, data };
    options.onArrival({ ...of, verified: true, atMs, answeredStatus: answered });
    return answered;
  }

  const server = createServer({ ...options.certificate, minVersion: "TLSv1.2" }, (request, response) => {
    void take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await new Promise<void>((resolve, reject) => server.once("listening", resolve).once("error", reject));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setSecret: (endpoint, secret) => void secrets.set(endpoint, secret),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const UNREADABLE = { product: "?", deliveryId: "", type: "?", occurredAtMs: 0, data: {}, verified: false };

/** Shown to a person; `?` where it is no delivery. */
function typeIn(body: Buffer): string {
  const [, type = "?"] = /"type":"(\w{1,40})"/.exec(body.toString()) ?? [];
  return type;
}

/** Null when it is larger than any delivery. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
