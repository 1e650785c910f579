/** A carrier's schedules on loopback that behave as documented: paths, credentials, token, questions, pages, refusals. */
import type { IncomingMessage, RequestListener } from "node:http";

import { DAY_MS } from "../../../src/runtime/durations.ts";
import { secretOf } from "../../ocean/catalogue/given.ts";
import { bodyOf } from "../../upstream/serving.ts";
import { at, csService, leg, partner, stamp, transportCall } from "../sources/answers.ts";
import { inDays } from "../sources/feed-scene.ts";
import { GIVEN, type Documented } from "./documented.ts";

const TOKEN = "token-that-nobody-may-read";

type Reply = { readonly status: number; readonly headers?: Record<string, string>; readonly body: unknown };

export const givenFor = (need: string): string => GIVEN[need] ?? secretOf(need);

export function replayedSchedules(documented: Documented, asked: string[]): RequestListener {
  return (request, response) => {
    void replyTo(documented, request, asked).then(({ status, headers = {}, body }) => {
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    });
  };
}

async function replyTo(documented: Documented, request: IncomingMessage, asked: string[]): Promise<Reply> {
  const url = new URL(request.url ?? "/", "http://carrier");
  const path = url.pathname.slice(1);
  const { headers, token, paths } = documented;
  if (token !== undefined && path === token.path) return tokenReply(token, request);
  const kind = Object.keys(paths).find((one) => paths[one] === path);
  if (kind === undefined) return { status: 404, body: { message: `no path ${path}` } };
  const isKeyed = Object.entries(headers).every(([name, need]) => request.headers[name] === givenFor(need));
  const isSigned = token === undefined || request.headers.authorization === `Bearer ${TOKEN}`;
  if (!isKeyed || !isSigned) return { status: 401, body: { message: "unauthorized" } };
  asked.push(kind);
  return answerTo(kind, url.searchParams, documented);
}

async function tokenReply(token: NonNullable<Documented["token"]>, request: IncomingMessage): Promise<Reply> {
  const form = new URLSearchParams(await bodyOf(request));
  const [id, secret] = [givenFor("clientId"), secretOf("clientSecret")];
  const isKnown = {
    basic: request.headers.authorization === `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
    form: form.get("client_id") === id && form.get("client_secret") === secret,
    // test/ocean/catalogue verifies its signature.
    assertion:
      form.get("client_id") === id && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(form.get("client_assertion") ?? ""),
  }[token.by];
  const isInScope = form.get("scope") === (token.scope ?? givenFor("scope"));
  if (!isKnown || !isInScope) return { status: 401, body: { error: "invalid_client" } };
  return { status: 200, body: { access_token: TOKEN, token_type: "Bearer", expires_in: 3_600 } };
}

/** What a kind must be asked by, one of them or all. */
const NEEDED: Readonly<
  Record<string, { readonly one: readonly string[] } | { readonly all: readonly string[] }>
> = {
  "cs-vessel-schedules": { one: ["carrierServiceCode", "vesselIMONumber", "UNLocationCode"] },
  "cs-port-schedules": { all: ["UNLocationCode", "date"] },
  "cs-point-to-point": { all: ["placeOfReceipt", "placeOfDelivery"] },
};

function answerTo(kind: string, query: URLSearchParams, { routeDaysMax }: Documented): Reply {
  const needed = NEEDED[kind]!;
  const has = (name: string) => query.has(name);
  if ("one" in needed ? !needed.one.some(has) : !needed.all.every(has)) {
    return { status: 400, body: { statusCodeText: "a parameter is missing" } };
  }
  const [first, last] = ["departureStartDate", "departureEndDate"].map((name) =>
    Date.parse(query.get(name) ?? ""),
  );
  if (routeDaysMax !== undefined && kind === "cs-point-to-point" && last! - first! > routeDaysMax * DAY_MS) {
    return { status: 400, body: { statusCodeText: `at most ${routeDaysMax} days` } };
  }
  const pages = PAGES[kind]!;
  const page = Number(query.get("cursor") ?? 0);
  const isLast = page + 1 >= pages.length;
  return {
    status: 200,
    headers: { "api-version": "1.0.1", ...(isLast ? {} : { "next-page-cursor": String(page + 1) }) },
    body: pages[page],
  };
}

const calls = (voyage: string, ...ports: readonly (readonly [string, number])[]) =>
  ports.map(([port, day]) =>
    transportCall(port, {
      carrierImportVoyageNumber: voyage,
      carrierExportVoyageNumber: voyage,
      timestamps: [stamp("ARRI", "EST", inDays(day)), stamp("DEPA", "EST", inDays(day + 1))],
    }),
  );

const sailing = (imo: string, voyage: string) => ({
  transport: {
    modeOfTransport: "VESSEL",
    servicePartners: [
      partner("HRNL", { carrierImportVoyageNumber: voyage, carrierExportVoyageNumber: voyage }),
    ],
    vessel: { vesselIMONumber: imo, name: "Grey Heron" },
  },
});

const PAGES: Readonly<Record<string, readonly unknown[]>> = {
  "cs-vessel-schedules": [
    [csService("FE1", calls("613E", ["CNSHA", 10], ["NLRTM", 40]))],
    [csService("FE2", calls("614E", ["SGSIN", 12]))],
  ],
  "cs-port-schedules": [
    [
      {
        location: { UNLocationCode: "NLRTM" },
        vesselSchedules: [
          {
            vessel: { vesselIMONumber: "9321483", name: "Grey Heron" },
            servicePartners: [partner("HRNL")],
            timestamps: [stamp("ARRI", "EST", inDays(40))],
          },
        ],
      },
    ],
  ],
  "cs-point-to-point": [
    [
      {
        legs: [
          leg(at("CNSHA", inDays(11)), at("SGSIN", inDays(16)), sailing("9321483", "700W")),
          leg(at("SGSIN", inDays(18)), at("NLRTM", inDays(40)), sailing("9321495", "701W")),
        ],
      },
    ],
  ],
};
