/** docs/airlines/README.md, from the catalogue of airlines: a table, and a section for each. */
import {
  isProvider,
  shippedCatalogue,
  type CatalogueEntry,
} from "../src/products/air/sources/catalogue/catalogue.ts";
import { sectionOf, tableOf, type PageColumn } from "./catalogue-page.ts";

const HEAD = `# The catalogue of airlines

Boathook ships with what public documents say of these airlines' APIs, and of providers that answer for many airlines.
An entry of the [airlines file](../airlines.md) names one and gives what you sign in with: \`{"airline": "LH", "apiKey": "…"}\`.
With \`by\`, a provider answers for any airline of the [table of prefixes](../decisions/air.md#which-airline-owns-a-prefix):
\`{"airline": "QR", "by": "CARGOAI", "rapidApiKey": "…"}\`.

\`name\`, \`prefixes\`, \`requestsMax\` and \`asOf\` are the airline's; \`sources\` come after the catalogue's; any other field
overrides the catalogue's source. Objects are merged with it, but \`quota\` is replaced.
\`boathook airlines catalogue\` lists them, and \`boathook airlines check\` tries your credentials.

Nobody here has credentials of an airline or a provider. Each complete entry is tested against a replayed server that
behaves as documented, refusals included; nothing has been seen live. We looked for public tracking APIs of Emirates
SkyCargo, Turkish Cargo, Finnair Cargo, Swiss WorldCargo, Etihad Cargo, American, United and Delta on 2026-11-23, and
found no page to take an entry from. What such airlines send, FSU or
XFSU, [\`push\`](../airlines.md#push-messages-that-come-by-themselves) takes.
\`npm run docs:airlines\` writes this page.
`;

const COLUMNS: readonly PageColumn<CatalogueEntry>[] = [
  ["Airline", (entry) => titleOf(entry)],
  ["Offers", ({ offers }) => offers.join(", ")],
  ["Documented how", ({ documented }) => documented.how],
  ["Question", ({ documented }) => documented.question],
  ["Authentication", ({ documented }) => documented.authentication],
  ["Quota", ({ documented }) => documented.quota],
  ["Tried against", (entry) => triedOn(entry)],
  ["Not seen live", (entry) => notSeen(entry)],
];

export function airlinesPage(): string {
  const catalogue = shippedCatalogue();
  const sections = catalogue.map((entry) => {
    const { code, missing = {} } = entry;
    return sectionOf(entry, isProvider(entry) ? { airline: "QR", by: code } : { airline: code }, missing);
  });
  return [HEAD, tableOf(catalogue, COLUMNS), ...sections].join("\n");
}

function titleOf({ code, name, covers = [], prefixes = [] }: CatalogueEntry): string {
  const digits = prefixes.length === 0 ? "any prefix" : prefixes.join(", ");
  return `${name} (${[code, ...covers].join(", ")}; ${digits})`;
}

function triedOn({ unsupported, missing }: CatalogueEntry): string {
  if (unsupported !== undefined) return "Nothing";
  return missing === undefined ? "A replayed server" : "A replayed server: question and refusals";
}

function notSeen({ unsupported, missing }: CatalogueEntry): string {
  if (unsupported !== undefined) return `Not polled: ${unsupported}`;
  return missing === undefined
    ? "All of it"
    : `All of it; you add ${Object.keys(missing)
        .map((field) => `\`${field}\``)
        .join(", ")}`;
}
