/** Where products lie. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { routedUrl } from "../../src/http/base-address.ts";
import { buildPages } from "../console/built.ts";
import { assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { createCaller, send, startService } from "../support/service.ts";

describe("base addresses", () => {
  before(buildPages);
  const service = ofSuite(() =>
    startService({
      hosts: new Map([
        ["ocean.example.com", "tracking"],
        ["air.example.com", "air"],
      ]),
    }),
  );
  let key: string;
  before(async () => {
    ({ key } = await createCaller(service, "tracking"));
  });

  const get = (host: string, url: string) =>
    send(service.api, { method: "GET", url, headers: { host, authorization: `Bearer ${key}` } });

  test("a product with a host name of its own lies there without its prefix", async () => {
    assert.equal((await get("ocean.example.com", "/v1/webhooks")).body.api_version, "2026-06-01");
    assert.deepEqual((await get("air.example.com", "/v1/webhooks")).body, { data: [] });
    assert.equal((await get("AIR.Example.com.:8443", "/v1/webhooks")).status, 200);
  });

  test("its documentation lies there as well", async () => {
    assert.equal((await get("air.example.com", "/openapi.json")).body.info.title, "Air cargo");
    assert.equal((await get("air.example.com", "/docs/")).status, 200);
    assert.equal((await get("air.example.com", "/docs/assets/icon.svg")).status, 200);
    assert.equal((await get("air.example.com", "/docs")).headers["location"], "docs/");
  });

  test("the root lists the products, and each base address leads to its documentation", async () => {
    const { status, body } = await get("example.com", "/");
    assert.equal(status, 200);
    assert.deepEqual(body.data[1], {
      product: "air",
      title: "Air cargo",
      docs: "air/docs/",
      portal: "air/portal",
      openapi: "air/openapi.json",
    });
    for (const [host, url] of [
      ["example.com", "/air"],
      ["example.com", "/air/"],
      ["example.com", "/air?x=1"],
      ["air.example.com", "/"],
    ] as const) {
      const { status: found, headers } = await get(host, url);
      assert.equal(found, 302);
      const to = new URL(String(headers["location"]), `http://${host}${url}`);
      assert.equal((await get(host, to.pathname)).status, 200, `${host}${url} leads to ${to.href}`);
    }
  });

  test("and nothing else does", async () => {
    assert.equal((await get("air.example.com", "/tracking/v1/webhooks")).status, 404);
    assert.equal((await get("air.example.com", "/air/v1/webhooks")).status, 404);
    const answer = await get("air.example.com", "/nothing");
    assertRefused(answer, 404, "not_found");
  });

  test("any other name serves all products under their prefixes", async () => {
    for (const host of ["localhost", "127.0.0.1:8080", "evil.example", ""]) {
      assert.equal((await get(host, "/air/v1/webhooks")).status, 200, host);
      const answer = await get(host, "/v1/webhooks");
      assert.equal(answer.status, 404);
      assert.match(answer.body.error.message, /\/tracking, \/air, \/schedules, \/rates, \/loading/);
    }
  });
});

test("a request may name the whole URL, whose host goes before the header's", () => {
  const route = routedUrl(new Map([["air.example.com", "air"]]));
  const headers = { host: "elsewhere.example" };
  for (const [url, path] of [
    ["http://air.example.com/v1/webhooks?limit=1", "/air/v1/webhooks?limit=1"],
    ["https://AIR.example.com:443", "/air/"],
    ["http://localhost:8080/air/docs", "/air/docs"],
    ["/v1", "/v1"],
    ["*", "*"],
    ["nonsense", "nonsense"],
  ] as const) {
    assert.equal(route({ url, headers }), path);
  }
  assert.equal(route({ url: "/v1", headers: { host: "air.example.com" } }), "/air/v1");
});
