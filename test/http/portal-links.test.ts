/** Links to the portal as the operator lists and revokes them. */
import assert from "node:assert/strict";
import { describe, test, after, before } from "node:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { createPortalTokens } from "../../src/http/portal/tokens.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { PORTAL_LINK_KEPT_MS } from "../../src/model/portal-link.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/runtime/durations.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { prunePortalLinks } from "../../src/store/accounts/portal-links.ts";
import { assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { openProductListener } from "./product-listener.ts";
import { linksOf, mintLink, openPortal, statusWith } from "./portal.ts";
import {
  createCaller,
  sendAsOperator,
  startService,
  PORTAL,
  send,
  type TestService,
} from "../support/service.ts";
import { mountPortal } from "../../src/http/portal/pages.ts";
import { buildPages } from "../console/built.ts";
import { column } from "../support/columns.ts";

const NOBODYS = "01900000-0000-7000-8000-000000000000";

describe("links to the portal", () => {
  const service = ofSuite(() => startService());

  const mint = (accountId: string, body: object = {}) => mintLink(service, accountId, body);
  const list = async (accountId: string, query = "") =>
    (await sendAsOperator(service, "GET", `${linksOf(accountId)}${query}`)).body;
  const revoke = (accountId: string, id: string) =>
    sendAsOperator(service, "DELETE", `${linksOf(accountId)}/${id}`);
  const open = (body: object) => openPortal(service, body);
  const reads = (token: string) => statusWith(service, token);
  const iso = (ms: number) => new Date(ms).toISOString();

  test("are listed newest first, with their use and without their text", async () => {
    const { accountId } = await createCaller(service, "tracking");
    assert.deepEqual(await list(accountId), { portal_links: [] });
    const unused = await mint(accountId, { product: "air", expires_in_seconds: 60 });
    const used = await mint(accountId);
    const followedMs = service.clock.nowMs();
    assert.equal((await open({ link: used.text })).status, 201);
    const first = { ...used.link, used_at: iso(followedMs), sessions_until: iso(followedMs + 12 * HOUR_MS) };
    assert.deepEqual(await list(accountId), { portal_links: [first, unused.link] });
    await service.clock.advance(SECOND_MS);
    assert.equal((await open({ link: used.text })).status, 201);
    const [again] = (await list(accountId)).portal_links;
    const nowMs = service.clock.nowMs();
    assert.deepEqual([again.used_at, again.sessions_until], [iso(nowMs), iso(nowMs + 12 * HOUR_MS)]);
    assert.ok(!JSON.stringify(await list(accountId)).includes(used.text));
  });

  test("are listed in pages, each account's apart", async () => {
    const { accountId } = await createCaller(service, "tracking");
    await mint((await createCaller(service, "tracking")).accountId);
    const made = [];
    for (let count = 0; count < 3; count += 1) made.unshift((await mint(accountId)).id);
    const ids = (body: { portal_links: object[] }) => column(body.portal_links, "id");
    const first = await list(accountId, "?limit=2");
    assert.deepEqual(ids(first), made.slice(0, 2));
    const second = await list(accountId, `?limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual([ids(second), second.next_cursor], [made.slice(2), undefined]);
    for (const query of ["?limit=0", "?limit=101", "?cursor=x"]) {
      const refused = await sendAsOperator(service, "GET", `${linksOf(accountId)}${query}`);
      assert.equal(refused.status, 400, query);
    }
    for (const id of [NOBODYS, "x"])
      assert.equal((await sendAsOperator(service, "GET", linksOf(id))).status, 404);
  });

  test("that are revoked before their use open nothing", async () => {
    const { accountId } = await createCaller(service, "tracking");
    const [{ id, link, text }, other] = [await mint(accountId), await mint(accountId)];
    const revoked = await revoke(accountId, id);
    assert.equal(revoked.status, 200);
    assert.deepEqual(revoked.body, { ...link, revoked_at: iso(service.clock.nowMs()) });
    const refused = await open({ link: text });
    assert.equal(refused.status, 401);
    assert.match(refused.body.error.message, /revoked/);
    assert.equal((await open({ link: other.text })).status, 201);
    assert.equal((await list(accountId)).portal_links[1].used_at, null);
  });

  test("that are revoked after their use end their own sessions and no others, once", async () => {
    const { accountId, key } = await createCaller(service, "tracking");
    const [one, other] = [await mint(accountId), await mint(accountId)];
    const ofOne = [];
    for (const body of [{ link: one.text }, { link: one.text }])
      ofOne.push((await open(body)).body.data.token);
    ofOne.push((await open({ session: ofOne[0] })).body.data.token);
    const others = [];
    for (const body of [{ link: other.text }, { key }]) others.push((await open(body)).body.data.token);
    for (const token of [...ofOne, ...others]) assert.equal(await reads(token), 200);
    await service.clock.advance(MINUTE_MS);
    const revoked = await revoke(accountId, one.id);
    const nowMs = service.clock.nowMs();
    assert.deepEqual([revoked.body.sessions_until, revoked.body.revoked_at], [iso(nowMs), iso(nowMs)]);
    for (const token of ofOne) {
      assert.equal(await reads(token), 401);
      assert.equal((await open({ session: token })).status, 401);
    }
    for (const token of [...others, key]) assert.equal(await reads(token), 200);
    assert.equal((await open({ link: one.text })).status, 401);
    await service.clock.advance(SECOND_MS);
    assert.deepEqual((await revoke(accountId, one.id)).body, revoked.body);
  });

  test("of another account, or of none, are not found", async () => {
    const [one, other] = [await createCaller(service, "tracking"), await createCaller(service, "tracking")];
    const { id, text } = await mint(one.accountId);
    for (const [accountId, linkId] of [
      [other.accountId, id],
      [NOBODYS, id],
      [one.accountId, NOBODYS],
      ["x", id],
      [one.accountId, "x"],
    ] as const) {
      const refused = await revoke(accountId, linkId);
      assertRefused(refused, 404, "NOT_FOUND");
    }
    assert.equal((await open({ link: text })).status, 201);
  });

  test("of an older version, which kept none, open sessions as before", async () => {
    const { accountId } = await createCaller(service, "tracking");
    const tokens = createPortalTokens(service.masterKeys, HOUR_MS, {
      clock: service.clock,
      random: systemRandom(),
    });
    const { text } = tokens.writeLink({ product: "tracking", accountId }, MINUTE_MS);
    const { token } = (await open({ link: text })).body.data;
    assert.equal(await reads(token), 200);
    assert.deepEqual(await list(accountId), { portal_links: [] });
  });

  test("are neither good nor bad while the directory is away", async () => {
    const { accountId } = await createCaller(service, "tracking");
    const { text } = await mint(accountId);
    service.fault = new StoreUnavailable("down");
    const refused = await open({ link: text });
    service.fault = null;
    assert.equal(refused.status, 503);
    assert.equal((await open({ link: text })).status, 201);
  });

  test("are kept until no session of them can be left", async () => {
    const { accountId } = await createCaller(service, "tracking");
    const { id, link, text } = await mint(accountId, { expires_in_seconds: 60 });
    await service.clock.advance(MINUTE_MS - 1);
    const { token } = (await open({ link: text })).body.data;
    const { sessions_until: until } = (await list(accountId)).portal_links[0];
    await revoke(accountId, id);
    const endMs = Date.parse(link.expires_at) + PORTAL_LINK_KEPT_MS;
    assert.ok(Date.parse(until) < endMs);
    const prune = () =>
      prunePortalLinks(
        service.test.database,
        service.test.cells[0]!,
        new Date(service.clock.nowMs() - PORTAL_LINK_KEPT_MS),
      );
    await service.clock.advance(endMs - service.clock.nowMs());
    assert.equal(await prune(), false);
    assert.equal((await list(accountId)).portal_links.length, 1);
    await service.clock.advance(1);
    await prune();
    assert.deepEqual(await list(accountId), { portal_links: [] });
    assert.equal(await reads(token), 401, "over by itself");
  });
});

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
  const { app, context } = openProductListener();
  await mountPortal(app, context, PORTAL, folder);
  const page = () => app.inject({ method: "GET", url: "/portal" });
  assert.deepEqual([(await page()).statusCode, /npm run build</.test((await page()).body)], [503, true]);
  writeFileSync(join(folder, "index.html"), "<html%facts%>%assets%");
  assert.match((await page()).body, /^<html data-product="tracking".*>portal\/assets$/);
  await app.close();
  rmSync(folder, { recursive: true });
});
