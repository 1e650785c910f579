/** The code in a package's README, by language: the tests run what the README shows. */
import { readFileSync } from "node:fs";

export function codeBlocks(language: string, packageName = "receiver"): readonly string[] {
  const text = readFileSync(new URL(`../../packages/${packageName}/README.md`, import.meta.url), "utf8");
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, tag]) => tag === language)
    .map(([, , code]) => code ?? "");
}
