/** `boathook carriers catalogue`: the carriers whose APIs Boathook knows, and what you need to sign in. */
import { action, CommandError, type CommandFactory } from "../../../cli/command.ts";
import { JSON_OPTION } from "../../../cli/options.ts";
import { facts, jsonText, printRows, type Column } from "../../../cli/print.ts";
import { entryText, needsOf } from "../../../freight/source-catalogue/print-entry.ts";
import { lineOf } from "../../../freight/references/owner-codes.ts";
import {
  entryOf,
  shippedCatalogue,
  type CatalogueEntry,
} from "../../../freight/source-catalogue/carriers.ts";

const COLUMNS: readonly Column<CatalogueEntry>[] = [
  ["SCAC", ({ scac, covers = [] }) => [scac, ...covers].join(" ")],
  ["CARRIER", ({ name }) => name],
  ["YOU NEED", (entry) => needsText(entry)],
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
      at.out(json === true ? jsonText(entry) : carrierText(entry));
    });

function needsText(entry: CatalogueEntry): string {
  return entry.unsupported === undefined ? needsOf(entry) : `not polled: ${entry.unsupported}`;
}

function carrierText(entry: CatalogueEntry): string {
  const { scac, name, covers = [], documented, apply, unsupported } = entry;
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
  return entryText([head], entry, "carriers file", (fields) => ({ carrier: scac, ...fields }));
}
