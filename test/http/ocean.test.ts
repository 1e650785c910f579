/** The container routes of a client, from the request to the row (spec 2.5, 4.2). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import Schema from "typebox/schema";

import { START_MS } from "../support/clock.ts";
import { createCaller, send, type Answer, type Method } from "../support/service.ts";
import { box, record } from "../ocean/records.ts";
import { NOBODYS, PUBLIC, startOceanService, type OceanService } from "./ocean-service.ts";

const STARTED = new Date(START_MS).toISOString();
const NEWEST = { "api-version": "2026-08-19" };

describe("containers", () => {
  let service: OceanService;
  before(async () => {
    service = await startOceanService();
  });
  after(() => service.close());

  const client = async (): Promise<string> => (await createCaller(service, "tracking")).key;

  function assertRefused(answer: Answer, status: number, code: string, message?: RegExp): void {
    assert.deepEqual([answer.status, answer.body.ok, answer.body.error.code], [status, false, code]);
    assert.equal(answer.body.api_version, "2026-06-01");
    if (message !== undefined) assert.match(answer.body.error.message, message);
  }

  // spec 2.5: ok; 4.2: start_tracking
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
    assertRefused(
      await start({ reference: "HRNU4000018" }),
      400,
      "INVALID_REFERENCE",
      /should be 7 \(HRNU4000017\)/,
    );
    assertRefused(
      await start({ reference: "HRNU4000017", carrier: "Heron!" }),
      400,
      "INVALID_REQUEST",
      /SCAC/,
    );
    for (const body of [
      {},
      { reference: 1 },
      { reference: null },
      { reference: "HRNU4000017", carrier: 1 },
    ]) {
      assertRefused(await start(body), 400, "INVALID_REQUEST");
    }
  });

  test("an unknown field is refused by its name, with the known fields listed", async () => {
    assertRefused(
      await service.ask(await client(), "POST", "", { reference: "HRNU4000017", scac: "HRNL" }),
      400,
      "INVALID_REQUEST",
      /^body has no scac: there are reference, carrier and other_references$/,
    );
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
      assertRefused(await service.ask(key, "GET", `/${id}`), 404, "NOT_FOUND");
      assertRefused(await service.ask(key, "DELETE", `/${id}`), 404, "NOT_FOUND");
      assertRefused(await service.ask(key, "POST", `/${id}/recheck`), 404, "NOT_FOUND");
    }
    const own = await service.track(key, "CSQU3054383");
    assert.equal((await service.ask(key, "GET", `/${own.toUpperCase()}`)).body.data.id, own);
  });

  test("every answer is what the document says, in both versions", async () => {
    const key = await client();
    const { body: document } = await send(service.api, { method: "GET", url: "/tracking/openapi.json" });
    const asked = new Set<string>();
    const ask = async (method: Method, path: string, value: string, body?: object) => {
      for (const version of ["2026-06-01", "2026-08-19"]) {
        const headers = { "api-version": version };
        const whole = path.replace(/\{\w+\}/, value);
        const answer = path.startsWith("/public")
          ? await send(service.api, { method, url: `/tracking${whole}`, headers })
          : await service.ask(key, method, whole.slice("/v1/containers".length), body, headers);
        const said = document.paths[path][method.toLowerCase()].responses[answer.status];
        assert.ok(said, `${method} ${path} does not say that it answers ${answer.status}`);
        const { schema } = said.content["application/json"];
        const [isRight, errors] = Schema.Errors({ ...document, ...schema }, answer.body);
        assert.ok(isRight, `${method} ${path} ${answer.status}: ${JSON.stringify(errors)}`);
        assert.equal(answer.body.api_version, version);
        asked.add(`${method} ${path} ${answer.status}`);
      }
    };
    const one = "/v1/containers/{id}";
    await ask("POST", "/v1/containers", "", { reference: "CSQU3054383" });
    await ask("POST", "/v1/containers", "", { reference: "x" });
    const id = (await service.ask(key, "GET")).body.data[0].id;
    await ask("GET", one, id);
    await service.learn(
      id,
      record([box(), box({ equipment: "MSCU1234566", freeTime: null, vessel: null, eta: null })]),
    );
    await service.fail(id, "unavailable_timeout");
    await ask("GET", "/v1/containers", "");
    await ask("GET", one, id);
    await ask("GET", one, NOBODYS);
    await ask("POST", `${one}/recheck`, id);
    await ask("GET", "/public/containers/{reference}", "CSQU3054383");
    await ask("GET", "/public/containers/{reference}", "MSCU1234566");
    await ask("GET", "/public/containers/{reference}", "x");
    await ask("DELETE", one, id);
    assert.equal(asked.size, 12, [...asked].join("\n"));
  });

  test("they ask for a key, are documented, are no other product's, and name their methods", async () => {
    assertRefused(await service.ask("", "GET"), 401, "UNAUTHORIZED");
    assertRefused(await service.ask("", "DELETE", `/${NOBODYS}`), 401, "UNAUTHORIZED");
    const key = await client();
    assert.equal((await send(service.api, { method: "GET", url: "/air/v1/containers" })).status, 404);
    assert.equal(
      (await send(service.api, { method: "GET", url: PUBLIC.replace("tracking", "air") })).status,
      404,
    );
    const { body } = await send(service.api, { method: "GET", url: "/tracking/openapi.json" });
    const documented = Object.entries(body.paths as Record<string, object>);
    const ofContainers = documented.filter(([path]) => path.includes("/containers"));
    assert.deepEqual(
      ofContainers.map(([path, item]) => `${path} ${Object.keys(item).join(" ")}`),
      [
        "/v1/containers post get",
        "/v1/containers/{id} delete get",
        "/v1/containers/{id}/recheck post",
        "/v1/containers/positions get",
        "/public/containers/{reference} get",
      ],
    );
    assert.deepEqual(body.paths["/public/containers/{reference}"].get.security, []);
    const put = await service.ask(key, "PUT", "", {});
    assertRefused(put, 405, "METHOD_NOT_ALLOWED");
    assert.equal(put.headers["allow"], "POST, GET, HEAD");
  });
});
