/** docs/carriers/README.md, from the catalogue of carriers: a table, and a section for each. */
import {
  shippedCatalogue,
  type CatalogueEntry,
  type CatalogueSchedules,
} from "../src/freight/source-catalogue/carriers.ts";
import { notesOf, sectionOf, tableOf, waysOf, type PageColumn } from "./catalogue-page.ts";

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

const SCHEDULES_HEAD = `## Schedules

An entry of the [schedules file](../schedules.md#feeds) that names one of these carriers needs
what you sign in with, and what to ask for. Each is tested against a replayed server that behaves as documented; none
has been seen live. \`boathook schedules catalogue\` lists them.
`;

type Scheduled = CatalogueEntry & { readonly schedules: CatalogueSchedules };

const SCHEDULE_COLUMNS: readonly PageColumn<Scheduled>[] = [
  ["Carrier", ({ scac, name }) => `${name} (${scac})`],
  ["Documented how", ({ schedules }) => schedules.documented.how],
  ["Question", ({ schedules }) => schedules.documented.question],
  ["Authentication", ({ schedules }) => authenticationOf(schedules)],
  ["Paging", ({ schedules }) => schedules.documented.paging],
  ["Quota", ({ schedules }) => schedules.documented.quota],
  [
    "Not seen live",
    ({ schedules: { unsupported } }) =>
      unsupported === undefined ? "All of it" : `Not polled: ${unsupported}`,
  ],
];

export function carriersPage(): string {
  const catalogue = shippedCatalogue();
  const scheduled = catalogue.flatMap((entry) =>
    entry.schedules === undefined ? [] : [{ ...entry, schedules: entry.schedules }],
  );
  const sections = catalogue.map((entry) =>
    [sectionOf(entry, { carrier: entry.scac }), ...schedulesOf(entry)].join("\n"),
  );
  return [
    HEAD,
    tableOf(catalogue, COLUMNS),
    SCHEDULES_HEAD,
    tableOf(scheduled, SCHEDULE_COLUMNS),
    ...sections,
  ].join("\n");
}

/** What an example asks for. */
const ASKED = ['"ports": ["NLRTM"]', '"pairs": [{ "from": "CNSHA", "to": "NLRTM" }]'];

function schedulesOf({ scac, name, schedules }: CatalogueEntry): readonly string[] {
  if (schedules === undefined || schedules.unsupported !== undefined) return [];
  const feeds = schedules.feeds
    .map(({ kind, by, daysAheadMax: most }) => {
      const period = most === undefined ? "" : `, ${most.value} days ahead at most`;
      return `\`${kind}\` by ${by.join(", ")}${period}`;
    })
    .join("; ");
  const ways = waysOf(schedules.signIn, { carrier: scac }, ASKED);
  return [`### Schedules of ${name}\n`, `Feeds: ${feeds}.\n`, ...ways, notesOf(schedules)];
}

function authenticationOf({ signIn }: Pick<CatalogueEntry, "signIn">): string {
  return signIn.length === 0 ? "-" : signIn.map(({ kind }) => kind).join(", or ");
}

function triedOn({ unsupported, recorded }: CatalogueEntry): string {
  if (unsupported !== undefined) return "Nothing";
  return recorded === true ? "A replayed server, and recorded answers" : "A replayed server";
}
