/** Which rule of the specification is implemented where, and which tests show it. */
import { proseOf } from "../prose.ts";
import { lineAt, type ProjectFile } from "../source.ts";
import { referencesIn } from "./references.ts";
import { CHAPTERS } from "./rules.ts";
import type { Section } from "./section.ts";

export type Place = { readonly path: string; readonly line: number };

/** `id` is `6.2` for a section and `6.2 container_arrived` for a rule in it. */
export type Rule = {
  readonly id: string;
  readonly title: string;
  readonly implementedIn: readonly Place[];
  readonly shownBy: readonly Place[];
};

export type SpecIndex = {
  readonly rules: readonly Rule[];
  /** References to rules that do not exist. */
  readonly unknown: readonly (Place & { readonly id: string })[];
};

type Found = Place & { readonly id: string; readonly isTest: boolean };

const TEST_FILE = /\.(?:test|pages|world|faults|soak)\.ts$/;

/**
 * Code counts by its comments, tests by their comments and titles; nothing else does: neither the rest of `test/`, nor
 * the simulator's truth, nor what is generated of statements.
 */
const CODE = /^(?:src|packages\/(?!simulator\/))/;
const GENERATED = /\.sql\.ts$/;

export function specIndex(files: readonly ProjectFile[], sections: readonly Section[]): SpecIndex {
  const found = files.flatMap((file) => referencesOf(file, sections));
  const byId = Map.groupBy(found, ({ id }) => id);
  const rules = sections.flatMap(({ id, title, rows }) => [
    ruleOf(id, title, byId),
    ...Object.entries(rows).map(([row, rowTitle]) => ruleOf(`${id} ${row}`, rowTitle, byId)),
  ]);
  const known = new Set([...rules.map(({ id }) => id), ...CHAPTERS]);
  return { rules, unknown: found.filter(({ id }) => !known.has(id)) };
}

function ruleOf(id: string, title: string, byId: ReadonlyMap<string, readonly Found[]>): Rule {
  const found = byId.get(id) ?? [];
  return {
    id,
    title,
    implementedIn: found.filter(({ isTest }) => !isTest),
    shownBy: found.filter(({ isTest }) => isTest),
  };
}

function referencesOf(file: ProjectFile, sections: readonly Section[]): readonly Found[] {
  const isTest = TEST_FILE.test(file.path);
  // To parse all files takes seconds.
  if (!isTest && (!CODE.test(file.path) || GENERATED.test(file.path))) return [];
  if (!/\bspec\b/.test(file.text)) return [];
  const { comments, strings } = proseOf(file);
  return [...comments, ...(isTest ? strings : [])].flatMap((piece) =>
    [...referencesIn(piece, sections)].map(({ section, row, index }) => ({
      path: file.path,
      line: lineAt(file.text, index),
      id: row === null ? section : `${section} ${row}`,
      isTest,
    })),
  );
}

/** The ids of the rules without an implementation, and without a test. A rule of a section counts for it too. */
export type Gaps = { readonly implementation: readonly string[]; readonly test: readonly string[] };

export function gapsIn(rules: readonly Rule[]): Gaps {
  const without = (of: (rule: Rule) => readonly Place[]) =>
    rules
      .filter((rule) => of(rule).length === 0)
      .map(({ id }) => id)
      .filter((id) => !rules.some((rule) => rule.id.startsWith(`${id} `) && of(rule).length > 0));
  return {
    implementation: without(({ implementedIn }) => implementedIn),
    test: without(({ shownBy }) => shownBy),
  };
}
