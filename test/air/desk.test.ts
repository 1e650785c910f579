import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";

import type { AirlineAnswer } from "../../src/producers/air/airline-answer.ts";
import type { Airline, AirlineSource } from "../../src/producers/air/airlines/airline-schema.ts";
import { createAirlineDesk, type AirlineDesk } from "../../src/producers/air/desk.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { bodyOf, serving } from "../upstream/serving.ts";

const AWB = "17612345675";
const FSA = "FSA/14\r\n176-12345675DXBFRA/T10K250\r\nRCS/01NOV0930/DXB/T10K250/FALCON\r\n";

type Reply = { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> };
type Asked = {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly request: IncomingMessage;
};
type Scene = {
  readonly ask: (known?: Buffer | null) => Promise<AirlineAnswer>;
  readonly airline: Airline;
  readonly desk: AirlineDesk;
  readonly clock: ManualClock;
  readonly asked: Asked[];
};

/** An airline behind real sockets; `sources` are given its address. */
function atDesk(
  sources: (url: string) => readonly AirlineSource[],
  reply: (asked: Asked, url: string) => Reply,
  work: (scene: Scene) => Promise<void>,
  fields: Partial<Airline> = {},
): Promise<void> {
  const asked: Asked[] = [];
  let address = "";
  return serving(
    (request, response) => {
      void bodyOf(request).then((body) => {
        const one = { method: request.method ?? "", url: request.url ?? "", body, request };
        asked.push(one);
        const { status = 200, body: told = "", headers = {} } = reply(one, address);
        response.writeHead(status, headers).end(typeof told === "string" ? told : JSON.stringify(told));
      });
    },
    async ({ url, http }) => {
      address = url;
      const clock = manualClock();
      const airline = {
        name: "Falcon",
        iata: "F8",
        prefixes: ["176", "901"],
        sources: sources(url),
        ...fields,
      };
      const desk = createAirlineDesk({ airlines: [airline], http, clock, random: { fraction: () => 1 } });
      await work({ ask: (known) => desk.ask(airline, AWB, known), airline, desk, clock, asked });
    },
  );
}

const fsr =
  (fields: object = {}) =>
  (url: string): readonly AirlineSource[] => [{ kind: "fsr", url: `${url}/fsr`, ...fields }];
const oneRecord = (url: string): readonly AirlineSource[] => [
  { kind: "one-record", objectUrl: `${url}/objects/{prefix}-{serial}` },
];

function said(answer: AirlineAnswer): string {
  return answer.kind === "unavailable" ? answer.reason : answer.kind;
}

test("a status request is sent as a message, and the answer is the waybill's statement", async () => {
  await atDesk(
    fsr(),
    () => ({ body: FSA }),
    async ({ ask, asked }) => {
      const answer = await ask();
      assert.ok(answer.kind === "statement");
      assert.deepEqual(answer.problems, []);
      const { awb, origin, destination, pieces, weightKg, events } = answer.statement;
      assert.deepEqual([awb, origin, destination, pieces, weightKg], [AWB, "DXB", "FRA", 10, 250]);
      assert.deepEqual(
        events.map(({ code, station, at }) => [code, station, at?.local]),
        [["RCS", "DXB", "2026-11-01T09:30:00"]],
      );
      const [{ method, url, body, request }] = asked as [Asked];
      assert.deepEqual([method, url, body], ["POST", "/fsr", "FSR\r\n176-12345675\r\n"]);
      assert.equal(request.headers["content-type"], "text/plain; charset=utf-8");
      assert.equal((await ask(answer.digest)).kind, "same");
    },
  );
});

test("a message of the airline's own, its headers and its token go with the request", async () => {
  const message = '{"number":"{awb}","{other}":1}';
  const source = (url: string): readonly AirlineSource[] => [
    {
      kind: "fsr",
      url: `${url}/fsr/{prefix}`,
      message,
      contentType: "application/json",
      answer: { format: "json", at: "result.fsa" },
      headers: { ACCEPT: "application/vnd.falcon+json", "Api-Key": "k" },
      oauth: { tokenUrl: `${url}/token`, clientId: "id", clientSecret: "secret" },
    },
  ];
  const reply = ({ url }: Asked): Reply =>
    url === "/token"
      ? { body: { access_token: "t0ken", expires_in: 60 } }
      : { body: { result: { fsa: [FSA] } } };
  await atDesk(source, reply, async ({ ask, asked }) => {
    assert.equal(said(await ask()), "statement");
    const { url, body, request } = asked[1]!;
    assert.deepEqual([url, body], ["/fsr/176", '{"number":"17612345675","{other}":1}']);
    const { accept, authorization, "api-key": key, "content-type": type } = request.headers;
    assert.deepEqual(
      [accept, authorization, key, type],
      ["application/vnd.falcon+json", "Bearer t0ken", "k", "application/json"],
    );
  });
});

