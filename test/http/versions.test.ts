/** Pinning a version (spec 9). */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { inVersion } from "../../src/products/ocean/routes/versions.ts";
import { assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { sendWithKey, createCaller, send, startService } from "../support/service.ts";

describe("versions", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));
  let key: string;
  before(async () => {
    ({ key } = await createCaller(service, "tracking"));
  });

  const get = (url: string, version?: string) =>
    sendWithKey(service, key, "GET", url, undefined, version === undefined ? {} : { "api-version": version });

  // spec 9: api_version, supported_versions, pinning; 4.1: envelope_api_version
  test("the oldest version answers unless another is pinned", async () => {
    assert.equal((await get("/tracking/v1/webhooks")).body.api_version, "2026-06-01");
    assert.equal((await get("/tracking/v1/webhooks", "2026-08-19")).body.api_version, "2026-08-19");
    assert.equal((await get("/tracking/v1/webhooks", "2026-06-01")).body.api_version, "2026-06-01");
  });

  test("errors carry the version as well, wherever they come from", async () => {
    for (const [url, status] of [
      ["/tracking/v1/webhooks/7", 404],
      ["/tracking/nowhere", 404],
      ["/tracking/v1/webhooks?limit=0", 400],
    ] as const) {
      const answer = await get(url, "2026-08-19");
      assert.deepEqual([answer.status, answer.body.api_version], [status, "2026-08-19"]);
    }
    const noKey = await send(service.api, { method: "GET", url: "/tracking/v1/webhooks" });
    assert.deepEqual([noKey.status, noKey.body.api_version], [401, "2026-06-01"]);
    const badUrl = await send(service.api, { method: "GET", url: "/tracking/v1/%zz" });
    assert.deepEqual([badUrl.status, badUrl.body.api_version], [400, "2026-06-01"]);
  });

  test("a version that there is not is refused, and the answer names those there are", async () => {
    for (const version of ["2026-06-02", "2020-01-01", "latest", "", "2026-06-01, 2026-08-19"]) {
      const answer = await get("/tracking/v1/webhooks", version);
      assertRefused(answer, 400, "UNKNOWN_VERSION", /2026-06-01, 2026-08-19/);
      const made = await sendWithKey(
        service,
        key,
        "POST",
        "/tracking/v1/webhooks",
        { url: "https://example.com/" },
        { "api-version": version },
      );
      assertRefused(made, 400, "UNKNOWN_VERSION");
      assert.equal(answer.body.api_version, "2026-06-01");
    }
  });

  test("products without versions neither carry one nor mind the header", async () => {
    const answer = await get("/air/v1/webhooks", "1999-01-01");
    assert.deepEqual(answer.body, { data: [] });
  });
});

test("an older shape is the newest with each newer version's step taken back", () => {
  const newest = { id: "1", identifier_type: "booking" };
  assert.deepEqual(inVersion(newest, "2026-08-19"), newest);
  assert.deepEqual(inVersion(newest, null), newest);
  assert.deepEqual(inVersion(newest, "2026-06-01"), { id: "1" });
});
