import type { Place, Rule } from "./index-of.ts";
import type { Section } from "./section.ts";

/** docs/spec-index.md as it should be. */
export function specPage(sections: readonly Section[], rules: readonly Rule[]): string {
  const tables = sections.map(({ id, title }) => {
    const rows = rules
      .filter((rule) => rule.id === id || rule.id.startsWith(`${id} `))
      .map((rule) => `| ${nameOf(rule, id)} | ${codeOf(rule.implementedIn)} | ${testsOf(rule.shownBy)} |`);
    return `## ${id} ${title}\n\n| Rule | Implemented in | Shown by |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
  });
  return `# Where the specification is implemented

A comment or a test title refers to a rule by its section and id: \`(spec 6.2: container_arrived)\`. A test fails for
a rule without an implementation or a test, unless \`scripts/spec/gaps.json\` lists it.

<!-- Written by \`npm run docs:spec\` from the comments and test titles: change it there. -->

${tables.join("\n")}`;
}

function nameOf({ id, title }: Rule, section: string): string {
  return id === section ? "the section as a whole" : `\`${id.slice(section.length + 1)}\`: ${title}`;
}

function codeOf(places: readonly Place[]): string {
  return places.map(({ path, line }) => `[${path}:${line}](../${path}#L${line})`).join("<br>");
}

function testsOf(places: readonly Place[]): string {
  return [...new Set(places.map(({ path }) => path))].map((path) => `[${path}](../${path})`).join("<br>");
}

/** The page without line numbers, which move whenever code above them does. */
export function withoutLines(page: string): string {
  return page.replaceAll(/(?::|#L)\d+(?=[\])])/g, "");
}
