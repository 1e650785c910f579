import assert from "node:assert/strict";
import { test } from "node:test";

import { withClient, oneRecord, outcomeOf, type SentRequest, type Reply } from "../with-client.ts";
import { column } from "../../support/columns.ts";

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

test("the waybill, its shipment and the events of both are fetched, on one host only", async () => {
  const reply = ({ url }: SentRequest, address: string): Reply => {
    if (url === "/objects/176-12345675") return { body: waybill(address) };
    if (url === "/objects/s1") return { body: shipment };
    return url === "/objects/s1/logistics-events" ? { body: events("RCS", "XYZ", "DEP") } : { status: 404 };
  };
  await withClient(oneRecord, reply, async ({ poll, sent }) => {
    const answer = await poll();
    assert.ok(answer.kind === "statement");
    const { origin, destination, pieces } = answer.statement;
    assert.deepEqual([origin, destination, pieces], ["DXB", "FRA", 10]);
    assert.deepEqual(column(answer.statement.events, "code"), ["RCS", "DEP"]);
    assert.deepEqual(answer.problems, ["event 1: eventCode XYZ is no status"]);
    assert.deepEqual(column(sent, "url"), [
      "/objects/176-12345675",
      "/objects/176-12345675/logistics-events",
      "/objects/s1",
      "/objects/s1/logistics-events",
    ]);
    assert.equal(sent[0]?.request.headers.accept, "application/ld+json");
    assert.equal((await poll(answer.digest)).kind, "unchanged");
  });
});

test("events that are only linked to, and further pages of their list, are read on its own host, each once", async () => {
  const list = "/objects/176-12345675/logistics-events";
  const page = (items: unknown, next: string) => ({
    "@type": ["hydra:Collection", "api:Collection"],
    "api:hasItem": items,
    "hydra:view": { "@type": "hydra:PartialCollectionView", "hydra:next": { "@id": next } },
  });
  const reply = ({ url }: SentRequest, address: string): Reply => {
    const linked = { "@id": `${address}${list}/2`, "@type": "cargo:LogisticsEvent" };
    const elsewhere = { "@id": "http://elsewhere.example/3", "@type": "cargo:LogisticsEvent" };
    const event = (code: string) => ({ body: { "@type": "cargo:LogisticsEvent", "cargo:eventCode": code } });
    if (url === "/objects/176-12345675") return { body: { ...waybill(address), "cargo:shipment": [] } };
    if (url === list) return { body: page([`${address}${list}/1`, linked, elsewhere], "?page=2") };
    if (url === `${list}?page=2`) return { body: page(events("DEP"), `${list}?page=2`) };
    if (url === `${list}/1`) return event("RCS");
    return url === `${list}/2` ? event("MAN") : { status: 500 };
  };
  await withClient(oneRecord, reply, async ({ poll, sent }) => {
    const answer = await poll();
    assert.ok(answer.kind === "statement");
    assert.deepEqual(answer.statement.events.map(({ code }) => code).toSorted(), ["DEP", "MAN", "RCS"]);
    assert.deepEqual(
      sent.map(({ url }) => url).toSorted(),
      ["/objects/176-12345675", list, `${list}/1`, `${list}/2`, `${list}?page=2`].toSorted(),
    );
  });
});

test("a list of links without an end is read no further than a hundred objects", async () => {
  const reply = ({ url }: SentRequest, address: string): Reply => {
    if (url === "/objects/176-12345675") return { body: { ...waybill(address), "cargo:shipment": [] } };
    const page = Number(new URL(url, address).searchParams.get("page"));
    return { body: { "@type": "api:Collection", next: `?page=${page + 1}` } };
  };
  await withClient(oneRecord, reply, async ({ poll, sent }) => {
    assert.equal(outcomeOf(await poll()), "statement");
    assert.equal(sent.length, 100);
  });
});

test("a partial answer is unavailable, and so is the answer for another waybill", async () => {
  for (const [events503, other, outcome] of [
    [{ status: 503 }, {}, "http_503"],
    [{ body: "<html>" }, {}, "not_json_ld"],
    [{ body: events() }, { "cargo:waybillNumber": "12345686" }, "other_waybill"],
  ] as const) {
    const reply = ({ url }: SentRequest, address: string): Reply =>
      url === "/objects/176-12345675" ? { body: { ...waybill(address), ...other } } : events503;
    await withClient(oneRecord, reply, async ({ poll }) => assert.equal(outcomeOf(await poll()), outcome));
  }
  await withClient(
    oneRecord,
    () => ({ status: 404 }),
    async ({ poll, sent }) => {
      assert.equal(outcomeOf(await poll()), "not_found");
      assert.equal(sent.length, 1);
    },
  );
});

test("a location that an event only links to is read on the airline's own host, once", async () => {
  const place = { "@type": "cargo:Location", "cargo:locationCodes": [{ "cargo:Code": "dxb" }] };
  const reply = ({ url }: SentRequest, address: string): Reply => {
    const at = (id: string) => ({ "@id": id });
    const event = (code: string, id: string) => ({
      ...{ "@type": "cargo:LogisticsEvent", "cargo:eventCode": code, "cargo:eventDate": "2026/11/15 08:00" },
      "cargo:eventLocation": at(id),
    });
    if (url === "/objects/176-12345675") return { body: waybill(address) };
    if (url === "/objects/place-7") return { body: { "@id": `${address}${url}`, ...place } };
    if (url !== "/objects/176-12345675/logistics-events") return { status: 404 };
    const items = [
      event("RCS", `${address}/objects/place-7`),
      event("DEP", `${address}/objects/place-7`),
      event("ARR", "http://elsewhere.example/place-8"),
    ];
    return { body: { "@type": "api:Collection", "api:hasItem": items } };
  };
  await withClient(oneRecord, reply, async ({ poll, sent }) => {
    const answer = await poll();
    assert.ok(answer.kind === "statement");
    assert.deepEqual(
      answer.statement.events.map(({ code, station, at }) => `${code} ${station} ${at?.local}`),
      ["RCS DXB 2026-11-15T08:00:00", "DEP DXB 2026-11-15T08:00:00", "ARR null 2026-11-15T08:00:00"],
    );
    assert.equal(sent.filter(({ url }) => url === "/objects/place-7").length, 1);
  });
});
