/** What clients install, as the public listener serves it. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";

import { mountPackages } from "../../src/http/packages.ts";
import { products } from "../../src/products/index.ts";
import { startService } from "../support/service.ts";
import { openProductListener } from "./product-listener.ts";
import { ofSuite } from "../support/suite.ts";

const MODULE = "go/boathook.example/receiver/@v";

describe("packages", () => {
  const listener = ofSuite(async () => {
    const folder = mkdtempSync(join(tmpdir(), "boathook-packages-"));
    const { app, context } = openProductListener();
    mountPackages(app, context, join(folder, "packages"));
    const close = async () => {
      await app.close();
      rmSync(folder, { recursive: true });
    };
    return { app, folder, close };
  });
  const ask = (path: string, method: "GET" | "HEAD" = "GET", headers = {}) =>
    listener.app.inject({ method, url: `/packages/${path}`, headers });

  before(async () => {
    const missing = await ask("kit.tgz");
    // npm and pip would ask again for a minute after a 503, and show nothing of it.
    assert.deepEqual([missing.statusCode, /npm run build:packages/.test(missing.body)], [404, true]);
    mkdirSync(join(listener.folder, "packages", MODULE), { recursive: true });
    writeFileSync(join(listener.folder, "secret.txt"), "not to be seen");
    writeFileSync(join(listener.folder, "packages", "kit.tgz"), Buffer.from([0x1f, 0x8b, 0xff]));
    writeFileSync(join(listener.folder, "packages", MODULE, "list"), "v1.2.3\n");
  });

  test("are answered byte for byte, in folders, too, as soon as they are built", async () => {
    const { statusCode, headers, rawPayload } = await ask("kit.tgz", "GET", { "accept-encoding": "gzip" });
    assert.deepEqual([statusCode, [...rawPayload]], [200, [0x1f, 0x8b, 0xff]]);
    assert.equal(headers["content-type"], "application/octet-stream");
    assert.equal(headers["content-encoding"], undefined);
    assert.equal((await ask(`${MODULE}/list`)).body, "v1.2.3\n");
  });

  test("are those of the folder: what is built later is there, what is built again is new", async () => {
    const later = join(listener.folder, "packages", "later.tgz");
    for (const bytes of ["first", "second"]) {
      writeFileSync(later, bytes);
      assert.equal((await ask("later.tgz")).body, bytes);
    }
    rmSync(later);
    assert.equal((await ask("later.tgz")).statusCode, 404);
  });

  test("are kept by caches for five minutes, and then asked for by what they hold", async () => {
    const { headers } = await ask("kit.tgz");
    assert.equal(headers["cache-control"], "public, max-age=300");
    const again = await ask("kit.tgz", "GET", { "if-none-match": headers["etag"] });
    assert.deepEqual([again.statusCode, again.body], [304, ""]);
    const head = await ask("kit.tgz", "HEAD");
    assert.deepEqual([head.statusCode, head.headers["content-length"], head.body], [200, "3", ""]);
    assert.equal(head.headers["etag"], headers["etag"]);
  });

  test("are all there is: another path names them", async () => {
    for (const path of ["kit-0.1.0.tgz", "", "go", "../secret.txt", "..%2Fsecret.txt", "%2e%2e/secret.txt"]) {
      const { statusCode, body } = await ask(path);
      assert.equal(statusCode, 404, path);
      assert.doesNotMatch(body, /not to be seen/);
    }
    assert.match((await ask("kit-0.1.0.tgz")).body, /has (?=.*kit\.tgz)(?=.*@v\/list)/);
  });
});

test("packages of every product need no key, are limited by address, and are there on a host name of it", async () => {
  const hosts = new Map([["air.example.com", "air" as const]]);
  const service = await startService({ hosts, requestsPerAddressMax: products.length + 1 });
  const ask = async (url: string, host = "localhost") =>
    (await service.api.inject({ method: "GET", url: `${url}/packages/none`, headers: { host } })).statusCode;
  const asked = [...products.map(({ tag }) => ask(`/${tag}`)), ask("", "air.example.com")];
  for (const status of await Promise.all(asked)) assert.equal(status, 404);
  assert.equal(await ask("/air"), 429);
  await service.close();
});
