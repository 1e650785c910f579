/** docs/carriers/README.md, from the catalogue of carriers: a table, and a section for each. */
import { shippedCatalogue, type CatalogueEntry } from "../src/products/ocean/sources/catalogue/catalogue.ts";
import { sectionOf, tableOf, type PageColumn } from "./catalogue-page.ts";

const HEAD = `# The catalogue of carriers

Boathook ships with what public documents say of these carriers' APIs. An entry of the
[carriers file](../carriers.md) names one and gives what you sign in with; any other field overrides the
catalogue's. Objects are merged with it, but \`quota\` is replaced.
\`boathook carriers catalogue\` lists them, and \`boathook carriers check\` tries your credentials.

Nobody here has credentials of a carrier. Each entry is tested against a replayed server that behaves as
documented, refusals included; what the last column names has not been seen live. No portal was found that resells
several carriers and documents DCSA Track & Trace for it. \`npm run docs:carriers\` writes this page.
`;

const COLUMNS: readonly PageColumn<CatalogueEntry>[] = [
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
  const sections = catalogue.map((entry) => sectionOf(entry, { carrier: entry.scac }));
  return [HEAD, tableOf(catalogue, COLUMNS), ...sections].join("\n");
}

function authenticationOf({ signIn }: CatalogueEntry): string {
  return signIn.length === 0 ? "-" : signIn.map(({ kind }) => kind).join(", or ");
}

function triedOn({ unsupported, recorded }: CatalogueEntry): string {
  if (unsupported !== undefined) return "Nothing";
  return recorded === true ? "A replayed server, and recorded answers" : "A replayed server";
}
