/** What every entry of the catalogues must say, and what an entry of a user's file becomes that names one. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { knownAirline } from "../../src/freight/references/awb-prefixes.ts";
import * as carriers from "../../src/freight/source-catalogue/carriers.ts";
import type { SignIn } from "../../src/freight/source-catalogue/schema.ts";
import type { ReadEntries } from "../../src/freight/upstream/upstream-file.ts";
import { readAirlines } from "../../src/products/air/sources/airlines/airlines-file.ts";
import * as airlines from "../../src/products/air/sources/catalogue/catalogue.ts";
import { readCarriers } from "../../src/products/ocean/sources/carriers.ts";
import { FEED_KINDS, isPolled } from "../../src/products/schedules/sources/feed-schema.ts";
import { readFeeds } from "../../src/products/schedules/sources/feeds-file.ts";
import { HERON } from "../ocean/shipping-lines.ts";
import { secretOf } from "./given.ts";

const CARRIERS = carriers.shippedCatalogue();
const AIRLINES = airlines.shippedCatalogue();

const readCarrier = (...entries: readonly object[]) => readCarriers(JSON.stringify(entries));
const readAirline = (...entries: readonly object[]) => readAirlines(JSON.stringify(entries));
const readFeed = (...entries: readonly object[]) => readFeeds(JSON.stringify(entries));

function entriesOf<Entry>(read: ReadEntries<Entry>): readonly Entry[] {
  assert.ok(read.kind === "entries", JSON.stringify(read));
  return read.entries;
}

function problemsOf(read: ReadEntries<unknown>): readonly string[] {
  return read.kind === "invalid" ? read.problems : [];
}

/** A source of a catalogue: how a file names it, and what its entry needs. */
type Known = {
  readonly name: string;
  readonly read: (...entries: readonly object[]) => ReadEntries<unknown>;
  readonly named: object;
  readonly signIn: readonly SignIn[];
  /** Fields that the user has to add. */
  readonly added: Readonly<Record<string, object>>;
  readonly unknown: readonly string[];
  readonly sources: readonly { readonly url: string }[];
};

const ASKS = { services: ["FE1"], ports: ["NLRTM"], pairs: [{ from: "CNSHA", to: "NLRTM" }] };

const KNOWN: readonly Known[] = [
  ...CARRIERS.filter(({ unsupported }) => unsupported === undefined).map((entry) => {
    const { scac: name, signIn, unknown, sources } = entry;
    return { name, read: readCarrier, named: { carrier: name }, signIn, added: {}, unknown, sources };
  }),
  ...CARRIERS.flatMap(({ scac, schedules }) => {
    if (schedules === undefined || schedules.unsupported !== undefined) return [];
    const named = { carrier: scac, ...ASKS };
    return [{ name: `${scac} schedules`, read: readFeed, named, added: {}, ...schedules }];
  }),
  ...AIRLINES.map((entry) => {
    const { code: name, unsupported, missing, signIn: ways, unknown, sources } = entry;
    const named = airlines.isProvider(entry) ? { airline: "QR", by: name } : { airline: name };
    const added: Known["added"] =
      missing === undefined ? {} : { answer: { waybill: {}, events: "/e", event: { code: "/c" } } };
    const signIn = unsupported === undefined ? ways : [];
    return { name, read: readAirline, named, signIn, added, unknown, sources };
  }),
];

