/** Sessions of the console: what a browser holds in place of the operator's token, and whose requests it vouches for. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createSessions } from "../../src/operator/console/session.ts";
import { ofSuite } from "../support/suite.ts";
import { OPERATOR_TOKEN, send, startService, type Method } from "../support/service.ts";

const OWN = { "sec-fetch-site": "same-origin" };
const HOUR_MS = 3_600_000;

describe("a session of the console", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));

  const signIn = (
    token: string,
    headers: Readonly<Record<string, string>> = OWN,
    remoteAddress = "127.0.0.1",
  ) => send(service.ops, { method: "POST", url: "/v1/session", headers, payload: { token }, remoteAddress });

  async function cookie(): Promise<string> {
    const { headers } = await signIn(OPERATOR_TOKEN);
    return String(headers["set-cookie"]).split(";")[0]!;
  }

  const asked = async (method: Method, headers: Readonly<Record<string, string>>, url = "/v1/accounts") =>
    (
      await send(service.ops, {
        method,
        url,
        headers,
        ...(method === "POST" && { payload: { name: "Acme" } }),
      })
    ).status;

  test("opens with the operator's token only, in a cookie that no script and no other site has", async () => {
    const wrong = await signIn("guess");
    assert.deepEqual([wrong.status, wrong.headers["set-cookie"]], [401, undefined]);
    const right = await signIn(` ${OPERATOR_TOKEN}\n`);
    assert.equal(right.status, 204);
    const header = String(right.headers["set-cookie"]);
    assert.match(header, /^boathook_session_\d+=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    assert.ok(!header.includes(OPERATOR_TOKEN));
    const overTls = await signIn(OPERATOR_TOKEN, { ...OWN, origin: "https://boathook" });
    assert.match(String(overTls.headers["set-cookie"]), /; Secure$/);
  });

  test("vouches for the listener's own pages, and for no page of another site or port", async () => {
    const headers = { cookie: await cookie() };
    for (const method of ["GET", "POST"] as const) {
      const done = method === "GET" ? 200 : 201;
      assert.equal(await asked(method, { ...headers, ...OWN }), done);
      for (const site of ["same-site", "cross-site"])
        assert.equal(await asked(method, { ...headers, "sec-fetch-site": site }), 401, `${method} ${site}`);
      assert.equal(
        await asked(method, { ...headers, origin: "http://localhost:3000", host: "localhost:8081" }),
        401,
      );
      assert.equal(
        await asked(method, { ...headers, origin: "http://localhost:8081", host: "localhost:8081" }),
        done,
      );
      assert.equal(await asked(method, headers), method === "GET" ? 200 : 401, `${method} of no known page`);
    }
    assert.equal(await asked("POST", { ...headers, "sec-fetch-site": "none" }), 401);
    assert.equal((await signIn(OPERATOR_TOKEN, { "sec-fetch-site": "cross-site" })).status, 401);
  });

  test("ends when it is signed out, after twelve hours, and with the token; nobody can write one", async () => {
    const [first, second] = [await cookie(), await cookie()];
    const out = await send(service.ops, {
      method: "DELETE",
      url: "/v1/session",
      headers: { cookie: first, ...OWN },
    });
    assert.equal(out.status, 204);
    assert.match(String(out.headers["set-cookie"]), /^boathook_session_\d+=; .*Max-Age=0$/);
    assert.equal(await asked("GET", { cookie: first, ...OWN }), 401);
    assert.equal(await asked("GET", { cookie: `theme=dark; ${second}`, ...OWN }), 200);
    const [name, value] = second.split("=") as [string, string];
    const [id, endsAt, signature] = value.split(".") as [string, string, string];
    const others = createSessions("another token", {
      clock: service.clock,
      random: { bytes: () => Buffer.alloc(16) },
    });
    const forged = [
      `${id}.${Number(endsAt) + 1}.${signature}`,
      `${id}.${endsAt}.${"A".repeat(43)}`,
      others.open({ headers: {}, socket: {} } as never).split(/[=;]/)[1]!,
      "",
      "..",
    ];
    for (const one of forged)
      assert.equal(await asked("GET", { cookie: `${name}=${one}`, ...OWN }), 401, one);
    await service.clock.advance(12 * HOUR_MS - 1);
    assert.equal(await asked("GET", { cookie: second, ...OWN }), 200);
    await service.clock.advance(1);
    assert.equal(await asked("GET", { cookie: second, ...OWN }), 401);
  });

  test("cannot be guessed without end: wrong tokens count against the address as on every route", async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 62; tries += 1)
      statuses.push((await signIn("guess", OWN, "192.0.2.7")).status);
    assert.deepEqual([statuses[59], statuses[60], statuses[61]], [401, 429, 429]);
    assert.equal((await signIn(OPERATOR_TOKEN, OWN, "192.0.2.7")).status, 204);
  });
});
