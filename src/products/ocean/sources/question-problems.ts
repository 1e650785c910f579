/** What is wrong with a carrier's question that its schema cannot see. */
import { KINDS, placeholderOf, type Paging, type Question } from "./question-schema.ts";

/** `place` is a JSON Pointer. */
export function questionProblems(
  {
    question = {},
    paging,
    parameters = {},
  }: {
    readonly question?: Question | undefined;
    readonly paging?: Paging | undefined;
    readonly parameters?: Readonly<Record<string, string>> | undefined;
  },
  place: string,
): readonly string[] {
  const { path = "", references = {}, limit, split } = question;
  const problems: string[] = [];
  const state = (inside: string, problem: string): number => problems.push(`${place}/${inside} ${problem}`);
  if (hasOtherPlaceholder(path)) state("question/path", NO_PLACEHOLDER);
  const kinds = Object.entries(references);
  if (KINDS.every((kind) => references[kind] === null))
    state("question/references", "leave no kind to ask for");
  for (const [kind, written] of kinds) {
    for (const one of [written].flat()) {
      if (one === null) continue;
      const templates = [one.path ?? path, ...Object.values(one.parameters ?? {})];
      if (templates.some(hasOtherPlaceholder)) state(`question/references/${kind}`, NO_PLACEHOLDER);
      const isAsked = one.parameters === undefined && one.path === undefined;
      if (!isAsked && !templates.some((template) => /[{}]/.test(template)))
        state(`question/references/${kind}`, "has no {reference}");
    }
  }
  if (split !== undefined) {
    const isLimited = limit !== undefined || /^[1-9]\d{0,5}$/.test(parameters["limit"] ?? "");
    if (!isLimited) state("question/split", "needs a limit, which shows that an answer is cut");
    if ((split.parameter === undefined) !== (split.values === undefined))
      state("question/split", "must have parameter and values together");
  }
  if (paging?.by === "cursor" && (paging.header === undefined) === (paging.body === undefined))
    state("paging", "must have either header or body");
  return problems;
}

const PLACEHOLDERS = ["{reference}", ...KINDS.map(placeholderOf)];

const NO_PLACEHOLDER = `may have no placeholder but ${PLACEHOLDERS.join(", ")}`;

function hasOtherPlaceholder(template: string): boolean {
  return /[{}]/.test(PLACEHOLDERS.reduce((rest, name) => rest.replaceAll(name, ""), template));
}
