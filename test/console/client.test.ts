/** How the pages ask: by the routes of the OpenAPI documents, and no others. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";

import type { Routes as Operator } from "../../packages/console/src/api/operator.ts";
import type { Routes as Rates } from "../../packages/console/src/api/rates.ts";
import type { Routes as Tracking } from "../../packages/console/src/api/tracking.ts";
import { clientOf } from "../../packages/console/src/ui/client.ts";

describe("the client of the pages", () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding("utf8");
    let body = "";
    request.on("data", (part: string) => (body += part));
    request.on("end", () => {
      seen.push(`${request.method} ${request.url} ${body}`.trimEnd());
      response.setHeader("content-type", "application/json").end('{"id":"7"}');
    });
  });
  let base = "";
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  test("an address has its path filled, and in its query what has a value", () => {
    const { addressOf } = clientOf<Operator>("/base");
    assert.equal(addressOf("/v1/accounts"), "/base/v1/accounts");
    assert.equal(addressOf("/v1/endpoints/{id}/health", { id: "7" }), "/base/v1/endpoints/7/health");
    const filter = { product: "", state: "off", account_id: undefined, limit: 100 };
    assert.equal(addressOf("/v1/endpoints", filter), "/base/v1/endpoints?state=off&limit=100");
  });

  test("a request has the method, the address and the body of its route", async () => {
    const { ask } = clientOf<Operator>(base);
    const made = await ask("POST /v1/accounts", {}, { name: "Acme" });
    assert.equal(made.ok && made.value.id, "7");
    await ask("DELETE /v1/accounts/{id}", { id: "7" });
    assert.deepEqual(seen, ['POST /v1/accounts {"name":"Acme"}', "DELETE /v1/accounts/7"]);
  });

  test("what a document does not have does not compile", async () => {
    const { addressOf, ask } = clientOf<Operator>(base);
    // @ts-expect-error: no document has the path.
    addressOf("/v1/acounts");
    // @ts-expect-error: it is a POST.
    addressOf("/v1/events/{id}/enable", { id: "7" });
    // @ts-expect-error: the path needs its id.
    addressOf("/v1/accounts/{id}");
    // @ts-expect-error: the query has no such parameter.
    addressOf("/v1/accounts", { name: "Acme" });
    // @ts-expect-error: accounts are not removed all together.
    await ask("DELETE /v1/accounts");
    // @ts-expect-error: an account has a name.
    await ask("POST /v1/accounts", {}, {});
    const account = await ask("GET /v1/accounts/{id}", { id: "7" });
    // @ts-expect-error: the answer has no such field.
    assert.equal(account.ok && account.value.secret, undefined);

    const shared = clientOf<Rates | Tracking>(base);
    assert.equal(shared.addressOf("/v1/webhooks/{id}", { id: "7" }), `${base}/v1/webhooks/7`);
    // @ts-expect-error: not every product has indices.
    shared.addressOf("/v1/indices");
  });
});
