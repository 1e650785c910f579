/** A carrier's schedules on loopback, over TLS, and the check of a feed that asks for them. */
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { Agent } from "undici";

import { checkEntry, type CheckOptions, type EntryCheck } from "../../../src/freight/source-check/check.ts";
import type { CheckPorts } from "../../../src/freight/source-check/step.ts";
import { replaying, type Recording } from "../../../src/freight/source-check/kept-answers.ts";
import { createHttpPort, type HttpPort } from "../../../src/freight/upstream/http.ts";
import { FEED_CHECK } from "../../../src/products/schedules/check/feed-check.ts";
import type { Feed } from "../../../src/products/schedules/sources/feed-schema.ts";
import type { KeyedCertificate } from "../../../src/runtime/certificates.ts";
import { systemRandom } from "../../../src/runtime/system-random.ts";
import { silentLog } from "../../support/log.ts";
import { realClock } from "../../support/real-clock.ts";
import { certificates } from "../../support/trusting.ts";
import { csService, stamp, transportCall } from "../sources/answers.ts";

/** The server's address, without a path. */
export async function withCarrier(
  listener: RequestListener,
  work: (url: string) => Promise<void>,
  certificate: KeyedCertificate = certificates.valid,
): Promise<void> {
  const server = createServer(certificate, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await work(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

export type Page = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
};

/** The pages one after another, then the last one again. */
export function answers(...pages: readonly Page[]): RequestListener & { readonly asked: string[] } {
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    const { status = 200, headers = {}, body } = pages[Math.min(asked.length, pages.length - 1)]!;
    asked.push(request.url!);
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));
  };
  return Object.assign(listener, { asked });
}

export const CALL = transportCall("NLRTM", { timestamps: [stamp("ARRI", "EST", "2026-12-01T06:00:00Z")] });
export const PAGE = { body: [csService("FE1", [CALL])] };

/** Another page follows. */
export const NEXT = { headers: { "next-page-cursor": "2" } };

export const feedAt = (url: string, more: Partial<Feed> = {}): Feed => ({
  name: "heron",
  carrier: "HRNL",
  kind: "cs-vessel-schedules",
  url: `${url}/cs/v1/vessel-schedules`,
  services: ["FE1", "FE2"],
  ...more,
});

export async function check(feed: Feed, options: CheckOptions = {}) {
  const agent = new Agent({ allowH2: false });
  try {
    return await checkEntry(portsWith(createHttpPort(agent, realClock)), FEED_CHECK, feed, {}, options);
  } finally {
    await agent.destroy();
  }
}

/** Without the network. */
export function checkAgain(kept: Recording<Feed, unknown>) {
  const ports = replaying(portsWith(kept.http), kept);
  return checkEntry(ports, FEED_CHECK, kept.entry, {}, { isReplay: true });
}

const portsWith = (http: HttpPort): CheckPorts => ({
  http,
  clock: realClock,
  random: systemRandom(),
  log: silentLog,
});

/** `name passed`, `token failed` … */
export const results = ({ steps }: EntryCheck<unknown>): readonly string[] =>
  steps.map(({ step, result }) => `${step} ${result}`);
