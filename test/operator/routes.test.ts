/** What the operator's listener says of itself, and what docs/operator-api.md says of it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { Compile } from "typebox/schema";

import { ofSuite } from "../support/suite.ts";
import { sendAsOperator, send, startService } from "../support/service.ts";

const PAGE = readFileSync(join(import.meta.dirname, "..", "..", "docs", "operator-api.md"), "utf8");

/** The JSON behind a heading of the page, the first that there is. */
const exampleAt = (heading: string) =>
  JSON.parse(/```json\n(.*?)```/s.exec(PAGE.slice(PAGE.indexOf(heading)))![1]!);

describe("the operator's API is documented", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));

  test("every route is on the page and at GET /, which takes no token, and the page has no other", async () => {
    const { status, body } = await send(service.ops, { method: "GET", url: "/" });
    assert.deepEqual([status, body.documentation], [200, "docs/operator-api.md"]);
    const documented = [...PAGE.matchAll(/^### `([A-Z]+ \S+)`$/gm)].map(([, route = ""]) => route);
    assert.deepEqual(body.routes.toSorted(), documented.toSorted());
    assert.equal(new Set(documented).size, documented.length);
    for (const route of ["POST /v1/accounts/{id}/keys", "POST /v1/schedules/{feed}", "POST /v1/rates"])
      assert.ok(documented.includes(route), route);
  });

  test("the OpenAPI document has every route with its bodies and needs no token, and neither does the page", async () => {
    const { status, body } = await send(service.ops, { method: "GET", url: "/openapi.json" });
    assert.deepEqual([status, body.openapi], [200, "3.1.0"]);
    const paths: Record<string, Record<string, object>> = body.paths;
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const listed: string[] = (await send(service.ops, { method: "GET", url: "/" })).body.routes;
    assert.deepEqual(described.toSorted(), listed.filter((route) => route !== "GET /").toSorted());
    assert.ok("requestBody" in paths["/v1/accounts"]!["post"]!);
    const page = await service.ops.inject({ method: "GET", url: "/docs/" });
    assert.equal(page.statusCode, 200);
    assert.match(page.body, /Boathook operator API/);
  });

  test("what a path takes is what all routes that lead there take", async () => {
    for (const [path, allowed] of [
      ["/v1/rates/indices", "DELETE, GET, HEAD, POST"],
      ["/v1/accounts/any", "GET, HEAD, PATCH, DELETE"],
    ] as const) {
      const { status, headers } = await send(service.ops, { method: "PUT", url: `${path}?of=them` });
      assert.deepEqual([status, headers["allow"]], [405, allowed], path);
    }
    const { status } = await send(service.ops, { method: "GET", url: "/".repeat(15_000) });
    assert.equal(status, 404);
  });

  test("the OpenAPI document says that monitoring needs no token, and what a process that cannot serve answers", async () => {
    const { paths, components } = (await send(service.ops, { method: "GET", url: "/openapi.json" })).body;
    for (const path of ["/healthz", "/readyz", "/metrics"])
      assert.deepEqual(paths[path].get.security, [], path);
    assert.equal(paths["/v1/status"].get.security, undefined);
    const { schema, example } = paths["/readyz"].get.responses["503"].content["application/json"];
    assert.equal(schema.$ref, "#/components/schemas/NotReady");
    assert.deepEqual(components.schemas.NotReady.required, ["status", "reason", "checks"]);
    service.notReady = "the database's disk is full";
    const { status, body } = await send(service.ops, { method: "GET", url: "/readyz" });
    service.notReady = null;
    assert.equal(status, 503);
    assert.deepEqual(Object.keys(example), Object.keys(body));
    assert.ok(Compile(components.schemas.NotReady).Check(body));
  });

  test("the OpenAPI document says which routes without an id in the path may find nothing, and they do", async () => {
    const { paths } = (await send(service.ops, { method: "GET", url: "/openapi.json" })).body;
    const declared = Object.entries<Readonly<Record<string, { readonly responses: object }>>>(paths)
      .filter(([path]) => !path.includes("{"))
      .flatMap(([path, item]) =>
        Object.entries(item)
          .filter(([, { responses }]) => "404" in responses)
          .map(([method]) => `${method.toUpperCase()} ${path}`),
      );
    const nothing = {
      "GET /v1/containers": "account_id=x",
      "GET /v1/waybills": "account_id=x",
      "DELETE /v1/rates/currencies": "source=NONE",
      "GET /v1/plans": "account_id=x",
    };
    assert.deepEqual(declared.toSorted(), Object.keys(nothing).toSorted());
    for (const [route, query] of Object.entries(nothing)) {
      const [method, path] = route.split(" ") as ["GET" | "DELETE", string];
      assert.equal((await sendAsOperator(service, method, `${path}?${query}`)).status, 404, route);
    }
  });

  test("a path that is none leads to the list", async () => {
    const { status, body } = await sendAsOperator(service, "GET", "/v2/accounts");
    assert.equal(status, 404);
    assert.match(body.error.message, /GET \/ lists/);
  });

  test("accounts, keys and events are as the page shows them", async () => {
    const { id: _id, created_at: _at, ...account } = exampleAt("## Accounts");
    const { demurrage_alerting: _alerting, ...fields } = account;
    const made = await sendAsOperator(service, "POST", "/v1/accounts", fields);
    assert.deepEqual({ ...made.body, ...account }, made.body);
    assert.deepEqual(Object.keys(made.body), Object.keys(exampleAt("## Accounts")));
    const keys = `/v1/accounts/${made.body.id}/keys`;
    const key = await sendAsOperator(service, "POST", keys, { prefix: "tracking" });
    const [shown] = exampleAt("### `GET /v1/accounts/{id}/keys`").keys;
    assert.deepEqual(Object.keys(key.body), [...Object.keys(shown), "key"]);
    assert.deepEqual(
      Object.keys((await sendAsOperator(service, "GET", keys)).body.keys[0]),
      Object.keys(shown),
    );
    const links = `/v1/accounts/${made.body.id}/portal-links`;
    const minted = await sendAsOperator(service, "POST", links, { product: "tracking" });
    assert.deepEqual(
      Object.keys(minted.body),
      Object.keys(exampleAt("### `POST /v1/accounts/{id}/portal-links`")),
    );
    const body = exampleAt("## Events");
    body.events[0].account_id = made.body.id;
    body.events[0].occurred_at = "2026-11-01T09:30:00Z";
    assert.equal((await sendAsOperator(service, "POST", "/v1/events", body)).status, 202);
  });
});
