/** The code in the receiver's README, by language: the tests run what the README shows. */
import { readFileSync } from "node:fs";

const text = readFileSync(new URL("../../packages/receiver/README.md", import.meta.url), "utf8");

export function codeBlocks(language: string): readonly string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, tag]) => tag === language)
    .map(([, , code]) => code ?? "");
}
