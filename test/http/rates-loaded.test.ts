/** Rates as they were loaded, as clients read them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { rateRoutes } from "../../src/products/rates/routes/routes.ts";
import {
  createCaller,
  OPERATOR_TOKEN,
  send,
  sendWithKey,
  startService,
  type TestService,
} from "../support/service.ts";

describe("loaded rates", () => {
  let service: TestService;
  let key: string;
  before(async () => {
    service = await startService({ productRoutes: new Map([["rates", rateRoutes()]]) });
    ({ key } = await createCaller(service, "rates", ["freightrates"]));
  });
  after(() => service.close());

  const push = (payload: string) =>
    send(service.ops, {
      method: "POST",
      url: "/v1/rates",
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": "text/csv" },
      payload,
    });
  const get = (path: string) => sendWithKey(service, key, "GET", `/rates/v1${path}`);

  test("rates are listed as they were loaded, the last first, with the change from the rate before", async () => {
    const heading = "origin,destination,equipment,carrier,currency,valid_from,base";
    const lane = (day: string, base: string) => `${heading}\nJPYOK,USOAK,40HC,HRNL,USD,${day},${base}`;
    for (const [day, base] of [
      ["2026-10-01", "1000"],
      ["2026-11-01", "1100"],
      ["2026-10-01", "800"],
    ] as const)
      await push(lane(day, base));
    const { body } = await get("/rates?limit=3");
    assert.deepEqual(
      body.data.map((rate: Record<string, unknown>) => [
        rate["origin"],
        rate["valid_from"],
        rate["total"],
        rate["old_total"],
        rate["change_percent"],
        rate["ended_by"],
      ]),
      [
        ["JPYOK", "2026-10-01", "800.00", "1000.00", "-20.00", null],
        ["JPYOK", "2026-11-01", "1100.00", "800.00", "37.50", null],
        ["JPYOK", "2026-10-01", "1000.00", null, null, "replaced"],
      ],
    );
    const whole = (await get("/rates?limit=100")).body.data;
    const first = await get("/rates?limit=2");
    const second = await get(`/rates?limit=2&cursor=${first.body.next_cursor}`);
    assert.deepEqual([...first.body.data, ...second.body.data], whole);
  });
});
