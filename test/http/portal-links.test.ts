/** Links to the portal as the operator lists and revokes them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createPortalTokens } from "../../src/http/portal/tokens.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { PORTAL_LINK_KEPT_MS } from "../../src/model/portal-link.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/runtime/durations.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { prunePortalLinks } from "../../src/store/accounts/portal-links.ts";
import { assertRefused, column } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { linksOf, mintLink, openPortal, statusWith } from "./portal.ts";
import { createCaller, sendAsOperator, startService } from "../support/service.ts";

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
