/** What holds on every route of the products' documents (spec 5, 8). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { products } from "../../src/products/index.ts";
import { send, type Method } from "../support/service.ts";
import { ofSuite } from "../support/suite.ts";
import { startEveryRoute } from "./every-route.ts";

type Documented = Readonly<
  Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>
>;

describe("every route", () => {
  const service = ofSuite(() => startEveryRoute());

  // spec 5: unauthorized, public_routes; 8: public_routes
  for (const { tag } of products)
    test(`${tag}: asks for a key, or counts the requests of an address`, async () => {
      const paths = (await send(service.api, { method: "GET", url: `/${tag}/openapi.json` })).body
        .paths as Documented;
      const open: string[] = [];
      for (const [path, item] of Object.entries(paths))
        for (const [name, { security }] of Object.entries(item)) {
          const method = name.toUpperCase() as Method;
          const payload = method === "GET" || method === "DELETE" ? {} : { payload: {} };
          const answer = await send(service.api, {
            method,
            url: `/${tag}${path.replaceAll(/\{\w+\}/g, "1")}`,
            ...payload,
          });
          if (security?.length !== 0) assert.equal(answer.status, 401, `${method} ${path}`);
          else {
            open.push(path);
            assert.match(String(answer.headers["ratelimit"]), /^"default";r=\d+;t=60$/, `${method} ${path}`);
          }
        }
      assert.deepEqual(open, OPEN[tag], "the routes without a key");
    });
});

const SESSION = "/v1/portal/session";
const SCHEMA = "/schemas/webhook-delivery.json";
const OPEN: Readonly<Record<string, readonly string[]>> = {
  tracking: [SESSION, "/public/containers/{reference}", "/changelog.json", "/versions.json", SCHEMA],
  air: [SESSION, "/public/airlines/{prefix}", SCHEMA],
  schedules: [
    SESSION,
    "/public/sailings",
    "/public/connections",
    "/public/ports",
    "/public/port-calls",
    "/public/port-calls/{id}/history",
    "/public/vessels/{imo}",
    "/public/reliability",
    SCHEMA,
  ],
  rates: [SESSION, SCHEMA],
  loading: [SESSION, SCHEMA],
};
