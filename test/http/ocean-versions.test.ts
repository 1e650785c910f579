/** Pinning a version on the container routes (spec 9). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { record } from "../ocean/records.ts";
import { createCaller, send } from "../support/service.ts";
import { PUBLIC, startOceanService, type OceanService } from "./ocean-service.ts";

const NEWEST = { "api-version": "2026-08-19" };

describe("versions of a container", () => {
  let service: OceanService;
  before(async () => {
    service = await startOceanService();
  });
  after(() => service.close());

  const client = async (): Promise<string> => (await createCaller(service, "tracking")).key;

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

  test("a version that there is not is refused on every route, before anything is done", async () => {
    const key = await client();
    const id = await service.track(key, "CSQU3054383");
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["GET", `/${id}`],
      ["DELETE", `/${id}`],
      ["POST", `/${id}/recheck`],
    ] as const) {
      const body = method === "POST" ? { reference: "HRNU4000017" } : undefined;
      const answer = await service.ask(key, method, path, body, { "api-version": "2027-01-01" });
      assert.deepEqual([answer.status, answer.body.error.code], [400, "UNKNOWN_VERSION"]);
      assert.match(answer.body.error.message, /2026-06-01, 2026-08-19/);
      assert.equal(answer.body.api_version, "2026-06-01");
    }
    const open = await send(service.api, {
      method: "GET",
      url: `${PUBLIC}/CSQU3054383`,
      headers: { "api-version": "x" },
    });
    assert.deepEqual([open.status, open.body.error.code], [400, "UNKNOWN_VERSION"]);
    assert.equal((await service.ask(key, "GET")).body.data.length, 1);
  });
});
