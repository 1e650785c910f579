/** The lookup of an airline without a key (spec 4.2, 5). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { airRoutes } from "../../src/products/air/routes/routes.ts";
import type { Airline } from "../../src/products/air/sources/airlines/airlines-file.ts";
import { send, startService, type TestService } from "../support/service.ts";

const untracked = () => Promise.reject(new Error("nobody tracks here"));
const noIndex = {
  cellOf(): never {
    throw new Error("nobody reads here");
  },
  cellsSince: () => [],
};

describe("airlines by prefix", () => {
  let service: TestService;
  before(async () => {
    service = await startService({
      productRoutes: new Map([["air", airRoutes([], untracked, noIndex)]]),
      requestsPerAddressMax: 20,
      trustProxy: ["127.0.0.1"],
    });
  });
  after(() => service.close());

  const lookUp = (prefix: string, from = "198.51.100.1") =>
    send(service.api, {
      method: "GET",
      url: `/air/public/airlines/${prefix}`,
      headers: { "x-forwarded-for": from },
    });

  // spec 4.2: prefix_resolution; 5: public_routes
  test("anybody can look up the airline of a prefix", async () => {
    const { status, body } = await lookUp("023");
    assert.deepEqual([status, body], [200, { data: { prefix: "023", iata: "FX", name: "FedEx Express" } }]);
  });

  test("a prefix that is nobody's is not found, and what is none is refused", async () => {
    const unknown = await lookUp("000");
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, "not_found"]);
    for (const prefix of ["17", "1761", "17612345675", "EK", "%31%37x", "１７６"]) {
      const { status, body } = await lookUp(encodeURIComponent(decodeURIComponent(prefix)));
      assert.deepEqual([status, body.error.code], [400, "invalid_request"], prefix);
      assert.match(body.error.message, /first three digits/);
    }
  });

  test("an airline that the service asks goes by the name that its operator gave it, and adds its prefixes", async () => {
    const own: Airline = {
      name: "Falcon Air Cargo",
      iata: "F8",
      prefixes: ["901", "023"],
      sources: [{ kind: "push" }],
    };
    const configured = await startService({
      productRoutes: new Map([["air", airRoutes([own], untracked, noIndex)]]),
    });
    try {
      for (const [prefix, iata, name] of [
        ["901", "F8", "Falcon Air Cargo"],
        ["023", "F8", "Falcon Air Cargo"],
        ["176", "EK", "Emirates"],
      ]) {
        const url = `/air/public/airlines/${prefix}`;
        const { body } = await send(configured.api, { method: "GET", url });
        assert.deepEqual(body, { data: { prefix, iata, name } });
      }
    } finally {
      await configured.close();
    }
  });

  test("it is limited by address, and no two addresses share a limit", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) statuses.push((await lookUp("176", "198.51.100.2")).status);
    assert.deepEqual(statuses, [...Array<number>(20).fill(200), 429]);
    assert.equal((await lookUp("176", "198.51.100.3")).status, 200);
  });

  test("the product's OpenAPI document describes the lookup as one without a key", async () => {
    const { body } = await send(service.api, { method: "GET", url: "/air/openapi.json" });
    const operation = body.paths["/public/airlines/{prefix}"].get;
    assert.deepEqual(operation.security, []);
    assert.deepEqual(Object.keys(operation.responses), ["200", "400", "404", "429", "500", "503"]);
  });
});
