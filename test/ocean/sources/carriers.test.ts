import assert from "node:assert/strict";
import { test } from "node:test";

import { billPrefixes, readCarriers } from "../../../src/products/ocean/sources/carriers.ts";
import { HERON, TERN } from "../shipping-lines.ts";

const carriers = [HERON, { ...TERN, billPrefixes: ["TRNB"] }];

test("a carriers file is read, and what is wrong is named without its values", () => {
  assert.deepEqual(readCarriers(JSON.stringify(carriers)), { kind: "entries", entries: carriers });
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
const ACCOUNT = "0198c0de-0000-7000-8000-000000000001";
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
    apiKeys: { header: "Ocp-Apim-Subscription-Key", values: ["one", "two"] },
    question: {
      path: "/track",
      references: {
        container_id: { parameters: { cntrNo: "{reference}", by: "C" } },
        bill_of_lading: { path: "/bills/{reference}" },
        booking: null,
      },
      limit: { parameter: "limit", max: 100 },
      split: {
        parameter: "eventType",
        values: ["EQUIPMENT", "TRANSPORT"],
        ranges: { from: "since", to: "until", format: "date", days: 200 },
      },
    },
    paging: { by: "cursor", body: "/meta/next", parameter: "after" },
    accounts: { [ACCOUNT]: { headers: { key: "1" }, parameters: { behalfOf: "2" }, oauth: OAUTH } },
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
  assert.deepEqual(readCarriers(JSON.stringify([whole])), { kind: "entries", entries: [whole] });
});

test("problems of an entry name their place and no secret", () => {
  const secret = "a key nobody may read";
  for (const [entry, place] of [
    [
      { baseUrL: "https://heron.example" },
      /^\/0 has fields that are not known: baseUrL \(did you mean baseUrl\?\)$/,
    ],
    [
      { oauth: { ...OAUTH, scop: secret } },
      /^\/0\/oauth has fields that are not known: scop \(did you mean scope\?\)$/,
    ],
    [{ paging: { by: "cursor", headr: "Next" } }, /not known: headr \(did you mean header\?\)$/],
    [{ carier: "HRNL" }, /not known: carier \(did you mean carrier\?\)$/],
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
    [
      { oauth: { ...OAUTH, clientSecret: undefined } },
      /^\/0\/oauth must have either clientSecret or assertion$/,
    ],
    [
      { accounts: { [ACCOUNT]: { oauth: { ...OAUTH, assertion: { keyFile: secret } } } } },
      new RegExp(`^/0/accounts/${ACCOUNT}/oauth must have either clientSecret or assertion$`),
    ],
    [
      { accounts: { [secret]: { parameters: { behalfOf: "x" } } } },
      /^\/0\/accounts has fields that are not known$/,
    ],
    [{ apiKeys: { header: "x y", values: [secret] } }, /^\/0\/apiKeys\/header must be letters, digits/],
    [
      { question: { path: "/a/{secret}" } },
      /^\/0\/question\/path may have no placeholder but \{reference\}, /,
    ],
    [{ question: { path: "/a?b=c" } }, /^\/0\/question\/path must be a path that begins with a slash/],
    [
      { question: { references: { container_id: null, bill_of_lading: null, booking: null } } },
      /^\/0\/question\/references leave no kind to ask for$/,
    ],
    [
      { question: { references: { booking: { parameters: { no: "x" } } } } },
      /^\/0\/question\/references\/booking has no \{reference\}$/,
    ],
    [
      { question: { references: { booking: { parameters: { no: "{container}" } } } } },
      /^\/0\/question\/references\/booking may have no placeholder but \{reference\}, /,
    ],
    [
      { question: { split: { parameter: "type", values: ["a", "b"] } } },
      /^\/0\/question\/split needs a limit/,
    ],
    [
      { question: { limit: { max: 5 }, split: { parameter: "type" } } },
      /^\/0\/question\/split must have parameter and values together$/,
    ],
    [{ paging: { by: "cursor" } }, /^\/0\/paging must have either header or body$/],
    [{ quota: {} }, /^\/0\/quota /],
    [{ quota: { perSecond: 0 } }, /^\/0\/quota\/perSecond /],
    [{ callbackSecrets: [secret] }, /^\/0\/callbackSecrets\/0 /],
    [{ callbackSecrets: ["c2hvcnQ="] }, /^\/0\/callbackSecrets\/0 must be base64 of 16 bytes or more$/],
    [{ callbackSecrets: [] }, /^\/0\/callbackSecrets /],
    [{ portCalls: { baseUrl: "https://[" } }, /^\/0\/portCalls\/baseUrl is no URL$/],
    [{ api: "dcsa-tnt-1" }, /^\/0\/api must be one of dcsa-tnt-1\.1, dcsa-tnt-2\.2, dcsa-tnt-3\.0$/],
    [{ name: undefined }, /^\/0 lacks name$/],
  ] as const) {
    const read = readCarriers(JSON.stringify([{ ...HERON, ...entry }]));
    assert.ok(read.kind === "invalid", JSON.stringify(entry));
    assert.match(read.problems[0] ?? "", place);
    assert.equal(JSON.stringify(read).includes(secret), false);
  }
});

test("bills of lading begin with their carrier's SCAC, or as its entry says", () =>
  assert.deepEqual(billPrefixes(carriers), ["HRNL", "TRNC", "TRNB"]));
