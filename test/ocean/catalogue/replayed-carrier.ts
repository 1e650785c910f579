/** A carrier on loopback that behaves as documented: its path, credentials, token, pages and refusals. */
import { createHash, verify, X509Certificate } from "node:crypto";
import { createServer as createPlain, type IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import type { KeyedCertificate } from "../../../src/runtime/certificates.ts";
import type { Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import { readCarriers } from "../../../src/products/ocean/sources/carriers.ts";
import {
  shippedCatalogue,
  type Catalogue,
  type CatalogueEntry,
} from "../../../src/freight/source-catalogue/carriers.ts";
import type { SignIn } from "../../../src/freight/source-catalogue/schema.ts";
import type { Statement } from "../carrier-forms/statement.ts";
import { DOCUMENTED, type Documented } from "./documented.ts";
import { CERTIFICATE, secretOf } from "./given.ts";

/** A way to sign in to a carrier of the catalogue. */
export type Case = {
  readonly name: string;
  readonly entry: CatalogueEntry;
  readonly signIn: SignIn;
  readonly documented: Documented;
};

/** All that the catalogue has. A carrier without documented behaviour fails here. */
export function casesOf(catalogue: Catalogue = shippedCatalogue(), documented = DOCUMENTED): readonly Case[] {
  return catalogue.flatMap((entry) =>
    entry.signIn.map((signIn) => {
      const name = entry.signIn.length === 1 ? entry.scac : `${entry.scac} ${signIn.kind}`;
      const how = documented[name];
      if (how === undefined) throw new Error(`${name}: how does it behave by its documents?`);
      return { name, entry, signIn, documented: how };
    }),
  );
}

/** How a carrier behaves beside what is documented. */
export type Fault = "quota" | "cut" | null;

export type ReplayedCarrier = {
  readonly url: string;
  /** What it answers about any reference asked for. */
  state(statements: readonly Statement[]): void;
  fail(fault: Fault): void;
  /** Paths of questions so far. */
  readonly asked: readonly string[];
  close(): Promise<void>;
};

const TOKEN = "token-that-nobody-may-read";
const QUOTA_RESETS_S = 3_600;

type Reply = { readonly status: number; readonly headers?: Record<string, string>; readonly body: unknown };

export async function startCarrier(
  documented: Documented,
  certificate: KeyedCertificate | null,
): Promise<ReplayedCarrier> {
  let statements: readonly Statement[] = [];
  let fault: Fault = null;
  const asked: string[] = [];
  const reply = async (request: IncomingMessage): Promise<Reply> => {
    const url = new URL(request.url ?? "/", "http://carrier");
    if (url.pathname === documented.token?.path) return tokenReply(documented, request, url);
    if (url.pathname !== documented.path) return { status: 404, body: { message: "no such path" } };
    asked.push(url.href);
    const refusal = refusalOf(documented, request);
    if (refusal !== null) return refusal;
    if (fault === "quota") {
      return {
        status: 429,
        headers: { "retry-after": String(QUOTA_RESETS_S) },
        body: { message: "quota exceeded" },
      };
    }
    return answer(documented, url, statements, fault);
  };
  const listener: Parameters<typeof createPlain>[1] = (request, response) => {
    void reply(request).then(({ status, headers = {}, body }) => {
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    });
  };
  const server = certificate === null ? createPlain(listener) : createServer(certificate, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const scheme = certificate === null ? "http" : "https";
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state: (next) => void (statements = next),
    fail: (next) => void (fault = next),
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refusalOf(
  { headers, token, refusal, wanted = [] }: Documented,
  request: IncomingMessage,
): Reply | null {
  const isKeyed = Object.entries(headers).every(([name, need]) => request.headers[name] === secretOf(need));
  const isSigned = token === undefined || request.headers.authorization === `Bearer ${TOKEN}`;
  if (!isKeyed || !isSigned) return refusal;
  const url = new URL(request.url ?? "/", "http://carrier");
  const isAsked = wanted.every((name) => /^[A-Z0-9]+$/.test(url.searchParams.get(name) ?? ""));
  return isAsked ? null : { status: 400, body: { message: "a parameter is missing" } };
}

async function tokenReply(
  { token }: Documented,
  request: IncomingMessage,
  { searchParams }: URL,
): Promise<Reply> {
  const { by, headers = {}, scopeNeed, isGrantInQuery, expiresInS } = token!;
  const scope = scopeNeed === undefined ? token!.scope : secretOf(scopeNeed);
  const form = new URLSearchParams(
    Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString(),
  );
  const isKeyed = Object.entries(headers).every(([name, need]) => request.headers[name] === secretOf(need));
  const grant = (isGrantInQuery === true ? searchParams : form).get("grant_type");
  const basic = `Basic ${Buffer.from(`${secretOf("clientId")}:${secretOf("clientSecret")}`).toString("base64")}`;
  const isNamed = form.get("client_id") === secretOf("clientId");
  const isClient = {
    basic: request.headers.authorization === basic,
    form: isNamed && form.get("client_secret") === secretOf("clientSecret"),
    assertion: isNamed && isAsserted(form, request),
  }[by];
  if (request.method !== "POST" || grant !== "client_credentials" || (scope ?? null) !== form.get("scope")) {
    return { status: 400, body: { error: "invalid_request" } };
  }
  if (!isKeyed || !isClient) return { status: 401, body: { error: "invalid_client" } };
  return { status: 200, body: { access_token: TOKEN, token_type: "Bearer", expires_in: expiresInS } };
}

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** As Microsoft's directory checks it: RS256 by the certificate that it knows, named by its SHA-1 thumbprint. */
function isAsserted(form: URLSearchParams, { url }: IncomingMessage): boolean {
  const [header = "", payload = "", signature = ""] = (form.get("client_assertion") ?? "").split(".");
  const { publicKey, raw } = new X509Certificate(CERTIFICATE);
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(`${header}.${payload}`),
    publicKey,
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned || form.get("client_assertion_type") !== ASSERTION_TYPE) return false;
  const parsed = (part: string) =>
    JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  const { alg, x5t } = parsed(header);
  const { iss, sub, aud, exp, jti } = parsed(payload);
  const client = secretOf("clientId");
  return (
    [alg, x5t].join() === ["RS256", createHash("sha1").update(raw).digest("base64url")].join() &&
    [iss, sub].join() === [client, client].join() &&
    String(aud).endsWith(url!) &&
    Number(exp) * 1000 > Date.now() &&
    typeof jti === "string"
  );
}

const REFERENCES = ["equipmentReference", "transportDocumentReference", "carrierBookingReference"];

function answer(documented: Documented, url: URL, statements: readonly Statement[], fault: Fault): Reply {
  const { form, pageEvents, booking, cutsAt = Number.POSITIVE_INFINITY } = documented;
  const asked = (booking === undefined ? REFERENCES : ["carrierBookingReference"]).find((name) =>
    url.searchParams.has(name),
  );
  if (asked === undefined) return { status: 400, body: { message: "one of the references is required" } };
  const reference = url.searchParams.get(asked) ?? "";
  const kinds = url.searchParams.get("eventType")?.toLowerCase().split(",");
  const most = Math.min(Number(url.searchParams.get("limit") ?? cutsAt), cutsAt);
  const about = statements
    .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
    .slice(0, most)
    .map((one) =>
      asked === "equipmentReference" ? { ...one, box: reference } : { ...one, booking: reference },
    );
  if (about.length === 0 || reference.startsWith("ZZZ"))
    return { status: 404, body: { message: "nothing found" } };
  const date = new Date().toUTCString();
  const whole = form.answer(about, Date.now());
  if (pageEvents === null) {
    // Half a body, as a connection that a proxy cut.
    return {
      status: 200,
      headers: { date },
      body: fault === "cut" ? JSON.stringify(whole).slice(0, -5) : whole,
    };
  }
  return page(whole, pageEvents, url, fault, date);
}

function page(whole: unknown, pageEvents: number, url: URL, fault: Fault, date: string): Reply {
  const key = Array.isArray(whole) ? null : Object.keys(whole as object)[0]!;
  const events = key === null ? (whole as unknown[]) : (whole as Record<string, unknown[]>)[key]!;
  const from = Number(url.searchParams.get("cursor") ?? 0);
  if (from > 0 && fault === "cut") return { status: 500, body: { message: "the page is gone" } };
  const shown = events.slice(from, from + pageEvents);
  const next = from + pageEvents < events.length ? { "next-page": String(from + pageEvents) } : {};
  return { status: 200, headers: { date, ...next }, body: key === null ? shown : { [key]: shown } };
}

/** The entry of a carriers file that a user would write, but for where the server is. */
export function entryFor(
  { entry, signIn }: Case,
  url: string,
  given: (need: string) => string = secretOf,
): object {
  const needs = Object.keys(signIn.needs);
  const fields = Object.fromEntries(
    needs.map((need) => [need, need.endsWith("Url") ? `${url}/${need}` : given(need)]),
  );
  const template = JSON.parse(JSON.stringify({ ...entry.entry, ...signIn.entry })) as {
    baseUrl: string;
    oauth?: { tokenUrl: string };
  };
  const there = (address: string): string =>
    address.startsWith("{") ? `${url}/${address.slice(1, -1)}` : moved(address, url);
  return {
    carrier: entry.scac,
    ...fields,
    baseUrl: there(template.baseUrl),
    ...(template.oauth === undefined ? {} : { oauth: { tokenUrl: there(template.oauth.tokenUrl) } }),
    quota: { perSecond: 1_000 },
  };
}

function moved(address: string, to: string): string {
  const { pathname, search } = new URL(address);
  return `${to}${pathname}${search}`;
}

export function carrierFor(one: Case, url: string, given?: (need: string) => string): Carrier {
  const read = readCarriers(JSON.stringify([entryFor(one, url, given)]), () => [one.entry]);
  if (read.kind === "invalid") throw new Error(read.problems.join());
  return read.entries[0]!;
}
