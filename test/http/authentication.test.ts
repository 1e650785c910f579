/** Keys and entitlements (spec 5). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { mintKey } from "../../src/model/api-key.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import {
  sendWithKey,
  createCaller,
  sendAsOperator,
  send,
  startService,
  type Method,
} from "../support/service.ts";

describe("keys and entitlements", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));

  const read = async (tag: string, headers: Readonly<Record<string, string>>) =>
    (await send(service.api, { method: "GET", url: `/${tag}/v1/webhooks`, headers })).status;

  // spec 5: bearer, prefixes, unauthorized, family_key; 7: unauthorized
  test("a key is accepted by the products of its prefix and by no other", async () => {
    for (const [prefix, accepted] of [
      ["tracking", ["tracking", "air", "rates"]],
      ["schedules", ["schedules"]],
      ["rates", ["rates"]],
      ["loading", ["loading"]],
    ] as const) {
      const { key } = await createCaller(service, prefix);
      for (const tag of ["tracking", "air", "schedules", "rates", "loading"]) {
        const expected = (accepted as readonly string[]).includes(tag) ? 200 : 401;
        assert.equal(await read(tag, { authorization: `Bearer ${key}` }), expected, `${prefix} ${tag}`);
      }
    }
  });

  // spec 5: x_api_key, bearer
  test("every product takes the key in x-api-key as well, and prefers Authorization", async () => {
    const { key } = await createCaller(service, "tracking");
    for (const tag of ["tracking", "air", "rates"]) {
      assert.equal(await read(tag, { "x-api-key": key }), 200);
    }
    assert.equal(await read("tracking", { "x-api-key": "wrong", authorization: `Bearer ${key}` }), 200);
    for (const authorization of [`bearer ${key}`, `BEARER  ${key} `])
      assert.equal(await read("tracking", { authorization }), 200, authorization);
    for (const authorization of [
      "Bearer wrong",
      "Basic dTpw",
      "",
      "Bearer",
      `bearer${key}`,
      `Bearer ${key} x`,
    ])
      assert.equal(await read("tracking", { "x-api-key": key, authorization }), 401, authorization);
  });

  test("without a key each prefix that is good is named, as a beginning", async () => {
    const { body } = await send(service.api, { method: "GET", url: "/rates/v1/webhooks" });
    assert.match(body.error.message, /^send a key as Authorization: Bearer \w+_… or \w+_…$/);
  });

  test("a mistyped key and another product's key cost no lookup, and a key that never existed costs one", async () => {
    const { key } = await createCaller(service, "tracking");
    const slip = key.slice(0, -7) + (key.at(-7) === "x" ? "y" : "x") + key.slice(-6);
    service.fault = new Error("asked the database");
    try {
      assert.equal(await read("tracking", { authorization: `Bearer ${slip}` }), 401);
      assert.equal(await read("schedules", { authorization: `Bearer ${key}` }), 401);
    } finally {
      service.fault = null;
    }
    const neverMade = mintKey("tracking", systemRandom());
    assert.equal(await read("tracking", { authorization: `Bearer ${neverMade}` }), 401);
  });

  // spec 5: rotation
  test("a revoked key stops at once, and another of the account goes on", async () => {
    const { accountId, key, keyId } = await createCaller(service, "tracking");
    const keys = `/v1/accounts/${accountId}/keys`;
    const other = await sendAsOperator(service, "POST", keys, { prefix: "tracking" });
    assert.equal(await read("tracking", { authorization: `Bearer ${key}` }), 200);
    await sendAsOperator(service, "DELETE", `/v1/keys/${keyId}`);
    assert.equal(await read("tracking", { authorization: `Bearer ${key}` }), 401);
    assert.equal(await read("tracking", { authorization: `Bearer ${other.body.key}` }), 200);
  });

  test("a key is checked before the body", async () => {
    const answer = await sendWithKey(service, "wrong", "POST", "/tracking/v1/webhooks", "{not json");
    assert.equal(answer.status, 401);
  });

  for (const [tag, prefix, entitlement] of [
    ["air", "tracking", "aircargo"],
    ["rates", "tracking", "freightrates"],
    ["loading", "loading", "loading"],
  ] as const) {
    // spec 5: entitlements; 4.1: register_entitlement; 7: entitlement
    test(`${tag}: without ${entitlement} an account reads, changes and deletes, but neither registers nor tests`, async () => {
      const { accountId, key } = await createCaller(service, prefix, [entitlement]);
      const url = `/${tag}/v1/webhooks`;
      const ask = (method: Method, path: string, body?: object) =>
        sendWithKey(service, key, method, url + path, body);
      const { id } = (await ask("POST", "", { url: "https://example.com/" })).body.data;
      await sendAsOperator(service, "PATCH", `/v1/accounts/${accountId}`, { entitlements: [] });
      for (const answer of [
        await ask("POST", "", { url: "https://example.com/" }),
        await ask("POST", "", {}),
        await ask("POST", `/${id}/test`),
      ]) {
        const code = tag === "loading" ? "ENTITLEMENT_REQUIRED" : "entitlement_required";
        assertRefused(answer, 403, code, new RegExp(entitlement));
      }
      assert.equal((await ask("GET", "")).status, 200);
      assert.equal((await ask("GET", `/${id}`)).status, 200);
      assert.equal((await ask("PATCH", `/${id}`, { active: false })).status, 200);
      assert.equal((await ask("DELETE", `/${id}`)).status, 200);
    });
  }

  test("products that are not metered ask for no entitlement", async () => {
    for (const tag of ["tracking", "schedules"]) {
      const { key } = await createCaller(service, tag);
      const answer = await sendWithKey(service, key, "POST", `/${tag}/v1/webhooks`, {
        url: "https://example.com/",
      });
      assert.equal(answer.status, 201);
    }
  });

  test("an endpoint of one product is none of another's, for the same key", async () => {
    const { key } = await createCaller(service, "tracking", ["aircargo"]);
    const made = await sendWithKey(service, key, "POST", "/tracking/v1/webhooks", {
      url: "https://example.com/",
    });
    assert.equal(
      (await sendWithKey(service, key, "GET", `/air/v1/webhooks/${made.body.data.id}`)).status,
      404,
    );
    assert.deepEqual((await sendWithKey(service, key, "GET", "/air/v1/webhooks")).body, { data: [] });
  });
});
