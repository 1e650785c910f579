import assert from "node:assert/strict";
import { test } from "node:test";

import { billPrefixes, readCarriers } from "../../../src/products/ocean/sources/carriers.ts";
import { HERON, TERN } from "../shipping-lines.ts";

const carriers = [HERON, { ...TERN, billPrefixes: ["TRNB"] }];

test("a carriers file is read, and what is wrong is named without its values", () => {
  assert.deepEqual(readCarriers(JSON.stringify(carriers)), { kind: "carriers", carriers });
  const secret = "a key nobody may read";
  const wrong = readCarriers(
    JSON.stringify([{ ...HERON, scac: "toolong", headers: { "api-key": [secret] } }]),
  );
  assert.equal(wrong.kind, "invalid");
  const stated = JSON.stringify(wrong);
  assert.match(stated, /\/0\/scac/);
  assert.equal(stated.includes(secret), false);
  assert.equal(readCarriers("{").kind, "invalid");
  assert.equal(readCarriers(JSON.stringify([HERON, HERON])).kind, "invalid");
});

const OAUTH = { tokenUrl: "https://login.example/token", clientId: "boathook", clientSecret: "s3cret" };
const SECRET = Buffer.from("16 bytes or more").toString("base64");

test("all that an entry may say is taken", () => {
  const whole = {
    ...TERN,
    api: "dcsa-tnt-3.0",
    headers: { "X-Client-Id": "boathook" },
    parameters: { limit: "100", eventTypes: "" },
    oauth: {
      ...OAUTH,
      scope: "a b",
      audience: "c",
      clientAuthentication: "basic",
      headers: {},
      parameters: {},
    },
    quota: { perSecond: 5, perMinute: 100.5, perDay: 10_000 },
    timeoutMs: 20_000,
    requestsMax: 4,
    callbackSecrets: [SECRET],
    portCalls: { baseUrl: "https://calls.example/v2", headers: {}, quota: { perSecond: 1 } },
    billPrefixes: ["TRNB"],
    asOf: "now",
    spelling: {
      envelopes: ["data.list"],
      fields: { eventID: ["id"] },
      classifiers: { DONE: "actual" },
      modes: { SHIP: "vessel" },
      emptiness: { F: "laden" },
    },
  };
  assert.deepEqual(readCarriers(JSON.stringify([whole])), { kind: "carriers", carriers: [whole] });
});

test("problems of an entry name their place and no secret", () => {
  const secret = "a key nobody may read";
  for (const [entry, place] of [
    [{ baseUrL: "https://heron.example" }, /^\/0 has fields that are not known: baseUrL$/],
    [{ baseUrl: "https://[" }, /^\/0\/baseUrl is no URL$/],
    [{ scac: "hrnl" }, /^\/0\/scac must be two to four capital letters$/],
    [
      { baseUrl: "ftp://heron.example" },
      /^\/0\/baseUrl must be a URL that begins with https:\/\/ or http:\/\/, without user, query and fragment$/,
    ],
    [{ baseUrl: `https://user:${secret}@heron.example` }, /^\/0\/baseUrl /],
    [{ headers: { "api-key": `${secret}\r\nx: y` } }, /^\/0\/headers\/api-key /],
    [{ headers: { [`api-key: ${secret}`]: "" } }, /^\/0\/headers has fields that are not known$/],
    [{ oauth: { ...OAUTH, clientSecret: [secret] } }, /^\/0\/oauth\/clientSecret /],
    [{ oauth: { ...OAUTH, tokenUrl: "https://[" } }, /^\/0\/oauth\/tokenUrl is no URL$/],
    [{ quota: {} }, /^\/0\/quota /],
    [{ quota: { perSecond: 0 } }, /^\/0\/quota\/perSecond /],
    [{ callbackSecrets: [secret] }, /^\/0\/callbackSecrets\/0 /],
    [{ callbackSecrets: ["c2hvcnQ="] }, /^\/0\/callbackSecrets\/0 must be base64 of 16 bytes or more$/],
    [{ callbackSecrets: [] }, /^\/0\/callbackSecrets /],
    [{ portCalls: { baseUrl: "https://[" } }, /^\/0\/portCalls\/baseUrl is no URL$/],
    [{ api: "dcsa-tnt-1" }, /^\/0\/api must be one of dcsa-tnt-2\.2, dcsa-tnt-3\.0$/],
    [{ name: undefined }, /^\/0 lacks name$/],
  ] as const) {
    const read = readCarriers(JSON.stringify([{ ...HERON, ...entry }]));
    assert.ok(read.kind === "invalid", JSON.stringify(entry));
    assert.match(read.problems[0] ?? "", place);
    assert.equal(JSON.stringify(read).includes(secret), false);
  }
});

test("bills of lading begin with their carrier's SCAC, or as its entry says", () => {
  assert.deepEqual(billPrefixes(carriers), ["HRNL", "TRNC", "TRNB"]);
});
