/** Exchange rates by the operator's routes, and loads of rates that are refused as a whole (docs/rates.md). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { REQUEST_BOUNDS } from "../../src/products/rates/lanes/read-rates.ts";
import { EXCHANGE_BOUNDS } from "../../src/products/rates/currencies/read-exchange-rates.ts";
import { assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { OPERATOR_TOKEN, send, sendAsOperator, startService } from "../support/service.ts";

const URL = "/v1/rates/currencies";
/** The clock of the tests stands at noon of 2026-11-02. */
const ECB = "Date,USD,CNY,\n2026-11-02,1.1302,8.2136,\n2026-10-30,1.13,N/A,\n";

describe("exchange rates over HTTP", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));

  const post = (url: string, payload: string, type: string) =>
    send(service.ops, {
      ...{ method: "POST", url, payload },
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": type },
    });
  const push = (payload: string, query = "?source=ECB", type = "text/csv") =>
    post(URL + query, payload, type);
  const list = async (query = "") => (await sendAsOperator(service, "GET", URL + query)).body;
  const remove = (query: string) => sendAsOperator(service, "DELETE", URL + query);

  test("are loaded, listed for a day, and removed", async () => {
    const { status, body } = await push(ECB);
    const none = { refused: 0, problems: [], left_out: [] };
    assert.deepEqual([status, body], [200, { lines: 2, loaded: 3, replaced: 0, unchanged: 0, ...none }]);
    const json = {
      exchange_rates: [{ date: "2026-10-30", base: "EUR", currency: "USD", rate: 1.14, source: "ECB" }],
    };
    const again = await push(JSON.stringify(json), "", "application/json");
    assert.deepEqual(again.body, { lines: 1, loaded: 1, replaced: 1, unchanged: 0, ...none });

    const ecb = { source: "ECB", base: "EUR" };
    const { sources, rates } = await list("?source=ECB");
    const { loaded_at: loadedAt, ...source } = sources[0];
    assert.deepEqual(source, { ...ecb, first: "2026-10-30", last: "2026-11-02", currencies: 2 });
    assert.equal(loadedAt, "2026-11-02T12:00:00.000Z");
    assert.deepEqual(rates, [
      { ...ecb, currency: "CNY", date: "2026-11-02", rate: "8.2136" },
      { ...ecb, currency: "USD", date: "2026-11-02", rate: "1.1302" },
    ]);
    assert.deepEqual((await list("?on=2026-11-01")).rates, [
      { ...ecb, currency: "USD", date: "2026-10-30", rate: "1.14" },
    ]);
    assert.deepEqual(await list("?source=Fed"), { sources: [], rates: [] });

    const removed = await remove("?source=ECB&on=2026-10-30");
    assert.deepEqual([removed.status, removed.body], [200, { source: "ECB", removed: 1 }]);
    assert.deepEqual((await remove("?source=ECB")).body, { source: "ECB", removed: 2 });
    assert.equal((await remove("?source=ECB")).status, 404);
  });

  test("what is wrong is answered with what to change, and with what was loaded", async () => {
    const partly = await push("Date,USD\n2026-11-02,1.1\nyesterday,1.2\n");
    assert.deepEqual([partly.status, partly.body.loaded, partly.body.refused], [200, 1, 1]);
    assert.equal(partly.body.problems[0].line, 3);
    const strict = await push("Date,USD\n2026-11-02,1.2\nyesterday,1.2\n", "?source=ECB&strict=true");
    assert.deepEqual([strict.status, strict.body.loaded, strict.body.refused], [400, 0, 1]);
    assert.match(strict.body.error.message, /^nothing was loaded: line 3: date must be a day/);
    assert.equal((await list()).rates[0].rate, "1.1");
    const none = await push("Date,USD\n2026-11-02,N/A\nyesterday,1.2\n");
    assert.deepEqual([none.status, none.body.lines, none.body.refused], [400, 2, 1]);
    for (const [payload, query, type, message] of [
      [ECB, "", "text/csv", /^nothing was loaded: it does not say whose rates they are/],
      ["Date,EUR\n2026-11-02,0.9\n", "?source=ECB&base=USD", "text/csv", /per EUR, and these are per USD/],
      [ECB, "?source=E&base=EURO", "text/csv", /^query\.base must be a currency of ISO 4217/],
      [ECB, "?source=%0A", "text/csv", /^query\.source must be a name or a URL, one line/],
      [ECB, "?sauce=ECB", "text/csv", /^query has no sauce: it takes source, base and strict/],
      ["{}", "?source=ECB", "application/json", /^nothing was loaded: it must be a list of exchange_rates/],
    ] as const) {
      assertRefused(await push(payload, query, type), 400, "INVALID_REQUEST", message);
    }
    assert.equal((await push("<x/>", "?source=ECB", "application/xml")).status, 415);
    assert.equal((await push("x".repeat(EXCHANGE_BOUNDS.bytesMax + 1))).status, 413);
    assert.equal((await send(service.ops, { method: "GET", url: URL })).status, 401);
    for (const query of ["?on=today", "?on=2026-02-30", "?to=2026-11-02", "?source=%00"])
      assert.equal((await sendAsOperator(service, "GET", URL + query)).status, 400, query);
    for (const query of ["?on=2026-11-02", "?source=", "?source=%00", "?source=ECB&on=today"])
      assert.equal((await remove(query)).status, 400, query);
  });

  const load = (payload: string, type: string, query = "") => post(`/v1/rates${query}`, payload, type);

  test("a body of rates that is refused as a whole is answered with the same fields", async () => {
    const counts = { lines: 0, loaded: 0, replaced: 0, unchanged: 0, changes: 0, refused: 0, problems: [] };
    for (const [payload, type, message] of [
      ["", "text/csv", /^nothing was loaded: line 1: it must name the columns/],
      ["origin,price\n", "text/csv", /^nothing was loaded: line 1: there is no field "price"/],
      ["{", "application/json", /^nothing was loaded: it is no JSON/],
    ] as const) {
      const { status, body } = await load(payload, type);
      const { error, ...counted } = body;
      assert.deepEqual([status, error.code, counted], [400, "INVALID_REQUEST", counts]);
      assert.match(error.message, message);
    }
  });

  test("rates that are neither CSV nor JSON, too large, or nobody's is refused", async () => {
    const xml = await load("<x/>", "application/xml");
    assertRefused(xml, 415, "UNSUPPORTED_MEDIA_TYPE", /content-type: text\/csv or application\/json/);
    assert.equal((await load("x".repeat(REQUEST_BOUNDS.bytesMax + 1), "text/csv")).status, 413);
    assert.equal((await load("", "text/csv", "?strict=yes")).status, 400);
    assert.equal((await send(service.ops, { method: "POST", url: "/v1/rates" })).status, 401);
  });
});
