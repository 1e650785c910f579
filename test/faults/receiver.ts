/** A real HTTPS receiver that records everything that arrives, and answers each path as the test sets. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { createAuthority, validAround } from "../../src/runtime/certificates.ts";
import { checkDelivery } from "../support/check-deliveries.ts";
import { atEnd } from "./endings.ts";

export type Arrival = {
  readonly path: string;
  /** The delivery's id, from its header. */
  readonly id: string;
  /** 1 for the first time that this id came. */
  readonly attempt: number;
  /** The event's own number, from its data. */
  readonly number: number;
  readonly bodyHash: string;
  readonly verified: boolean;
  readonly atMs: number;
  /** The status that was answered; null while, or when, it was not. */
  answered: number | null;
  answeredMs: number | null;
};

/** The status of the answer, at once or later. */
export type Manner = (arrival: Arrival) => number | Promise<number>;

export type LoggingReceiver = {
  readonly url: string;
  readonly caFile: string;
  readonly arrivals: Arrival[];
  /** What a path expects and how it answers. */
  expect(path: string, secret: string, manner: Manner): void;
};

export async function startLoggingReceiver(t: TestContext, host = "127.0.0.1"): Promise<LoggingReceiver> {
  const nowMs = Date.now();
  const authority = await createAuthority(nowMs);
  const certificate = await authority.issue({ hosts: [host], ...validAround(nowMs) });
  const folder = mkdtempSync(join(tmpdir(), "boathook-receiver-"));
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, authority.cert);

  const paths = new Map<string, { readonly secret: string; readonly manner: Manner }>();
  const arrivals: Arrival[] = [];
  const attempts = new Map<string, number>();

  async function take(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const path = request.url!;
    const known = paths.get(path);
    if (known === undefined) return void response.writeHead(404).end();
    const arrival = read(path, request, body, known.secret, attempts);
    arrivals.push(arrival);
    const status = await known.manner(arrival);
    // The process that asked may be dead by now; then nobody was answered.
    if (response.destroyed) return;
    response.writeHead(status, { "content-length": 0 }).end();
    Object.assign(arrival, { answered: status, answeredMs: performance.now() });
  }

  const server = createServer({ ...certificate, keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => void take(request, Buffer.concat(chunks), response));
    request.on("error", () => undefined);
    response.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  atEnd(t, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: `https://${host}:${(server.address() as AddressInfo).port}`,
    caFile,
    arrivals,
    expect: (path, secret, manner) => void paths.set(path, { secret, manner }),
  };
}

function read(
  path: string,
  request: IncomingMessage,
  body: Buffer,
  secret: string,
  attempts: Map<string, number>,
): Arrival {
  const header = (name: string) => String(request.headers[`x-tracking-${name}`]);
  checkDelivery(request.headers, body.toString());
  const parsed = JSON.parse(body.toString()) as { id: string; type: string; data: { number: number } };
  const id = header("delivery");
  const attempt = (attempts.get(id) ?? 0) + 1;
  attempts.set(id, attempt);
  const signed = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(header("signature"));
  return {
    path,
    id,
    attempt,
    number: parsed.data.number,
    bodyHash: createHash("sha256").update(body).digest("hex"),
    verified:
      signed.length === given.length &&
      timingSafeEqual(signed, given) &&
      parsed.id === id &&
      parsed.type === header("event"),
    atMs: performance.now(),
    answered: null,
    answeredMs: null,
  };
}
