/** Sessions of the portal: who gets one, what it opens, and what ends it. */
import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { describe, test } from "node:test";

import { createPortalTokens } from "../../src/http/portal/tokens.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/runtime/durations.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { ofSuite } from "../support/suite.ts";
import { manualClock } from "../support/clock.ts";
import { removeAccount } from "../support/removal.ts";
import {
  createCaller,
  createListeners,
  send,
  sendAsOperator,
  sendWithKey,
  FRESH_FEED,
  startService,
} from "../support/service.ts";
import { linksOf, mintLink, openPortal, statusWith, tokenOf } from "./portal.ts";

describe("a session of the portal", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));

  const open = (tag: string, body: object) => openPortal(service, body, tag);
  const linkText = async (accountId: string, product: string) =>
    (await mintLink(service, accountId, { product })).text;
  const reads = (token: string, tag: string) => statusWith(service, token, tag);

  test("opens with a key of the product, and is good where the key is, on that product alone", async () => {
    const { key, accountId } = await createCaller(service, "tracking", ["freightrates"]);
    const opened = await open("rates", { key: ` ${key} ` });
    assert.equal(opened.status, 201);
    const { token, ...rest } = opened.body.data;
    const nowMs = service.clock.nowMs();
    assert.deepEqual(rest, {
      expires_at: new Date(nowMs + HOUR_MS).toISOString(),
      expires_in_seconds: 3_600,
      renewable_until: new Date(nowMs + 12 * HOUR_MS).toISOString(),
      opened_by: "key",
      account_id: accountId,
      account_name: "Acme",
      missing_entitlement: null,
      limits: { requests_per_minute: 100_000, endpoints: 100, streams: 5 },
    });
    assert.ok(!token.includes(key));
    assert.equal(await reads(token, "rates"), 200);
    assert.equal(
      (await send(service.api, { method: "GET", url: "/rates/v1/webhooks", headers: { "x-api-key": token } }))
        .status,
      200,
    );
    for (const other of ["tracking", "air", "schedules", "loading"])
      assert.equal(await reads(token, other), 401, other);
    const made = await sendWithKey(service, token, "POST", "/rates/v1/webhooks", {
      url: "https://example.com/a",
    });
    assert.equal(made.status, 201);
    const own = await sendWithKey(service, key, "GET", `/rates/v1/webhooks/${made.body.data.id}`);
    assert.equal(own.status, 200, accountId);
  });

  test("says which entitlement the account lacks", async () => {
    const { key } = await createCaller(service, "tracking");
    assert.equal((await open("rates", { key })).body.data.missing_entitlement, "freightrates");
    assert.equal((await open("tracking", { key })).body.data.missing_entitlement, null);
  });

  test("does not open with a key of another product, a revoked one, or anything else", async () => {
    const { key, keyId } = await createCaller(service, "schedules");
    assert.equal((await open("tracking", { key })).status, 401);
    await sendAsOperator(service, "DELETE", `/v1/keys/${keyId}`);
    const revoked = await open("schedules", { key });
    assert.deepEqual([revoked.status, revoked.headers["www-authenticate"]], [401, "Bearer"]);
    for (const body of [{}, { key, link: "x" }, { name: "x" }])
      assert.equal((await open("schedules", body)).status, 400, JSON.stringify(body));
    for (const body of [{ key: "" }, { link: "" }, { session: "" }, { link: "link.e30.x" }])
      assert.equal((await open("schedules", body)).status, 401, JSON.stringify(body));
    assert.equal((await open("schedules", { key: "x".repeat(2_000) })).status, 400);
  });

  test("ends with its key, with its account, and after an hour without renewal", async () => {
    const { key, keyId } = await createCaller(service, "tracking");
    const { token } = (await open("tracking", { key })).body.data;
    await sendAsOperator(service, "DELETE", `/v1/keys/${keyId}`);
    const over = await sendWithKey(service, token, "GET", "/tracking/v1/webhooks");
    assert.equal(over.status, 401);
    assert.match(over.body.error.message, /session of the portal is over/);
    assert.equal((await open("tracking", { session: token })).status, 401);

    const removed = await createCaller(service, "tracking");
    const text = await linkText(removed.accountId, "tracking");
    const byLink = (await open("tracking", { link: text })).body.data;
    assert.equal(byLink.opened_by, "link");
    assert.equal(await reads(byLink.token, "tracking"), 200);
    assert.equal((await removeAccount(service, removed.accountId)).status, 200);
    assert.equal(await reads(byLink.token, "tracking"), 401);
    assert.equal((await open("tracking", { link: text })).status, 401);

    const idle = await createCaller(service, "tracking");
    const session = (await open("tracking", { key: idle.key })).body.data.token;
    await service.clock.advance(HOUR_MS - 1);
    assert.equal(await reads(session, "tracking"), 200);
    await service.clock.advance(1);
    assert.equal(await reads(session, "tracking"), 401);
  });

  test("is renewed while it is used, for twelve hours at most", async () => {
    const { key } = await createCaller(service, "tracking");
    let { token } = (await open("tracking", { key })).body.data;
    const startedMs = service.clock.nowMs();
    for (;;) {
      await service.clock.advance(50 * MINUTE_MS);
      const renewed = await open("tracking", { session: token });
      if (renewed.status !== 201) break;
      assert.equal((await open("air", { session: token })).status, 401);
      token = renewed.body.data.token;
      assert.ok(service.clock.nowMs() - startedMs < 12 * HOUR_MS);
    }
    assert.ok(service.clock.nowMs() - startedMs >= 12 * HOUR_MS);
  });

  test("cannot be forged: no byte of it changes, and a link is no session", async () => {
    const { key, accountId } = await createCaller(service, "tracking");
    const { token } = (await open("tracking", { key })).body.data as { token: string };
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === "A" ? "B" : "A";
      const tampered = token.slice(0, at) + other + token.slice(at + 1);
      assert.equal(await reads(tampered, "tracking"), 401, `byte ${at}`);
    }
    const [kind, payload] = token.split(".");
    for (const forged of [
      `${kind}.${payload}.`,
      `${kind}.${payload}.${createHmac("sha256", randomBytes(32)).update(`${kind}.${payload}`).digest("base64url")}`,
      (await linkText(accountId, "tracking")).replace("link.", "session."),
      await linkText(accountId, "tracking"),
    ])
      assert.equal(await reads(forged, "tracking"), 401, forged);
    assert.equal((await open("tracking", { link: token })).status, 401);
    assert.equal((await open("tracking", { link: token.replace("session.", "link.") })).status, 401);
    assert.equal((await open("tracking", { session: await linkText(accountId, "tracking") })).status, 401);
  });

  test("a link names its product, lives as long as the operator says, and is refused when it is over", async () => {
    const { accountId } = await createCaller(service, "tracking");
    const minted = await mintLink(service, accountId, {
      product: "air",
      expires_in_seconds: 60,
      theme: "dark",
    });
    const {
      link: { id, ...rest },
      url,
      fragment,
      text,
    } = minted;
    assert.match(id, /^[0-9a-f-]{36}$/);
    const [createdMs, none] = [service.clock.nowMs(), null];
    assert.deepEqual(rest, {
      ...{ account_id: accountId, product: "air", created_at: new Date(createdMs).toISOString() },
      expires_at: new Date(createdMs + MINUTE_MS).toISOString(),
      ...{ used_at: none, sessions_until: none, revoked_at: none },
    });
    assert.deepEqual([url.origin, url.pathname, url.search], ["http://api.example", "/air/portal", ""]);
    assert.equal(fragment.get("theme"), "dark");
    assert.equal((await open("tracking", { link: text })).status, 401);
    assert.equal((await open("air", { link: text })).status, 201);
    await service.clock.advance(MINUTE_MS);
    const over = await open("air", { link: text });
    assert.equal(over.status, 401);
    assert.match(over.body.error.message, /the link is over; ask for a new one/);
    const link = (of: string, body: object) => sendAsOperator(service, "POST", linksOf(of), body);
    for (const body of [
      {},
      { product: "none" },
      ...[9, 3_601].map((s) => ({ product: "air", expires_in_seconds: s })),
    ])
      assert.equal((await link(accountId, body)).status, 400, JSON.stringify(body));
    for (const nobody of ["01a1fc98-3684-702d-8add-9c7eb13bfa2f", "x"])
      assert.equal((await link(nobody, { product: "air" })).status, 404);
  });
});