for (const { name, read, named, signIn, added, unknown, sources } of KNOWN) {
  test(`${name} names its sources and what is not known`, () => {
    assert.ok(unknown.length > 0);
    for (const { url } of sources) assert.ok(URL.canParse(url), url);
  });

  for (const { kind, needs } of signIn) {
    test(`an entry with what ${name} needs to sign in by ${kind} is a whole one; one that lacks it names what, and no value`, () => {
      const names = Object.keys(needs);
      const given = (need: string): string =>
        need.endsWith("Url") ? `https://given.example/${need}` : secretOf(need);
      const fields = Object.fromEntries(names.map((need) => [need, given(need)]));
      const text = JSON.stringify(entriesOf(read({ ...named, ...fields, ...added })));
      for (const need of names) assert.ok(!text.includes(`{${need}}`), "no placeholder is left");
      for (const value of Object.values(fields)) assert.ok(text.includes(value), value);
      for (const lacking of [...names, ...Object.keys(added)]) {
        const others = Object.entries({ ...fields, ...added }).filter(([field]) => field !== lacking);
        const found = read({ ...named, ...Object.fromEntries(others) });
        // Another way to sign in may need less.
        if (found.kind === "entries") continue;
        const rule = names.includes(lacking) ? "is missing: .+ signs in with " : "has to be added: ";
        assert.match(found.problems.join(), new RegExp(`^/0/\\w+ ${rule}`));
        for (const value of Object.values(fields)) assert.ok(!found.problems.join().includes(value));
      }
    });
  }
}

test("the catalogues have the main lines, airlines and providers, and say why they cannot poll some", () => {
  const lines = "MAEU MSCU CMDU APLU ANNU HLCU ONEY EGLV YMLU HDMU ZIMU COSU OOLU".split(" ");
  const codes = "LH KL AF QR SQ CX BA CARGOAI SEARATES TRACKINGMORE CHAMP".split(" ");
  for (const scac of lines) assert.notEqual(carriers.entryOf(CARRIERS, scac), null, scac);
  for (const code of codes) assert.notEqual(airlines.entryOf(AIRLINES, code), null, code);
  const unsupported = [...CARRIERS, ...AIRLINES].filter((entry) => entry.unsupported !== undefined);
  const refused = unsupported.map((entry) => ("scac" in entry ? entry.scac : entry.code));
  assert.deepEqual(refused.toSorted(), ["BA", "CHAMP", "COSU", "CX", "OOLU", "SQ"]);
  assert.deepEqual([carriers.entryOf(CARRIERS, "HRNL"), airlines.entryOf(AIRLINES, "F8")], [null, null]);
});

test("an airline of the catalogue has its own prefixes, and a provider none", () => {
  for (const entry of AIRLINES) {
    const { code, prefixes = [] } = entry;
    for (const prefix of prefixes) assert.equal(knownAirline(prefix)?.iata, code, prefix);
    assert.equal(code.length > 2, airlines.isProvider(entry));
  }
});

test("an entry knows how full an answer can be wherever its documents give the number", () => {
  for (const { scac, documented, entry = {}, unsupported } of CARRIERS) {
    if (unsupported !== undefined) continue;
    const { limit = null } = (entry["question"] ?? {}) as { limit?: { max: number } | null };
    const stated = /(\d+) events/.exec(documented.paging)?.[1];
    assert.equal(limit?.max, stated === undefined ? undefined : Number(stated), scac);
  }
});

const MAERSK = { carrier: "MAEU", clientId: "given-id", clientSecret: "given-secret" };
const LH = { airline: "LH", apiKey: "given-key" };

test("an entry that names Maersk, or Lufthansa Cargo, signs in as it documents it", () => {
  assert.deepEqual(entriesOf(readCarrier(MAERSK)), [
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
  ]);
  const { name, iata, prefixes, sources } = entriesOf(readAirline(LH))[0]!;
  assert.deepEqual([name, iata, prefixes, sources.length], ["Lufthansa Cargo", "LH", ["020"], 1]);
  assert.deepEqual((sources[0] as { headers?: object }).headers, { apikey: "given-key" });
});

test("any field of an entry overrides the catalogue's; objects are merged but for the quota", () => {
  const more = { quota: { perMinute: 150 }, headers: { "X-Trace": "1" } };
  const given = { carrier: "HLCU", clientId: "id", clientSecret: "secret", name: "HL" };
  const [carrier] = entriesOf(readCarrier({ ...given, baseUrl: "https://hl.example/v2", ...more }));
  const { name, baseUrl, headers, quota } = carrier!;
  assert.deepEqual([name, baseUrl, quota], ["HL", "https://hl.example/v2", more.quota]);
  const own = { "X-IBM-Client-Id": "id", "X-IBM-Client-Secret": "secret", "X-Trace": "1" };
  assert.deepEqual(headers, own);
});

