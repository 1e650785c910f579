/** Sessions of the console: what a tab holds in place of the operator's token. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { createSessions } from "../../src/operator/console/session.ts";
import { ofSuite } from "../support/suite.ts";
import { OPERATOR_TOKEN, send, startService } from "../support/service.ts";

const HOUR_MS = 3_600_000;

describe("a session of the console", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));

  const signIn = (token: string, remoteAddress = "127.0.0.1") =>
    send(service.ops, { method: "POST", url: "/v1/session", payload: { token }, remoteAddress });
  const opened = async (): Promise<string> => (await signIn(OPERATOR_TOKEN)).body.token;

  const asked = async (token: string, method: "GET" | "DELETE" = "GET", url = "/v1/accounts") =>
    (await send(service.ops, { method, url, headers: { authorization: `Bearer ${token}` } })).status;

  /** Another node's: of the same operator and directory. */
  const elsewhere = (operatorToken = OPERATOR_TOKEN, database = service.test.database) =>
    createSessions(operatorToken, {
      database,
      cells: service.test.cells as never,
      clock: service.clock,
      random: { bytes: () => Buffer.alloc(16) },
    });

  test("opens with the operator's token only, and says nothing of it; no cookie has it", async () => {
    assert.equal((await signIn("guess")).status, 401);
    const right = await signIn(` ${OPERATOR_TOKEN}\n`);
    assert.deepEqual([right.status, right.body.expires_in_seconds], [200, 43_200]);
    assert.equal(right.headers["set-cookie"], undefined);
    assert.ok(!right.body.token.includes(OPERATOR_TOKEN));
    const cookie = `boathook_session_0=${right.body.token}`;
    assert.equal(
      (await send(service.ops, { method: "GET", url: "/v1/accounts", headers: { cookie } })).status,
      401,
    );
  });

  test("ends on every node when it is signed out, after twelve hours, and with the token", async () => {
    const [first, second] = [await opened(), await opened()];
    assert.equal(await elsewhere().stateOf(first), "open");
    assert.equal(await asked(first, "DELETE", "/v1/session"), 204);
    assert.deepEqual([await asked(first), await elsewhere().stateOf(first)], [401, "over"]);
    assert.equal(await asked(second), 200);
    assert.equal(await elsewhere("another token").stateOf(second), null);
    await service.clock.advance(12 * HOUR_MS - 1);
    assert.equal(await asked(second), 200);
    await service.clock.advance(1);
    assert.equal(await asked(second), 401);
  });

  test("is known without the directory, so that the console shows what is wrong", async () => {
    const away = { ...service.test.database, rows: () => Promise.reject(new StoreUnavailable("it is away")) };
    const sessions = elsewhere(OPERATOR_TOKEN, away);
    assert.deepEqual(
      [await sessions.stateOf(sessions.open()), await sessions.stateOf("guess")],
      ["open", null],
    );
  });

  test("is written by nobody else", async () => {
    const [id, endsAt, signature] = (await opened()).split(".") as [string, string, string];
    const forged = [
      `${id}.${Number(endsAt) + 1}.${signature}`,
      `${id}.${endsAt}.${"A".repeat(43)}`,
      elsewhere("another token").open(),
      "..",
    ];
    for (const one of forged) assert.equal(await asked(one), 401, one);
  });

  test("cannot be guessed without end: wrong tokens count against the address as on every route", async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 62; tries += 1) statuses.push((await signIn("guess", "192.0.2.7")).status);
    assert.deepEqual([statuses[59], statuses[60], statuses[61]], [401, 429, 429]);
    assert.equal((await signIn(OPERATOR_TOKEN, "192.0.2.7")).status, 200);
  });
});
