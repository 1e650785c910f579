/** What every entry of the catalogue must say, and what an entry of the airlines file becomes that names one. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { knownAirline } from "../../../src/freight/references/awb-prefixes.ts";
import {
  entryOf,
  isProvider,
  shippedCatalogue,
  type CatalogueEntry,
} from "../../../src/products/air/sources/catalogue/catalogue.ts";
import { readAirlines } from "../../../src/products/air/sources/airlines/airlines-file.ts";
import { secretOf } from "./documented.ts";

const catalogue = shippedCatalogue();
const read = (...entries: readonly object[]) => readAirlines(JSON.stringify(entries));

function problemsOf(...entries: readonly object[]): readonly string[] {
  const found = read(...entries);
  return found.kind === "invalid" ? found.problems : [];
}

const LH = { airline: "LH", apiKey: "given-key" };
const KEY = { name: "given", value: "a-key-nobody-may-read" };

test("the catalogue has airlines and providers, and says why it cannot poll some", () => {
  for (const code of [
    "LH",
    "KL",
    "AF",
    "QR",
    "SQ",
    "CX",
    "BA",
    "CARGOAI",
    "SEARATES",
    "TRACKINGMORE",
    "CHAMP",
  ])
    assert.notEqual(entryOf(catalogue, code), null, code);
  assert.deepEqual(
    catalogue
      .filter(({ unsupported }) => unsupported !== undefined)
      .map(({ code }) => code)
      .toSorted(),
    ["BA", "CHAMP", "CX", "SQ"],
  );
  assert.equal(entryOf(catalogue, "F8"), null);
});

for (const entry of catalogue) {
  test(`${entry.code} names its sources and what is not known, and its prefixes are its own`, () => {
    const { code, unknown, sources, prefixes = [] } = entry;
    assert.ok(unknown.length > 0);
    for (const { url } of sources) assert.ok(URL.canParse(url), url);
    for (const prefix of prefixes) assert.equal(knownAirline(prefix)?.iata, code, prefix);
    assert.equal(code.length > 2, isProvider(entry));
  });

  if (entry.unsupported === undefined) {
    test(`an entry with what ${entry.code} needs is a whole one; one that lacks it names what, and no value`, () => {
      const named = isProvider(entry) ? { airline: "QR", by: entry.code } : { airline: entry.code };
      const needs = Object.keys(entry.signIn[0]!.needs);
      const given = (name: string): string =>
        name.endsWith("Url") ? `https://given.example/${name}` : secretOf(name);
      const fields = Object.fromEntries(needs.map((name) => [name, given(name)]));
      const answer = { waybill: {}, events: "/e", event: { code: "/c" } };
      const added = entry.missing === undefined ? {} : { answer };
      const found = read({ ...named, ...fields, ...added });
      assert.ok(found.kind === "entries", JSON.stringify(found));
      const text = JSON.stringify(found.entries);
      for (const need of needs) assert.ok(!text.includes(`{${need}}`), "no placeholder is left");
      for (const value of Object.values(fields)) assert.ok(text.includes(value), value);
      for (const lacking of [...needs, ...Object.keys(entry.missing ?? {})]) {
        const others = Object.entries({ ...fields, ...added }).filter(([name]) => name !== lacking);
        const problems = problemsOf({ ...named, ...Object.fromEntries(others) });
        const rule = needs.includes(lacking) ? "is missing" : "has to be added";
        assert.match(problems.join(), new RegExp(`^/0/${lacking} ${rule}: `));
        for (const value of Object.values(fields)) assert.ok(!problems.join().includes(value));
      }
    });
  }
}

test("an entry that names Lufthansa Cargo signs in as its portal documents it", () => {
  const found = read(LH);
  assert.ok(found.kind === "entries");
  const [{ name, iata, prefixes, sources }] = found.entries as [(typeof found.entries)[0]];
  assert.deepEqual([name, iata, prefixes, sources.length], ["Lufthansa Cargo", "LH", ["020"], 1]);
  assert.deepEqual((sources[0] as { headers?: object }).headers, { apikey: "given-key" });
});

test("a provider answers for any known airline, with its name and all its prefixes", () => {
  const found = read({ airline: "QR", by: "CARGOAI", rapidApiKey: "k" });
  assert.ok(found.kind === "entries", JSON.stringify(found));
  const [{ name, iata, prefixes }] = found.entries as [(typeof found.entries)[0]];
  assert.deepEqual([name, iata, prefixes], ["Qatar Airways", "QR", ["157"]]);
});

test("fields of the airline stay its own, sources come after, and any other field overrides the source's", () => {
  const push = { kind: "push" };
  const found = read({
    ...LH,
    name: "LH",
    prefixes: ["020", "901"],
    requestsMax: 2,
    sources: [push],
    timeoutMs: 9_000,
    quota: { perDay: 5 },
    headers: { "X-Trace": "1" },
  });
  assert.ok(found.kind === "entries", JSON.stringify(found));
  const [{ name, prefixes, requestsMax, sources }] = found.entries as [(typeof found.entries)[0]];
  assert.deepEqual([name, prefixes, requestsMax, sources[1]], ["LH", ["020", "901"], 2, push]);
  const { timeoutMs, quota, headers } = sources[0] as Record<string, unknown>;
  assert.deepEqual(
    { timeoutMs, quota, headers },
    { timeoutMs: 9_000, quota: { perDay: 5 }, headers: { apikey: "given-key", "X-Trace": "1" } },
  );
});

test("what is wrong in an entry that names an airline is named by place and rule, never by value", () => {
  const providers = "CARGOAI, SEARATES, TRACKINGMORE";
  const instead = `name a provider in \`by\`, one of ${providers}, or describe its API without \`airline\`, as docs/airlines.md shows`;
  for (const [entries, problem] of [
    [[{ airline: "LH" }], "/0/apiKey is missing: Lufthansa Cargo signs in with apiKey"],
    [
      [{ airline: KEY.value }],
      "/0/airline must be an IATA code that `boathook airlines catalogue` or the table of prefixes has",
    ],
    [
      [LH, { airline: "CX" }],
      `/1/airline cannot be polled: no public page of its ONE Record server was found; ${instead}`,
    ],
    [[{ airline: "EK", apiKey: KEY.value }], `/0/airline has no API in the catalogue: ${instead}`],
    [[{ airline: "QR", by: KEY.value }], `/0/by must be one of ${providers}`],
    [[{ ...LH, apiKey: 7 }], "/0/apiKey must be a text of printable ASCII without spaces around it"],
    [[{ ...LH, sources: KEY.value }], "/0/sources must be array"],
    [[{ ...LH, timeOutMs: 1 }], "/0/sources/0 has fields that are not known: timeOutMs"],
    [[{ ...LH, timeoutMs: 1 }], "/0/sources/0/timeoutMs must be at least 100"],
    [[LH, LH], "prefix 020 is there twice"],
  ] as const) {
    assert.deepEqual(problemsOf(...entries), [problem]);
  }
});

test("an airline of its own is data alone: an entry of the catalogue, and its code in the file", () => {
  const falcon: CatalogueEntry = {
    ...entryOf(catalogue, "LH")!,
    code: "F8",
    name: "Falcon Air Cargo",
    prefixes: ["901"],
    entry: { kind: "one-record", objectUrl: "https://1r.falcon.example/{awb}" },
    signIn: [{ kind: "key", needs: { apiKey: "The key." }, entry: { headers: { "Api-Key": "{apiKey}" } } }],
  };
  const found = readAirlines(JSON.stringify([{ airline: "F8", apiKey: "k" }]), () => [...catalogue, falcon]);
  assert.ok(found.kind === "entries", JSON.stringify(found));
  assert.deepEqual(found.entries, [
    {
      name: "Falcon Air Cargo",
      iata: "F8",
      prefixes: ["901"],
      sources: [
        {
          kind: "one-record",
          objectUrl: "https://1r.falcon.example/{awb}",
          headers: { "Api-Key": "k" },
        },
      ],
    },
  ]);
});
