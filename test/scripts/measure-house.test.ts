import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";

import { houseTable } from "../../scripts/measure/house-table.ts";
import { measureHouse } from "../../scripts/measure/house.ts";

const TREE: Readonly<Record<string, string>> = {
  "src/main.ts": 'import { a } from "./engine/a.ts";\na();\n',
  "src/engine/a.ts":
    'import type { B } from "./b.ts";\nexport function a(): B {\n  const inner = () => {\n    return 1;\n  };\n  return inner();\n}\n',
  "src/engine/b.ts": 'import { a } from "./a.ts";\nexport type B = number;\nexport const unused = a;\n',
  "src/products/ocean/product.ts": "export const product = rows<number>(1);\n",
  "src/products/ocean/sql/list.sql": "select 1;\n",
  "packages/receiver/src/index.ts": "export const one = 1, { two, three: third } = rest;\n",
  "README.md": "# Three words here\n",
  "node_modules/x/README.md": "not counted\n",
  "test/a.test.ts": 'import { a } from "../src/engine/a.ts";\n',
};

const root = mkdtempSync(join(tmpdir(), "boathook-house-"));
after(() => rmSync(root, { recursive: true }));
for (const [path, text] of Object.entries(TREE)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const house = measureHouse(root);

test("lines are counted by folder, products by name", () => {
  assert.deepEqual(Object.fromEntries(house.linesByFolder), {
    "packages/receiver": 1,
    src: 2,
    "src/engine": 10,
    "src/products/ocean": 1,
  });
  assert.deepEqual(house.files[0], { path: "src/engine/a.ts", lines: 7 });
});

test("a function counts with its closures", () => {
  const lengths = house.functions.map(({ name, lines }) => [name, lines]);
  assert.deepEqual(lengths, [
    ["a", 6],
    ["inner", 3],
  ]);
});

test("a circle that only a type closes is one", () => {
  assert.deepEqual(house.circles, [["src/engine/a.ts", "src/engine/b.ts"]]);
});

test("exported names are counted by the files that import them", () => {
  assert.deepEqual(house.exports, { all: 7, ofOneImporter: 1, ofNone: 5 });
  assert.equal(house.filesOfOneImporter, 1);
});

test("casts, statements and words are counted", () => {
  assert.deepEqual([house.rowsCasts, house.sqlFiles, house.documents, house.documentWords], [1, 1, 1, 4]);
});

test("the table names a figure a row", () => {
  const table = houseTable(house);
  assert.match(table, /^\| Figure \| Value \|\n\| --- \| --- \|\n\| lines of `packages\/receiver` \| 1 \|\n/);
  assert.match(table, /\| function 1 by length, lines \| 6: `a`, src\/engine\/a\.ts:2 \|/);
});
