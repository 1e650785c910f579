/** Airlines' own APIs, described in the airlines file. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import type { AirlineSource, MappedSource } from "../../src/products/air/sources/airlines/airline-schema.ts";
import { readAirlines } from "../../src/products/air/sources/airlines/airlines-file.ts";
import { readMessages } from "../../src/products/air/sources/imp/read-messages.ts";
import { outcomeOf, withClient, type Reply, type SentRequest } from "./with-client.ts";
import { columns } from "../support/columns.ts";

const guide = readFileSync(new URL("../../docs/airlines.md", import.meta.url), "utf8");
const blockWith = (start: RegExp): object => {
  const blocks = [...guide.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  return JSON.parse(blocks.find((code) => start.test(code)) ?? "") as object;
};
const SOURCE = blockWith(/^\{\s+"kind":"mapped"/) as MappedSource;
/** The number of the waybill that is polled here. */
const ANSWER = JSON.parse(
  JSON.stringify(blockWith(/^\{"shipment"/)).replace("901-12345675", "176-12345675"),
) as object;

const at =
  (fields: object = {}) =>
  (url: string): readonly AirlineSource[] => [
    {
      ...SOURCE,
      url: `${url}/v2/shipments/{awb}`,
      oauth: { ...SOURCE.oauth!, tokenUrl: `${url}/token` },
      ...fields,
    },
  ];
const replying =
  (body: unknown, status = 200) =>
  ({ url }: SentRequest): Reply =>
    url === "/token" ? { body: { access_token: "t0ken", expires_in: 60 } } : { status, body };

test("the guide's example gives what the same statuses in Cargo-IMP give", async () => {
  const { kind } = readAirlines(
    JSON.stringify([{ name: "Falcon", iata: "F8", prefixes: ["901"], sources: [SOURCE] }]),
  );
  assert.equal(kind, "entries");
  await withClient(at(), replying(ANSWER), async ({ poll, sent, clock }) => {
    const answer = await poll();
    assert.ok(answer.kind === "statement", outcomeOf(answer));
    assert.deepEqual(answer.problems, []);
    assert.deepEqual(
      sent.map(({ method, url }) => `${method} ${url}`),
      ["POST /token", "GET /v2/shipments/17612345675"],
    );
    assert.equal(sent[1]?.request.headers.authorization, "Bearer t0ken");
    const lines = [
      ...["FSU/14", "176-12345675AMSJFK/T10K250.5", "RCS/01NOV0930/AMS/T10"],
      "DEP/F845/01NOV/AMSJFK/P4K100/A1510",
    ];
    const [same] = readMessages(lines.join("\r\n"), clock.nowMs());
    assert.ok(same?.kind === "message");
    const { saidMs: _, answer: source, ...statement } = answer.statement;
    assert.equal(source, "mapped");
    const [accepted, departed] = same.statement.events;
    // The API does not say that the departure was actual.
    const expected = {
      ...same.statement,
      events: [accepted, { ...departed, timeIs: null, departureIs: null }],
    };
    assert.deepEqual(statement, expected);
    assert.equal((await poll(answer.digest)).kind, "unchanged");
  });
});

test("XML is read by paths of elements and attributes", async () => {
  const xml = `<?xml version="1.0"?><t:Track xmlns:t="urn:t"><t:Awb no="176-12345675" pcs="10"/><t:Event code="ARR" apt="JFK"><t:When tz="America/New_York">2026-11-01T16:55</t:When><t:Flt>F845</t:Flt></t:Event><t:Event code="RCF" apt="JFK"><t:When tz="-05:00">2026-11-01T18:00</t:When></t:Event><t:Event code="DLV" apt="JFK"><t:When tz="Nowhere/At_All">2026-11-02T09:00</t:When><t:State>Planned</t:State></t:Event></t:Track>`;
  const answer = {
    format: "xml",
    waybill: { at: "/Track", awb: "/Awb/@no", pieces: "/Awb/@pcs" },
    events: "/Event",
    event: {
      ...{ code: "/@code", station: "/@apt", time: ["/When/#text"], zone: "/When/@tz", flight: "/Flt" },
      timeIs: "/State",
    },
  };
  await withClient(
    at({ answer, message: "<q>{awb}</q>", contentType: "text/xml" }),
    replying(xml),
    async ({ poll, sent }) => {
      const read = await poll();
      assert.ok(read.kind === "statement", outcomeOf(read));
      assert.deepEqual(
        read.statement.events.map(({ code, station, at: time, planned }) => [
          code,
          station,
          time?.local,
          time?.offsetMinutes,
          planned,
        ]),
        [
          ["ARR", "JFK", "2026-11-01T16:55:00", -300, undefined],
          ["RCF", "JFK", "2026-11-01T18:00:00", -300, undefined],
          ["DLV", "JFK", undefined, undefined, true],
        ],
      );
      assert.deepEqual(read.problems, ['/Event/2: time "2026-11-02T09:00" is no date-time']);
      assert.deepEqual(
        [sent[1]?.method, sent[1]?.body, sent[1]?.request.headers["content-type"]],
        ["POST", "<q>17612345675</q>", "text/xml"],
      );
    },
  );
});

test("what is no answer about the waybill is said to be none", async () => {
  const shipment = (fields: object) => ({ shipment: { number: "176-12345675", ...fields } });
  for (const [body, outcome, status] of [
    ["{", "not_json"],
    ["", "not_found"],
    [{}, "not_found"],
    [shipment({}), "not_found"],
    [{ shipment: { number: "176-11111111", pieces: 1 } }, "other_waybill"],
    [shipment({ pieces: 3 }), "statement"],
    [{}, "not_found", 404],
    [{}, "not_permitted", 403],
    ["[".repeat(300_000) + "]".repeat(300_000), "not_found"],
  ] as const) {
    await withClient(at(), replying(body, status), async ({ poll }) => {
      assert.equal(outcomeOf(await poll()), outcome, JSON.stringify(body).slice(0, 80));
    });
  }
});

test("events that cannot be used are reported by their place", async () => {
  const milestones = [
    ...[{ name: "Lost in space", airport: "AMS" }, { name: "Flight departed" }],
    { name: "Cargo accepted", airport: "AMS", date: "soon", clock: "ish" },
    ...["no object", null],
    { name: "CARGO ACCEPTED", airport: "Amsterdam", pieces: "some", kilos: "heavy" },
  ];
  await withClient(at(), replying({ shipment: { legs: { milestones } } }), async ({ poll }) => {
    const read = await poll();
    assert.ok(read.kind === "statement");
    assert.deepEqual(columns(read.statement.events, "code", "station"), [["RCS", null]]);
    assert.deepEqual(read.problems, [
      '/legs/milestones/0: "Lost in space" is neither a status nor in codes',
      "/legs/milestones/1: DEP without an airport: not read",
      '/legs/milestones/2: time "soonTish" is no date-time',
      "/legs/milestones/3: nothing is neither a status nor in codes",
      "/legs/milestones/4: nothing is neither a status nor in codes",
      '/legs/milestones/5: from "Amsterdam" is no airport of three letters',
      '/legs/milestones/5: station "Amsterdam" is no airport of three letters',
      '/legs/milestones/5: pieces "some" is no whole number',
      '/legs/milestones/5: weight "heavy" is no weight',
    ]);
  });
});

test("an event whose time cannot be read counts for nothing, and one in the form that the entry names counts when it has come", async () => {
  const milestones = { a: { name: "Delivered", airport: "JFK", date: "24-Dec-2026", clock: "02:59" } };
  for (const [times, codes, problems] of [
    [undefined, [], 1],
    [["dd-MMM-yyyy HH:mm", "dd-MMM-yyyy"], ["DLV 2026-12-24T02:59:00"], 0],
  ] as const) {
    const event = { ...SOURCE.answer.event, codes: { delivered: "DLV" } };
    const answer = { ...SOURCE.answer, event: times === undefined ? event : { ...event, times: [...times] } };
    const reply = replying({ shipment: { legs: { milestones } } });
    await withClient(at({ answer }), reply, async ({ poll }) => {
      const read = await poll();
      assert.ok(read.kind === "statement");
      assert.deepEqual(
        read.statement.events.map(({ code, at: when }) => `${code} ${when?.local}`),
        codes,
      );
      assert.equal(read.problems.length, problems);
    });
  }
});

test("an event without any time, where the entry says that events have one, is only announced", async () => {
  const milestones = [
    { name: "Cargo accepted", airport: "AMS", date: "2026-11-01", clock: "09:30" },
    { name: "Cargo accepted", airport: "AMS", date: "2026-11-01" },
    { name: "Flight departed", airport: "AMS", to: "JFK", off: "2026-11-01T14:10:00Z" },
    { name: "DLV", airport: "JFK", date: "", clock: " " },
    { name: "DLV", airport: "JFK" },
  ];
  await withClient(at(), replying({ shipment: { legs: { milestones } } }), async ({ poll }) => {
    const read = await poll();
    assert.ok(read.kind === "statement");
    const planned = read.statement.events.map(({ planned: isPlanned = false }) => isPlanned);
    assert.deepEqual(planned, [false, false, false, true, true]);
  });
});

test("codes and units are cut out of what an API writes around them", async () => {
  const milestones = [
    { name: "Cargo accepted", airport: "Amsterdam (AMS)", pieces: "10 PCS", kilos: "1,250.5 KG" },
    { name: "Flight departed", airport: "AMS - Amsterdam", to: "JFK", pieces: 4, kilos: "610K" },
  ];
  await withClient(at(), replying({ shipment: { legs: { milestones } } }), async ({ poll }) => {
    const read = await poll();
    assert.ok(read.kind === "statement");
    assert.deepEqual(columns(read.statement.events, "station", "pieces", "weightKg"), [
      ["AMS", 10, 1250.5],
      ["AMS", 4, 610],
    ]);
  });
});
