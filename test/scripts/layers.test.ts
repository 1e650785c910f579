import assert from "node:assert/strict";
import { test } from "node:test";

import { LAYERS, importProblem, namesProduct } from "../../scripts/layers.ts";

const FORBIDDEN: readonly [from: string, to: string][] = [
  ["src/runtime/a.ts", "src/model/a.ts"],
  ["src/model/a.ts", "src/store/a.ts"],
  ["src/store/a.ts", "src/engine/a.ts"],
  ["src/engine/a.ts", "src/http/a.ts"],
  ["src/http/a.ts", "src/operator/a.ts"],
  ["src/cli/a.ts", "src/freight/a.ts"],
  ["src/freight/a.ts", "src/products/ocean/a.ts"],
  ["src/products/ocean/a.ts", "src/products/schedules/a.ts"],
  ["src/products/ocean/a.ts", "src/products/index.ts"],
  ["src/service/a.ts", "src/products/air/product.ts"],
  ["packages/receiver/src/a.ts", "src/model/a.ts"],
  ["packages/receiver/src/a.ts", "packages/simulator/a.ts"],
  ["packages/simulator/src/a.ts", "src/runtime/a.ts"],
  ["packages/simulator/src/a.ts", "packages/receiver/src/a.ts"],
  ["src/service/commands/a.ts", "packages/simulator/src/a.ts"],
  ["src/elsewhere/a.ts", "src/model/a.ts"],
];

for (const [from, to] of FORBIDDEN) {
  test(`${from} may not import ${to}`, () => assert.notEqual(importProblem(LAYERS, from, to), null));
}

const ALLOWED: readonly [from: string, to: string][] = [
  ["src/model/a.ts", "src/runtime/a.ts"],
  ["src/freight/a.ts", "src/engine/send/a.ts"],
  ["src/products/ocean/sources/a.ts", "src/products/ocean/a.ts"],
  ["src/products/ocean/a.ts", "src/freight/a.ts"],
  ["src/products/index.ts", "src/products/ocean/product.ts"],
  ["src/service/a.ts", "src/products/index.ts"],
  ["src/main.ts", "src/service/a.ts"],
  ["packages/receiver/test/a.ts", "packages/receiver/src/a.ts"],
  ["test/ocean/a.ts", "packages/simulator/a.ts"],
];

for (const [from, to] of ALLOWED) {
  test(`${from} may import ${to}`, () => assert.equal(importProblem(LAYERS, from, to), null));
}

test("the service and the frames name no product, the products do", () => {
  assert.ok(namesProduct(LAYERS, "src/service/a.ts", "ocean"));
  assert.ok(namesProduct(LAYERS, "src/http/a.ts", "rates"));
  assert.ok(!namesProduct(LAYERS, "src/http/a.ts", "endpoints"));
  assert.ok(!namesProduct(LAYERS, "src/products/index.ts", "ocean"));
});