test("an airline may be asked by GET, and answer in XML", async () => {
  const source = (url: string): readonly AirlineSource[] => [
    {
      kind: "fsr",
      method: "GET",
      url: `${url}/track/{prefix}?serial={serial}`,
      answer: { format: "xml", at: "imp" },
    },
  ];
  await atDesk(
    source,
    () => ({ body: `<r><x:imp>${FSA}</x:imp></r>` }),
    async ({ ask, asked }) => {
      assert.equal(said(await ask()), "statement");
      assert.deepEqual([asked[0]?.method, asked[0]?.url], ["GET", "/track/176?serial=12345675"]);
    },
  );
});

test("an airline that does not know the waybill, and one that says nothing of use, are told apart", async () => {
  for (const [reply, outcome] of [
    [{ status: 404 }, "not_found"],
    [{ status: 204 }, "not_found"],
    [{ body: "" }, "not_found"],
    [{ body: "FNA/1\r\nACK/NO RECORD FOUND\r\n" }, "not_found"],
    [{ body: "FSA/14\r\n176-12345675\r\nOSI/NO RECORD FOUND\r\n" }, "not_found"],
    [{ body: FSA.replaceAll("12345675", "12345686") }, "other_waybill"],
    [{ body: "<html>maintenance</html>" }, "not_fsa"],
    [{ body: "x".repeat(1024 * 1024 + 1) }, "too_large"],
    [{ status: 401 }, "not_permitted"],
    [{ status: 302, headers: { location: "/elsewhere" } }, "http_302"],
    [{ status: 503 }, "http_503"],
  ] as const) {
    await atDesk(
      fsr(),
      () => reply,
      async ({ ask }) => {
        assert.equal(said(await ask()), outcome, JSON.stringify(reply).slice(0, 80));
      },
    );
  }
});

test("what of an answer cannot be read is told by its place, and the rest counts", async () => {
  await atDesk(
    fsr(),
    () => ({ body: `${FSA}XYZ/WHATEVER\r\n` }),
    async ({ ask }) => {
      const answer = await ask();
      assert.ok(answer.kind === "statement");
      assert.equal(answer.statement.events.length, 1);
      assert.match(answer.problems.join(), /^line 4, column \d+: /);
    },
  );
});

test("several messages of a waybill are one statement", async () => {
  const later = FSA.replace("RCS/01NOV0930/DXB", "RCF/EK045/02NOV0930/FRA").replace("/FALCON", "");
  await atDesk(
    fsr(),
    () => ({ body: `${FSA}\r\n${later}` }),
    async ({ ask }) => {
      const answer = await ask();
      assert.deepEqual(answer.kind === "statement" && answer.statement.events.map(({ code }) => code), [
        "RCS",
        "RCF",
      ]);
    },
  );
});

test("the years of an airline that is replayed are inferred by its own clock", async () => {
  const headers = { date: "Sat, 02 Nov 2024 12:00:00 GMT" };
  for (const [asOf, year] of [
    ["now", "2026"],
    ["answer-date", "2024"],
  ] as const) {
    await atDesk(
      fsr(),
      () => ({ body: FSA, headers }),
      async ({ ask }) => {
        const answer = await ask();
        assert.ok(answer.kind === "statement");
        assert.equal(answer.statement.events[0]?.at?.local.slice(0, 4), year);
        assert.equal(answer.dateMs, Date.UTC(2024, 10, 2, 12));
      },
      { asOf },
    );
  }
});

const waybill = (url: string) => ({
  "@id": `${url}/objects/176-12345675`,
  "@type": "cargo:Waybill",
  "cargo:waybillPrefix": "176",
  "cargo:waybillNumber": "12345675",
  "cargo:departureLocation": { "cargo:locationCodes": { "cargo:code": "DXB" } },
  "cargo:arrivalLocation": { "cargo:locationCodes": { "cargo:code": "FRA" } },
  "cargo:shipment": [{ "@id": `${url}/objects/s1` }, { "@id": "http://elsewhere.example/s2" }],
});
const shipment = { "@type": "cargo:Shipment", "cargo:totalPieceCount": 10 };
const events = (...codes: readonly string[]) => ({
  "@type": "api:Collection",
  "api:hasItem": codes.map((code) => ({ "@type": "cargo:LogisticsEvent", "cargo:eventCode": code })),
});

