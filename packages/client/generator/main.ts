/**
 * `npm run client`: writes src/generated, the types of the OpenAPI documents. While the sources are the ones that
 * the types were made from, nothing else is read, and no service starts.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const GENERATED = join(import.meta.dirname, "..", "src", "generated");
const STAMP = join(GENERATED, "sources.txt");

const files = [
  ...filesIn(import.meta.dirname),
  ...filesIn(join(ROOT, "src")),
  join(ROOT, "package-lock.json"),
];
const sources = hashOf(files.map((path) => readFileSync(path)));
if (textOf(STAMP) !== sources) {
  const { readTypes } = await import("./types.ts");
  mkdirSync(GENERATED, { recursive: true });
  for (const [name, types] of await readTypes()) writeFileSync(join(GENERATED, `${name}.ts`), types);
  writeFileSync(STAMP, sources);
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
}

function hashOf(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** Empty where there is no file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
