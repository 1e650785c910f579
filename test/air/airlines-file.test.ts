import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { configuredAirline, readAirlines } from "../../src/products/air/sources/airlines/airlines-file.ts";
import { readMessages } from "../../src/products/air/sources/imp/read-messages.ts";

const FALCON = {
  name: "Falcon Air Cargo",
  iata: "F8",
  prefixes: ["901"],
  sources: [{ kind: "fsr", url: "https://fsr.falcon.example/status" }],
};
const KITE = {
  name: "Kite Airways",
  iata: "K8",
  prefixes: ["902", "903"],
  sources: [{ kind: "push" }],
};

const OAUTH = { tokenUrl: "https://login.example/token", clientId: "boathook", clientSecret: "s3cret" };

test("an airlines file is read, and an airline is found by any of its prefixes", () => {
  const read = readAirlines(JSON.stringify([FALCON, KITE]));
  assert.deepEqual(read, { kind: "entries", entries: [FALCON, KITE] });
  assert.ok(read.kind === "entries");
  assert.equal(configuredAirline(read.entries, "903")?.iata, "K8");
  assert.equal(configuredAirline(read.entries, "904"), null);
});

test("every field of an entry is read", () => {
  const upstream = {
    headers: { "X-Client-Id": "boathook" },
    oauth: { ...OAUTH, scope: "a b", clientAuthentication: "basic" },
    quota: { perSecond: 5, perMinute: 100.5, perDay: 10_000 },
    timeoutMs: 20_000,
  };
  const whole = {
    ...FALCON,
    requestsMax: 4,
    asOf: "answer-date",
    sources: [
      {
        kind: "fsr",
        url: "https://fsr.falcon.example/status?from=cargo",
        method: "POST",
        message: '{"awb": "{prefix}-{serial}"}',
        contentType: "application/json",
        answer: { format: "json", at: "data.messages" },
        ...upstream,
      },
      { kind: "fsr", url: "https://fsr.falcon.example/status/{awb}", method: "GET" },
      { kind: "one-record", objectUrl: "https://1r.falcon.example/logistics-objects/{awb}", ...upstream },
      { kind: "push" },
    ],
  };
  assert.deepEqual(readAirlines(JSON.stringify([whole])), { kind: "entries", entries: [whole] });
});

test("problems of an entry name its place, and no secret", () => {
  const secret = "a key nobody may read";
  const source = (fields: object) => ({ sources: [{ ...FALCON.sources[0], ...fields }] });
  const record = (objectUrl: string) => ({ sources: [{ kind: "one-record", objectUrl }] });
  for (const [entry, place] of [
    [{ prefixes: ["90"] }, /^\/0\/prefixes\/0 must be three digits$/],
    [{ prefixes: [] }, /^\/0\/prefixes /],
    [{ iata: "FAL" }, /^\/0\/iata must be two capital letters or digits$/],
    [{ sources: [] }, /^\/0\/sources /],
    [
      { sources: [{ kind: "telex" }] },
      /^\/0\/sources\/0\/kind must be one of fsr, one-record, mapped, push$/,
    ],
    [{ source: [] }, /^\/0 has fields that are not known: source \(did you mean sources\?\)$/],
    [source({ uri: "x" }), /^\/0\/sources\/0 has fields that are not known: uri \(did you mean url\?\)$/],
    [source({ url: "ftp://falcon.example" }), /^\/0\/sources\/0\/url /],
    [source({ url: `https://user:${secret}@falcon.example` }), /^\/0\/sources\/0\/url /],
    [source({ url: "https://[{awb}" }), /^\/0\/sources\/0\/url is no URL$/],
    [source({ method: "GET" }), /^\/0\/sources\/0\/url has neither {awb} nor {serial}$/],
    [source({ message: "FSR" }), /^\/0\/sources\/0\/url has neither {awb} nor {serial}$/],
    [source({ method: "PUT" }), /^\/0\/sources\/0\/method must be one of POST, GET$/],
    [source({ headers: { "api-key": `${secret}\r\nx: y` } }), /^\/0\/sources\/0\/headers\/api-key /],
    [
      source({ headers: { [`api-key: ${secret}`]: "" } }),
      /^\/0\/sources\/0\/headers has fields that are not known$/,
    ],
    [source({ oauth: { ...OAUTH, clientSecret: [secret] } }), /^\/0\/sources\/0\/oauth\/clientSecret /],
    [source({ oauth: { ...OAUTH, tokenUrl: "https://[" } }), /^\/0\/sources\/0\/oauth\/tokenUrl is no URL$/],
    [source({ quota: {} }), /^\/0\/sources\/0\/quota /],
    [source({ answer: { format: "csv", at: "x" } }), /^\/0\/sources\/0\/answer\/format /],
    [
      record("https://1r.falcon.example/objects"),
      /^\/0\/sources\/0\/objectUrl has neither {awb} nor {serial}$/,
    ],
    [record("https://1r.falcon.example/{prefix}"), /^\/0\/sources\/0\/objectUrl has neither/],
    [{ sources: [{ kind: "push", secret }] }, /^\/0\/sources\/0 has fields that are not known: secret$/],
  ] as const) {
    const read = readAirlines(JSON.stringify([{ ...FALCON, ...entry }]));
    assert.ok(read.kind === "invalid", JSON.stringify(entry));
    assert.match(read.problems[0] ?? "", place);
    assert.equal(JSON.stringify(read).includes(secret), false);
  }
});

test("a prefix is one airline's only, and a file is a list", () => {
  for (const [text, problem] of [
    [JSON.stringify([KITE, { ...FALCON, prefixes: ["901", "903"] }]), "prefix 903 is there twice"],
    [JSON.stringify([{ ...KITE, prefixes: ["902", "902"] }]), "prefix 902 is there twice"],
    ["{", "the airlines file is not JSON"],
  ] as const) {
    assert.deepEqual(readAirlines(text), { kind: "invalid", problems: [problem] });
  }
  assert.equal(readAirlines("{}").kind, "invalid");
});

test("the examples of the guide are right", () => {
  const guide = readFileSync(new URL("../../docs/airlines.md", import.meta.url), "utf8");
  const blocks = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(
    ([, json]) => JSON.parse(json ?? "") as unknown,
  );
  const [file, source] = blocks;
  assert.equal(readAirlines(JSON.stringify(file)).kind, "entries");
  assert.equal(readAirlines(JSON.stringify([{ ...FALCON, sources: [source] }])).kind, "entries");
  const [, message] = /<<'FSU'\n([\s\S]*?)^FSU$/m.exec(guide) ?? [];
  const [read] = readMessages(message ?? "", Date.UTC(2026, 10, 3));
  assert.ok(read?.kind === "message");
  assert.deepEqual([read.problems, read.statement.events.map(({ code }) => code)], [[], ["RCF"]]);
});
