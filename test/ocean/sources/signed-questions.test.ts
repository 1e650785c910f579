/**
 * Questions that an entry has signed. The carrier here verifies as COSCO documents its Open API Platform (README_en.md of
 * github.com/cop-cos/COP, 0x05, read on 2026-11-23), by code of its own: from the headers and the line that came.
 */
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";

import { createCarrierClient } from "../../../src/products/ocean/sources/carrier-client.ts";
import { readCarriers } from "../../../src/products/ocean/sources/carriers.ts";
import { maskOf } from "../../../src/freight/source-check/check.ts";
import { secretsOf } from "../../../src/products/ocean/check/carrier-check.ts";
import { manualClock } from "../../support/clock.ts";
import { serving } from "../../upstream/serving.ts";
import { BOX, events, outcome } from "./asking.ts";

const KEY = "an-api-key";
const SECRET = "a-secret-key";

const guide = readFileSync(new URL("../../../docs/carriers.md", import.meta.url), "utf8");
const [shown = ""] = /^"signature":[\s\S]*?(?=^```$)/m.exec(guide) ?? [];

/** As the guide shows it. */
const { signature: SIGNATURE } = JSON.parse(
  `{${shown.replace("YOUR-SECRET-KEY", SECRET).replace("YOUR-API-KEY", KEY)}}`,
) as { readonly signature: { readonly text: string; readonly headers: Readonly<Record<string, string>> } };

const entry = (baseUrl: string, signature: object = SIGNATURE) => ({
  ...{ scac: "HRNL", name: "Heron Lines", api: "dcsa-tnt-2.2", baseUrl, signature },
  parameters: { "a b": "c/d" },
});

/** Null: the request is signed right; else why the gateway refuses it. */
function refusalOf(request: IncomingMessage, nowMs: number, seen: Set<string>): string | null {
  const header = (name: string): string => String(request.headers[`x-coscon-${name}`] ?? "");
  const field = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(header("authorization"))?.[1] ?? "";
  if (!header("authorization").startsWith("hmac ") || field("username") !== KEY) return "unknown application";
  if (field("algorithm") !== "hmac-sha1") return "unknown algorithm";
  if (!/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(header("date"))) return "no date";
  if (Math.abs(Date.parse(header("date")) - nowMs) > 120_000) return "the date is off";
  if (!/^[0-9a-f]{32}$/.test(header("content-md5")) || header("hmac") !== header("content-md5"))
    return "no content md5";
  if (seen.has(header("content-md5"))) return "a replay";
  seen.add(header("content-md5"));
  if (header("digest") !== `SHA-256=${createHash("sha256").update("").digest("base64")}`) return "no digest";
  const signed = field("headers")
    .split(" ")
    .map((name) =>
      name === "request-line"
        ? `${request.method} ${request.url} HTTP/${request.httpVersion}`
        : `${name}: ${String(request.headers[name.toLowerCase()])}`,
    );
  const right = createHmac("sha1", SECRET).update(signed.join("\n")).digest("base64");
  return field("signature") === right ? null : "the signature is wrong";
}

type Scene = { readonly outcomes: readonly string[]; readonly refusals: readonly (string | null)[] };

/** Asks twice, each answer on two pages; `skewMs`: how far the carrier's clock is ahead. */
function asked(signature: object, skewMs = 0): Promise<Scene> {
  const clock = manualClock();
  const refusals: (string | null)[] = [];
  const seen = new Set<string>();
  return serving(
    (request, response) => {
      const refusal = refusalOf(request, clock.nowMs() + skewMs, seen);
      refusals.push(refusal);
      const isSecond = request.url!.includes("cursor=");
      const all = events(3, Date.UTC(2026, 2, 10));
      response.writeHead(refusal === null ? 200 : 401, isSecond ? {} : { "next-page": "p2" });
      response.end(JSON.stringify(refusal === null ? all.slice(isSecond ? 2 : 0, isSecond ? 3 : 2) : {}));
    },
    async ({ url, http }) => {
      const read = readCarriers(JSON.stringify([entry(`${url}/service`, signature)]));
      assert.ok(read.kind === "entries", JSON.stringify(read));
      const [carrier] = read.entries;
      const ports = { carriers: read.entries, http, clock, random: { fraction: () => 0.5 } };
      const client = createCarrierClient(ports);
      const outcomes = [];
      for (let round = 0; round < 2; round += 1)
        outcomes.push(outcome(await client.fetch(carrier!, "container_id", BOX)));
      return { outcomes, refusals };
    },
  );
}

test("each page of each question is signed by itself, by its own line, and accepted", async () => {
  const { outcomes, refusals } = await asked(SIGNATURE);
  assert.deepEqual(outcomes, ["3", "3"]);
  assert.deepEqual(refusals, [null, null, null, null]);
});

test("a wrong secret, a wrong text and a clock that is off are refused as credentials are", async () => {
  for (const [signature, skewMs, refusal] of [
    [{ ...SIGNATURE, secret: "another" }, 0, "the signature is wrong"],
    [{ ...SIGNATURE, algorithm: "hmac-sha256" }, 0, "the signature is wrong"],
    [{ ...SIGNATURE, text: SIGNATURE.text.replace("{target}", "/") }, 0, "the signature is wrong"],
    [SIGNATURE, 180_000, "the date is off"],
  ] as const) {
    const { outcomes, refusals } = await asked(signature, skewMs);
    assert.deepEqual(outcomes, ["not_permitted", "not_permitted"]);
    assert.deepEqual(refusals, [refusal, refusal]);
  }
});

test("a signature that would not be one is refused by its place", () => {
  const { headers, text } = SIGNATURE;
  for (const [signature, problem] of [
    [{ ...SIGNATURE, algorithm: "md5" }, /^\/0\/signature\/algorithm /],
    [{ ...SIGNATURE, text: "{method} {target}" }, /text has neither \{date\} nor \{nonce\}/],
    [{ ...SIGNATURE, text: `${text}{signature}` }, /text cannot hold \{signature\}/],
    [{ ...SIGNATURE, text: `${text}{body}` }, /may have no placeholder but \{method\}/],
    [{ ...SIGNATURE, headers: { "X-Date": headers["X-Coscon-Date"] } }, /headers have no \{signature\}/],
    [{ ...SIGNATURE, secret: "" }, /^\/0\/signature\/secret /],
  ] as const) {
    const read = readCarriers(JSON.stringify([entry("https://heron.example", signature)]));
    assert.ok(read.kind === "invalid");
    assert.match(read.problems[0]!, problem);
    assert.ok(!read.problems.join().includes(SECRET));
  }
});

test("a check shows neither the secret nor the key that signs", () => {
  const read = readCarriers(JSON.stringify([entry("https://heron.example")]));
  assert.ok(read.kind === "entries");
  const { hide } = maskOf(secretsOf(read.entries[0]!));
  assert.equal(hide(`${SECRET} and ${KEY} and hmac-sha1`), "[hidden] and [hidden] and hmac-sha1");
});
