/** An index over several currencies over HTTP: what clients read of the exchange rates that it used. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { rateRoutes } from "../../src/products/rates/routes/routes.ts";
import { assertRefused, column, columns } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { createCaller, sendAsOperator, sendWithKey, startService } from "../support/service.ts";

/** The clock of the tests stands at noon of 2026-11-02. */
const TODAY = "2026-11-02";
const LANE = { origin: "CNSHA", destination: "NLRTM", equipment: "40HC" };
const ECB = { source: "ECB", base: "EUR", date: "2026-10-30" };

describe("an index over several currencies over HTTP", () => {
  const service = ofSuite(() => startService({ productRoutes: new Map([["rates", rateRoutes()]]) }));

  test("an index says in which currency it is, whose exchange rates convert, and each value which it used", async () => {
    const { key } = await createCaller(service, "rates", ["freightrates"]);
    const post = async (path: string, body: object) => {
      const answer = await sendAsOperator(service, "POST", `/v1/rates${path}`, body);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body;
    };
    const get = async (path: string) =>
      (await sendWithKey(service, key, "GET", `/rates/v1${path}`)).body.data;
    await post("", {
      rates: [
        { ...LANE, currency: "USD", valid_from: "2026-11-01", base: "2000" },
        { ...LANE, currency: "JPY", valid_from: "2026-11-01", base: "180000" },
      ],
    });
    const definition = { id: "mixed", name: "Mixed", currency: "USD", base_date: TODAY, day: "none" };
    const lanes = [
      { ...LANE, weight: 1 },
      { ...LANE, currency: "JPY", weight: 2 },
    ];
    const early = await sendAsOperator(service, "POST", "/v1/rates/indices", { ...definition, lanes });
    assertRefused(early, 400, "INVALID_REQUEST", /^there are lanes in JPY: load exchange rates first/);

    const rates = [
      { ...ECB, currency: "JPY", rate: "180" },
      { ...ECB, currency: "USD", rate: "1.125" },
    ];
    await post("/currencies", { exchange_rates: rates });
    const defined = await post("/indices", { ...definition, lanes });
    assert.deepEqual([defined.exchange_source, defined.base_exchange_rates], ["ECB", rates]);
    const later = [
      { ...ECB, date: "2026-11-03", currency: "JPY", rate: "200" },
      { ...ECB, date: "2026-11-03", currency: "USD", rate: "1.125" },
    ];
    await post("/currencies", { exchange_rates: later });
    service.clock.jump(24 * 60 * 60 * 1000);
    const computed = await post("/indices/mixed/values", { on: "2026-11-03" });
    // 2000 + 2 × 180000 × 1.125 ÷ 200 = 4025, over 2000 + 2 × 180000 × 1.125 ÷ 180 = 4250.
    assert.deepEqual([computed.value, computed.exchange_rates], ["947.06", later]);

    const index = await get("/indices/mixed");
    assert.deepEqual(
      [index.currency, index.exchange_source, index.base_exchange_rates],
      ["USD", "ECB", rates],
    );
    assert.deepEqual(columns(index.lanes, "currency", "base_price"), [
      ["USD", "2000.00"],
      ["JPY", "180000"],
    ]);
    assert.deepEqual(column(index.values, "exchange_rates"), [later, rates]);
    assert.deepEqual((await get("/indices"))[0].latest, index.values[0]);
    service.clock.jump(-24 * 60 * 60 * 1000);
  });
});
