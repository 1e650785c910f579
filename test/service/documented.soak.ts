/** As `documented.world.ts`, with more requests of each kind: `npm run test:soak`, some minutes. */
import { before, describe, test } from "node:test";

import { products } from "../../src/products/index.ts";
import { fuzzDocument, startScene, type Scene } from "./fuzz-documents.ts";
import { ownerOfSuite } from "./running.ts";

/** For each operation. */
const RUNS = 2_000;

describe("many requests made from the documents", () => {
  const owner = ownerOfSuite();
  let scene: Scene;
  before(async () => {
    scene = await startScene(owner);
  });

  for (const { tag } of products) {
    test(`${tag}: every answer is documented, and nothing wrong is taken`, async () => {
      await fuzzDocument(scene, tag, { numRuns: RUNS });
    });
  }
});
