/** An airline on loopback that behaves as documented, and the entry of the file that reaches it. */
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { Agent } from "undici";

import { createHttpPort } from "../../../src/freight/upstream/http.ts";
import { checkEntry, type CheckOptions, type EntryCheck } from "../../../src/freight/source-check/check.ts";
import { AIRLINE_CHECK, type AskedAirline } from "../../../src/products/air/check/airline-check.ts";
import type { Airline } from "../../../src/products/air/sources/airlines/airline-schema.ts";
import { readAirlines } from "../../../src/products/air/sources/airlines/airlines-file.ts";
import {
  shippedCatalogue,
  type CatalogueEntry,
} from "../../../src/products/air/sources/catalogue/catalogue.ts";
import type { KeyedCertificate } from "../../../src/runtime/certificates.ts";
import { systemRandom } from "../../../src/runtime/system-random.ts";
import { manualClock } from "../../support/clock.ts";
import { silentLog } from "../../support/log.ts";
import { realClock } from "../../support/real-clock.ts";
import { certificates } from "../../support/trusting.ts";
import { bodyOf } from "../../upstream/serving.ts";
import { DOCUMENTED, secretOf, TOKEN, type Documented, type Question, type Reply } from "./documented.ts";

export type Case = {
  readonly name: string;
  readonly entry: CatalogueEntry;
  readonly documented: Documented;
};

/** All that can be polled. One without documented behaviour fails here. */
export const CASES: readonly Case[] = shippedCatalogue()
  .filter(({ unsupported }) => unsupported === undefined)
  .map((entry) => {
    const documented = DOCUMENTED[entry.code];
    if (documented === undefined) throw new Error(`${entry.code}: how does it behave by its documents?`);
    return { name: entry.code, entry, documented };
  });

export type ReplayedAirline = {
  readonly url: string;
  /** Questions so far, tokens left out. */
  readonly asked: readonly Question[];
  /** Answers every question so, until null. */
  fail(reply: (Reply & { readonly headers?: Record<string, string> }) | null): void;
};

export async function withAirline(
  { reply, tokenPath, tokenField = "access_token" }: Documented,
  work: (server: ReplayedAirline) => Promise<void>,
  certificate: KeyedCertificate = certificates.valid,
): Promise<void> {
  const asked: Question[] = [];
  let failing: (Reply & { readonly headers?: Record<string, string> }) | null = null;
  const answer = async (request: IncomingMessage): Promise<NonNullable<typeof failing>> => {
    const url = new URL(request.url ?? "/", "http://airline");
    const question = {
      method: request.method ?? "",
      url,
      headers: request.headers,
      body: await bodyOf(request),
    };
    if (url.pathname === tokenPath) return tokenReply(question, tokenField);
    asked.push(question);
    return failing ?? reply(question) ?? { status: 404, body: { message: "no such path" } };
  };
  const server = createServer(certificate, (request, response) => {
    void answer(request).then(({ status, body, headers = {} }) => {
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await work({ url, asked, fail: (next) => void (failing = next) });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The client is in the form, or in `Authorization: Basic`. */
function tokenReply({ body, headers }: Question, field: string): Reply {
  const form = new URLSearchParams(body);
  const basic = Buffer.from(String(headers["authorization"] ?? "").replace("Basic ", ""), "base64");
  const client = `${form.get("client_id")}:${form.get("client_secret")}`;
  const known = `${secretOf("clientId")}:${secretOf("clientSecret")}`;
  return client === known || basic.toString() === known
    ? { status: 200, body: { [field]: TOKEN, token_type: "Bearer", expires_in: 3_600 } }
    : { status: 401, body: { error: "invalid_client" } };
}

/** What a user would write, but for where the servers are. */
export function airlineFor(
  { entry, documented: { named, added = {} } }: Case,
  url: string,
  given: (need: string) => string = secretOf,
): Airline {
  const needs = Object.keys(entry.signIn[0]!.needs);
  const fields = Object.fromEntries(
    needs.map((need) => [need, need.endsWith("Url") ? `${url}/${need.slice(0, -3)}` : given(need)]),
  );
  const read = readAirlines(JSON.stringify([{ ...named, ...fields, ...added }]));
  assert.ok(read.kind === "entries", JSON.stringify(read));
  const [airline] = read.entries as readonly [Airline];
  const sources = airline.sources.map((source) => {
    assert.ok(source.kind === "mapped");
    const { origin } = new URL(source.url.replaceAll(/[{}]/g, ""));
    return { ...source, url: source.url.replace(origin, url) };
  });
  return { ...airline, sources };
}

/** The time of all checks, shortly after the guide's answers. */
export const NOW_MS = manualClock().nowMs();

export async function check(
  airline: Airline,
  { awb = null, ...options }: Partial<AskedAirline & CheckOptions> = {},
) {
  const agent = new Agent({ allowH2: false });
  const clock = { ...realClock, nowMs: () => NOW_MS };
  const ports = { http: createHttpPort(agent, realClock), clock, random: systemRandom(), log: silentLog };
  try {
    return await checkEntry(ports, AIRLINE_CHECK, airline, { awb }, options);
  } finally {
    await agent.destroy();
  }
}

/** `name passed`, `token failed` … */
export const results = ({ steps }: EntryCheck<unknown>): readonly string[] =>
  steps.map(({ step, result }) => `${step} ${result}`);

export const failureOf = ({ steps }: EntryCheck<unknown>) => steps.find(({ result }) => result === "failed");
