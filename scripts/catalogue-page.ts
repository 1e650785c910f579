/** What the pages of the catalogues have in common: a table, and a section for each entry. */
import type { ShownApi } from "../src/freight/source-catalogue/catalogue-command.ts";

export type PageColumn<Entry> = readonly [heading: string, of: (entry: Entry) => string];

type PagedEntry = ShownApi & {
  readonly name: string;
  readonly apply: { readonly url: string; readonly how: string };
};

export function tableOf<Entry>(entries: readonly Entry[], columns: readonly PageColumn<Entry>[]): string {
  const rows = entries.map((entry) => `| ${columns.map(([, of]) => cell(of(entry))).join(" | ")} |`);
  const lines = [
    `| ${columns.map(([heading]) => heading).join(" | ")} |`,
    `| ${columns.map(() => "---").join(" | ")} |`,
    ...rows,
  ];
  return `${lines.join("\n")}\n`;
}

const cell = (text: string): string => text.replace(/\.$/, "").replaceAll("|", "\\|");

/** `named`: the fields of the file's entry that name the source; `more`: further fields that it has to have. */
export function sectionOf(
  { name, apply, signIn, unsupported, ...notes }: PagedEntry,
  named: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): string {
  const blanks = Object.keys(more).map((field) => `"${field}": {}`);
  const ways = waysOf(signIn, named, blanks, listed(more));
  const refusal = unsupported === undefined ? [] : [`Boathook does not poll it: ${unsupported}.\n`];
  const where = `- Apply: [${new URL(apply.url).host}](${apply.url}). ${apply.how}`;
  return [`## ${name}\n`, ...refusal, ...ways, notesOf(notes, where)].join("\n");
}

/** `fields`: further ones of the example, as JSON; `about`: what they are. */
export function waysOf(
  signIn: ShownApi["signIn"],
  named: Readonly<Record<string, string>>,
  fields: readonly string[],
  about: readonly string[] = [],
): readonly string[] {
  return signIn.map(({ kind, needs }) => {
    const entry = [
      ...Object.entries(named).map(([field, value]) => `"${field}": "${value}"`),
      ...Object.keys(needs).map((need) => `"${need}": "…"`),
      ...fields,
    ];
    const where = [...listed(needs), ...about].join("\n");
    return `By ${kind}:\n\n\`\`\`json\n{ ${entry.join(", ")} }\n\`\`\`\n\n${where}\n`;
  });
}

const listed = (needs: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(needs).map(([need, text]) => `- \`${need}\`: ${text}`);

export function notesOf(
  { quirks, unknown, sources }: Pick<ShownApi, "quirks" | "unknown" | "sources">,
  ...first: readonly string[]
): string {
  const notes = [
    ...first,
    ...quirks.map((quirk) => `- ${quirk}`),
    ...unknown.map((text) => `- Not known: ${text[0]?.toLowerCase()}${text.slice(1)}`),
    `- From: ${sources.map(({ url, read }, index) => `[${index + 1}](${url}) (${read})`).join(", ")}.`,
  ];
  return `${notes.join("\n")}\n`;
}
