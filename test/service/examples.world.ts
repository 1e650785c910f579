/**
 * The examples of the OpenAPI documents are true: on the world of `boathook try` each request succeeds as it is shown,
 * with each parameter, in the shape of its schema; nothing is answered that its example lacks, and what is refused is
 * refused in these words.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import { compare } from "../../scripts/examples/keep.ts";
import { recordExamples } from "../../scripts/examples/record.ts";
import { readExamples } from "../../src/http/openapi/examples.ts";
import { refusalOf } from "../../src/http/refusal.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { EXAMPLES } from "../../src/operator/document.ts";
import { products } from "../../src/products/index.ts";
import { startTryWorld } from "./try-world.ts";

test("npm run docs:examples would change nothing", async (t) => {
  const { variables } = await startTryWorld(t);
  const { examples, problems } = await recordExamples(variables);
  assert.deepEqual(problems, []);
  const files = new Map([
    ["operator", EXAMPLES],
    ...products.map((one) => [one.tag, one.examples!] as const),
  ]);
  assert.deepEqual([...examples.keys()], [...files.keys()]);
  for (const [name, recorded] of examples)
    assert.deepEqual(compare(readExamples(files.get(name)), recorded).differences, [], name);
});

test("what only a broken service answers is shown in its words", () => {
  for (const { examples } of products)
    for (const [code, error] of [
      ["INTERNAL_ERROR", new Error("any")],
      ["UNAVAILABLE", new StoreUnavailable("any")],
    ] as const) {
      assert.equal(readExamples(examples).refusals[code], refusalOf(error, 0).message);
    }
});