test("fields of an airline stay its own, sources come after, and any other field overrides the source's", () => {
  const push = { kind: "push" };
  const own = { name: "LH", prefixes: ["020", "901"], requestsMax: 2, sources: [push] };
  const [airline] = entriesOf(readAirline({ ...LH, ...own, timeoutMs: 9_000, headers: { "X-Trace": "1" } }));
  const { name, prefixes, requestsMax, sources } = airline!;
  assert.deepEqual([name, prefixes, requestsMax, sources[1]], ["LH", ["020", "901"], 2, push]);
  const { timeoutMs, headers } = sources[0] as Record<string, unknown>;
  assert.deepEqual([timeoutMs, headers], [9_000, { apikey: "given-key", "X-Trace": "1" }]);
});

test("a provider answers for any known airline, with its name and all its prefixes", () => {
  const asked = { airline: "QR", by: "CARGOAI", rapidApiKey: "k" };
  const { name, iata, prefixes } = entriesOf(readAirline(asked))[0]!;
  assert.deepEqual([name, iata, prefixes], ["Qatar Airways", "QR", ["157"]]);
});

test("the fields of an entry choose how to sign in", () => {
  const [keyed] = entriesOf(readCarrier({ carrier: "CMDU", apiKey: "k" }));
  assert.deepEqual([keyed?.headers, keyed?.oauth], [{ keyId: "k" }, undefined]);
  const [signedIn] = entriesOf(readCarrier({ carrier: "APLU", clientId: "i", clientSecret: "s" }));
  assert.deepEqual([signedIn?.scac, signedIn?.headers, signedIn?.oauth?.clientId], ["CMDU", undefined, "i"]);
});

test("entries that name a carrier and entries in full stand beside each other", () => {
  const read = entriesOf(readCarrier(HERON, MAERSK));
  assert.deepEqual([read[0], read[1]?.scac], [HERON, "MAEU"]);
});

test("an entry of schedules becomes a feed for each question, with the user's fields over the catalogue's", () => {
  const given = { carrier: "MAEU", apiKey: "a-key", every: "1h", ...ASKS };
  const shared = { carrier: "MAEU", every: "1h" };
  const shown = entriesOf(readFeed(given)).map(
    ({ name, carrier, kind, every, services, ports, pairs, daysAhead }) => ({
      ...{ name, carrier, kind, every, services, ports, pairs, daysAhead },
    }),
  );
  const [services, ports, pairs] = [ASKS.services, ASKS.ports, ASKS.pairs];
  assert.deepEqual(shown, [
    {
      ...{ ...shared, name: "maeu-vessel-schedules", kind: "cs-vessel-schedules" },
      ...{ services, ports, pairs: undefined, daysAhead: undefined },
    },
    {
      ...{ ...shared, name: "maeu-point-to-point", kind: "cs-point-to-point" },
      ...{ services: undefined, ports: undefined, pairs, daysAhead: 56 },
    },
  ]);
  const called = entriesOf(readFeed({ ...given, name: "big-blue", daysAhead: 30 }));
  const names = ["big-blue-vessel-schedules", "big-blue-point-to-point"];
  assert.deepEqual(
    called.map(({ name, daysAhead }) => [name, daysAhead]),
    names.map((name) => [name, 30]),
  );
});

