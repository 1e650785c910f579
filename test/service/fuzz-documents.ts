/** Sends what `documented.ts` makes of a product's document, and checks each answer by it. */
import assert from "node:assert/strict";

import fc from "fast-check";

import { products } from "../../src/products/index.ts";
import { ask } from "./boathook.ts";
import { callsOf, undocumented, type Call, type Document, type Operation } from "./documented.ts";
import { openPlace, run, TOKEN, type Owner, type Running } from "./running.ts";

export type Scene = { readonly service: Running; readonly keys: ReadonlyMap<string, string> };

export async function startScene(t: Owner): Promise<Scene> {
  const { settings } = await openPlace(t);
  const limits = { BOATHOOK_RATE_LIMIT_PER_KEY: "1000000", BOATHOOK_RATE_LIMIT_PER_ADDRESS: "1000000" };
  const service = await run(t, { ...settings, ...limits });
  const entitlements = products.flatMap(({ entitlement }) => entitlement ?? []);
  const account = await ask("POST", `${service.opsUrl}/v1/accounts`, TOKEN, { name: "Acme", entitlements });
  const keys = new Map<string, string>();
  for (const { tag, keyPrefixes } of products) {
    const body = { prefix: keyPrefixes[0]! };
    const made = await ask("POST", `${service.opsUrl}/v1/accounts/${account.body.id}/keys`, TOKEN, body);
    keys.set(tag, made.body.key);
  }
  return { service, keys };
}

/** Statuses of the answers, by operation. */
export type Seen = Map<string, Set<number>>;

/** `seed`: without it, other requests each time. */
export async function fuzzDocument(
  { service, keys }: Scene,
  tag: string,
  { numRuns, seed }: { readonly numRuns: number; readonly seed?: number },
): Promise<Seen> {
  const base = `${service.publicUrl}/${tag}`;
  const key = keys.get(tag)!;
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as Document;
  const ids: string[] = [];
  const seen: Seen = new Map();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  // What makes something goes first, so that there are ids.
  operations.sort((one, other) => Number(other.method === "POST") - Number(one.method === "POST"));
  for (const { path, method, operation } of operations) {
    await fc.assert(
      fc.asyncProperty(
        fc.nat().chain(() => callsOf(document, operation, { ...LIKELY, id: ids, delivery_id: ids })),
        async (call) => {
          const answer = await send(`${base}${path}`, method, key, call);
          const statuses = seen.get(operation.operationId) ?? new Set();
          seen.set(operation.operationId, statuses.add(answer.status));
          remember(ids, answer.text);
          assert.equal(
            problemOf(document, operation, call, answer),
            null,
            `${method} ${path} ${answer.text}`,
          );
        },
      ),
      { numRuns, endOnFailure: true, ...(seed !== undefined && { seed }) },
    );
  }
  return seen;
}

type Answered = { readonly status: number; readonly type: string; readonly text: string };

function problemOf(
  document: Document,
  operation: Operation,
  { wrong }: Call,
  answer: Answered,
): string | null {
  const { status, text } = answer;
  const isFault = status >= 500 && !text.toLowerCase().includes("airline_unavailable");
  if (isFault) return `${status} is a fault`;
  if (wrong !== null && status < 400) return `${status} for a wrong ${wrong}`;
  return undocumented(document, operation, answer);
}

async function send(url: string, method: string, key: string, call: Call): Promise<Answered> {
  const path = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.path[name]!));
  const query = new URLSearchParams(call.query).toString();
  const { sentAs } = call;
  const json = call.body === undefined ? undefined : JSON.stringify(call.body);
  const body = sentAs === "cut" ? `${json?.slice(0, -1)}~` : json;
  const answer = await fetch(query === "" ? path : `${path}?${query}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": sentAs === "text" ? "text/plain" : "application/json" }),
    },
    ...(body !== undefined && { body }),
  });
  const type = answer.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream")) {
    return { status: answer.status, type, text: await answer.text() };
  }
  // It would not end.
  await answer.body?.cancel();
  return { status: answer.status, type, text: JSON.stringify("") };
}

/** So that not every request is refused: check digits and calendars are in no schema. */
const LIKELY: Readonly<Record<string, readonly string[]>> = {
  reference: ["MSCU1234566", "MSCU 123456-6", "B/L no. MAEU123456789"],
  awb: ["176-12345675", "02012345675"],
  prefix: ["176", "020"],
  imo: ["9321483"],
  vessel: ["9321483"],
  port: ["NLRTM"],
  origin: ["CNSHA"],
  destination: ["NLRTM"],
  carrier: ["HRNL"],
  equipment: ["40HC"],
  from: [""],
  to: [""],
  day: [""],
  on: ["2026-11-01"],
};

const IDS_MAX = 20;

function remember(ids: string[], text: string): void {
  for (const [, id = ""] of text.matchAll(/"id":"([0-9a-f-]{36})"/g)) {
    if (ids.length < IDS_MAX && !ids.includes(id)) ids.push(id);
  }
}
