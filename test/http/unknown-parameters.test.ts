/** A misspelt filter must not widen a list: every operation that reads names a parameter that it does not have. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { products } from "../../src/products/index.ts";
import { createCaller, send, sendAsOperator, sendWithKey } from "../support/service.ts";
import { ofSuite } from "../support/suite.ts";
import { startEveryRoute } from "./every-route.ts";

const service = ofSuite(() => startEveryRoute());

const NOBODYS = "01900000-0000-7000-8000-000000000000";

/** What is the same for everyone may be asked with anything. */
const FIXED = /^\/(?:healthz|readyz|metrics|.*\.json)$/;

/** The addresses of a document that are read, with an id for each of their parts. */
async function readIn(listener: (typeof service)["api"], document: string): Promise<readonly string[]> {
  const { paths } = (await send(listener, { method: "GET", url: document })).body;
  return Object.entries<object>(paths)
    .filter(([path, item]) => "get" in item && !FIXED.test(path))
    .map(([path]) => path.replaceAll(/\{\w+\}/g, NOBODYS));
}

type Item = {
  readonly get?: { readonly parameters?: readonly { readonly name: string; readonly in: string }[] };
};

for (const { tag, keyPrefixes, entitlement } of products)
  test(`${tag} refuses a query parameter that there is not, on every operation`, async () => {
    const { key } = await createCaller(service, keyPrefixes[0]!, entitlement === null ? [] : [entitlement]);
    for (const path of await readIn(service.api, `/${tag}/openapi.json`)) {
      const { status, body } = await sendWithKey(service, key, "GET", `/${tag}${path}?misspelt=1`);
      assert.equal(status, 400, path);
      assert.match(body.error.message, /has (?:no )?misspelt/, path);
    }
  });

for (const { tag, keyPrefixes, entitlement } of products)
  test(`${tag} says of a query parameter that is given twice that it is`, async () => {
    const { key } = await createCaller(service, keyPrefixes[0]!, entitlement === null ? [] : [entitlement]);
    const { body: document } = await send(service.api, { method: "GET", url: `/${tag}/openapi.json` });
    let asked = 0;
    for (const [path, { get }] of Object.entries<Item>(document.paths)) {
      const named = get?.parameters?.find((one) => one.in === "query")?.name;
      if (named === undefined) continue;
      asked += 1;
      const url = `/${tag}${path.replaceAll(/\{\w+\}/g, NOBODYS)}?${named}=1&${named}=2`;
      const { status, body } = await sendWithKey(service, key, "GET", url);
      assert.deepEqual([status, body.error.message], [400, `query.${named} is given more than once`], path);
    }
    assert.ok(asked >= 4);
  });

test("the operator's listener does, too", async () => {
  for (const path of await readIn(service.ops, "/openapi.json")) {
    const { status, body } = await sendAsOperator(service, "GET", `${path}?misspelt=1`);
    assert.equal(status, 400, path);
    assert.match(body.error.message, /has (?:no )?misspelt/, path);
  }
});
