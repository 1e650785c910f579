/** `boathook carriers catalogue` and its like: the sources that a catalogue knows, and what you need to sign in to one. */
import type { Static, TObject } from "typebox";

import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { facts, jsonText, printRows, type Column } from "../../cli/print.ts";
import type { apiFields, SignIn } from "./schema.ts";

/** What is said of an API. */
export type ShownApi = Static<TObject<typeof apiFields>>;

type Documented = {
  readonly [name in keyof typeof DOCUMENTED]?: string;
};

/** What documents say, as it is headed. */
const DOCUMENTED = {
  how: "Documented",
  question: "Question",
  paging: "Paging",
  authentication: "Signing in",
  quota: "Quota",
} as const;

type Listed = {
  readonly name: string;
  readonly covers?: readonly string[];
  readonly apply: { readonly url: string; readonly how: string };
};

type Fact = Parameters<typeof facts>[0][number];

export type CatalogueCommand<Entry extends Listed> = {
  /** `carriers`: the command's group. */
  readonly many: string;
  /** `the carriers whose APIs Boathook knows`: what is listed. */
  readonly lists: string;
  readonly file: string;
  /** What an entry is asked for by: `SCAC`. */
  readonly key: string;
  readonly argument: readonly [name: string, about?: string];
  readonly example: string;
  /** `no carrier of that SCAC`: what the catalogue has then. */
  readonly none: string;
  readonly entries: () => readonly Entry[];
  readonly find: (code: string) => Entry | null;
  readonly codeOf: (entry: Entry) => string;
  readonly apiOf: (entry: Entry) => ShownApi & { readonly documented: Documented };
  /** Fields that the user has to add, and why. */
  readonly missingOf?: (entry: Entry) => Readonly<Record<string, string>>;
  /** The heading of the names, and columns after them. */
  readonly columns: readonly [heading: string, ...more: readonly Column<Entry>[]];
  /** Of one: before what is documented, and after. */
  readonly factsOf: (entry: Entry) => { readonly first: readonly Fact[]; readonly last?: readonly Fact[] };
  readonly notesOf?: (entry: Entry) => string;
  /** What the file's entry may be, beside the fields to sign in with. */
  readonly exampleOf: (entry: Entry) => { readonly before: object; readonly after?: object };
};

export function catalogueCommand<Entry extends Listed>(shown: CatalogueCommand<Entry>): CommandFactory {
  const { many, lists, file, key, codeOf, find } = shown;
  const [heading, ...more] = shown.columns;
  const columns: readonly Column<Entry>[] = [
    [key.toUpperCase(), (entry) => [codeOf(entry), ...(entry.covers ?? [])].join(" ")],
    [heading, ({ name }) => name],
    ...more,
    ["YOU NEED", (entry) => needsOf(entry, shown)],
    ["APPLY AT", ({ apply }) => apply.url],
  ];
  return (at) =>
    action(
      "catalogue",
      `List ${lists}: what your entry in the ${file} needs, and where to apply. With a ${key}, all that is known of one.`,
      `boathook ${many} catalogue`,
      `boathook ${many} catalogue ${shown.example}`,
    )
      .argument(...shown.argument)
      .option(...JSON_OPTION)
      .action((code: string | undefined, { json }) => {
        if (code === undefined) return printRows(at, shown.entries(), columns, json);
        const entry = find(code.toUpperCase());
        if (entry !== null) return at.out(json === true ? jsonText(entry) : entryText(entry, shown));
        const all = `\`boathook ${many} catalogue\` lists all`;
        throw new CommandError(`The catalogue has ${shown.none}; ${all}.`, 1);
      });
}

/** `clientId, clientSecret or apiKey`. */
function needsOf<Entry extends Listed>(
  entry: Entry,
  { apiOf, missingOf }: Pick<CatalogueCommand<Entry>, "apiOf" | "missingOf">,
): string {
  const { unsupported, signIn } = apiOf(entry);
  if (unsupported !== undefined) return `not polled: ${unsupported}`;
  const needs = signIn.map((one) => Object.keys(one.needs).join(", ")).join(" or ");
  return [needs, ...Object.keys(missingOf?.(entry) ?? {})].join(", ");
}

function entryText<Entry extends Listed>(
  entry: Entry,
  { apiOf, missingOf, factsOf, notesOf, exampleOf, file }: CatalogueCommand<Entry>,
): string {
  const { signIn, quirks, unknown, sources, unsupported, documented } = apiOf(entry);
  const { first, last = [] } = factsOf(entry);
  const { apply } = entry;
  const said = (Object.keys(DOCUMENTED) as (keyof Documented)[]).flatMap((name) =>
    documented[name] === undefined ? [] : [[DOCUMENTED[name], documented[name]] as const],
  );
  const added = Object.entries(missingOf?.(entry) ?? {}).map(
    ([field, why]) => ["You add", `${field}: ${why}`] as const,
  );
  const { before, after = {} } = exampleOf(entry);
  const example = signIn
    .slice(0, 1)
    .map((one) => section(`In the ${file}`, [JSON.stringify({ ...before, ...blanksOf(one), ...after })]));
  const from = sources.map(({ url, read, of }) => `${url} (${read}): ${of}`);
  const head = [...first, ["Not polled", unsupported ?? null], ...said, ...last, ...added] as const;
  return [
    facts([...head, ["Apply at", `${apply.url}: ${apply.how}`]]),
    notesOf?.(entry) ?? "",
    ...signIn.map(({ kind, needs }) => section(`Sign in by ${kind}`, pairs(needs))),
    ...example,
    section("Quirks", quirks),
    section("Not known", unknown),
    section("From", from),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

/** Empty without lines. */
export const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`;

const pairs = (needs: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(needs).map(([name, where]) => `${name}: ${where}`);

const blanksOf = ({ needs }: SignIn): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(needs).map((name) => [name, "…"]));
