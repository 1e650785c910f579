/** As `documented.test.ts`, with more requests of each kind: `npm run test:soak`, some minutes. */
import { after, before, describe, test } from "node:test";

import { products } from "../../src/products/index.ts";
import { makeDataFolder } from "./boathook.ts";
import { fuzzDocument, startScene, type Scene } from "./fuzz-documents.ts";

/** For each operation. */
const RUNS = 2_000;

const folder = makeDataFolder({ withDatabase: true });

describe("many requests made from the documents", () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene(folder);
  });
  after(() => scene?.service.stop());

  for (const { tag } of products) {
    test(`${tag}: every answer is documented, and nothing wrong is taken`, async () => {
      await fuzzDocument(scene, tag, { numRuns: RUNS });
    });
  }
});
