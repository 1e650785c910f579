/** Sessions of the portal: who gets one, what it opens, and what ends it. */
import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";

import { createPortalTokens } from "../../src/http/portal/tokens.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/runtime/durations.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
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
  type Answer,
  type TestService,
} from "../support/service.ts";

describe("a session of the portal", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const open = (tag: string, body: object, at = service) =>
    send(at.api, {
      method: "POST",
      url: `/${tag}/v1/portal/session`,
      headers: { "content-type": "application/json" },
      payload: body,
    });
  const link = async (accountId: string, body: object) =>
    sendAsOperator(service, "POST", `/v1/accounts/${accountId}/portal-links`, body);
  const linkText = async (accountId: string, product: string) => {
    const { body } = await link(accountId, { product });
    return new URL(body.url).hash.replace("#link=", "");
  };
  const reads = async (token: string, tag: string) =>
    (await sendWithKey(service, token, "GET", `/${tag}/v1/webhooks`)).status;

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

  test("reads what is its account's and nothing of another", async () => {
    const [one, other] = [await createCaller(service, "tracking"), await createCaller(service, "tracking")];
    const made = await sendWithKey(service, other.key, "POST", "/tracking/v1/webhooks", {
      url: "https://example.com/other",
    });
    const { token } = (await open("tracking", { key: one.key })).body.data;
    const found = await sendWithKey(service, token, "GET", `/tracking/v1/webhooks/${made.body.data.id}`);
    assert.equal(found.status, 404);
    assert.deepEqual((await sendWithKey(service, token, "GET", "/tracking/v1/webhooks")).body.data, []);
  });

  test("a link names its product, lives as long as the operator says, and is refused when it is over", async () => {
    const { accountId } = await createCaller(service, "tracking");
    const minted = await link(accountId, { product: "air", expires_in_seconds: 60, theme: "dark" });
    assert.equal(minted.status, 201);
    const { url, id: linkId, ...rest } = minted.body;
    assert.match(linkId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      account_id: accountId,
      product: "air",
      created_at: new Date(service.clock.nowMs()).toISOString(),
      expires_at: new Date(service.clock.nowMs() + MINUTE_MS).toISOString(),
      used_at: null,
      sessions_until: null,
      revoked_at: null,
    });
    const address = new URL(url);
    assert.deepEqual(
      [address.origin, address.pathname, address.search],
      ["http://api.example", "/air/portal", ""],
    );
    const fragment = new URLSearchParams(address.hash.slice(1));
    assert.equal(fragment.get("theme"), "dark");
    const text = fragment.get("link")!;
    assert.equal((await open("tracking", { link: text })).status, 401);
    assert.equal((await open("air", { link: text })).status, 201);
    await service.clock.advance(MINUTE_MS);
    const over = await open("air", { link: text });
    assert.equal(over.status, 401);
    assert.match(over.body.error.message, /the link is over; ask for a new one/);
    for (const body of [
      {},
      { product: "none" },
      { product: "air", expires_in_seconds: 9 },
      { product: "air", expires_in_seconds: 3_601 },
    ])
      assert.equal((await link(accountId, body)).status, 400, JSON.stringify(body));
    const nobody = "01a1fc98-3684-702d-8add-9c7eb13bfa2f";
    for (const id of [nobody, "x"]) assert.equal((await link(id, { product: "air" })).status, 404);
  });
});

describe("limits of sessions", () => {
  const openOn =
    (service: TestService) =>
    async (body: object): Promise<Answer> =>
      send(service.api, { method: "POST", url: "/tracking/v1/portal/session", payload: body });
  const statusOf = async (service: TestService, bearer: string) =>
    (await sendWithKey(service, bearer, "GET", "/tracking/v1/webhooks")).status;

  test("they count with the key that opened them, and those of a link together", async () => {
    const service = await startService({ requestsPerKeyMax: 3 });
    const open = openOn(service);
    const { key, accountId } = await createCaller(service, "tracking");
    const { token } = (await open({ key })).body.data;
    const statuses = [];
    for (const bearer of [key, token, key, token]) statuses.push(await statusOf(service, bearer));
    assert.deepEqual(statuses, [200, 200, 200, 429]);
    const minted = await sendAsOperator(service, "POST", `/v1/accounts/${accountId}/portal-links`, {
      product: "tracking",
    });
    const link = new URL(minted.body.url).hash.replace("#link=", "");
    const [one, other] = [(await open({ link })).body.data.token, (await open({ link })).body.data.token];
    const ofLink = [];
    for (const bearer of [one, other, one, other]) ofLink.push(await statusOf(service, bearer));
    assert.deepEqual(ofLink, [200, 200, 200, 429]);
    await service.close();
  });

  test("signing in counts by address; beyond it known sessions pass, and those of unknown keys are looked up", async () => {
    const service = await startService({ requestsPerAddressMax: 4 }, { feed: FRESH_FEED });
    const open = openOn(service);
    const { key } = await createCaller(service, "tracking");
    const { token } = (await open({ key })).body.data;
    for (let left = 3; left > 0; left -= 1) assert.equal((await open({ key: "guess" })).status, 401);
    assert.equal((await open({ key })).status, 429);
    assert.equal(await statusOf(service, token), 200);
    assert.equal(await statusOf(service, "session.e30.x"), 429);
    // Signed as the service does, of a key that this node does not know.
    const tokens = createPortalTokens(service.masterKeys, HOUR_MS, { ...service, random: systemRandom() });
    const openedBy = { keyHash: randomBytes(32) };
    const of = { product: "tracking", accountId: "01a1fc98-3684-702d-8add-9c7eb13bfa2f" };
    assert.equal(await statusOf(service, tokens.openSession({ ...of, openedBy }).text), 401);
    assert.equal(await statusOf(service, tokens.openSession({ ...of, openedBy: { linkId: "x" } }).text), 401);
    const ofNobody = tokens.openSession({ ...of, openedBy: { linkId: of.accountId } });
    assert.equal(await statusOf(service, ofNobody.text), 401);
    await service.close();
  });
});

test("a session of one node opens another, which knows when its key is revoked", async () => {
  const service = await startService();
  const { test: on, clock, engine, log, gate, masterKeys } = service;
  const other = createListeners({}, { ...on, engine, clock, log, masterKeys, gate });
  const { key, keyId } = await createCaller(service, "tracking");
  const opened = await send(service.api, {
    method: "POST",
    url: "/tracking/v1/portal/session",
    payload: { key },
  });
  const { token } = opened.body.data;
  const read = async () =>
    (
      await send(other.api, {
        method: "GET",
        url: "/tracking/v1/webhooks",
        headers: { authorization: `Bearer ${token}` },
      })
    ).status;
  assert.equal(await read(), 200);
  await sendAsOperator(service, "DELETE", `/v1/keys/${keyId}`);
  assert.equal(await read(), 401);
  await other.api.close();
  await other.ops.close();
  await service.close();
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
