/** What every entry of the catalogue must say, and what an entry of the carriers file becomes that names one. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  entryOf,
  shippedCatalogue,
  type CatalogueEntry,
} from "../../../src/freight/source-catalogue/carriers.ts";
import { readCarriers } from "../../../src/products/ocean/sources/carriers.ts";
import { HERON } from "../shipping-lines.ts";
import { secretOf } from "./given.ts";

const catalogue = shippedCatalogue();
const polled = catalogue.filter(({ unsupported }) => unsupported === undefined);

/** What a need is given in tests: an address where the name says so. */
const given = (name: string): string =>
  name.endsWith("Url") ? `https://given.example/${name}` : secretOf(name);

const read = (...entries: readonly object[]) => readCarriers(JSON.stringify(entries));

function problemsOf(...entries: readonly object[]): readonly string[] {
  const found = read(...entries);
  return found.kind === "invalid" ? found.problems : [];
}

test("the catalogue has the main lines, and says why it cannot poll some", () => {
  const known = [
    "MAEU",
    "MSCU",
    "CMDU",
    "APLU",
    "ANNU",
    "HLCU",
    "ONEY",
    "EGLV",
    "YMLU",
    "HDMU",
    "ZIMU",
    "COSU",
    "OOLU",
  ];
  for (const scac of known) assert.notEqual(entryOf(catalogue, scac), null, scac);
  assert.deepEqual(
    catalogue.filter((entry) => entry.unsupported !== undefined).map(({ scac }) => scac),
    ["COSU", "OOLU"],
  );
  assert.equal(entryOf(catalogue, "HRNL"), null);
});

for (const { scac, signIn, unknown, sources } of polled) {
  for (const { kind, needs } of signIn) {
    test(`an entry with what ${scac} needs to sign in by ${kind} is a whole one`, () => {
      const fields = Object.fromEntries(Object.keys(needs).map((name) => [name, given(name)]));
      const found = read({ carrier: scac, ...fields });
      assert.ok(found.kind === "entries", JSON.stringify(found));
      const [carrier] = found.entries;
      assert.equal(carrier?.scac, scac);
      const text = JSON.stringify(carrier);
      for (const need of Object.keys(needs)) assert.ok(!text.includes(`{${need}}`), "no placeholder is left");
      for (const value of Object.values(fields)) assert.ok(text.includes(value), value);
    });

    test(`an entry of ${scac} by ${kind} that lacks something names what, and no value`, () => {
      const names = Object.keys(needs);
      for (const lacking of names) {
        const others = names.filter((name) => name !== lacking);
        const fields = Object.fromEntries(others.map((name) => [name, given(name)]));
        const found = read({ carrier: scac, ...fields });
        // Another way to sign in may need less.
        if (found.kind === "entries") continue;
        assert.ok(found.problems.length > 0);
        assert.match(found.problems.join(), /^\/0\/\w+ is missing: .+ signs in with /);
        for (const value of Object.values(fields)) assert.ok(!found.problems.join().includes(value));
      }
    });
  }

  test(`${scac} names its sources and what is not known`, () => {
    assert.ok(unknown.length > 0);
    for (const { url } of sources) assert.ok(URL.canParse(url), url);
  });
}

test("an entry knows how full an answer can be wherever its documents give the number", () => {
  for (const { scac, documented, entry = {} } of polled) {
    const { limit = null } = (entry["question"] ?? {}) as { limit?: { max: number } | null };
    const stated = /(\d+) events/.exec(documented.paging)?.[1];
    assert.equal(limit?.max, stated === undefined ? undefined : Number(stated), scac);
  }
});

const MAERSK = { carrier: "MAEU", clientId: "given-id", clientSecret: "given-secret" };

test("an entry that names Maersk signs in as Maersk documents it", () => {
  const found = read(MAERSK);
  assert.deepEqual(found, {
    kind: "entries",
    entries: [
      {
        scac: "MAEU",
        name: "Maersk",
        api: "dcsa-tnt-2.2",
        baseUrl: "https://api.maersk.com/track-and-trace-private",
        question: { limit: { max: 100 } },
        headers: { "Consumer-Key": "given-id" },
        oauth: {
          tokenUrl: "https://api.maersk.com/customer-identity/oauth/v2/access_token",
          clientId: "given-id",
          clientSecret: "given-secret",
          headers: { "Consumer-Key": "given-id" },
        },
      },
    ],
  });
});

