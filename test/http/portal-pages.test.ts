/** How the public listener serves the portal's pages: under its product, a host name, or a prefix. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";

import { openListener } from "../../src/http/listener.ts";
import { mountPortal } from "../../src/http/portal/pages.ts";
import { createLimiter } from "../../src/http/limiter.ts";
import { products } from "../../src/products/index.ts";
import { buildPages } from "../console/built.ts";
import { manualClock } from "../support/clock.ts";
import { PORTAL, send, startService, type TestService } from "../support/service.ts";

describe("the portal's pages", () => {
  let service: TestService;
  before(async () => {
    buildPages();
    service = await startService({
      hosts: new Map([["hooks.example.com", "tracking"]]),
      portal: {
        ...PORTAL,
        frameAncestors: ["https://app.example.com"],
        name: `"><script>&`,
        color: "#12ab00",
      },
    });
  });
  after(() => service.close());

  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    service.api.inject({ method: "GET", url, headers });
  const filesIn = (text: string, address: string) =>
    [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => new URL(path!, address));

  test("load by relative addresses, whatever stands before them", async () => {
    for (const [host, base] of [
      ["a.example", "/tracking"],
      ["hooks.example.com", ""],
    ] as const)
      for (const path of [
        "/portal",
        "/portal/",
        "/portal/endpoints",
        "/portal/endpoints/a/deliveries/b?x=/",
      ]) {
        const page = await get(`${base}${path}`, { host });
        assert.equal(page.statusCode, 200, path);
        // A proxy serves it under a prefix of its own.
        const files = filesIn(page.body, `https://a.example/prefix${base}${path}`);
        assert.equal(files.length, 4);
        for (const { pathname } of files) {
          assert.ok(pathname.startsWith(`/prefix${base}/portal/assets/`), pathname);
          const file = await get(pathname.slice("/prefix".length), { host, "accept-encoding": "gzip" });
          assert.deepEqual([file.statusCode, file.headers["content-encoding"]], [200, "gzip"], pathname);
          assert.match(String(file.headers["cache-control"]), /immutable/);
          assert.ok(gunzipSync(file.rawPayload).length > 0);
        }
      }
  });

  test("may be framed by the sites of the setting alone, and run nothing else", async () => {
    const { headers, body } = await get("/tracking/portal");
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';.*trusted-types 'none'/);
    assert.match(policy, /frame-ancestors https:\/\/app\.example\.com;/);
    assert.equal(headers["x-frame-options"], undefined);
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.doesNotMatch(body, /<script>|<style/);
    assert.match(body, /data-name="&#34;&#62;&#60;script&#62;&#38;"/);
    assert.match(body, /data-color="#12ab00"/);
    const closed = await startService();
    const page = await closed.api.inject({ method: "GET", url: "/tracking/portal" });
    assert.match(String(page.headers["content-security-policy"]), /frame-ancestors 'none'/);
    assert.equal(page.headers["x-frame-options"], "SAMEORIGIN");
    await closed.close();
  });

  test("have no other file, method or depth", async () => {
    for (const path of ["none.js", "index.html", "..%2Findex.html", "%2e%2e%2findex.html"])
      assert.equal((await get(`/tracking/portal/assets/${path}`)).statusCode, 404, path);
    assert.equal((await get(`/tracking/portal/${"a/".repeat(40)}`)).statusCode, 404);
    assert.equal((await get("/nowhere/portal")).statusCode, 404);
    const posted = await send(service.api, { method: "POST", url: "/tracking/portal" });
    assert.deepEqual([posted.status, posted.headers["allow"]], [405, "GET, HEAD"]);
  });

  test("are limited by address", async () => {
    const limited = await startService({ requestsPerAddressMax: 2 });
    const ask = async () => (await limited.api.inject({ method: "GET", url: "/tracking/portal" })).statusCode;
    assert.deepEqual([await ask(), await ask(), await ask()], [200, 200, 429]);
    await limited.close();
  });
});

test("where they are not built, the portal says what to run", async () => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-portal-"));
  const clock = manualClock();
  const app = openListener({
    clock,
    bodyBytesMax: 1_024,
    jsonDepthMax: 8,
    connections: { connectionsMax: 8 },
    onBadUrl: (error) => assert.fail(error),
  });
  const limiter = createLimiter(clock, 100);
  const context = { product: products[0]!, limits: { byKey: limiter, byAddress: limiter } };
  app.decorateRequest("isCounted", false);
  await mountPortal(app, context, PORTAL, folder);
  const page = () => app.inject({ method: "GET", url: "/portal" });
  assert.deepEqual([(await page()).statusCode, /build:console/.test((await page()).body)], [503, true]);
  writeFileSync(join(folder, "index.html"), "<html%facts%>%assets%");
  assert.match((await page()).body, /^<html data-product="tracking".*>portal\/assets$/);
  await app.close();
  rmSync(folder, { recursive: true });
});
