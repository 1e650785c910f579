/** Pinning a version (spec 9). */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { inVersion } from "../../src/products/ocean/routes/versions.ts";
import { assertRefused, assertDocumented } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { sendWithKey, createCaller, send, startService } from "../support/service.ts";
import { entryOn } from "../announcements/entries.ts";
import { startEveryRoute } from "./every-route.ts";
import { column } from "../support/columns.ts";

type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content: { readonly "application/json": { readonly examples: object } };
      }
    >
  >;
};

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

  test("each operation that takes the header says what it answers to a version that there is not", async () => {
    const { paths } = (await send(service.api, { method: "GET", url: "/tracking/openapi.json" })).body;
    const operations = Object.values<Readonly<Record<string, Operation>>>(paths).flatMap((item) =>
      Object.values(item),
    );
    const pinned = operations.filter(({ parameters = [] }) =>
      column(parameters, "name").includes("api-version"),
    );
    assert.ok(pinned.length >= 10);
    for (const { operationId, responses } of pinned) {
      const { description, content } = responses["400"]!;
      assert.match(description, /UNKNOWN_VERSION/, operationId);
      assert.ok("UNKNOWN_VERSION" in content["application/json"].examples, operationId);
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

const PATHS = ["/changelog.json", "/versions.json", "/schemas/webhook-delivery.json"];

describe("what ocean tracking publishes", () => {
  const service = ofSuite(() => startEveryRoute([entryOn("2026-11-02"), entryOn("2026-11-03")]));

  const read = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    send(service.api, { method: "GET", url: `/tracking${path}`, headers });

  // spec 6.5: oldest_supported_version, latest_version, changelog_url, versions_url; 9: supported_versions
  test("the changelog holds what has been announced, the latest first, and nothing that is yet to be", async () => {
    const { status, body } = await read("/changelog.json");
    assert.equal(status, 200);
    const { entries, ...rest } = body;
    const ids = ["2026-11-02-entry", "2026-08-19-identifier-type", "2026-06-01-first-version"];
    assert.deepEqual(column(entries, "id"), ids);
    assert.deepEqual(rest, {
      oldest_supported_version: "2026-06-01",
      latest_version: "2026-08-19",
      changelog_url: "https://api.example.com/tracking/changelog.json",
      versions_url: "https://api.example.com/tracking/versions.json",
    });
    assert.equal(entries[1].notice_days, 0);
  });

  test("a document is served whatever parameters a cache is passed by with", async () => {
    assert.equal((await read("/changelog.json?now=1")).status, 200);
  });

  // spec 9: supported_versions; 6.5: versions_url
  test("the versions are listed with their dates", async () => {
    const { body } = await read("/versions.json");
    assert.deepEqual([body.oldest_supported_version, body.latest_version], ["2026-06-01", "2026-08-19"]);
    assert.deepEqual(body.versions, [
      { version: "2026-06-01", announced_at: "2026-06-01", effective_at: "2026-06-01" },
      { version: "2026-08-19", announced_at: "2026-08-19", effective_at: "2026-08-19" },
    ]);
  });

  for (const path of PATHS)
    test(`${path} may be cached, is not sent again to a client that has it, and answers what the document says`, async () => {
      const answer = await read(path, { "api-version": "2020-01-01" });
      const { status, headers, body } = answer;
      assert.deepEqual([status, headers["cache-control"]], [200, "public, max-age=300"]);
      const etag = String(headers["etag"]);
      assert.match(etag, /^"[\w-]{43}"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await read(path, { "if-none-match": known });
        assert.deepEqual([again.status, again.body, again.headers["etag"]], [304, "", etag], known);
      }
      assert.equal((await read(path, { "if-none-match": '"other"' })).status, 200);
      const json = typeof body === "string" ? JSON.parse(body) : body;
      await assertDocumented(service, "tracking", `GET ${path}`, { status, body: json });
    });

  test("the changelog changes with the day, and its tag with it", async () => {
    const { headers } = await read("/changelog.json");
    service.clock.jump(24 * 60 * 60 * 1000);
    const next = await read("/changelog.json", { "if-none-match": String(headers["etag"]) });
    assert.equal(next.status, 200);
    assert.equal(next.body.entries[0].id, "2026-11-03-entry");
    service.clock.jump(-24 * 60 * 60 * 1000);
  });

  // spec 9: delivery_schema
  test("the schema of deliveries is sent as what it is", async () => {
    const { headers, body } = await read("/schemas/webhook-delivery.json");
    assert.match(String(headers["content-type"]), /^application\/schema\+json/);
    assert.equal(JSON.parse(body).$schema, "https://json-schema.org/draft/2020-12/schema");
  });
});
