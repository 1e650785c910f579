/** The code blocks of the README and the guides, as a reader meets them. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");

export type Block = {
  readonly page: string;
  /** 1: the first of its page. */
  readonly number: number;
  readonly line: number;
  readonly language: string;
  readonly code: string;
};

const PAGES = ["README.md", ...globSync("docs/*.md", { cwd: ROOT }).toSorted()];

const BLOCK = /^```(.*)\n([\s\S]*?)^```$/gm;

export const blocks: readonly Block[] = PAGES.flatMap((page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(BLOCK)].map(([, language = "", code = ""], index) => ({
    page,
    number: index + 1,
    line: text.slice(0, text.indexOf(code)).split("\n").length,
    language,
    code,
  }));
});

/** What a shell takes. */
const SHELLS: ReadonlySet<string> = new Set(["console", "sh"]);

export function isCommand({ language }: Block): boolean {
  return SHELLS.has(language);
}

export function nameOf({ page, line }: Block): string {
  return `${page}:${line}`;
}
