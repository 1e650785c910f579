/** What the pages of the catalogues have in common: a table, and a section for each entry. */
import type { Shown } from "../src/freight/source-catalogue/print-entry.ts";

export type PageColumn<Entry> = readonly [heading: string, of: (entry: Entry) => string];

type PagedEntry = Shown & {
  readonly name: string;
  readonly apply: { readonly url: string; readonly how: string };
  readonly unsupported?: string;
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
  { name, apply, signIn, unsupported, quirks, unknown, sources }: PagedEntry,
  named: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): string {
  const ways = signIn.map(({ kind, needs }) => {
    const fields = [
      ...Object.entries(named).map(([field, value]) => `"${field}": "${value}"`),
      ...Object.keys(needs).map((need) => `"${need}": "…"`),
      ...Object.keys(more).map((field) => `"${field}": {}`),
    ];
    const where = Object.entries({ ...needs, ...more }).map(([need, text]) => `- \`${need}\`: ${text}`);
    return `By ${kind}:\n\n\`\`\`json\n{ ${fields.join(", ")} }\n\`\`\`\n\n${where.join("\n")}\n`;
  });
  const notes = [
    `- Apply: [${new URL(apply.url).host}](${apply.url}). ${apply.how}`,
    ...quirks.map((quirk) => `- ${quirk}`),
    ...unknown.map((text) => `- Not known: ${text[0]?.toLowerCase()}${text.slice(1)}`),
    `- From: ${sources.map(({ url, read }, index) => `[${index + 1}](${url}) (${read})`).join(", ")}.`,
  ];
  const refusal = unsupported === undefined ? [] : [`Boathook does not poll it: ${unsupported}.\n`];
  return [`## ${name}\n`, ...refusal, ...ways, `${notes.join("\n")}\n`].join("\n");
}
