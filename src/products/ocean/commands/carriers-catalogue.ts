/** `boathook carriers catalogue`: the carriers whose APIs Boathook knows, and what you need to sign in. */
import { action, CommandError, type CommandFactory } from "../../../cli/command.ts";
import { JSON_OPTION } from "../../../cli/options.ts";
import { facts, jsonText, printRows, type Column } from "../../../cli/print.ts";
import { lineOf } from "../../../freight/references/owner-codes.ts";
import { entryOf, shippedCatalogue, type CatalogueEntry } from "../sources/catalogue/catalogue.ts";

const COLUMNS: readonly Column<CatalogueEntry>[] = [
  ["SCAC", ({ scac, covers = [] }) => [scac, ...covers].join(" ")],
  ["CARRIER", ({ name }) => name],
  ["YOU NEED", (entry) => needsOf(entry)],
  ["APPLY AT", ({ apply }) => apply.url],
];

export const catalogueCommand: CommandFactory = (at) =>
  action(
    "catalogue",
    "List the carriers whose APIs Boathook knows: what your entry in the carriers file needs, and where to apply. " +
      "With a SCAC, all that is known of one.",
    "boathook carriers catalogue",
    "boathook carriers catalogue MAEU",
  )
    .argument("[scac]")
    .option(...JSON_OPTION)
    .action((scac, { json }) => {
      const catalogue = shippedCatalogue();
      if (scac === undefined) return printRows(at, catalogue, COLUMNS, json);
      const entry = entryOf(catalogue, scac.toUpperCase());
      if (entry === null) {
        throw new CommandError(
          "The catalogue has no carrier of that SCAC; `boathook carriers catalogue` lists all.",
          1,
        );
      }
      at.out(json === true ? jsonText(entry) : entryText(entry));
    });

/** `clientId, clientSecret or apiKey`. */
function needsOf({ signIn, unsupported }: CatalogueEntry): string {
  if (unsupported !== undefined) return `not polled: ${unsupported}`;
  return signIn.map(({ needs }) => Object.keys(needs).join(", ")).join(" or ");
}

function entryText(entry: CatalogueEntry): string {
  const { scac, name, covers = [], documented, apply, signIn, unsupported, quirks, unknown, sources } = entry;
  const { owners, scacs } = lineOf(scac);
  const head = facts([
    ["Carrier", `${scac} ${name}`],
    ["Also for", covers.join(" ") || null],
    ["Not polled", unsupported ?? null],
    ["Documented", documented.how],
    ["Question", documented.question],
    ["Paging", documented.paging],
    ["Quota", documented.quota],
    ["Bills begin", scacs.join(" ")],
    ["Containers", owners.join(" ")],
    ["Apply at", `${apply.url}: ${apply.how}`],
  ]);
  const ways = signIn.map(({ kind, needs }) => section(`Sign in by ${kind}`, pairs(needs)));
  const example = signIn
    .slice(0, 1)
    .map(({ needs }) => section("In the carriers file", [exampleOf(scac, needs)]));
  return [
    head,
    ...ways,
    ...example,
    section("Quirks", quirks),
    section("Not known", unknown),
    section(
      "From",
      sources.map(({ url, read, of }) => `${url} (${read}): ${of}`),
    ),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`;

const pairs = (needs: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(needs).map(([name, where]) => `${name}: ${where}`);

function exampleOf(scac: string, needs: Readonly<Record<string, string>>): string {
  const fields = Object.keys(needs).map((name) => [name, "…"]);
  return JSON.stringify({ carrier: scac, ...Object.fromEntries(fields) });
}