test("ONE Record is asked for the waybill, its shipment, and the events of both, on its own host only", async () => {
  const reply = ({ url }: Asked, address: string): Reply => {
    if (url === "/objects/176-12345675") return { body: waybill(address) };
    if (url === "/objects/s1") return { body: shipment };
    return url === "/objects/s1/logistics-events" ? { body: events("RCS", "FIW", "DEP") } : { status: 404 };
  };
  await atDesk(oneRecord, reply, async ({ ask, asked }) => {
    const answer = await ask();
    assert.ok(answer.kind === "statement");
    const { origin, destination, pieces } = answer.statement;
    assert.deepEqual([origin, destination, pieces], ["DXB", "FRA", 10]);
    assert.deepEqual(
      answer.statement.events.map(({ code }) => code),
      ["RCS", "DEP"],
    );
    assert.deepEqual(answer.problems, ["event 1: eventCode FIW is no status"]);
    assert.deepEqual(
      asked.map(({ url }) => url),
      [
        "/objects/176-12345675",
        "/objects/176-12345675/logistics-events",
        "/objects/s1",
        "/objects/s1/logistics-events",
      ],
    );
    assert.equal(asked[0]?.request.headers.accept, "application/ld+json");
    assert.equal((await ask(answer.digest)).kind, "same");
  });
});

test("half an answer of ONE Record is none, and another's waybill is not ours", async () => {
  for (const [events503, other, outcome] of [
    [{ status: 503 }, {}, "http_503"],
    [{ body: "<html>" }, {}, "not_json_ld"],
    [{ body: events() }, { "cargo:waybillNumber": "12345686" }, "other_waybill"],
  ] as const) {
    const reply = ({ url }: Asked, address: string): Reply =>
      url === "/objects/176-12345675" ? { body: { ...waybill(address), ...other } } : events503;
    await atDesk(oneRecord, reply, async ({ ask }) => assert.equal(said(await ask()), outcome));
  }
  await atDesk(
    oneRecord,
    () => ({ status: 404 }),
    async ({ ask, asked }) => {
      assert.equal(said(await ask()), "not_found");
      assert.equal(asked.length, 1);
    },
  );
});

test("sources are asked in their order until one has something to say; the worst of what went wrong is told", async () => {
  const both = (url: string): readonly AirlineSource[] => [
    ...oneRecord(url),
    { kind: "push" },
    ...fsr()(url),
  ];
  const reply = ({ url }: Asked): Reply => (url === "/fsr" ? { body: FSA } : { status: 404 });
  await atDesk(both, reply, async ({ ask, asked }) => {
    assert.equal(said(await ask()), "statement");
    assert.equal(asked.length, 2);
  });
  const down = ({ url }: Asked): Reply => (url === "/fsr" ? { status: 404 } : { status: 500 });
  await atDesk(both, down, async ({ ask }) => assert.equal(said(await ask()), "http_500"));
  await atDesk(
    () => [{ kind: "push" }],
    () => ({}),
    async ({ ask, asked, desk }) => {
      assert.equal(said(await ask()), "not_found");
      assert.deepEqual([asked.length, desk.isOpen("176")], [0, false]);
    },
  );
});

test("an airline that is down is left alone, and its quota holds for all of its prefixes", async () => {
  await atDesk(
    fsr(),
    () => ({ status: 503 }),
    async ({ ask, desk, clock, asked }) => {
      const outcomes: string[] = [];
      for (let count = 0; count < 7; count += 1) outcomes.push(said(await ask()));
      assert.deepEqual(outcomes, [...Array<string>(5).fill("http_503"), "breaker_open", "breaker_open"]);
      assert.deepEqual([desk.isOpen("176"), desk.isOpen("901"), desk.isOpen("999")], [true, true, false]);
      assert.equal(asked.length, 5);
      await clock.advance(5_000);
      assert.equal(desk.isOpen("176"), false);
    },
  );
  await atDesk(
    fsr({ quota: { perMinute: 1 } }),
    () => ({ body: FSA }),
    async ({ ask, desk, airline }) => {
      assert.equal(said(await ask()), "statement");
      const answer = await desk.ask(airline, "90112345675");
      assert.deepEqual(answer, { kind: "unavailable", reason: "quota", retryAfterMs: 60_000 });
    },
  );
});
