/**
 * `npm run docs:examples`: writes what the documents show of each route, as a service on the world of `boathook try`
 * answers. An example that still shows all that is answered does not change. `--renew` writes all again; `--check` writes
 * nothing and fails if something would change.
 */
import { writeFileSync } from "node:fs";

import { EXAMPLES as OPERATOR } from "../src/operator/document.ts";
import { readExamples } from "../src/http/openapi/examples.ts";
import { products } from "../src/products/index.ts";
import { compare } from "./examples/keep.ts";
import { recordExamples } from "./examples/record.ts";
import { onTryWorld } from "./examples/try-world.ts";

const [option] = process.argv.slice(2);

const { examples, problems } = await onTryWorld(recordExamples);
const found = [...problems];
for (const [name, recorded] of examples) {
  const file = name === "operator" ? OPERATOR : products.find(({ tag }) => tag === name)?.examples;
  if (file === undefined) throw new Error(`${name} names no file of examples`);
  const { examples: kept, differences } = compare(readExamples(file), recorded);
  if (option === "--check") found.push(...differences.map((one) => `${name} ${one}`));
  else writeFileSync(file, `${JSON.stringify(option === "--renew" ? recorded : kept, null, 2)}\n`);
}
for (const one of found) console.error(one);
process.exitCode = found.length > 0 ? 1 : 0;
