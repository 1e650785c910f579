/** The typed client: it asks the routes of the OpenAPI documents, and no others. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";

import {
  createClient,
  sendWith,
  type Failure,
  type Operator,
  type Rates,
  type Tracking,
} from "../../packages/client/src/index.ts";

describe("a client", () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding("utf8");
    let body = "";
    request.on("data", (part: string) => (body += part));
    request.on("end", () => {
      seen.push(`${request.method} ${request.url} ${body}`.trimEnd());
      assert.equal(request.headers.authorization, "Bearer token");
      if (request.url!.endsWith("/none")) response.writeHead(404).end('{"error":{"message":"unknown id"}}');
      else if (request.url!.endsWith("/proxy")) response.writeHead(502).end("<h1>Bad gateway</h1>");
      else response.setHeader("content-type", "application/json").end('{"id":"7"}');
    });
  });
  let base = "";
  const send = sendWith("token");
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  test("an address has its path filled, and in its query what has a value", () => {
    const { addressOf } = createClient<Operator>("/base", send);
    assert.equal(addressOf("/v1/accounts"), "/base/v1/accounts");
    assert.equal(addressOf("/v1/endpoints/{id}/health", { id: "7" }), "/base/v1/endpoints/7/health");
    assert.equal(
      addressOf("/v1/endpoints/{id}/health", { id: "7/8?" }),
      "/base/v1/endpoints/7%2F8%3F/health",
    );
    const filtered = createClient<Operator, Failure, string>("/base", send);
    const filter = { product: "", state: "off", account_id: undefined, limit: 100 };
    assert.equal(filtered.addressOf("/v1/endpoints", filter), "/base/v1/endpoints?state=off&limit=100");
  });

  test("a request has the method, the address and the body of its route", async () => {
    const { ask } = createClient<Operator>(base, send);
    const made = await ask("POST /v1/accounts", {}, { name: "Acme" });
    assert.equal(made.ok && made.value.id, "7");
    await ask("DELETE /v1/accounts/{id}", { id: "7" });
    assert.deepEqual(seen, ['POST /v1/accounts {"name":"Acme"}', "DELETE /v1/accounts/7"]);
  });

  test("a refusal is its status and what the service says, and nothing that another server says", async () => {
    const { ask } = createClient<Operator>(base, send);
    const refused = await ask("GET /v1/accounts/{id}", { id: "none" });
    assert.deepEqual(refused, { ok: false, failure: { status: 404, message: "unknown id" } });
    const elsewhere = await ask("GET /v1/accounts/{id}", { id: "proxy" });
    assert.deepEqual(elsewhere, { ok: false, failure: { status: 502, message: null } });
  });

  test("what a document does not have does not compile", async () => {
    const { addressOf, ask } = createClient<Operator>(base, send);
    // @ts-expect-error: no document has the path.
    addressOf("/v1/acounts");
    // @ts-expect-error: it is a POST.
    addressOf("/v1/events/{id}/enable", { id: "7" });
    // @ts-expect-error: the path needs its id.
    addressOf("/v1/accounts/{id}");
    // @ts-expect-error: the query has no such parameter.
    addressOf("/v1/accounts", { name: "Acme" });
    // @ts-expect-error: there is no such state.
    addressOf("/v1/endpoints", { state: "of" });
    // @ts-expect-error: accounts are not removed all together.
    await ask("DELETE /v1/accounts");
    // @ts-expect-error: an account has a name.
    await ask("POST /v1/accounts", {}, {});
    // @ts-expect-error: an account has no such field.
    await ask("POST /v1/accounts", {}, { name: "Acme", colour: "red" });
    const account = await ask("GET /v1/accounts/{id}", { id: "7" });
    // @ts-expect-error: the answer has no such field.
    assert.equal(account.ok && account.value.secret, undefined);

    const event = { product: "rates", account_id: "7", type: "index_refreshed", data: { value: "1042.17" } };
    await ask("POST /v1/events", {}, { events: [event] });

    const shared = createClient<Rates | Tracking>(base, send);
    assert.equal(shared.addressOf("/v1/webhooks/{id}", { id: "7" }), `${base}/v1/webhooks/7`);
    // @ts-expect-error: not every product has indices.
    shared.addressOf("/v1/indices");
  });
});
