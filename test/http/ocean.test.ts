/** The container routes of a client, from the request to the row (spec 2.5, 4.2). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assertDocumented, allPages, assertRefused as assertRefusedWith } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { START_MS } from "../support/clock.ts";
import { createCaller, send, type Answer, type Method } from "../support/service.ts";
import { box, record, place, utc } from "../ocean/records.ts";
import { NOBODYS, PUBLIC, startOceanService } from "./ocean-service.ts";
import type { BoxRecord } from "../../src/products/ocean/record/shipment-record.ts";
import { ingestReports } from "../../src/products/ocean/sources/ais/vessel-reports.ts";
import { event, march } from "../ocean/event.ts";
import { column } from "../support/columns.ts";

const STARTED = new Date(START_MS).toISOString();
const NEWEST = { "api-version": "2026-08-19" };

describe("containers", () => {
  const service = ofSuite(() => startOceanService());

  const client = async (): Promise<string> => (await createCaller(service, "tracking")).key;

  function assertRefused(answer: Answer, status: number, code: string, message?: RegExp): void {
    assert.deepEqual([answer.status, answer.body.ok, answer.body.error.code], [status, false, code]);
    assert.equal(answer.body.api_version, "2026-06-01");
    if (message !== undefined) assert.match(answer.body.error.message, message);
  }

  // spec 2.5: ok, id, reference, carrier, status, created_at; 4.2: start_tracking, reference, carrier; 3.3: pending
  test("tracking starts with 201, and is 200 when the account tracks the reference already", async () => {
    const key = await client();
    const fresh = await service.ask(key, "POST", "", { reference: "hrnu 400001-7", carrier: "hrnl" });
    assert.equal(fresh.status, 201);
    assert.deepEqual(fresh.body, {
      ok: true,
      id: fresh.body.id,
      reference: "HRNU4000017",
      carrier: "HRNL",
      status: "pending",
      created_at: STARTED,
      api_version: "2026-06-01",
    });
    const again = await service.ask(key, "POST", "", { reference: "HRNU4000017" });
    assert.deepEqual([again.status, again.body], [200, fresh.body]);
    const other = await service.ask(await client(), "POST", "", { reference: "HRNU4000017" });
    assert.equal(other.status, 201);
    assert.notEqual(other.body.id, fresh.body.id);
  });

  test("what is no reference or no carrier is refused in words that say what to change", async () => {
    const key = await client();
    const start = (body: object) => service.ask(key, "POST", "", body);
    const reference = "HRNU4000017";
    const unknown = /^body has no scac: it takes reference, carrier and other_references$/;
    const wrong = await start({ reference: "HRNU4000018" });
    assertRefused(wrong, 400, "INVALID_REFERENCE", /should be 7 \(HRNU4000017\)/);
    assertRefused(await start({ reference, carrier: "Heron!" }), 400, "INVALID_REQUEST", /SCAC/);
    assertRefused(await start({ reference, scac: "HRNL" }), 400, "INVALID_REQUEST", unknown);
    for (const body of [{}, { reference: 1 }, { reference: null }, { reference, carrier: 1 }])
      assertRefused(await start(body), 400, "INVALID_REQUEST");
  });

  test("a container is read with all that is known of it", async () => {
    const key = await client();
    const id = await service.track(key, "CSQU3054383");
    await service.learn(id, record());
    const { status, body } = await service.ask(key, "GET", `/${id}`, undefined, NEWEST);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ["ok", "data", "api_version"]);
    const { data } = body;
    assert.deepEqual(
      [
        data.id,
        data.reference,
        data.identifier_type,
        data.carrier,
        data.status,
        data.eta,
        data.eta_is_actual,
      ],
      [id, "CSQU3054383", "container_id", "HRNL", "in_transit", "2026-03-20T12:00:00.000Z", false],
    );
    assert.deepEqual(
      [data.destination.unlocode, data.vessel.name, data.voyage],
      ["USOAK", "HERON ONE", "012E"],
    );
    assert.deepEqual([data.boxes.length, data.events.length, data.eta_history.length], [1, 5, 2]);
    assert.deepEqual([data.last_failure, data.refreshed_at], [null, STARTED]);
    assert.equal(data.next_refresh_at, new Date(START_MS + 3_600_000).toISOString());
    await service.fail(id, "unavailable_timeout");
    const failed = (await service.ask(key, "GET", `/${id}`)).body.data;
    assert.equal(failed.last_failure.code, "unavailable");
    assert.deepEqual([failed.status, failed.refreshed_at], ["in_transit", STARTED], "what was known stays");
  });

  test("a recheck is queued for a container of one's own", async () => {
    const key = await client();
    const id = await service.track(key, "CSQU3054383");
    await service.learn(id, record());
    const answer = await service.ask(key, "POST", `/${id}/recheck`);
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { ok: true, queued: true, api_version: "2026-06-01" }],
    );
    assert.equal(
      (await service.ask(key, "GET", `/${id}`)).body.data.next_refresh_at,
      STARTED,
      "it is due now",
    );
  });

  test("a container that is no longer tracked is gone for every route, and may be tracked again", async () => {
    const key = await client();
    const id = await service.track(key, "CSQU3054383");
    await service.learn(id, record());
    const answer = await service.ask(key, "DELETE", `/${id}`);
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { ok: true, data: { id, deleted: true }, api_version: "2026-06-01" }],
    );
    assertRefused(await service.ask(key, "DELETE", `/${id}`), 404, "NOT_FOUND");
    assertRefused(await service.ask(key, "GET", `/${id}`), 404, "NOT_FOUND");
    assertRefused(await service.ask(key, "POST", `/${id}/recheck`), 404, "NOT_FOUND");
    assert.deepEqual((await service.ask(key, "GET")).body.data, []);
    const anew = await service.ask(key, "POST", "", { reference: "CSQU3054383" });
    assert.deepEqual([anew.status, anew.body.status], [201, "pending"]);
    assert.notEqual(anew.body.id, id);
  });

  test("ids that are unknown, another account's or no UUIDs are all not found", async () => {
    const key = await client();
    const foreign = await service.track(await client(), "CSQU3054383");
    for (const id of [NOBODYS, foreign, "7", "%00", "..%2f", "%25", `${foreign}x`, "x".repeat(150)]) {
      assertRefused(
        await service.ask(key, "GET", `/${id}`),
        404,
        "NOT_FOUND",
        /\/v1\/containers\?reference= finds/,
      );
      assertRefused(await service.ask(key, "DELETE", `/${id}`), 404, "NOT_FOUND");
      assertRefused(await service.ask(key, "POST", `/${id}/recheck`), 404, "NOT_FOUND");
    }
    const own = await service.track(key, "CSQU3054383");
    assert.equal((await service.ask(key, "GET", `/${own.toUpperCase()}`)).body.data.id, own);
  });

  test("every answer is what the document says, in both versions", async () => {
    const key = await client();
    const ask = async (operation: string, value: string, expected: number, body?: object) => {
      const [method, path] = operation.split(" ") as [Method, string];
      for (const version of ["2026-06-01", "2026-08-19"]) {
        const headers = { "api-version": version };
        const whole = path.replace(/\{\w+\}/, value);
        const answer = path.startsWith("/public")
          ? await send(service.api, { method, url: `/tracking${whole}`, headers })
          : await service.ask(key, method, whole.slice("/v1/containers".length), body, headers);
        await assertDocumented(service, "tracking", operation, answer);
        assert.equal(answer.body.api_version, version);
        if (version === "2026-06-01") assert.equal(answer.status, expected, operation);
      }
    };
    const [all, one, lookUp] = [
      "/v1/containers",
      "/v1/containers/{id}",
      "GET /public/containers/{reference}",
    ];
    await ask(`POST ${all}`, "", 201, { reference: "CSQU3054383" });
    await ask(`POST ${all}`, "", 400, { reference: "x" });
    const id = (await service.ask(key, "GET")).body.data[0].id;
    await ask(`GET ${one}`, id, 200);
    const other = box({ equipment: "MSCU1234566", freeTime: null, vessel: null, eta: null });
    await service.learn(id, record([box(), other]));
    await ask(lookUp, "CSQU3054383", 200);
    await ask(lookUp, "MSCU1234566", 404);
    await service.fail(id, "unavailable_timeout");
    await ask(`GET ${all}`, "", 200);
    await ask(`GET ${one}`, id, 200);
    await ask(`GET ${one}`, NOBODYS, 404);
    await ask(`POST ${one}/recheck`, id, 200);
    await ask(lookUp, "x", 400);
    await ask(`DELETE ${one}`, id, 200);
  });

  // spec 9: additive_changes, pinning
  test("the oldest version knows no identifier_type, at no depth; the newest has it on every route", async () => {
    const key = await client();
    const id = await service.track(key, "CSQU3054383");
    await service.learn(id, record());
    for (const path of ["", `/${id}`]) {
      for (const headers of [{}, { "api-version": "2026-06-01" }]) {
        const old = await service.ask(key, "GET", path, undefined, headers);
        assert.equal(old.body.api_version, "2026-06-01");
        assert.doesNotMatch(JSON.stringify(old.body), /identifier_type/);
      }
      const newest = await service.ask(key, "GET", path, undefined, NEWEST);
      const [shown] = [newest.body.data].flat();
      assert.equal(shown.identifier_type, "container_id");
      const { identifier_type: _, ...older } = shown;
      assert.deepEqual([(await service.ask(key, "GET", path)).body.data].flat()[0], older);
    }
  });

  test("they are no other product's, and name their methods", async () => {
    for (const url of ["/air/v1/containers", PUBLIC.replace("tracking", "air")])
      assert.equal((await send(service.api, { method: "GET", url })).status, 404);
    const put = await service.ask(await client(), "PUT", "", {});
    assertRefused(put, 405, "METHOD_NOT_ALLOWED");
    assert.equal(put.headers["allow"], "POST, GET, HEAD");
  });
});

describe("a list of containers", () => {
  const service = ofSuite(() => startOceanService());

  const client = async (): Promise<string> => (await createCaller(service, "tracking")).key;

  // spec 4.2: list
  test("containers are listed newest first, in pages, by any filters together", async () => {
    const key = await client();
    const references = ["HRNU4000017", "CSQU3054383", "QUAYS104", "QUAYS105"];
    const ids = new Map<string, string>();
    for (const reference of references) ids.set(reference, await service.track(key, reference));
    await service.learn(ids.get("HRNU4000017")!, record());
    await service.learn(ids.get("CSQU3054383")!, record([box({ status: "arriving" })]));
    await service.learn(ids.get("QUAYS104")!, record([box()], { carrier: "TRNC" }));
    const listed = async (search: string) => {
      const all = await allPages((cursor) => service.ask(key, "GET", `?limit=1${search}${cursor}`));
      return column(all, "reference");
    };
    assert.deepEqual(await listed(""), references.toReversed());
    assert.deepEqual(await listed("&status=in_transit"), ["QUAYS104", "HRNU4000017"]);
    assert.deepEqual(await listed("&carrier=hrnl"), ["CSQU3054383", "HRNU4000017"]);
    assert.deepEqual(await listed("&carrier=HRNL&status=arriving"), ["CSQU3054383"]);
    assert.deepEqual(await listed("&reference=csqu+305438-3"), ["CSQU3054383"]);
    assert.deepEqual(await listed("&reference=CSQU3054383&status=pending"), []);
    assert.deepEqual(await listed("&status=pending"), ["QUAYS105"]);
  });

  test("a request with what is no filter is refused, and the message says what is allowed", async () => {
    const key = await client();
    for (const [search, message] of [
      ["status=lost", /query\.status must be one of pending, pre_departure, in_transit/],
      ["status=in_transit&status=arriving", /query\.status/],
      ["status=", /query\.status must be one of/],
      ["carrier=Heron", /query\.carrier must be a SCAC: two to four letters/],
      ["carrier=%25", /query\.carrier must be a SCAC/],
      ["carrier=", /query\.carrier must be a SCAC/],
      ["reference=HRNU4000018", /query\.reference .* check digit should be 7/],
      ["reference=%00", /query\.reference .* letters A to Z and digits/],
      ["reference=____%25", /query\.reference .* letters A to Z and digits/],
      [`reference=${"A".repeat(8_000)}`, /query\.reference .* 5 to 35/],
      ["reference=A1B2C3&reference=A1B2C4", /query\.reference/],
      ["attention=yes", /query\.attention/],
      ["limit=0", /query\.limit/],
      ["limit=101", /query\.limit/],
      ["cursor=x", /query\.cursor/],
      [
        "stauts=pending",
        /query has no stauts: it takes limit, cursor, status, carrier, reference and attention/,
      ],
    ] as const)
      assertRefusedWith(await service.ask(key, "GET", `?${search}`), 400, "INVALID_REQUEST", message);
  });
});

const REFERENCES = ["HRNU4000017", "CSQU3054383", "QUAYS104", "QUAYS105", "QUAYS106"] as const;

describe("containers on a map", () => {
  const service = ofSuite(() => startOceanService());

  const track = async (records: readonly (readonly [string, BoxRecord])[]) => {
    const { key } = await createCaller(service, "tracking");
    const ids: string[] = [];
    for (const [reference, one] of records) {
      const id = await service.track(key, reference);
      await service.learn(id, record([one]));
      ids.push(id);
    }
    return { key, ids };
  };

  test("containers of one voyage are one position, by the vessel's report since it left; ended ones are nowhere", async () => {
    const ended = box({ status: "delivered" });
    const ashore = box({ timeline: [event("GTIN", "SGSIN", march(3))] });
    const nowhere = box({ timeline: [], origin: place("ZZZZZ") });
    const { key, ids } = await track([
      [REFERENCES[0], box()],
      [REFERENCES[1], box()],
      [REFERENCES[2], ashore],
      [REFERENCES[3], ended],
      [REFERENCES[4], nowhere],
    ]);
    const [directory] = service.test.cells;
    const report = (day: number, longitude: number) => ({
      ...{ imo: "9000001", status: 0, seenAtMs: march(day) },
      position: { latitude: 40.5, longitude, course: 88 },
    });
    const positions = async () => (await service.ask(key, "GET", "/positions")).body.data;
    await ingestReports(service.test.database, directory!, [report(5, 139.9)], march(5));
    assert.equal((await positions())[0].vessel_position, null, "a report from before the departure");
    await ingestReports(service.test.database, directory!, [report(9, 170.25)], march(9));
    const [sailing, lying, ...others] = await positions();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [sailing.vessel.name, sailing.place.unlocode, sailing.next_place.unlocode, sailing.containers],
      ["HERON ONE", "JPYOK", "USOAK", 2],
    );
    assert.deepEqual(sailing.vessel_position, {
      ...{ imo: "9000001", latitude: 40.5, longitude: 170.25, course: 88 },
      seen_at: new Date(march(9)).toISOString(),
    });
    assert.deepEqual(
      [sailing.departed_at, sailing.arrives_at],
      [march(6), march(20)].map((ms) => new Date(ms).toISOString()),
    );
    assert.deepEqual(column(sailing.newest, "id"), [ids[1], ids[0]]);
    assert.deepEqual(
      [lying.place.name, lying.vessel, lying.next_place, lying.containers],
      ["Singapore", null, null, 1],
    );
    const detail = (await service.ask(key, "GET", `/${ids[0]}`)).body.data;
    assert.deepEqual(detail.vessel_position, sailing.vessel_position);
    assert.deepEqual([detail.origin.latitude, detail.origin.longitude], [35.46, 139.64]);
  });

  test("what somebody should act on stands with a container, and is listed alone", async () => {
    const freeTime = {
      ...{ lastFreeDay: "2026-03-25", source: "tariff" as const, endsMs: march(26), daysOverdue: 3 },
      ...{ accruedUsd: 450, rates: [{ fromDay: 1, centsUsd: 15_000 }] },
    };
    const misrouting = { at: utc(march(20)), discharge: place("USLAX"), expected: place("USOAK") };
    const { key, ids } = await track([
      [REFERENCES[0], box()],
      [REFERENCES[1], box({ status: "customs_hold", freeTime })],
      [REFERENCES[2], box({ status: "discharged", misrouting, freeTime: null })],
      [REFERENCES[3], box({ status: "returned_empty", freeTime })],
    ]);
    const listed = async (search: string) =>
      (await service.ask(key, "GET", `?${search}`)).body.data.map(
        ({ reference, attention }: { reference: string; attention: string[] }) => [reference, ...attention],
      );
    const [misrouted, held] = [
      [REFERENCES[2], "misrouted"],
      [REFERENCES[1], "customs_hold", "free_time_over"],
    ];
    assert.deepEqual(await listed("attention=true"), [misrouted, held]);
    assert.deepEqual(await listed("attention=true&status=customs_hold"), [held]);
    assert.deepEqual(await listed("attention=true&carrier=TRNC"), []);
    assert.deepEqual(await listed(`attention=true&reference=${REFERENCES[0]}`), []);
    assert.equal((await listed("attention=false")).length, 4);
    const { free_time: shown } = (await service.ask(key, "GET", `/${ids[1]}`)).body.data;
    assert.deepEqual(shown.rates, [{ from_day: 1, usd_per_day: 150 }]);
  });
});
