/**
 * A package's exports for npm: `dist` before packing, `src` afterwards. A clone runs the sources without a build, and
 * Node runs no TypeScript inside node_modules. Plain JavaScript, because npm runs it on any Node.
 *
 *     "./src/index.ts" <-> { "types": "./dist/index.d.ts", "default": "./dist/index.js" }
 */
import { readFileSync, writeFileSync } from "node:fs";

const description = JSON.parse(readFileSync("package.json", "utf8"));
const change = process.argv[2] === "dist" ? built : source;
description.exports = Object.fromEntries(
  Object.entries(description.exports).map(([name, target]) => [name, change(target)]),
);
writeFileSync("package.json", `${JSON.stringify(description, null, 2)}\n`);

function built(target) {
  const module = /^\.\/src\/(.+)\.ts$/.exec(target)?.[1];
  return module === undefined ? target : { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` };
}

function source(target) {
  return target.default?.replace(/^\.\/dist\/(.+)\.js$/, "./src/$1.ts") ?? target;
}
