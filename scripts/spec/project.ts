import { readFileSync } from "node:fs";
import { join } from "node:path";

import { projectFiles } from "../project-files.ts";
import { type Gaps, type SpecIndex, specIndex } from "./index-of.ts";
import { SECTIONS } from "./rules.ts";

export const ROOT = join(import.meta.dirname, "..", "..");

export const PAGE = join(ROOT, "docs", "spec-index.md");

export const GAPS = join(import.meta.dirname, "gaps.json");

/** Their own tests refer to rules that do not exist. */
const WITHOUT_REFERENCES = /^test\/scripts\//;

export function projectSpecIndex(): SpecIndex {
  const files = projectFiles(ROOT, "{src,packages,test}/**/*.{ts,sql}");
  return specIndex(
    files.filter(({ path }) => !WITHOUT_REFERENCES.test(path)),
    SECTIONS,
  );
}

/** The gaps that are known. The list only shrinks. */
export function knownGaps(): Gaps {
  return JSON.parse(readFileSync(GAPS, "utf8")) as Gaps;
}