describe("limits of sessions", () => {
  test("they count with the key that opened them, and those of a link together", async () => {
    const service = await startService({ requestsPerKeyMax: 3 });
    const { key, accountId } = await createCaller(service, "tracking");
    const token = await tokenOf(service, { key });
    const statuses = [];
    for (const bearer of [key, token, key, token]) statuses.push(await statusWith(service, bearer));
    assert.deepEqual(statuses, [200, 200, 200, 429]);
    const { text: link } = await mintLink(service, accountId);
    const [one, other] = [await tokenOf(service, { link }), await tokenOf(service, { link })];
    const ofLink = [];
    for (const bearer of [one, other, one, other]) ofLink.push(await statusWith(service, bearer));
    assert.deepEqual(ofLink, [200, 200, 200, 429]);
    await service.close();
  });

  test("signing in counts by address; beyond it known sessions pass, and those of unknown keys are looked up", async () => {
    const service = await startService({ requestsPerAddressMax: 4 }, { feed: FRESH_FEED });
    const open = (body: object) => openPortal(service, body);
    const { key } = await createCaller(service, "tracking");
    const token = await tokenOf(service, { key });
    for (let left = 3; left > 0; left -= 1) assert.equal((await open({ key: "guess" })).status, 401);
    assert.equal((await open({ key })).status, 429);
    assert.equal(await statusWith(service, token), 200);
    assert.equal(await statusWith(service, "session.e30.x"), 429);
    // Signed as the service does, of a key or a link that this node does not know.
    const tokens = createPortalTokens(service.masterKeys, HOUR_MS, { ...service, random: systemRandom() });
    const of = { product: "tracking", accountId: "01a1fc98-3684-702d-8add-9c7eb13bfa2f" };
    for (const openedBy of [{ keyHash: randomBytes(32) }, { linkId: "x" }, { linkId: of.accountId }])
      assert.equal(await statusWith(service, tokens.openSession({ ...of, openedBy }).text), 401);
    await service.close();
  });

  test("a session of one node opens another, which knows when its key is revoked", async () => {
    const service = await startService();
    const { test: on, clock, engine, log, gate, masterKeys } = service;
    const other = createListeners({}, { ...on, engine, clock, log, masterKeys, gate });
    const { key, keyId } = await createCaller(service, "tracking");
    const token = await tokenOf(service, { key });
    assert.equal(await statusWith(other, token), 200);
    await sendAsOperator(service, "DELETE", `/v1/keys/${keyId}`);
    assert.equal(await statusWith(other, token), 401);
    await other.api.close();
    await other.ops.close();
    await service.close();
  });
});

test("a master key that was rotated still reads sessions and links, and a lost one does not", () => {
  const clock = manualClock();
  const [old, current] = [randomBytes(32), randomBytes(32)];
  const on = { clock, random: systemRandom() };
  const of = { product: "tracking", accountId: "a", openedBy: { keyHash: randomBytes(32) } };
  const { text, ...session } = createPortalTokens([old], HOUR_MS, on).openSession(of);
  assert.deepEqual(createPortalTokens([old], 5, on).readSession(text), session);
  assert.deepEqual(createPortalTokens([current, old], HOUR_MS, on).readSession(text), session);
  assert.equal(createPortalTokens([current], HOUR_MS, on).readSession(text), "forged");
  const link = createPortalTokens([old], HOUR_MS, on).writeLink(of, MINUTE_MS);
  const read = createPortalTokens([current, old], HOUR_MS, on).readLink(link.text);
  assert.deepEqual({ ...link, text: undefined }, { ...(read as object), text: undefined });
});
