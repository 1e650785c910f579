/** Every answer is one that the product's OpenAPI document has, whatever is sent. `npm run test:soak` sends more. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { products } from "../../src/products/index.ts";
import { fuzzDocument, startScene, type Scene } from "./fuzz-documents.ts";
import { ownerOfSuite } from "./running.ts";

/** For each operation. */
const RUNS = 40;
/** The same requests each time: `documented.soak.ts` sends others. */
const SEED = 1;

describe("requests made from the documents", () => {
  const owner = ownerOfSuite();
  let scene: Scene;
  before(async () => {
    scene = await startScene(owner);
  });

  for (const { tag } of products) {
    test(`${tag}: every answer is documented, and nothing wrong is taken`, async (t) => {
      const seen = await fuzzDocument(scene, tag, { numRuns: RUNS, seed: SEED });
      for (const [operation, statuses] of seen) t.diagnostic(`${operation}: ${[...statuses].join(" ")}`);
      assert.ok([...seen.values()].some((statuses) => statuses.has(201)));
    });
  }
});
