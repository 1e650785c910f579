/** What an account's keys would read, on the operator's listener. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { rateRoutes } from "../../src/products/rates/routes/routes.ts";
import { scheduleRoutes } from "../../src/products/schedules/routes/routes.ts";
import { createCaller, send, sendAsOperator, startService, type TestService } from "../support/service.ts";

describe("an account's products, on the operator's listener", () => {
  let service: TestService;
  before(async () => {
    const productRoutes = new Map([
      ["rates", rateRoutes()],
      ["schedules", scheduleRoutes({ reliabilityWindowDays: 90, transshipmentMs: 86_400_000 })],
    ] as const);
    service = await startService({ productRoutes });
  });
  after(() => service.close());

  test("the operator reads what an account's keys would read, with and without a key", async () => {
    const { accountId, key } = await createCaller(service, "rates", ["freightrates"]);
    for (const path of ["rates/v1/indices", "schedules/public/sailings?origin=CNSHA&destination=NLRTM"]) {
      const own = await send(service.api, { url: `/${path}`, headers: { authorization: `Bearer ${key}` } });
      const read = await sendAsOperator(service, "GET", `/v1/accounts/${accountId}/${path}`);
      assert.equal(own.status, 200, path);
      assert.deepEqual([read.status, read.body], [own.status, own.body], path);
    }
  });

  test("an account's entitlements hold for the operator, too", async () => {
    const { accountId } = await createCaller(service, "rates");
    const read = await sendAsOperator(service, "GET", `/v1/accounts/${accountId}/rates/v1/indices`);
    assert.equal(read.status, 403);
    assert.match(JSON.stringify(read.body), /entitlement_required/);
  });

  test("nobody else reads them, and there is none of an account that is not there", async () => {
    const { accountId, key } = await createCaller(service, "rates", ["freightrates"]);
    const url = `/v1/accounts/${accountId}/rates/v1/indices`;
    for (const headers of [{}, { authorization: `Bearer ${key}` }, { "x-api-key": key }])
      assert.equal((await send(service.ops, { url, headers })).status, 401);
    for (const id of ["nobody", "00000000-0000-7000-8000-000000000000"]) {
      const read = await sendAsOperator(service, "GET", `/v1/accounts/${id}/rates/v1/indices`);
      assert.equal(read.status, 404);
      assert.match(JSON.stringify(read.body), /there is no account of that id/);
    }
  });

  test("nothing is changed there: other methods and unknown parameters are refused", async () => {
    const { accountId } = await createCaller(service, "rates", ["freightrates"]);
    const base = `/v1/accounts/${accountId}`;
    assert.equal((await sendAsOperator(service, "POST", `${base}/rates/v1/indices`, {})).status, 405);
    assert.equal((await sendAsOperator(service, "POST", `${base}/rates/v1/webhooks`, {})).status, 404);
    const unknown = await sendAsOperator(service, "GET", `${base}/rates/v1/indices?nothing=1`);
    assert.equal(unknown.status, 400);
  });
});