test("the longest period of a carrier binds the feed that it is known of, and has its page among the sources", () => {
  const daysOf = (entry: object) =>
    entriesOf(readFeed({ carrier: "MAEU", apiKey: "a-key", ...entry })).map(({ daysAhead }) => daysAhead);
  assert.deepEqual(daysOf({ pairs: ASKS.pairs, daysAhead: 56 }), [56]);
  assert.deepEqual(daysOf({ ports: ["NLRTM"], daysAhead: 90 }), [90]);
  for (const { scac, schedules } of CARRIERS) {
    for (const { kind, daysAheadMax: most, entry } of schedules?.feeds ?? []) {
      assert.ok((FEED_KINDS as readonly string[]).includes(kind), kind);
      if (most === undefined) continue;
      const pages = schedules!.sources.map(({ url }) => url);
      assert.ok(pages.includes(most.source), scac);
      assert.ok(Number(entry["daysAhead"] ?? 60) <= most.value, scac);
    }
  }
});

test("what is wrong in an entry that names a source is named by place and rule, never by value", () => {
  const secret = "a-key-nobody-may-read";
  const providers = "CARGOAI, SEARATES, TRACKINGMORE";
  const instead = `name a provider in \`by\`, one of ${providers}, or describe its API without \`airline\`, as docs/airlines.md shows`;
  const notPrintable = "must be a text of printable ASCII without spaces around it";
  const noFeed =
    "carrier must be a SCAC that `boathook schedules catalogue` lists; a feed of your own needs kind and url";
  const feed = { name: "own", carrier: "HRNL", kind: "cs-port-schedules" };
  const maersk = { carrier: "MAEU", apiKey: secret };
  const noSchedules = () => CARRIERS.map(({ schedules: _, ...entry }) => entry);
  const page = CARRIERS.find(({ scac }) => scac === "MAEU")!.schedules!.feeds.find(
    ({ kind }) => kind === "cs-point-to-point",
  )!.daysAheadMax!.source;
  for (const [read, problem] of [
    [
      readCarrier({ carrier: "MAEU", clientSecret: secret }),
      "/0/clientId is missing: Maersk signs in with clientId and clientSecret",
    ],
    [
      readCarrier({ carrier: "MAEU", clientid: secret, clientSecret: secret }),
      "/0/clientId is missing; did you mean it by clientid? Maersk signs in with clientId and clientSecret",
    ],
    [
      readCarrier(HERON, { carrier: "CMDU", clientId: secret }),
      "/1/clientSecret is missing: CMA CGM signs in with apiKey, or with clientId and clientSecret",
    ],
    [readCarrier({ carrier: secret }), "/0/carrier must be a SCAC that `boathook carriers catalogue` lists"],
    [readCarrier({ carrier: "OOLU", clientId: secret }), "/0/carrier cannot be polled: it has no public API"],
    [readCarrier({ ...MAERSK, clientId: `${secret}\r\nx: y` }), `/0/clientId ${notPrintable}`],
    [readCarrier({ ...MAERSK, clientId: 7 }), `/0/clientId ${notPrintable}`],
    [
      readCarrier({ ...MAERSK, baseURL: "https://x.example" }),
      "/0 has fields that are not known: baseURL (did you mean baseUrl?)",
    ],
    [
      readCarrier({ ...MAERSK, apiKey: secret }),
      "/0 has fields that are not known: apiKey (did you mean apiKeys?)",
    ],
    [readCarrier({ ...MAERSK, timeoutMs: 1 }), "/0/timeoutMs must be at least 100"],
    [readCarrier(MAERSK, MAERSK), "carrier MAEU is listed twice"],
    [readCarriers("{"), "the carriers file is not JSON"],
    [
      readAirline({ airline: secret }),
      "/0/airline must be an IATA code that `boathook airlines catalogue` or the table of prefixes has",
    ],
    [
      readAirline(LH, { airline: "CX" }),
      `/1/airline cannot be polled: no public page of its ONE Record server was found; ${instead}`,
    ],
    [readAirline({ airline: "EK", apiKey: secret }), `/0/airline has no API in the catalogue: ${instead}`],
    [readAirline({ airline: "QR", by: secret }), `/0/by must be one of ${providers}`],
    [readAirline({ ...LH, sources: secret }), "/0/sources must be array"],
    [
      readAirline({ ...LH, timeOutMs: 1 }),
      "/0/sources/0 has fields that are not known: timeOutMs (did you mean timeoutMs?)",
    ],
    [readAirline(LH, LH), "prefix 020 is there twice"],
    [readFeed(feed, { ...maersk, carrier: "NONE" }), `/1/${noFeed}`],
    [readFeeds(JSON.stringify([feed, maersk]), noSchedules), `/1/${noFeed}`],
    [readFeed(feed, maersk), "/1/services, vessels, ports, pairs: one of them must say what to ask for"],
    [
      readFeed(feed, { ...maersk, ...ASKS, daysAhead: 57 }),
      `/1/daysAhead must be at most 56 for cs-point-to-point of Maersk (${page}); a feed of your own, with kind and url, may ask for more`,
    ],
  ] as const) {
    assert.deepEqual(problemsOf(read), [problem]);
  }
  for (const [entry, says] of [
    [
      { carrier: "HDMU", apiKey: secret },
      /^\/1\/carrier cannot be polled: its schedules have a form of their own/,
    ],
    [{ ...maersk, ports: ["Rotterdam"] }, /^\/1\/ports\/0 must be a UN\/LOCODE/],
    [{ ...maersk, ports: ["NLRTM"], every: "1y" }, /^\/1\/every /],
  ] as const) {
    // An entry that becomes two feeds has its mistake in both.
    const problems = problemsOf(readFeed(feed, entry));
    assert.match(problems.join("\n"), says);
    assert.ok(!problems.join().includes(secret));
  }
});

