/**
 * `npm run docs:spec`: writes docs/spec-index.md, and takes out of spec/gaps.json what is no gap any more.
 * `--missing` prints the rules without an implementation or a test instead, and writes nothing.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { gapsIn } from "./spec/index-of.ts";
import { specPage } from "./spec/page.ts";
import { GAPS, knownGaps, PAGE, projectSpecIndex } from "./spec/project.ts";
import { SECTIONS } from "./spec/rules.ts";

const { values } = parseArgs({ options: { missing: { type: "boolean", default: false } } });
const { rules, unknown } = projectSpecIndex();
const gaps = gapsIn(rules);
const titles = new Map(rules.map(({ id, title }) => [id, title]));

if (values.missing) {
  for (const id of gaps.implementation) console.log(`no implementation: ${id} (${titles.get(id)})`);
  for (const id of gaps.test) console.log(`no test: ${id} (${titles.get(id)})`);
} else {
  const known = knownGaps();
  const left = {
    implementation: gaps.implementation.filter((id) => known.implementation.includes(id)),
    test: gaps.test.filter((id) => known.test.includes(id)),
  };
  writeFileSync(GAPS, `${JSON.stringify(left, null, 2)}\n`);
  writeFileSync(PAGE, specPage(SECTIONS, rules));
}
for (const { path, line, id } of unknown) console.error(`${path}:${line}: there is no rule "${id}"`);
console.log(
  `${rules.length} rules, ${gaps.implementation.length} without an implementation, ${gaps.test.length} without a test`,
);
process.exitCode = unknown.length === 0 ? 0 : 1;
