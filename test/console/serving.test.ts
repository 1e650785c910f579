/** How the listener serves the console's pages and what they follow. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";

import { openListener } from "../../src/http/listener.ts";
import { mountConsole } from "../../src/operator/console/pages.ts";
import { OPERATOR_TOKEN, sendAsOperator, startService, type TestService } from "../support/service.ts";

import { buildPages } from "./built.ts";

describe("the console's pages", () => {
  let service: TestService;
  before(async () => {
    buildPages();
    service = await startService();
  });
  after(() => service.close());

  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    service.ops.inject({ method: "GET", url, headers });

  test("load from here alone, in files that caches keep for good", async () => {
    const page = await get("/console/accounts/any");
    assert.deepEqual([page.statusCode, page.headers["cache-control"]], [200, "no-cache"]);
    const policy = String(page.headers["content-security-policy"]);
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:/);
    const text = page.body;
    assert.doesNotMatch(text, /https?:|<style|<script>/);
    const paths = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
    assert.equal(paths.length, 4);
    for (const path of paths) {
      const { statusCode, headers, rawPayload } = await get(path, { "accept-encoding": "gzip" });
      assert.deepEqual([statusCode, headers["content-encoding"]], [200, "gzip"], path);
      assert.match(String(headers["cache-control"]), /immutable/);
      const plain = await get(path);
      assert.deepEqual(plain.rawPayload, gunzipSync(rawPayload));
    }
    for (const none of ["/console/assets/none.js", "/console/assets/..%2Findex.html"])
      assert.equal((await get(none)).statusCode, 404, none);
  });

  test("a browser that asks for the listener is led to them, others get the list of routes", async () => {
    const led = await get("/", { accept: "text/html,application/xhtml+xml" });
    assert.deepEqual([led.statusCode, led.headers.location], [302, "/console"]);
    assert.equal((await get("/", { accept: "*/*" })).statusCode, 200);
  });

  test("say what to run where they were not built, until they are", async () => {
    const folder = mkdtempSync(join(tmpdir(), "boathook-console-"));
    const app = openListener({
      clock: service.clock,
      bodyBytesMax: 1_024,
      jsonDepthMax: 8,
      connections: { connectionsMax: 8 },
      onBadUrl: (error) => assert.fail(error),
    });
    mountConsole(app, folder);
    const page = () => app.inject({ method: "GET", url: "/console" });
    const missing = await page();
    assert.equal(missing.statusCode, 503);
    assert.match(missing.body, /npm run build</);
    writeFileSync(join(folder, "index.html"), "built");
    assert.equal((await page()).body, "built");
    await app.close();
    rmSync(folder, { recursive: true });
  });
});

describe("the live stream", () => {
  const open = async (url: string) =>
    fetch(`${url}/v1/live`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });

  test("says how the service is, again every ten seconds, and ends when the service stops", async () => {
    const service = await startService();
    const url = await service.ops.listen({ port: 0, host: "127.0.0.1" });
    const response = await open(url);
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const text = response.body!.pipeThrough(new TextDecoderStream());
    let heard = "";
    const ended = (async () => {
      for await (const piece of text) heard += piece;
    })();
    const statuses = () => heard.split("event: status").length - 1;
    while (statuses() < 1) await new Promise((resolve) => setImmediate(resolve));
    await service.clock.advance(10_000);
    while (statuses() < 2) await new Promise((resolve) => setImmediate(resolve));
    assert.match(heard, /"products":\["tracking"/);
    await service.gate.close();
    await ended;
    assert.equal(service.clock.pending(), 0);
    assert.equal((await open(url)).status, 503);
    await service.close();
  });

  test("has a bound, and reads nothing while nobody listens", async () => {
    const service = await startService();
    const url = await service.ops.listen({ port: 0, host: "127.0.0.1" });
    const responses = await Promise.all(Array.from({ length: 50 }, () => open(url)));
    assert.ok(responses.every(({ status }) => status === 200));
    assert.equal((await open(url)).status, 503);
    await Promise.all(responses.map(({ body }) => body!.cancel()));
    while (service.clock.pending() > 0) await service.clock.advance(10_000);
    assert.equal((await sendAsOperator(service, "GET", "/v1/status")).status, 200);
    await service.close();
  });
});