test("a source is added by data alone: an entry of a catalogue, and its code in the file", () => {
  const signIn: readonly SignIn[] = [
    { kind: "key", needs: { apiKey: "The key." }, entry: { headers: { "Api-Key": "{apiKey}" } } },
  ];
  const headers = { "Api-Key": "k" };
  const fulmar = {
    api: "dcsa-tnt-3.0",
    baseUrl: "https://api.fulmar.example/v3",
    parameters: { limit: "50" },
  };
  const line = { ...carriers.entryOf(CARRIERS, "YMLU")!, scac: "FLMR", name: "Fulmar Line" };
  const asked = JSON.stringify([{ carrier: "FLMR", apiKey: "k" }]);
  assert.deepEqual(
    entriesOf(readCarriers(asked, () => [...CARRIERS, { ...line, entry: fulmar, signIn: [...signIn] }])),
    [{ scac: "FLMR", name: "Fulmar Line", ...fulmar, headers }],
  );
  const falcon = { kind: "one-record", objectUrl: "https://1r.falcon.example/{awb}" };
  const about = { name: "Falcon Air Cargo", prefixes: ["901"] };
  const airline = { ...airlines.entryOf(AIRLINES, "LH")!, ...about, code: "F8", entry: falcon };
  const named = JSON.stringify([{ airline: "F8", apiKey: "k" }]);
  assert.deepEqual(entriesOf(readAirlines(named, () => [...AIRLINES, { ...airline, signIn: [...signIn] }])), [
    { ...about, iata: "F8", sources: [{ ...falcon, headers }] },
  ]);
  const { schedules, ...rest } = carriers.entryOf(CARRIERS, "MAEU")!;
  const url = "https://api.heron.example/v1/vessel-schedules";
  const feeds = [{ kind: "cs-vessel-schedules", by: ["ports" as const], entry: { url } }];
  const heron = { ...rest, scac: "HRNL", name: "Heron", schedules: { ...schedules!, feeds } };
  const ofPort = JSON.stringify([{ carrier: "HRNL", apiKey: "k", ports: ["NLRTM"] }]);
  const [feed, ...others] = entriesOf(readFeeds(ofPort, () => [heron])).filter(isPolled);
  assert.deepEqual([feed!.url, feed!.kind, others], [url, "cs-vessel-schedules", []]);
  assert.deepEqual(feed!.headers, { "Consumer-Key": "k" });
});