test("any field of an entry overrides the catalogue's; objects are merged but for the quota", () => {
  const found = read({
    carrier: "HLCU",
    clientId: "id",
    clientSecret: "secret",
    name: "HL",
    baseUrl: "https://hl.example/v2",
    headers: { "X-Trace": "1" },
    quota: { perMinute: 150 },
  });
  assert.ok(found.kind === "entries");
  const [{ name, baseUrl, headers, quota }] = found.entries as [(typeof found.entries)[0]];
  assert.deepEqual(
    { name, baseUrl, headers, quota },
    {
      name: "HL",
      baseUrl: "https://hl.example/v2",
      headers: { "X-IBM-Client-Id": "id", "X-IBM-Client-Secret": "secret", "X-Trace": "1" },
      quota: { perMinute: 150 },
    },
  );
});

test("the fields of an entry choose how to sign in", () => {
  const keyed = read({ carrier: "CMDU", apiKey: "k" });
  assert.ok(keyed.kind === "entries");
  assert.deepEqual([keyed.entries[0]?.headers, keyed.entries[0]?.oauth], [{ keyId: "k" }, undefined]);
  const signedIn = read({ carrier: "APLU", clientId: "i", clientSecret: "s" });
  assert.ok(signedIn.kind === "entries");
  assert.deepEqual([signedIn.entries[0]?.scac, signedIn.entries[0]?.headers], ["CMDU", undefined]);
  assert.equal(signedIn.entries[0]?.oauth?.clientId, "i");
});

test("entries that name a carrier and entries in full stand beside each other", () => {
  const found = read(HERON, MAERSK);
  assert.ok(found.kind === "entries");
  assert.deepEqual(found.entries[0], HERON);
  assert.deepEqual(
    found.entries.map(({ scac }) => scac),
    ["HRNL", "MAEU"],
  );
});

test("what is wrong in an entry that names a carrier is named by place and rule, never by value", () => {
  const secret = "a-key-nobody-may-read";
  for (const [entries, problem] of [
    [
      [{ carrier: "MAEU", clientSecret: secret }],
      "/0/clientId is missing: Maersk signs in with clientId and clientSecret",
    ],
    [
      [HERON, { carrier: "CMDU", clientId: secret }],
      "/1/clientSecret is missing: CMA CGM signs in with apiKey, or with clientId and clientSecret",
    ],
    [[{ carrier: secret }], "/0/carrier must be a SCAC that `boathook carriers catalogue` lists"],
    [[{ carrier: "OOLU", clientId: secret }], "/0/carrier cannot be polled: it has no public API"],
    [
      [{ ...MAERSK, clientId: `${secret}\r\nx: y` }],
      "/0/clientId must be a text of printable ASCII without spaces around it",
    ],
    [[{ ...MAERSK, clientId: 7 }], "/0/clientId must be a text of printable ASCII without spaces around it"],
    [[{ ...MAERSK, baseURL: "https://x.example" }], "/0 has fields that are not known: baseURL"],
    [[{ ...MAERSK, apiKey: secret }], "/0 has fields that are not known: apiKey"],
    [[{ ...MAERSK, timeoutMs: 1 }], "/0/timeoutMs must be at least 100"],
    [[MAERSK, MAERSK], "carrier MAEU is listed twice"],
  ] as const) {
    assert.deepEqual(problemsOf(...entries), [problem]);
  }
  assert.deepEqual(readCarriers("{"), { kind: "invalid", problems: ["the carriers file is not JSON"] });
});

test("a carrier of its own is data alone: an entry of the catalogue, and its name in the file", () => {
  const fulmar: CatalogueEntry = {
    ...entryOf(catalogue, "YMLU")!,
    scac: "FLMR",
    name: "Fulmar Line",
    entry: { api: "dcsa-tnt-3.0", baseUrl: "https://api.fulmar.example/v3", parameters: { limit: "50" } },
    signIn: [{ kind: "key", needs: { apiKey: "The key." }, entry: { headers: { "Api-Key": "{apiKey}" } } }],
  };
  const found = readCarriers(JSON.stringify([{ carrier: "FLMR", apiKey: "k" }]), () => [
    ...catalogue,
    fulmar,
  ]);
  assert.ok(found.kind === "entries");
  assert.deepEqual(found.entries, [
    {
      scac: "FLMR",
      name: "Fulmar Line",
      api: "dcsa-tnt-3.0",
      baseUrl: "https://api.fulmar.example/v3",
      parameters: { limit: "50" },
      headers: { "Api-Key": "k" },
    },
  ]);
});
