/** docs/carriers/README.md, from the catalogue of carriers: a table, and a section for each. */
import { shippedCatalogue, type CatalogueEntry } from "../src/products/ocean/sources/catalogue/catalogue.ts";

const HEAD = `# The catalogue of carriers

Boathook ships with what public documents say of these carriers' APIs. An entry of the
[carriers file](../carriers.md) names one and gives what you sign in with; any other field overrides the
catalogue's. Objects are merged with it, but \`quota\` is replaced.
\`boathook carriers catalogue\` lists them, and \`boathook carriers check\` tries your credentials.

Nobody here has credentials of a carrier. Each entry is tested against a replayed server that behaves as
documented, refusals included; what the last column names has not been seen live. No portal was found that resells
several carriers and documents DCSA Track & Trace for it. \`npm run docs:carriers\` writes this page.
`;

const COLUMNS: readonly (readonly [heading: string, of: (entry: CatalogueEntry) => string])[] = [
  ["Carrier", ({ scac, name, covers = [] }) => `${name} (${[scac, ...covers].join(", ")})`],
  ["Documented how", ({ documented }) => documented.how],
  ["Question", ({ documented }) => documented.question],
  ["Authentication", (entry) => authenticationOf(entry)],
  ["Paging", ({ documented }) => documented.paging],
  ["Quota", ({ documented }) => documented.quota],
  ["Tried against", (entry) => triedOn(entry)],
  [
    "Not seen live",
    ({ unsupported, recorded }) => {
      if (unsupported !== undefined) return `Not polled: ${unsupported}`;
      return recorded === true ? "Addresses, signing in, pages, refusals" : "All of it";
    },
  ],
];

export function carriersPage(): string {
  const catalogue = shippedCatalogue();
  const rows = catalogue.map((entry) => `| ${COLUMNS.map(([, of]) => cell(of(entry))).join(" | ")} |`);
  const table = [
    `| ${COLUMNS.map(([heading]) => heading).join(" | ")} |`,
    `| ${COLUMNS.map(() => "---").join(" | ")} |`,
    ...rows,
  ];
  return [HEAD, `${table.join("\n")}\n`, ...catalogue.map(sectionOf)].join("\n");
}

const cell = (text: string): string => text.replace(/\.$/, "").replaceAll("|", "\\|");

function authenticationOf({ signIn }: CatalogueEntry): string {
  return signIn.length === 0 ? "-" : signIn.map(({ kind }) => kind).join(", or ");
}

function triedOn({ unsupported, recorded }: CatalogueEntry): string {
  if (unsupported !== undefined) return "Nothing";
  return recorded === true ? "A replayed server, and recorded answers" : "A replayed server";
}

function sectionOf({
  scac,
  name,
  apply,
  signIn,
  unsupported,
  quirks,
  unknown,
  sources,
}: CatalogueEntry): string {
  const ways = signIn.map(({ kind, needs }) => {
    const fields = Object.keys(needs).map((need) => `, "${need}": "…"`);
    const where = Object.entries(needs).map(([need, text]) => `- \`${need}\`: ${text}`);
    return `By ${kind}:\n\n\`\`\`json\n{ "carrier": "${scac}"${fields.join("")} }\n\`\`\`\n\n${where.join("\n")}\n`;
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
