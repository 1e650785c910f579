/** Bodies that the route for loading rates refuses as a whole (docs/rates.md). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { REQUEST_BOUNDS } from "../../src/products/rates/lanes/read-rates.ts";
import { OPERATOR_TOKEN, send, startService, type TestService } from "../support/service.ts";

describe("loads of rates that are refused", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const push = (payload: string, type = "text/csv", url = "/v1/rates") =>
    send(service.ops, {
      method: "POST",
      url,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": type },
      payload,
    });

  test("a body that is refused as a whole is answered with the same fields", async () => {
    const counts = { lines: 0, loaded: 0, replaced: 0, unchanged: 0, changes: 0, refused: 0, problems: [] };
    for (const [payload, type, message] of [
      ["", "text/csv", /^nothing was loaded: line 1: it must name the columns/],
      ["origin,price\n", "text/csv", /^nothing was loaded: line 1: there is no field "price"/],
      ["{", "application/json", /^nothing was loaded: it is no JSON/],
    ] as const) {
      const { status, body } = await push(payload, type);
      const { error, ...counted } = body;
      assert.deepEqual([status, error.code, counted], [400, "INVALID_REQUEST", counts]);
      assert.match(error.message, message);
    }
  });

  test("what is neither CSV nor JSON, too large, or nobody's is refused", async () => {
    const xml = await push("<x/>", "application/xml");
    assert.deepEqual([xml.status, xml.body.error.code], [415, "UNSUPPORTED_MEDIA_TYPE"]);
    assert.match(xml.body.error.message, /content-type: text\/csv or application\/json/);
    assert.equal((await push("x".repeat(REQUEST_BOUNDS.bytesMax + 1))).status, 413);
    assert.equal((await push("", "text/csv", "/v1/rates?strict=yes")).status, 400);
    assert.equal((await send(service.ops, { method: "POST", url: "/v1/rates" })).status, 401);
  });
});
